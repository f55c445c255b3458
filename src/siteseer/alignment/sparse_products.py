"""Joins grouped rows of integer arrays with numpy: cross products of groups, sums by key, lookups."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from siteseer.alignment.fact_graph import Floats, Ints


@dataclass(frozen=True, slots=True)
class Groups:
    """Rows grouped by a number between 0 and n: `order[start[k]:start[k + 1]]` are the rows of group k."""

    order: Ints
    start: Ints

    @classmethod
    def by(cls, numbers: Ints, n: int) -> Groups:
        """Group rows by their numbers.

        >>> groups = Groups.by(np.array([1, 0, 1]), 3)
        >>> groups.order.tolist(), groups.start.tolist(), groups.sizes.tolist()
        ([1, 0, 2], [0, 1, 3, 3], [1, 2, 0])
        """
        start = np.zeros(n + 1, np.int64)
        np.cumsum(np.bincount(numbers, minlength=n), out=start[1:])
        return cls(np.argsort(numbers, kind="stable"), start)

    def at_most(self, most: int) -> Groups:
        """Return the groups with no more than the first rows of each.

        >>> Groups.by(np.array([1, 0, 1]), 2).at_most(1).order.tolist()
        [1, 0]
        """
        sizes = self.sizes
        if not len(sizes) or int(sizes.max()) <= most:
            return self
        place = np.arange(len(self.order)) - np.repeat(self.start[:-1], sizes)
        start = np.concatenate(([0], np.cumsum(np.minimum(sizes, most))))
        return Groups(self.order[place < most], start)

    @property
    def sizes(self) -> Ints:
        """How many rows each group has."""
        return np.diff(self.start)


def cross_groups(one: Groups, a: Ints, other: Groups, b: Ints) -> tuple[Ints, Ints, Ints]:
    """Return for each pair of groups (a[k], b[k]) every row of the one with every row of the other, and k.

    >>> groups = Groups.by(np.array([1, 0, 1]), 2)
    >>> [part.tolist() for part in cross_groups(groups, np.array([1]), groups, np.array([1]))]
    [[0, 0, 2, 2], [0, 2, 0, 2], [0, 0, 0, 0]]
    """
    first, second = one.sizes[a], other.sizes[b]
    pair = np.repeat(np.arange(len(a)), first * second)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(first * second) - first * second, first * second)
    left, right = np.divmod(within, second[pair]) if len(pair) else (within, within)
    return one.order[one.start[a][pair] + left], other.order[other.start[b][pair] + right], pair


def members(groups: Groups, a: Ints) -> tuple[Ints, Ints]:
    """Return every row of the groups a[k], and k."""
    sizes = groups.sizes[a]
    pair = np.repeat(np.arange(len(a)), sizes)
    within = np.arange(len(pair)) - np.repeat(np.cumsum(sizes) - sizes, sizes)
    return groups.order[groups.start[a][pair] + within], pair


def sum_by_key(keys: Ints, values: Floats) -> tuple[Ints, Floats]:
    """Return the distinct keys in order, and the sum of the values of each.

    >>> [part.tolist() for part in sum_by_key(np.array([7, 3, 7]), np.array([1.0, 2.0, 3.0]))]
    [[3, 7], [2.0, 4.0]]
    """
    if not len(keys):
        return keys, values
    order = np.argsort(keys, kind="stable")
    ordered = keys[order]
    first = run_starts(ordered)
    return ordered[first], np.add.reduceat(values[order], first)


def weighted_counts(numbers: Ints, weights: Floats, n: int) -> Floats:
    """Return for each number below n the sum of its weights.

    >>> weighted_counts(np.array([2, 0, 2]), np.array([0.5, 1.0, 0.25]), 3).tolist()
    [1.0, 0.0, 0.75]
    """
    return np.bincount(numbers, weights, n).astype(np.float64)


def run_starts(ordered: npt.NDArray[np.int64]) -> Ints:
    """Return where each run of equal numbers begins."""
    if not len(ordered):
        return np.empty(0, np.int64)
    return np.flatnonzero(np.concatenate(([True], ordered[1:] != ordered[:-1])))


def distinct(numbers: Ints) -> Ints:
    """Return each number once, in order; sorting beats hashing for the millions that come here.

    >>> distinct(np.array([3, 1, 3])).tolist()
    [1, 3]
    """
    ordered = np.sort(numbers)
    return ordered[run_starts(ordered)]


def lookup(ordered: Ints, wanted: Ints) -> tuple[Ints, npt.NDArray[np.bool_]]:
    """Return where each wanted key stands among ordered keys, and whether it is there at all."""
    if not len(ordered):
        return np.zeros(len(wanted), np.int64), np.zeros(len(wanted), bool)
    place = np.minimum(np.searchsorted(ordered, wanted), len(ordered) - 1)
    return place, ordered[place] == wanted


def within_budget(cost: Ints, budget: int) -> npt.NDArray[np.bool_]:
    """Say which items fit the budget when the cheapest are taken first: hubs are left out.

    >>> within_budget(np.array([5, 100, 1]), 10).tolist()
    [True, False, True]
    """
    if int(cost.sum()) <= budget:
        return np.ones(len(cost), bool)
    order = np.argsort(cost, kind="stable")
    fits = np.zeros(len(cost), bool)
    fits[order[np.cumsum(cost[order]) <= budget]] = True
    return fits
