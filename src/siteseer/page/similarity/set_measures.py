"""Measures how similar two sets are: Jaccard, Dice and overlap; each from 0 to 1.

References: Jaccard, Étude comparative de la distribution florale, 1901; Dice, Measures of the amount of ecologic
association between species, 1945; Simpson, Notes on the measurement of faunal resemblance, 1960 (overlap).
"""

from __future__ import annotations

from collections.abc import Set
from typing import TypeVar

import numpy as np

from siteseer.page.two_grams import Grams

Item = TypeVar("Item")


def jaccard(one: Set[Item], other: Set[Item]) -> float:
    """Return the size of the intersection over that of the union; empty sets are equal.

    >>> jaccard({1, 2}, {2, 3})
    0.3333333333333333
    """
    together = len(one | other)
    return len(one & other) / together if together else 1.0


def jaccard_of_hashes(one: Grams, other: Grams) -> float:
    """Return the Jaccard similarity of two samples of hashes, sorted and distinct; an empty one is like no other.

    >>> jaccard_of_hashes(np.array([1, 2], np.uint64), np.array([2, 3], np.uint64))
    0.3333333333333333
    """
    if not len(one) or not len(other):
        return 0.0
    place = np.searchsorted(one, other)
    place[place == len(one)] = 0
    common = int((one[place] == other).sum())
    return common / (len(one) + len(other) - common)


def dice(one: Set[Item], other: Set[Item]) -> float:
    """Return twice the size of the intersection over both sizes; an empty set is like no other.

    >>> dice({1, 2}, {2, 3})
    0.5
    """
    return 2 * len(one & other) / (len(one) + len(other)) if one and other else 0.0


def overlap(one: Set[Item], other: Set[Item]) -> float:
    """Return the size of the intersection over that of the smaller set; empty sets are equal.

    >>> overlap({1, 2}, {2, 3, 4})
    0.5
    """
    return len(one & other) / max(1, min(len(one), len(other))) if one or other else 1.0
