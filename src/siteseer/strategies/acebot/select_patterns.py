"""Selects navigation patterns greedily by new 2-grams per new page, until the completion ratio is reached.

Reference: thesis, Algorithm 5.1 and Definition 4. Differs: entry points are not counted as pages (Table 5.1 against
Definition 3); their 2-grams are covered from the beginning.

Gains are kept exact after every choice, by what the choice took away: the patterns that lose a 2-gram are those that
lead to a page that has it, and each 2-gram is taken once. So nothing is computed again and no bound is needed, which
for scores would be no matter of course: gain per page may grow, as fewer pages of a pattern are new.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siteseer.strategies.acebot.enumerate_patterns import Candidate
from siteseer.strategies.acebot.uncovered_grams import Columns, Places, UncoveredGrams

_AT_ONCE = 512
"""So many columns are looked at together: their table fits into the processor's cache."""


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

    def __init__(self, candidates: Sequence[Candidate], items: UncoveredGrams, roots: Sequence[int]) -> None:
        self._items = items
        self._has = _flags([each.pages for each in candidates], len(items.own))
        self._packed = _words(self._has.T)
        is_new = np.ones(len(items.own), bool)
        is_new[list(roots)] = False
        everything = items.left
        self.total = items.reached(self._has.any(axis=0) | ~is_new)
        """Distinct 2-grams of all pages that some pattern reaches, and of the entry points."""
        items.take(np.array(roots, np.int64))
        self.covered = everything - items.left
        self._is_new = is_new
        self._new = self._has.sum(axis=1)
        self._gain = self._has @ items.own + self._worth(items.shared)

    def run(self, ratio: float, least_gain: float) -> Iterator[Choice]:
        """Yield patterns until that share of all 2-grams is covered or no pattern brings enough."""
        while self.covered < ratio * self.total and len(self._has):
            scores = self.scores()
            number = int(scores.argmax())
            if scores[number] < least_gain or not scores[number]:
                return
            gain, new = int(self._gain[number]), int(self._new[number])
            self.take(number)
            yield Choice(number, float(scores[number]), new, gain, self.covered)

    def scores(self) -> NDArray[np.float64]:
        """Return the new 2-grams per new page of each pattern."""
        return np.where(self._new > 0, self._gain / np.maximum(self._new, 1), 0.0)

    def take(self, number: int) -> None:
        """Count the pages of a pattern, and their 2-grams, as covered."""
        pages = np.flatnonzero(self._has[number] & self._is_new)
        self.covered += int(self._gain[number])
        has = self._has[:, pages]
        self._new -= has.sum(axis=1)
        self._gain -= has @ self._items.own[pages]
        self._gain -= self._worth(self._items.take(pages))
        self._is_new[pages] = False

    def _worth(self, columns: Columns) -> Places:
        """Return how many 2-grams of these columns each pattern leads to."""
        found = np.zeros(len(self._has), np.int64)
        for first in range(0, len(columns.weights), _AT_ONCE):
            begin, weights = columns.begin[first : first + _AT_ONCE + 1], columns.weights[first : first + _AT_ONCE]
            rows = self._packed[columns.pages[begin[0] : begin[-1]]]
            bits = np.bitwise_or.reduceat(rows, begin[:-1] - begin[0], axis=0).view(np.uint8)
            flags = np.unpackbits(bits, axis=1, count=len(self._has))
            for power in range(int(weights.max()).bit_length()):  # most columns stand for one 2-gram
                found += flags[weights >> power & 1 > 0].sum(axis=0, dtype=np.int64) << power
        return found


def _flags(sets: Sequence[int], count: int) -> NDArray[np.bool_]:
    """Return sets of pages, given as the bits of numbers, as one row each."""
    width = (count + 7) // 8
    packed = np.frombuffer(b"".join(one.to_bytes(width, "little") for one in sets), np.uint8).reshape(len(sets), width)
    return np.unpackbits(packed, axis=1, count=count, bitorder="little").view(bool)


def _words(flags: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Return rows of flags as rows of 64 bits each."""
    packed = np.packbits(flags, axis=1)
    return np.ascontiguousarray(np.pad(packed, ((0, 0), (0, -packed.shape[1] % 8)))).view(np.uint64)
