"""Finds the words of a text and hashes each, in arrays: no string is made of a word that nobody reads.

The hash of a word is the polynomial of its characters' codes, each mixed, so that all words of a text are differences
of one cumulative sum (R. Karp, M. Rabin, Efficient randomized pattern-matching algorithms, 1987). Modulo 2^64 here.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from siteseer.model import Page
from siteseer.page.text import bordered_text
from siteseer.page.tree import MARKS, cached

Hashes = NDArray[np.uint64]
Flags = NDArray[np.bool_]
Codes = NDArray[np.uint8] | NDArray[np.uint32]
Kinds = NDArray[np.uint8]
Places = NDArray[np.intp]

R = 0x9FB21C651E98DF25
"""The base of the polynomial; odd, so that its powers can be divided by."""
MODULUS = 1 << 64
CHUNK = 1 << 17
"""Characters that are read at once; a run of letters longer than this is cut."""
_LOW = 0x3000
"""Characters of alphabets, and their punctuation, have codes below this."""
_IN_WORD, _LETTER, _UNSPACED, _BORDER = 1, 2, 4, 8
UNSPACED = ((0x0E00, 0x0E7F), (0x3040, 0x30FF), (0x3400, 0x9FFF))
"""Scripts written without spaces."""
_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
_FACTOR_1, _FACTOR_2 = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
_BORDERS = MARKS[1:3]
_BLOCK = 8
"""Characters are classified in blocks of 2^8."""


class Words(NamedTuple):
    """The words of a text in order: their hashes, their blocks, and whether they are letters only."""

    hashes: Hashes
    blocks: Places
    """How many borders of blocks stand before each."""
    are_letters: Flags
    has_unspaced: bool
    """Whether the text holds a character of a script without spaces."""


@cached
def word_hashes(page: Page) -> Words:
    """Return the words of the visible text, lower case."""
    return find_words(bordered_text(page).lower())


@cached
def split_word_hashes(page: Page) -> Words:
    """Return the words of the visible text, lower case, each character of a script without spaces one."""
    words = word_hashes(page)
    return find_words(bordered_text(page).lower(), is_split=True) if words.has_unspaced else words


def word_count(page: Page) -> int:
    """Return how many words the page shows.

    >>> word_count(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=b"<p>A hin<b>ge</b>: 12 mm"))
    4
    """
    return len(word_hashes(page).hashes)


def find_words(text: str, is_split: bool = False) -> Words:
    r"""Return the runs of `\w` in a text; with `is_split`, each character of a script without spaces is a word.

    >>> found = find_words("to be, 2 be")
    >>> found.are_letters.tolist(), bool(found.hashes[1] == found.hashes[3])
    ([True, True, False, True], True)
    """
    codes = _codes(text)
    if len(codes) <= CHUNK:
        return _find(codes, _flags(codes), is_split)
    parts, start, borders = list[Words](), 0, 0
    while start < len(codes):
        part = codes[start : start + CHUNK]
        flags = _flags(part)
        if start + CHUNK < len(codes):  # end where no word is cut
            between = np.flatnonzero(flags & _IN_WORD == 0)
            if len(between) and between[-1]:
                part, flags = part[: between[-1]], flags[: between[-1]]
        words = _find(part, flags, is_split)
        parts.append(words._replace(blocks=words.blocks + borders))
        start, borders = start + len(part), borders + int(np.count_nonzero(flags & _BORDER))
    hashes, blocks, are_letters, has_unspaced = zip(*parts, strict=True)
    return Words(np.concatenate(hashes), np.concatenate(blocks), np.concatenate(are_letters), any(has_unspaced))


def hash_strings(strings: Sequence[str]) -> Hashes:
    """Return the hash of each string: that of a word, if it is one."""
    text = "".join(strings)
    if len(text) > CHUNK and len(strings) > 1:
        half = len(strings) // 2
        return np.concatenate((hash_strings(strings[:half]), hash_strings(strings[half:])))
    codes = _codes(text)
    lengths = np.fromiter(map(len, strings), np.intp, len(strings))
    ends = np.cumsum(lengths)
    return _hashes(codes, ends - lengths, ends) if len(ends) else np.empty(0, np.uint64)


def hash_runs(hashes: Hashes, begins: Places, sizes: Places) -> Hashes:
    """Return the hash of each run of hashes; every hash belongs to the run that begins last before it."""
    places = np.arange(len(hashes)) - np.repeat(begins, sizes)
    sums: Hashes = np.add.reduceat(_mix(hashes ^ (places.astype(np.uint64) * np.uint64(R))), begins)
    return sums


def _find(codes: Codes, flags: Kinds, is_split: bool) -> Words:
    in_word = np.zeros(len(codes) + 2, np.bool_)
    np.not_equal(flags & _IN_WORD, 0, out=in_word[1:-1])
    has_unspaced = codes.dtype != np.uint8 and bool((flags & _UNSPACED).any())
    if is_split and has_unspaced:
        alone = flags & _UNSPACED != 0
        in_word[1:-1] |= alone
        begins, ends = _split_borders(in_word, alone)
    else:
        changes = np.flatnonzero(in_word[1:] != in_word[:-1])
        begins, ends = changes[::2], changes[1::2]
    are_letters = np.ones(len(begins), np.bool_)
    odd = np.flatnonzero(in_word[1:-1] & (flags & _LETTER == 0))
    are_letters[np.searchsorted(begins, odd, side="right") - 1] = False
    borders = np.searchsorted(begins, np.flatnonzero(flags & _BORDER != 0))
    blocks = np.repeat(np.arange(len(borders) + 1), np.diff(borders, prepend=0, append=len(begins)))
    return Words(_hashes(codes, begins, ends), blocks, are_letters, has_unspaced)


def _split_borders(in_word: Flags, alone: Flags) -> tuple[Places, Places]:
    """Return where words begin and end if some characters are words alone."""
    padded = np.zeros(len(alone) + 2, np.bool_)
    padded[1:-1] = alone
    begins = in_word[1:] & (~in_word[:-1] | padded[1:] | padded[:-1])
    ends = in_word[:-1] & (~in_word[1:] | padded[1:] | padded[:-1])
    return np.flatnonzero(begins), np.flatnonzero(ends)


def _hashes(codes: Codes, begins: Places, ends: Places) -> Hashes:
    """Return the hashes of the pieces between places that rise."""
    powers, inverses = _POWERS.up_to(len(codes))
    sums = np.zeros(len(codes) + 1, np.uint64)
    is_low = codes.dtype == np.uint8 or _top(codes) < _LOW
    mixed = _LOW_MIXED.take(codes) if is_low else _mix(codes.astype(np.uint64))
    np.cumsum(mixed * powers[: len(codes)], out=sums[1:])
    return _mix((sums[ends] - sums[begins]) * inverses[begins])


def _mix(values: Hashes) -> Hashes:
    """Spread every bit of each value over all (finalizer of SplitMix64: G. Steele and others, 2014)."""
    values = (values ^ (values >> _SHIFT_1)) * _FACTOR_1
    values = (values ^ (values >> _SHIFT_2)) * _FACTOR_2
    return values ^ (values >> _SHIFT_3)


class _Powers:
    """The powers of R and of its inverse, as many as were needed."""

    def __init__(self) -> None:
        self._powers, self._inverses = self._made(1 << 12)

    def up_to(self, count: int) -> tuple[Hashes, Hashes]:
        """Return at least so many, from the power 0 on, and one more of the inverse."""
        if count >= len(self._powers):
            self._powers, self._inverses = self._made(1 << count.bit_length())
        return self._powers, self._inverses

    @staticmethod
    def _made(count: int) -> tuple[Hashes, Hashes]:
        rows = []
        for base in (R, pow(R, -1, MODULUS)):
            row = np.full(count, base, np.uint64)
            row[0] = 1
            rows.append(np.cumprod(row))
        return rows[0], rows[1]


def _codes(text: str) -> Codes:
    """Return the code of every character."""
    try:
        return np.frombuffer(text.encode("latin-1"), np.uint8)
    except UnicodeEncodeError:
        return np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)


def _flags(codes: Codes) -> Kinds:
    """Return what kind of character each is."""
    if codes.dtype == np.uint8:
        return np.frombuffer(codes.tobytes().translate(_LATIN_FLAGS), np.uint8)
    is_low = _top(codes) < _LOW
    blocks = range(_LOW >> _BLOCK) if is_low else np.flatnonzero(np.bincount(codes >> _BLOCK)).tolist()
    for block in blocks:
        if not _classified[block]:
            _classify(block)
    return _FLAGS.take(codes)


def _top(codes: Codes) -> int:
    return int(codes.max()) if len(codes) else 0


def _classify(block: int) -> None:
    start = block << _BLOCK
    for code in range(start, start + (1 << _BLOCK)):
        shown = chr(code)
        in_word = _IN_WORD if shown.isalnum() or shown == "_" else 0
        unspaced = _UNSPACED if any(first <= code <= last for first, last in UNSPACED) else 0
        border = _BORDER if shown in _BORDERS else 0
        _FLAGS[code] = in_word | (_LETTER if shown.isalpha() else 0) | unspaced | border
    _classified[block] = True


_FLAGS = np.zeros(0x110000, np.uint8)
_classified = [False] * (0x110000 >> _BLOCK)
_classify(0)
_LATIN_FLAGS = _FLAGS[:256].tobytes()
_LOW_MIXED = _mix(np.arange(_LOW, dtype=np.uint64))
_POWERS = _Powers()
