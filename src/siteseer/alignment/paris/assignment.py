"""Assigns each instance to its mutually best candidate of the other source."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.alignment.fact_graph import Floats, Ints

TIES = 8
"""How often instances that are equally good for each other are dealt out again."""
_SAME = 1e-9


@dataclass(frozen=True, slots=True)
class Assignment:
    """For each left instance its right one, for each right one its left one (-1: none), and the probability."""

    right_of: Ints
    left_of: Ints
    weight: Floats
    """-log(1 - Pr), by left instance."""

    @property
    def probability(self) -> Floats:
        """The probability by left instance."""
        return -np.expm1(-self.weight)

    @property
    def size(self) -> int:
        """How many instances are assigned."""
        return int((self.right_of >= 0).sum())

    def pairs(self) -> tuple[Ints, Ints, Floats]:
        """Return left and right instances that belong together, and the probability."""
        left = np.flatnonzero(self.right_of >= 0)
        return left, self.right_of[left], self.probability[left]

    def change(self, before: Assignment) -> float:
        """Return the share of the assignment, weighted by probability, that differs from the one before."""
        moved = self.right_of != before.right_of
        now, then = self.probability, before.probability
        return float(np.maximum(now, then)[moved].sum() / max(now.sum(), 1e-9))


def empty_assignment(left: int, right: int) -> Assignment:
    """Return an assignment in which no instance is assigned."""
    return Assignment(np.full(left, -1), np.full(right, -1), np.zeros(left))


def mutual_best(pair: Ints, weight: Floats, left: int, right: int) -> Assignment:
    """Assign x to x' where neither has a better candidate; of equally good ones the first by name is taken.

    >>> found = mutual_best(np.array([0, 1, 3]), np.array([2.0, 1.0, 1.5]), 2, 2)
    >>> found.right_of.tolist(), found.left_of.tolist()
    ([0, 1], [0, 1])
    """
    found = empty_assignment(left, right)
    x, y = np.divmod(pair, max(right, 1))
    best, best_of_right = np.zeros(left), np.zeros(right)
    np.maximum.at(best, x, weight)
    np.maximum.at(best_of_right, y, weight)
    top = np.flatnonzero((weight >= best[x] - _SAME) & (weight >= best_of_right[y] - _SAME) & (weight > 0))
    for _ in range(TIES):
        top = top[(found.right_of[x[top]] < 0) & (found.left_of[y[top]] < 0)]
        if not len(top):
            break
        first, first_of_right = np.full(left, len(pair)), np.full(right, len(pair))
        np.minimum.at(first, x[top], top)
        np.minimum.at(first_of_right, y[top], top)
        chosen = top[(first[x[top]] == top) & (first_of_right[y[top]] == top)]
        found.right_of[x[chosen]], found.left_of[y[chosen]] = y[chosen], x[chosen]
        found.weight[x[chosen]] = weight[chosen]
    return found
