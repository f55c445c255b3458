"""Finds which of many literals may occur in a text, all at once (Wu–Manber).

Every literal is filed under one of its windows of eight bytes (four, where it is short), the one that the fewest other
literals share. All windows of the text are looked up at once in a table of bits, the few that pass in a dictionary.
The result includes every literal that occurs and few others; the cost hardly depends on the number of literals.

Reference: S. Wu and U. Manber, A fast algorithm for multi-pattern searching, TR-94-17, University of Arizona, 1994.
Differs: no shifts, since looking up every window in one vector operation is faster than skipping most one by one.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

LONG, SHORT = 8, 4
"""Bytes of a window. Literals shorter than the short one are always taken as likely."""
FEW = 32
"""Up to so many new literals are taken as likely before the tables are made again."""
CHUNK = 1 << 14
"""Bytes of text looked at in one go: what is computed of them stays in the processor's cache."""
SPARSE = 32
"""Bits of the table for each window, of which two are set (a Bloom filter): how seldom an unknown window passes."""
_FIRST, _SECOND = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD6E8FEB86659FD93)
"""Odd numbers whose products spread over the table."""
Windows = NDArray[np.uint64]


class Literals:
    """A set of literals to search for in texts.

    >>> literals = Literals(few=0); literals.add("post"); literals.add("list"); literals.likely("a poster")
    {'post'}
    """

    def __init__(self, few: int = FEW) -> None:
        self._few = few
        self._known: set[str] = set()
        self._tiny: list[str] = []
        self._new: list[str] = []
        self._filed: list[str] = []
        self._tables: list[_Table] = []

    def add(self, literal: str) -> None:
        """Add a literal."""
        if literal not in self._known:
            self._known.add(literal)
            (self._tiny if len(literal.encode()) < SHORT else self._new).append(literal)

    def likely(self, text: str) -> set[str]:
        """Return the literals that occur in the text, and a few others."""
        if len(self._new) > self._few:
            self._take_in_the_new()
        likely = {*self._tiny, *self._new}
        if self._tables:
            for windows in _windows(text.encode("utf-8", "surrogatepass")):
                for table in self._tables:
                    likely.update(table.likely(windows))
        return likely

    def _take_in_the_new(self) -> None:
        self._filed += self._new
        self._new.clear()
        by_width: dict[int, list[str]] = {LONG: [], SHORT: []}
        for literal in self._filed:
            by_width[LONG if len(literal.encode()) >= LONG else SHORT].append(literal)
        self._tables = [_Table(literals, width) for width, literals in by_width.items() if literals]


def _windows(text: bytes) -> Iterator[Windows]:
    """Return all windows of eight bytes as numbers, the first byte lowest; zeros follow the text."""
    padded = text + bytes(LONG)
    for start in range(0, len(text), CHUNK):
        count = min(CHUNK, len(text) - start)
        yield np.ndarray((count,), "<u8", padded, offset=start, strides=(1,)).copy()


class _Table:
    """Literals filed under windows of one width."""

    def __init__(self, literals: Iterable[str], width: int) -> None:
        self._mask = np.uint64((1 << 8 * width) - 1) if width < LONG else None
        self._literals: dict[int, list[str]] = defaultdict(list)
        encoded = {literal: literal.encode() for literal in literals}
        shared = Counter(window for data in encoded.values() for window in _windows_of(data, width))
        for literal, data in encoded.items():
            rarest = min(_windows_of(data, width), key=shared.__getitem__)
            self._literals[int.from_bytes(rarest, "little")].append(literal)
        bits = (len(self._literals) * SPARSE).bit_length()
        self._shift = np.uint64(64 - bits)
        self._bits = np.zeros(1 << bits, dtype=np.bool_)
        known = np.array(list(self._literals), dtype=np.uint64)
        for factor in (_FIRST, _SECOND):
            self._bits[self._places(known, factor)] = True

    def likely(self, windows: Windows) -> Iterator[str]:
        """Return the literals one window of which occurs."""
        if self._mask is not None:
            windows = windows & self._mask
        for factor in (_FIRST, _SECOND):
            windows = windows[self._bits[self._places(windows, factor)]]
        for window in set(windows.tolist()):
            yield from self._literals.get(window, ())

    def _places(self, windows: Windows, factor: np.uint64) -> NDArray[np.int64]:
        return ((windows * factor) >> self._shift).view(np.int64)


def _windows_of(data: bytes, width: int) -> Iterator[bytes]:
    return (data[start : start + width] for start in range(len(data) - width + 1))
