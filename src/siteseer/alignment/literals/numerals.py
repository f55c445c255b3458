"""Reads numbers from texts in any notation: volume 2, vol. II and book two are the same volume."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from siteseer.alignment.fact_graph import Floats, Ints

_WORDS = {
    word: str(number)
    for names in (
        "one two three four five six seven eight nine ten eleven twelve",
        "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth",
    )
    for number, word in enumerate(names.split(), 1)
}
_ROMAN = ("", "", "II", "III", "IV", "", "VI", "VII", "VIII", "IX", "", "XI", "XII", "XIII", "XIV", "XV", "XVI")
_WORDS |= {name: str(number) for number, name in enumerate(_ROMAN) if name}
_NUMBER = re.compile(r"\d+|[^\W\d_]+")
_LETTER = re.compile(r"[^\W\d_]")
_BRACKETS = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]")
LONGEST = 400
Numbers = tuple[frozenset[str], bool]
"""The numbers of a text, and whether some stand outside brackets."""
NO_TEXT: Numbers = (frozenset(), True)


def numbers(text: str) -> frozenset[str]:
    """Return the numbers that a text has.

    >>> sorted(numbers("Henry VI, Part Two (1591)")), sorted(numbers("Naruto, Vol. 04"))
    (['1591', '2', '6'], ['4'])
    """
    words = _NUMBER.findall(text[:LONGEST])
    read = ((word.lstrip("0") or "0") if word.isdigit() else _read(word) for word in words)
    return frozenset(number for number in read if number)


def _read(word: str) -> str:
    return _WORDS.get(word) or _WORDS.get(word.lower()) or "" if len(word) < 9 else ""


@dataclass(frozen=True, slots=True)
class NumberedText:
    """The numbers of many texts: which set of them each text has."""

    kinds: list[Numbers]
    kind: Ints

    @classmethod
    def of(cls, texts: Iterable[str]) -> NumberedText:
        """Read the numbers of texts; a text that is only a number has none, as numbers may have spelling errors."""
        known: dict[Numbers, int] = {}
        kind = [known.setdefault(_numbers(text), len(known)) for text in texts]
        return cls(list(known), np.array(kind, np.int64))


def _numbers(text: str) -> Numbers:
    if not _LETTER.search(text[:LONGEST]):
        return NO_TEXT
    found = numbers(text)
    return found, bool(found) and bool(numbers(_BRACKETS.sub(" ", text[:LONGEST])))


def numbers_agree(left: NumberedText, right: NumberedText, y: Ints, z: Ints) -> Floats:
    """Return for each two texts 0 where they have different numbers, a half where only one has any, else 1.

    >>> names = NumberedText.of(["Naruto 4", "Naruto 5", "Naruto", "Emma (1815)", "Emma", "0815"])
    >>> numbers_agree(names, names, np.array([0, 0, 3, 5]), np.array([1, 2, 4, 0])).tolist()
    [0.0, 0.5, 1.0, 1.0]
    """
    width = len(right.kinds)
    keys, place = np.unique(left.kind[y] * width + right.kind[z], return_inverse=True)
    found = [_agree(left.kinds[key // width], right.kinds[key % width]) for key in keys.tolist()]
    return np.asarray(np.array(found, np.float64)[place.reshape(-1)], np.float64)


def _agree(one: Numbers, other: Numbers) -> float:
    if NO_TEXT in (one, other):
        return 1.0
    if not (one[0] <= other[0] or other[0] <= one[0]):
        return 0.0
    return 0.5 if bool(one[0]) != bool(other[0]) and (one[1] or other[1]) else 1.0
