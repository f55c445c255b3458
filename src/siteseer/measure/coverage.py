"""Two sets of content in, the share of one that the other holds out."""

from __future__ import annotations

from collections.abc import Set

import numpy as np

from siteseer.page.grams import DistinctGrams


def coverage(reference: DistinctGrams, other: DistinctGrams) -> float:
    """Return the share of the reference's 2-grams that the other has too; everything of nothing is 1.

    >>> one, two = DistinctGrams(), DistinctGrams()
    >>> _ = one.add(np.array([1, 2, 3, 4], np.uint64)), two.add(np.array([3, 4, 5], np.uint64))
    >>> coverage(one, two), round(coverage(two, one), 2)
    (0.5, 0.67)
    """
    halvings = max(reference.halvings, other.halvings)  # beyond the exact limit both are judged by the same share
    wanted, found = reference.values(halvings), other.values(halvings)
    if not len(wanted):
        return 1.0
    return int(np.isin(wanted, found, assume_unique=True).sum()) / len(wanted)


def coverage_of(reference: Set[str], other: Set[str]) -> float:
    """Return the share of the reference's links that the other has too; everything of nothing is 1.

    >>> coverage_of({"a", "b"}, {"b", "c"})
    0.5
    """
    return len(reference & other) / len(reference) if reference else 1.0
