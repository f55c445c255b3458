"""Candidate patterns in, the selected ones out: greedily the most new 2-grams per new page, until enough is covered.

Reference: thesis, Algorithm 5.1 and Definition 4. Differs: entry points are not counted as pages (Table 5.1 against
Definition 3); their 2-grams are covered from the beginning.

Lazy evaluation: the gain of a pattern never grows, but gain per page may, as fewer pages of it are new. So new pages
are counted exactly after every choice, and an old gain divided by them is an upper bound of the score; only patterns
whose bound is the highest are evaluated. The first bound of a pattern is the sum over its clusters.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siteseer.navigation.acebot.cluster import Candidate, Places
from siteseer.navigation.acebot.items import Columns, Items


@dataclass(frozen=True, slots=True)
class Choice:
    """A selected pattern: what it added when it was selected."""

    candidate: int
    score: float
    pages: int
    two_grams: int
    covered: int
    """2-grams covered with this and all earlier choices, and those of the entry points."""


class Selection:
    """One greedy selection over the candidates of a site; of equal scores the first candidate wins."""

    def __init__(
        self, candidates: Sequence[Candidate], members: Sequence[Places], items: Items, roots: Sequence[int]
    ) -> None:
        self.candidates, self.items = candidates, items
        self.covered = items.of(roots)
        everything = self.covered.copy()
        self._columns: dict[int, NDArray[np.uint8]] = {}  # packed, as there may be thousands of clusters
        gains: dict[int, int] = {}
        for number in sorted({number for candidate in candidates for number in candidate.clusters}):
            columns = items.of(members[number])
            everything |= columns
            gains[number] = items.count(columns & ~self.covered)
            self._columns[number] = np.packbits(columns)
        self.total = items.count(everything)
        self._gain = np.array([sum(gains[one] for one in set(each.clusters)) for each in candidates], np.int64)
        self._new = np.array([each.pages.bit_count() for each in candidates], np.int64)
        self._pages = _words([each.pages for each in candidates])

    def columns(self, candidate: Candidate) -> Columns:
        """Return the 2-grams of a pattern's pages."""
        united = np.bitwise_or.reduce([self._columns[number] for number in candidate.clusters])
        return np.unpackbits(united, count=len(self.items.weights)).view(bool)

    def run(self, ratio: float, least_gain: float) -> Iterator[Choice]:
        """Yield patterns until that share of all 2-grams is covered or no pattern brings enough."""
        selected, covered = 0, self.items.count(self.covered)
        while covered < ratio * self.total and len(self.candidates):
            score, number = self._best()
            if score < least_gain or not score:
                return
            gain, new = int(self._gain[number]), int(self._new[number])
            self._take(self.candidates[number].pages & ~selected)
            selected |= self.candidates[number].pages
            self.covered |= self.columns(self.candidates[number])
            covered += gain
            yield Choice(number, score, new, gain, covered)

    def _best(self) -> tuple[float, int]:
        """Return score and number of the best pattern."""
        bounds = np.where(self._new > 0, self._gain / np.maximum(self._new, 1), 0.0)
        fresh: set[int] = set()
        while (number := int(bounds.argmax())) not in fresh:
            if self._new[number]:
                self._gain[number] = self.items.count(self.columns(self.candidates[number]) & ~self.covered)
                bounds[number] = self._gain[number] / self._new[number]
            fresh.add(number)
        return float(bounds[number]), number

    def _take(self, pages: int) -> None:
        """Count pages as new no longer."""
        for place, word in enumerate(_words([pages], len(self._pages))[:, 0]):
            if word:
                self._new -= np.bitwise_count(self._pages[place] & word)


def _words(sets: Sequence[int], count: int = 0) -> NDArray[np.uint64]:
    """Return sets of pages, given as the bits of numbers, as rows of 64 pages each with one column for each set."""
    count = count or max((one.bit_length() for one in sets), default=0) // 64 + 1
    rows = b"".join(one.to_bytes(8 * count, "little") for one in sets)
    return np.ascontiguousarray(np.frombuffer(rows, "<u8").astype(np.uint64).reshape(len(sets), count).T)
