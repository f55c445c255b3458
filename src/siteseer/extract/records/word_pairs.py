"""Returns the pairs of consecutive words of a text, to compare texts by."""

from __future__ import annotations

import re
from itertools import pairwise

Grams = frozenset[tuple[str, str]]
_WORD = re.compile(r"\w+")


def grams(text: str) -> Grams:
    """Return the distinct pairs of consecutive words.

    >>> sorted(grams("Tea, and more tea"))
    [('and', 'more'), ('more', 'tea'), ('tea', 'and')]
    """
    words = _WORD.findall(text.lower())
    return frozenset(pairwise(words))
