"""Keeps track of the 2-grams that are not covered yet, and of the pages that have them.

What one page alone says is a number. 2-grams that occur on exactly the same pages are one column with a weight, such as
what the template says everywhere: of 4.5 million occurrences on 3,000 pages a tenth or so remains, and less with every
page that is taken.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siteseer.page.two_grams import Grams

Places = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Columns:
    """2-grams that several pages have."""

    weights: Places
    """How many 2-grams each column stands for."""
    begin: Places
    """Where the pages of each column begin; the last one ends with them."""
    pages: NDArray[np.int32]

    def __iter__(self) -> Iterator[tuple[int, list[int]]]:
        """Return weight and pages of each column."""
        ends = self.begin.tolist()
        for weight, first, end in zip(self.weights.tolist(), ends, ends[1:], strict=False):
            yield weight, self.pages[first:end].tolist()

    def parted(self, flags: NDArray[np.bool_]) -> tuple[Columns, Columns]:
        """Return the columns that any of the flagged pages has, and the others."""
        has = np.logical_or.reduceat(flags[self.pages], self.begin[:-1]) if len(self.weights) else flags[:0]
        return self._where(has), self._where(~has)

    def _where(self, kept: NDArray[np.bool_]) -> Columns:
        lengths = np.diff(self.begin)
        begin = np.concatenate(([0], np.cumsum(lengths[kept])))
        return Columns(self.weights[kept], begin, self.pages[np.repeat(kept, lengths)])


class UncoveredGrams:
    """The 2-grams of pages that no page taken so far has.

    >>> items = UncoveredGrams([np.array([1, 2, 3], np.uint64), np.array([2, 3, 4, 5], np.uint64)])
    >>> items.own.tolist(), list(items.shared), items.left
    ([1, 2], [(2, [0, 1])], 5)
    >>> gone = items.take(np.array([0])); items.own.tolist(), list(items.shared), items.left
    ([0, 2], [], 2)
    """

    def __init__(self, pages: Sequence[Grams]) -> None:
        sizes = np.array([len(grams) for grams in pages], np.int64)
        values = np.concatenate([*pages, np.empty(0, np.uint64)]).astype(np.uint64, copy=False)
        owner = np.repeat(np.arange(len(pages), dtype=np.int32), sizes)
        order = np.argsort(values)
        owner, values = owner[order], values[order]
        starts = np.flatnonzero(np.concatenate(([True], values[1:] != values[:-1]))) if len(values) else order[:0]
        lengths = np.diff(starts, append=len(values))
        self.own = np.bincount(owner[starts[lengths == 1]], minlength=len(pages))
        """How many 2-grams each page alone has."""
        first, weights = _same_pages(owner, starts, lengths, len(pages))
        begin = np.concatenate(([0], np.cumsum(lengths[first])))
        self.shared = Columns(weights, begin, owner[_ranges(starts[first], lengths[first])])

    @property
    def left(self) -> int:
        """How many 2-grams are left."""
        return int(self.shared.weights.sum()) + int(self.own.sum())

    def reached(self, flags: NDArray[np.bool_]) -> int:
        """Return how many of the 2-grams left are on any of the flagged pages."""
        return int(self.own[flags].sum()) + int(self.shared.parted(flags)[0].weights.sum())

    def take(self, pages: Places) -> Columns:
        """Remove the 2-grams of these pages; return those that several pages had."""
        flags = np.zeros(len(self.own), bool)
        flags[pages] = True
        self.own[pages] = 0
        taken, self.shared = self.shared.parted(flags)
        return taken


def _same_pages(
    owner: NDArray[np.int32], starts: NDArray[np.int64], lengths: NDArray[np.int64], pages: int
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return one 2-gram for each set of several pages, and how many 2-grams have that set.

    A set is known by the sum of random 64-bit numbers of its pages: that different sets have equal sums happens once in
    millions of sites.
    """
    shared = np.flatnonzero(lengths > 1)
    keys = np.random.default_rng(0).integers(0, 2**63, pages, np.int64).astype(np.uint64) * 2 + 1
    sums = np.add.reduceat(keys[owner], starts)[shared] if len(shared) else keys[:0]
    order = np.argsort(sums)
    changes = np.concatenate(([True], sums[order][1:] != sums[order][:-1])) if len(order) else order.astype(bool)
    begin = np.flatnonzero(changes)
    return shared[order[begin]], np.diff(begin, append=len(order))


def _ranges(starts: NDArray[np.int64], lengths: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return start, start + 1, ... of each range, one after the other."""
    ends = np.cumsum(lengths)
    total = int(ends[-1]) if len(ends) else 0
    begin: NDArray[np.int64] = np.repeat(starts - (ends - lengths), lengths)
    return begin + np.arange(total)
