"""Finds the pages that are as similar to a few example pages as those are to each other (Rocchio).

Reference: Rocchio, Relevance feedback in information retrieval, 1971: a page is compared with the centre of the
examples, words weighed by how rare they are. Differs: the threshold is read off the examples, each compared with the
others.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence, Set

from siteseer.page.similarity.cosine import cosine


def similar_to_examples(examples: Sequence[Set[str]], others: Mapping[str, Set[str]]) -> set[str]:
    """Return the names of pages, given by their words, that are as near to the examples as these are to each other.

    >>> kelp, frond, tea = {"kelp", "sea", "frond"}, {"kelp", "sea", "day"}, {"tea", "cup", "day"}
    >>> similar_to_examples([kelp, frond], {"one": {"kelp", "sea", "cup"}, "two": tea, "three": tea, "four": tea})
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
    return cosine({word: rare[word] for word in words}, {word: count * rare[word] for word, count in centre.items()})
