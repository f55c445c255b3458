"""Candidate patterns in, the selected ones out: greedily the most new 2-grams per new page, until enough is covered.

Reference: thesis, Algorithm 5.1 and Definition 4. Differs: entry points are not counted as pages (Table 5.1 against
Definition 3); their 2-grams are covered from the beginning.

Lazy evaluation: the gain of a pattern never grows, but gain per page may, as fewer pages of it are new. So new pages
are counted exactly in every round, and an old gain divided by them is an upper bound of the score; only patterns whose
bound is the highest are evaluated. The first bound of a pattern is the sum over its clusters.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

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
    """One greedy selection over the candidates of a site."""

    def __init__(
        self, candidates: Sequence[Candidate], members: Sequence[Places], items: Items, roots: Sequence[int]
    ) -> None:
        self.candidates, self.items = candidates, items
        used = {number for candidate in candidates for number in candidate.clusters}
        self._columns = {number: items.of(members[number]) for number in used}
        self.covered = items.of(roots)
        everything = self.covered.copy()
        for columns in self._columns.values():
            everything |= columns
        self.total = items.count(everything)
        gains = {number: items.count(columns & ~self.covered) for number, columns in self._columns.items()}
        self._gain = [sum(gains[number] for number in set(one.clusters)) for one in candidates]
        self._open = list(range(len(candidates)))

    def columns(self, candidate: Candidate) -> Columns:
        """Return the 2-grams of a pattern's pages."""
        found = np.zeros(len(self.items.weights), bool)
        for number in candidate.clusters:
            found |= self._columns[number]
        return found

    def run(self, ratio: float, least_gain: float) -> Iterator[Choice]:
        """Yield patterns until that share of all 2-grams is covered or no pattern brings enough."""
        selected, covered = 0, self.items.count(self.covered)
        while covered < ratio * self.total:
            best = self._best(selected)
            if best is None or best[0] < least_gain:
                return
            score, number, new = best
            gain = self._gain[number]
            selected |= self.candidates[number].pages
            self.covered |= self.columns(self.candidates[number])
            covered += gain
            yield Choice(number, score, new, gain, covered)

    def _best(self, selected: int) -> tuple[float, int, int] | None:
        """Return score, number and new pages of the best pattern; patterns that can bring nothing more are dropped."""
        new = {number: (self.candidates[number].pages & ~selected).bit_count() for number in self._open}
        self._open = [number for number in self._open if new[number] and self._gain[number]]
        queue = [(-self._gain[number] / new[number], number) for number in self._open]
        heapq.heapify(queue)
        fresh: set[int] = set()
        while queue:
            bound, number = queue[0]
            if number in fresh:
                return -bound, number, new[number]
            self._gain[number] = self.items.count(self.columns(self.candidates[number]) & ~self.covered)
            fresh.add(number)
            heapq.heapreplace(queue, (-self._gain[number] / new[number], number))
        return None
