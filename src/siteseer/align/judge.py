"""Candidates in, the odds of each out: what agrees and what differs, weighed by what is usual.

Reference: Fellegi, Sunter, A theory for record linkage, JASA 64, 1969; the shares m (agreement among true pairs) are
learned from the candidates themselves by expectation maximisation, u (agreement by chance) from all pairs. The
relations are those that PARIS found to say the same. So a telephone number that differs speaks against two restaurants
where numbers are usually written alike, and says little where they are not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from siteseer.align.evidence import Relations
from siteseer.align.functionality import Edges
from siteseer.align.graph import Floats, Ints
from siteseer.align.inclusion import Values
from siteseer.align.sparse import Groups, crossed

BELIEVED = 0.3
"""Relations that contain each other less are not compared."""
STEPS = 8


@dataclass(frozen=True, slots=True)
class Compared:
    """For each pair of instances and each two relations: whether both have them, and how alike the best values are."""

    both: npt.NDArray[np.bool_]
    alike: Floats
    chance: Floats
    """By two relations: how alike any two values are."""
    comparable: float
    """How many pairs of instances could be compared at all."""


def counterparts(believed: Relations, left: Edges, right: Edges) -> list[tuple[int, int]]:
    """Return the relations that say the same, one to one, best first."""
    strength = np.sqrt(believed.within * believed.contains) * (1 + 1e-6 * left.inverse_fun[:, None])
    strength = np.where(np.maximum(believed.within, believed.contains) >= BELIEVED, strength, 0.0)
    found: list[tuple[int, int]] = []
    for place in np.argsort(-strength, axis=None, kind="stable"):
        r, s = divmod(int(place), strength.shape[1])
        if strength[r, s] <= 0:
            break
        if all(r != a and s != b for a, b in found):
            found.append((r, s))
    return found


def compare(x: Ints, y: Ints, left: Edges, right: Edges, relations: list[tuple[int, int]], values: Values) -> Compared:
    """Compare pairs of instances in each two relations that say the same."""
    both, alike = np.zeros((len(x), len(relations)), bool), np.zeros((len(x), len(relations)))
    chance = np.zeros(len(relations))
    having = np.zeros(2)
    nodes = len(left.by_source.start) - 1, len(right.by_source.start) - 1
    for k, (r, s) in enumerate(relations):
        a, b = np.flatnonzero(left.relation == r), np.flatnonzero(right.relation == s)
        one, two = Groups.by(left.source[a], nodes[0]), Groups.by(right.source[b], nodes[1])
        both[:, k] = (one.sizes[x] > 0) & (two.sizes[y] > 0)
        i, j, pair = crossed(one, x, two, y)
        np.maximum.at(alike[:, k], pair, values.equal(left.target[a[i]], right.target[b[j]]))
        held = np.bincount(left.target[a], minlength=nodes[0]), np.bincount(right.target[b], minlength=nodes[1])
        alike_by_chance = float((held[0][values.left] * held[1][values.right] * values.probability).sum())
        owners = int((one.sizes > 0).sum()), int((two.sizes > 0).sum())
        having = np.maximum(having, owners)
        chance[k] = alike_by_chance / max(owners[0] * owners[1], 1)
    return Compared(both, alike, np.clip(chance, 1e-6, 0.9), float(having.prod()))


def verdicts(compared: Compared, start: Floats, prior: float) -> Floats:
    """Return the log odds of each pair; `start` are the first guesses, `prior` the log odds of any two instances."""
    guess = start
    odds = np.zeros(len(guess))
    for _ in range(STEPS):
        seen = (guess[:, None] * compared.both).sum(axis=0)
        m = ((guess[:, None] * compared.alike).sum(axis=0) + 0.5) / (seen + 1)
        m = np.maximum(m, compared.chance)
        for_, against = np.log(m / compared.chance), np.log((1 - m) / (1 - compared.chance))
        odds = prior + (compared.both * (compared.alike * for_ + (1 - compared.alike) * against)).sum(axis=1)
        guess = 1 / (1 + np.exp(-np.clip(odds, -50, 50)))
    return odds
