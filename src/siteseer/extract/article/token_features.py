"""Encodes tokens as numbers: a hash and the form of each word.

A word becomes one 64-bit number: the upper bits are a hash of its lower-case letters, the lower bits say what it is, so
that a page's words are counted and compared in numpy.
"""

from __future__ import annotations

from array import array

import numpy as np
from numpy.typing import NDArray
from xxhash import xxh3_64_intdigest

from siteseer.extract.article.unspaced_scripts import has_particle, is_unspaced, tokens_of
from siteseer.extract.function_words import FUNCTION_WORDS
from siteseer.page.text import WORD

Codes = NDArray[np.uint64]

FUNCTION, LOWER, CAPITALS, DIGITS, LONE, NUMERAL, UNSPACED = 1, 2, 4, 8, 16, 32, 64
"""What the lower bits say: a function word, begins with a small letter, all capitals, a number, a single letter, has a
digit, is of a script that `\\w+` cannot cut into words."""
HASH_MASK = np.uint64(0xFFFFFFFFFFFFFF00)
_LIMIT = 200_000
_LONGEST = 100


class _Vocabulary(dict[str, int]):
    """Word to number; forgets everything when it grows too large."""

    def __missing__(self, word: str) -> int:
        if len(self) >= _LIMIT:
            self.clear()
        low = word.lower()
        code = xxh3_64_intdigest(low.encode("utf-8", "replace")) & 0xFFFFFFFFFFFFFF00
        if word.isalpha():
            code |= FUNCTION * (low in FUNCTION_WORDS) | LOWER * word[0].islower()
            code |= CAPITALS if word[1:2] and word.isupper() else 0
        else:
            code |= LOWER * word[0].islower() | DIGITS * word.isdigit()
            code |= CAPITALS * (len(word) > 1 and word.isupper()) | NUMERAL * any(map(str.isdecimal, word))
        if len(word) == 1:
            code |= LONE
        if not word.isascii() and is_unspaced(word):
            code |= UNSPACED | FUNCTION * has_particle(word)
        if len(word) <= _LONGEST:
            self[word] = code
        return code


_VOCABULARY = _Vocabulary()


def codes(tokens: list[str]) -> Codes:
    """Return the numbers of words.

    >>> one, other = codes(["The", "the"]); (int(one & 0xFF), int(other & 0xFF), bool(one >> 8 == other >> 8))
    (1, 3, True)
    """
    return np.fromiter(map(_VOCABULARY.__getitem__, tokens), np.uint64, len(tokens))


def packed_codes(text: str) -> bytes:
    """Return the numbers of the words of a text, eight bytes each.

    >>> np.frombuffer(packed_codes("The sea"), np.uint64).tolist() == codes(["The", "sea"]).tolist()
    True
    """
    numbers = list(map(_VOCABULARY.__getitem__, WORD.findall(text)))
    if not text.isascii() and any(number & UNSPACED for number in numbers):
        numbers = list(map(_VOCABULARY.__getitem__, tokens_of(text)))
    return array("Q", numbers).tobytes()


_MIX, _TURN, _BACK = np.uint64(0x9E3779B97F4A7C15), np.uint64(29), np.uint64(35)


def mixed(hashes: Codes, others: Codes) -> Codes:
    """Return hashes of pairs, in order."""
    made = hashes * _MIX
    return ((made << _TURN) | (made >> _BACK)) ^ others


def grams(hashes: Codes, length: int) -> Codes:
    """Return the hash of every run of that many consecutive words; the array is that much shorter."""
    if len(hashes) < length:
        return np.zeros(0, np.uint64)
    last = len(hashes) - length + 1
    made = hashes[:last]
    for step in range(1, length):
        made = mixed(made, hashes[step : last + step])
    return made


def distinct(values: Codes) -> Codes:
    """Return the values sorted, each once; `numpy.unique` hashes them, which takes four times as long.

    >>> distinct(np.array([3, 1, 3], np.uint64)).tolist()
    [1, 3]
    """
    ordered = np.sort(values)
    is_new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    found: Codes = ordered[is_new]
    return found


def distinct_counts(values: Codes) -> tuple[Codes, NDArray[np.int64]]:
    """Return the values sorted, each once, and how often each is there.

    >>> [part.tolist() for part in distinct_counts(np.array([3, 1, 3], np.uint64))]
    [[1, 3], [1, 2]]
    """
    ordered = np.sort(values)
    is_new = np.ones(len(ordered), bool)
    np.not_equal(ordered[1:], ordered[:-1], out=is_new[1:])
    places = np.flatnonzero(is_new)
    return ordered[places], np.diff(places, append=len(ordered))


def among(values: Codes, known: Codes) -> NDArray[np.bool_]:
    """Say of each value whether it is among sorted ones.

    >>> among(np.array([3, 4], np.uint64), np.array([1, 3], np.uint64)).tolist()
    [True, False]
    """
    if not len(known):
        return np.zeros(len(values), bool)
    found: NDArray[np.bool_] = known[np.minimum(np.searchsorted(known, values), len(known) - 1)] == values
    return found
