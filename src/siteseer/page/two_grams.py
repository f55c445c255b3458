"""Computes the 2-grams of a page: pairs of consecutive words of visible text, the unit in which content is counted.

A 2-gram is a 64-bit hash, so that sets of millions stay small; `DistinctGrams` counts them exactly up to ten million.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from siteseer.model import Page
from siteseer.page.tree import cached
from siteseer.page.word_hashes import hash_strings, word_hashes
from siteseer.settings import EXACT_TWO_GRAMS

Grams = NDArray[np.uint64]

_MIX = np.uint64(0x9E3779B97F4A7C15)
_TURN = np.uint64(29)
_BACK = np.uint64(35)
_GROWTH = 8
"""How many times longer each sorted run is than the next: few runs make looking up quick, many make adding quick."""


def hash_words(sequence: list[str]) -> Grams:
    """Return the hash of every consecutive pair of words, in order."""
    return hash_pairs(hash_strings(sequence))


def hash_pairs(words: Grams) -> Grams:
    """Return the hash of every consecutive pair of hashed words, in order."""
    mixed = words * _MIX
    first, second = mixed[:-1], mixed[1:]
    pairs: Grams = ((first << _TURN) | (first >> _BACK)) ^ second
    return pairs


def distinct(hashes: Grams) -> Grams:
    """Return the distinct hashes, sorted: the same as `numpy.unique`, which takes thirty times as long for them.

    >>> distinct(np.array([3, 1, 3], np.uint64)).tolist()
    [1, 3]
    """
    ordered = np.sort(hashes)
    is_first = np.ones(len(ordered), np.bool_)
    np.not_equal(ordered[1:], ordered[:-1], out=is_first[1:])
    return ordered[is_first]


@cached
def grams(page: Page) -> Grams:
    """Return the distinct 2-grams of the visible text, sorted.

    >>> len(grams(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=b"<p>to be or not to be")))
    4
    """
    return distinct(hash_pairs(word_hashes(page).hashes))


class DistinctGrams:
    """Counts distinct 2-grams over many pages: exactly up to a limit, then estimated from a share of the hashes.

    >>> seen = DistinctGrams(); _ = seen.add(np.array([1, 2], np.uint64)); _ = seen.add(np.array([2, 3], np.uint64))
    >>> len(seen), seen.is_estimated
    (3, False)
    """

    def __init__(self, exact_up_to: int = EXACT_TWO_GRAMS) -> None:
        self.exact_up_to = exact_up_to
        self.halvings = 0
        self._runs: list[Grams] = []

    def __len__(self) -> int:
        return sum(map(len, self._runs)) << self.halvings

    @property
    def is_estimated(self) -> bool:
        """Say whether the limit was passed: then only every 2nd, 4th, ... hash is kept, and the count scaled up."""
        return self.halvings > 0

    def new(self, sample: Grams) -> Grams:
        """Return those of the sorted, distinct sample that were never added."""
        sample = self._share(sample)
        for run in self._runs:
            if not len(sample):
                break
            place = np.searchsorted(run, sample)
            place[place == len(run)] = 0
            sample = sample[run[place] != sample]
        return sample

    def add(self, sample: Grams) -> Grams:
        """Add a sorted, distinct sample; return what was new."""
        fresh = self.new(sample)
        if len(fresh):
            self._runs.append(fresh)
            while len(self._runs) > 1 and len(self._runs[-2]) < _GROWTH * len(self._runs[-1]):
                last = self._runs.pop()
                self._runs[-1] = np.sort(np.concatenate((self._runs[-1], last)), kind="stable")
            while sum(map(len, self._runs)) > self.exact_up_to:
                self.halvings += 1
                self._runs = [self._share(run) for run in self._runs]
        return fresh

    def discard(self, sample: Grams) -> None:
        """Forget a sample again.

        >>> seen = DistinctGrams(); _ = seen.add(np.array([1, 2, 3], np.uint64)); seen.discard(np.array([2], np.uint64))
        >>> seen.values().tolist()
        [1, 3]
        """
        if len(sample):
            self._runs = [left for run in self._runs if len(left := run[~np.isin(run, sample)])]

    def values(self, halvings: int = 0) -> Grams:
        """Return the hashes that are held, sorted; thinned as often as the other side of a comparison was."""
        held = np.sort(np.concatenate(self._runs)) if self._runs else np.empty(0, np.uint64)
        more = max(halvings, self.halvings)
        return held[(held & np.uint64((1 << more) - 1)) == 0] if more else held

    def _share(self, sample: Grams) -> Grams:
        """Return the hashes whose lowest bits are zero: a fair share, the same for equal 2-grams."""
        if not self.halvings:
            return sample
        share: Grams = sample[(sample & np.uint64((1 << self.halvings) - 1)) == 0]
        return share
