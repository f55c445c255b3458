"""Compares candidate pairs field by field: equal, close, similar or different values of corresponding relations.

For equal values, it also estimates how likely two unrelated instances share them. That is learned within each source,
where no two instances are the same.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.literals.rare_words import WordWeights, rare_word_similarity
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.paris.inclusion import Values
from siteseer.alignment.paris.instance_evidence import Relations
from siteseer.alignment.sparse_products import Groups, cross_groups, distinct

BELIEVED = 0.3
"""Relations that contain each other less are not compared."""
STEPS = np.array([0.3, 0.6, 0.89])
"""How alike values must be to be similar, close, the same."""
DIFFERENT, SIMILAR, CLOSE, SAME = range(4)
LEVELS = 4
_MOST_VALUES = 30

Levels = npt.NDArray[np.int8]


@dataclass(frozen=True, slots=True)
class Texts:
    """The literals of both sources; nodes from `first` on are literals."""

    left: WordWeights
    right: WordWeights
    first: tuple[int, int]


@dataclass(frozen=True, slots=True)
class FieldComparison:
    """For each pair of instances and each two relations: whether both have them, and how alike the best values are."""

    alike: Floats
    level: Levels
    """-1 where one of the two has no value."""
    by_chance: Floats
    """Where values are the same: how likely those of two other instances would be."""

    @property
    def both(self) -> npt.NDArray[np.bool_]:
        """Where both have values."""
        return np.asarray(self.level >= 0)


def counterparts(believed: Relations, left: Edges, right: Edges) -> list[tuple[int, int]]:
    """Return the relations of both sources that correspond, one to one, best first."""
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


def compare(
    pairs: tuple[Ints, Ints],
    sides: tuple[Edges, Edges],
    relations: list[tuple[int, int]],
    values: Values,
    texts: Texts | None = None,
) -> FieldComparison:
    """Compare pairs of instances in each two corresponding relations; words are compared where texts are given."""
    (x, y), (left, right) = pairs, sides
    shape = len(x), len(relations)
    found = FieldComparison(np.zeros(shape), np.full(shape, -1, np.int8), np.ones(shape))
    for k, (r, s) in enumerate(relations):
        a, b = _Column.of(left, r), _Column.of(right, s)
        i, j, pair = cross_groups(a.of_instance.at_most(_MOST_VALUES), x, b.of_instance.at_most(_MOST_VALUES), y)
        v, w = a.value[i], b.value[j]
        alike = values.equal(v, w)
        if texts is not None:
            _by_words(alike, v, w, texts)
        np.maximum.at(found.alike[:, k], pair, alike)
        both = (a.of_instance.sizes[x] > 0) & (b.of_instance.sizes[y] > 0)
        found.level[both, k] = np.searchsorted(STEPS, found.alike[both, k], side="right")
        same = alike >= STEPS[-1]
        chance = np.maximum(a.chance[v[same]], b.chance[w[same]])
        np.minimum.at(found.by_chance[:, k], pair[same], chance)
    return found


def _by_words(alike: Floats, v: Ints, w: Ints, texts: Texts) -> None:
    """Compare the words of texts that are not known to be equal; each two texts once."""
    rows = np.flatnonzero((alike < STEPS[1]) & (v >= texts.first[0]) & (w >= texts.first[1]))
    width = texts.first[1] + len(texts.right.texts)
    keys, place = np.unique(v[rows] * width + w[rows], return_inverse=True)
    y, z = np.divmod(keys, width)
    common = rare_word_similarity(texts.left, texts.right, y - texts.first[0], z - texts.first[1])
    alike[rows] = np.maximum(alike[rows], common[place])


@dataclass(frozen=True, slots=True)
class _Column:
    """The values of one relation."""

    value: Ints
    of_instance: Groups
    chance: Floats
    """By node: how likely another instance has it."""

    @classmethod
    def of(cls, edges: Edges, relation: int) -> _Column:
        rows = np.flatnonzero(edges.relation == relation)
        nodes = len(edges.by_source.start) - 1
        held = np.bincount(edges.target[rows], minlength=nodes)
        owners = len(distinct(edges.source[rows]))
        return cls(edges.target[rows], Groups.by(edges.source[rows], nodes), _chance(held, owners))


def _chance(held: Ints, owners: int) -> Floats:
    """Return how likely another instance has a value that is held so often.

    Reference: Good, The population frequencies of species, 1953: a value that was seen once will be seen again as
    often as values were seen twice.
    """
    once, twice = int((held == 1).sum()), int((held == 2).sum())
    again = min((2 * twice + 1) / (once + 1), 1.0)
    return np.asarray((np.maximum(held - 1, 0) + again) / max(owners, 1), np.float64)


def chance_of_levels(compared: FieldComparison) -> Floats:
    """Return for each two relations how likely each level of agreement is among unrelated pairs."""
    rows = [np.bincount(column[column >= 0], minlength=LEVELS) for column in compared.level.T]
    table = np.array(rows).reshape(-1, LEVELS) + 0.5
    return np.asarray(table / table.sum(axis=1, keepdims=True), np.float64)
