"""Pairs of instances that are judged alike: candidates from both sides, and siblings within each side."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.align.comparison import Compared, Texts, compare
from siteseer.align.functionality import Edges
from siteseer.align.graph import Floats, Ints
from siteseer.align.inclusion import Values
from siteseer.align.iterate import Round, Sides
from siteseer.align.knowledge import Knowledge, thinned
from siteseer.align.literals import Equal
from siteseer.align.siblings import siblings

Pairs = tuple[Ints, Ints]


@dataclass(frozen=True, slots=True)
class Court:
    """Two sides, or one and itself, and the pairs to be judged."""

    sides: tuple[Edges, Edges]
    instances: tuple[int, int]
    nodes: tuple[int, int]
    pairs: Pairs
    equal: Equal
    """Nodes that are literals."""
    texts: Texts

    @property
    def keys(self) -> Ints:
        """The pairs as numbers, in order."""
        return self.pairs[0] * max(self.instances[1], 1) + self.pairs[1]

    def compared(self, relations: list[tuple[int, int]], odds: Floats | None, pairs: Pairs | None = None) -> Compared:
        """Compare the pairs, or others; linked instances are as equal as the odds of the pairs say, if there are."""
        x, y = self.pairs if pairs is None else pairs
        return compare(x, y, *self.sides, relations, self._values(odds), self.texts)

    def _values(self, odds: Floats | None) -> Values:
        left, right, p = [self.equal.left], [self.equal.right], [self.equal.similarity]
        if odds is not None:
            good = odds > 0
            left, right, p = [*left, self.pairs[0][good]], [*right, self.pairs[1][good]], [*p, logistic(odds[good])]
            if self.sides[0] is self.sides[1]:
                every = np.arange(self.instances[0])
                left, right, p = [*left, every], [*right, every], [*p, np.ones(len(every))]
        return Values.of(np.concatenate(left), np.concatenate(right), np.concatenate(p), self.nodes[1])

    def best(self, odds: Floats) -> Floats:
        """Return the best odds of each instance."""
        best = np.full(self.instances[0], -np.inf)
        np.maximum.at(best, self.pairs[0], odds)
        return best


def courts(given: Sides, last: Round, known: Knowledge, pairs: Pairs) -> tuple[Court, Court, Court]:
    """Return the candidates, the siblings of the left and those of the right side."""
    believed = last.included.believed
    texts = Texts(*known.words, given.instances)
    return (
        Court((given.left, given.right), given.instances, given.nodes, pairs, given.literals, texts),
        _within(given, known, 0, believed.within.max(axis=1, initial=0.0)),
        _within(given, known, 1, believed.contains.max(axis=0, initial=0.0)),
    )


def _within(given: Sides, known: Knowledge, k: int, trusted: Floats) -> Court:
    side, own, nodes = (given.left, given.right)[k], given.instances[k], given.nodes[k]
    equal, words = known.alike[k], known.words[k]
    pairs = siblings(thinned(side, known.sample[k]), own, equal, trusted)
    table = Equal(equal.left + own, equal.right + own, equal.probability, equal.similarity)
    return Court((side, side), (own, own), (nodes, nodes), pairs, table, Texts(words, words, (own, own)))


def linking(edges: Edges, instances: int) -> set[int]:
    """Return the relations that lead to instances."""
    return set(np.unique(edges.relation[edges.target < instances]).tolist())


def logistic(odds: Floats) -> Floats:
    """Return the probability that has such log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -50.0, 50.0))), np.float64)
