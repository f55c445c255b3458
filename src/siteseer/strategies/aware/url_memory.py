"""Remembers millions of URLs in eight bytes each (sorted arrays of hashes), and recent ones in a bounded set.

Keys are hashes of 64 bits. New ones wait in a set; when it is full they become a sorted row of numbers, and rows of
about one size are merged, so that a look-up asks the set and a few rows by bisection.
"""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

WAITING = 65_536
"""Keys in the set before they become a row: some 5 MB."""


def hash_key(key: str) -> int:
    """Return the 64-bit key of a text."""
    return xxh3_64_intdigest(key.encode("utf-8", "replace"))


class HashSet:
    """A set of 64-bit keys that only grows.

    >>> keys = HashSet()
    >>> keys.update([3, 5])
    >>> 3 in keys, 4 in keys, len(keys)
    (True, False, 2)
    """

    def __init__(self, waiting: int = WAITING) -> None:
        self._most = waiting
        self._new: set[int] = set()
        self._rows: list[NDArray[np.uint64]] = []

    def __contains__(self, key: int) -> bool:
        return key in self._new or any(_has(row, key) for row in self._rows)

    def __len__(self) -> int:
        return len(self._new) + sum(map(len, self._rows))

    def add(self, key: int) -> None:
        """Add a key."""
        if key not in self:
            self._new.add(key)
            if len(self._new) >= self._most:
                self._settle()

    def update(self, keys: Iterable[int]) -> None:
        """Add many keys."""
        for key in keys:
            self.add(key)

    def _settle(self) -> None:
        row = np.fromiter(self._new, np.uint64, len(self._new))
        row.sort()
        self._new.clear()
        while self._rows and len(self._rows[-1]) <= 2 * len(row):
            row = np.concatenate((self._rows.pop(), row))
            row.sort()
        self._rows.append(row)


def _has(row: NDArray[np.uint64], key: int) -> bool:
    place = int(np.searchsorted(row, np.uint64(key)))
    return place < len(row) and int(row[place]) == key


class RecentTexts:
    """A set of texts that is emptied when it is full: for texts that repeat from page to page.

    >>> recent = RecentTexts(2)
    >>> [recent.is_new(word) for word in "aabca"]
    [True, False, True, True, True]
    """

    def __init__(self, most: int = 50_000) -> None:
        self._most = most
        self._texts: set[str] = set()

    def __contains__(self, text: str) -> bool:
        return text in self._texts

    def is_new(self, text: str) -> bool:
        """Add a text; say whether it was not there."""
        if text in self._texts:
            return False
        if len(self._texts) >= self._most:
            self._texts.clear()
        self._texts.add(text)
        return True
