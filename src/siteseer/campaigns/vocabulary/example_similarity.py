"""Examples in, the pages out that resemble them as much as they resemble each other: few examples say little alone.

Reference: Rocchio, Relevance feedback in information retrieval, 1971: a page is compared with the centre of the
examples, words by how rare they are. Differs: how near is near is read off the examples, each held against the others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set


def resembling(examples: Sequence[Set[str]], others: Mapping[str, Set[str]]) -> set[str]:
    """Return the names of pages, given by their words, that are as near to the examples as these are to each other.

    >>> kelp, frond, tea = {"kelp", "sea", "frond"}, {"kelp", "sea", "day"}, {"tea", "cup", "day"}
    >>> resembling([kelp, frond], {"one": {"kelp", "sea", "cup"}, "two": tea, "three": tea, "four": tea})
    {'one'}
    """
    if len(examples) < 2:
        return set()
    on_pages = Counter(word for one in (*examples, *others.values()) for word in one)
    pages = len(examples) + len(others)
    rare = {word: math.log(pages / count) for word, count in on_pages.items()}
    centre = Counter(word for one in examples for word in one)
    enough = min(_nearness(one, centre - Counter(one), rare) for one in examples)
    return {name for name, words in others.items() if enough and _nearness(words, centre, rare) >= enough}


def _nearness(words: Set[str], centre: Mapping[str, int], rare: Mapping[str, float]) -> float:
    """Return the cosine of the angle between a page and the centre of others, given by how many of them have a word."""
    long = math.sqrt(sum((count * rare[word]) ** 2 for word, count in centre.items()))
    wide = math.sqrt(sum(rare[word] ** 2 for word in words))
    return sum(centre.get(word, 0) * rare[word] ** 2 for word in words) / (long * wide) if long and wide else 0.0
