"""Candidates of the last round in, their odds and doubts out: learned together from matches, chance and siblings."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.align.assignment import mutual_best
from siteseer.align.comparison import Compared, chance_of_levels, counterparts
from siteseer.align.court import Court, Pairs, courts, linking, logistic
from siteseer.align.doubt import doubts
from siteseer.align.graph import Floats
from siteseer.align.iterate import Round, Sides
from siteseer.align.judge import Usual, prior
from siteseer.align.knowledge import Knowledge
from siteseer.align.repeats import Mask, losers

STEPS = 10
DRAWN = 20_000
"""Pairs drawn at random, from which chance is learned."""
_SHIFT = 500.0


@dataclass(frozen=True, slots=True)
class Trial:
    """What is found of each candidate."""

    odds: Floats
    doubt: Floats
    """The share of false ones among what is as good, by the side that doubts less; 1 where it is not the best."""
    cautious: Floats
    """The same by the side that doubts more: by it is learned what is usual."""
    again: Mask
    """Matches besides the best, where a side says the same thing several times."""


def tried(given: Sides, last: Round, known: Knowledge, pairs: Pairs, start: Floats) -> Trial:
    """Judge candidates by literals first, then by linked instances too, as far as they were judged equal."""
    relations = counterparts(last.included.believed, given.left, given.right)
    links = linking(given.left, given.instances[0]), linking(given.right, given.instances[1])
    literal = [(r, s) for r, s in relations if r not in links[0] and s not in links[1]]
    sitting = courts(given, last, known, pairs)
    found, odds = _agreed(literal, sitting, known, start, (None, None, None))
    if len(literal) < len(relations):
        found, _ = _agreed(relations, sitting, known, logistic(found.odds) * (1 - found.cautious), odds)
    return found


def _agreed(
    relations: list[tuple[int, int]],
    sitting: tuple[Court, Court, Court],
    known: Knowledge,
    start: Floats,
    before: tuple[Floats | None, Floats | None, Floats | None],
) -> tuple[Trial, tuple[Floats, Floats, Floats]]:
    """Learn what is usual from the matches, and find the matches by what is usual, in turn."""
    cross, one, two = sitting
    compared = (
        cross.compared(relations, before[0]),
        one.compared([(r, r) for r, _ in relations], before[1]),
        two.compared([(s, s) for _, s in relations], before[2]),
    )
    chance = chance_of_levels(_drawn(cross, relations, before[0]))
    sizes = len(np.unique(cross.pairs[0])), len(np.unique(cross.pairs[1]))
    guess, sure = start, np.zeros(len(start))
    for _ in range(STEPS):
        usual, matched = Usual.learned(compared[0], guess, chance), float(guess.sum())
        first = max(prior(matched, *sizes), prior(matched, *sizes[::-1]))
        odds, left, right = (first + usual.weights(part) for part in compared)
        best = mutual_best(cross.keys, np.maximum(odds + _SHIFT, 0.0), *cross.instances)
        mutual = best.right_of[cross.pairs[0]] == cross.pairs[1]
        found = _doubted(odds, mutual, cross.pairs, (one.best(left), two.best(right)), known, sure)
        guess = sure = np.where(mutual, logistic(odds) * (1 - found.cautious), 0.0)
    return found, (odds, left, right)


def _drawn(cross: Court, relations: list[tuple[int, int]], before: Floats | None) -> Compared:
    """Compare pairs drawn at random that are no candidates."""
    rng = np.random.default_rng(0)
    x, y = (rng.choice(np.unique(side), DRAWN) for side in cross.pairs)
    free = ~np.isin(x * cross.instances[1] + y, cross.keys)
    return cross.compared(relations, before, (x[free], y[free]))


def _doubted(
    odds: Floats, mutual: Mask, pairs: Pairs, siblings: tuple[Floats, Floats], known: Knowledge, sure: Floats
) -> Trial:
    """Doubt matches kind by kind, by the siblings of those sides that do not repeat themselves."""
    found = Trial(odds, np.ones(len(odds)), np.ones(len(odds)), np.zeros(len(odds), bool))
    x, y = pairs
    for kind in np.unique(known.kinds[0][x[mutual]]).tolist():
        here = np.flatnonzero(known.kinds[0][x] == kind)
        won = mutual[here]
        other = int(np.argmax(np.bincount(known.kinds[1][y[here[won]]])))
        of_kind = known.kinds[0] == kind, known.kinds[1] == other
        n, m = int(of_kind[0].sum()), int(of_kind[1].sum())
        thin = [count / max(int(of_kind[k][known.sample[k]].sum()), 1) for k, count in enumerate((n, m))]
        matched = float(sure[here].sum())
        alone = max(1 - matched / min(n, m), 0.0)
        good = won & (odds[here] > 0)
        further = losers(odds[here], good, x[here], y[here]), losers(odds[here], good, y[here], x[here])
        each = alone * m / n * thin[0] ** 2, alone * n / m * thin[1] ** 2
        told = [doubts(odds[here][won], siblings[k][of_kind[k]], each[k]) for k in (0, 1)]
        honest = [told[k] for k in (0, 1) if not further[k].any()] or [np.minimum(*told)]
        found.doubt[here[won]], found.cautious[here[won]] = np.min(honest, axis=0), np.max(honest, axis=0)
        found.again[here] = further[0] | further[1]
    return found
