"""Measures how similar two names of a program are (classes, ids) by the parts of words that they share."""

from __future__ import annotations

import re
from functools import lru_cache

_WORD = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+")
_SHORTEST_PART = 3


@lru_cache(maxsize=65536)
def shared_parts(one: str, other: str) -> float:
    """Return how similar two names are by the word parts that they share, between 0 and 1.

    >>> shared_parts("post-title", "storytitle") > shared_parts("post-title", "menu") == 0
    True
    """
    return (_shared(one, other) + _shared(other, one)) / 2


def _shared(one: str, other: str) -> float:
    """Return the share of a name's letters that lie in parts which the other name contains."""
    parts = [part.lower() for part in _WORD.findall(one)]
    letters, text = sum(map(len, parts)), other.lower()
    return sum(_longest(part, text) for part in parts) / letters if letters else 0.0


def _longest(part: str, text: str) -> int:
    """Return the length of the longest head or tail of a part that occurs in a text; 0 where it is too short."""
    for length in range(len(part), _SHORTEST_PART - 1, -1):
        whole = length == len(part)
        if part[-length:] in text or part[:length] in text:
            return length if whole or length > _SHORTEST_PART else 0
    return 0
