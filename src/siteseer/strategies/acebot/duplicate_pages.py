"""Groups pages with nearly the same 2-grams (MinHash), so that a login page linked from everywhere counts once.

MinHash (Broder 1997), all its values from one hash function (Li, Owen and Zhang, One permutation hashing, 2012), finds
candidates, the exact Jaccard similarity confirms them. A page joins the first page that it is like.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from siteseer.page.similarity.set_measures import jaccard_of_hashes
from siteseer.page.two_grams import Grams

_PARTS = 32
_FACTOR = np.uint64(0x9E3779B97F4A7C15)
_BOUNDS = np.append(np.arange(_PARTS, dtype=np.uint64) * np.uint64(2**64 // _PARTS), np.uint64(2**64 - 1))
_ALLOWANCE = 0.2
"""A signature of 32 values may show that much less than the true similarity."""
_CONFIRMED = 4
"""How many of the likeliest candidates are compared exactly."""


def alike_groups(pages: Sequence[Grams], similarity: float) -> NDArray[np.int64]:
    """Return for each page the first page that it is like, itself where there is none, -1 where it has no 2-grams.

    >>> fifty, nine, none = (np.arange(size, dtype=np.uint64) for size in (50, 9, 0))
    >>> alike_groups([fifty, fifty, nine, none], 0.9)
    array([ 0,  0,  2, -1])
    """
    groups = np.full(len(pages), -1, np.int64)
    leaders: list[int] = []
    signatures = np.empty((len(pages), _PARTS), np.uint16)
    sizes = np.empty(len(pages), np.int64)
    for number, grams in enumerate(pages):
        if not len(grams):
            continue
        signature = _signature(grams)
        size = sizes[: len(leaders)]
        agreement = (signatures[: len(leaders)] == signature).sum(axis=1)
        near = np.minimum(size, len(grams)) >= similarity * np.maximum(size, len(grams))
        likely = np.flatnonzero(near & (agreement >= (similarity - _ALLOWANCE) * _PARTS))
        likely = likely[np.argsort(-agreement[likely], kind="stable")[:_CONFIRMED]]
        same = [leaders[place] for place in likely if jaccard_of_hashes(pages[leaders[place]], grams) >= similarity]
        groups[number] = min(same, default=number)
        if not same:
            signatures[len(leaders)], sizes[len(leaders)] = signature, len(grams)
            leaders.append(number)
    return groups


def _signature(grams: Grams) -> NDArray[np.uint16]:
    """Return the least hash value in each of equal parts of all values, its lowest bits, 0 where a part has none."""
    mixed = np.sort((grams ^ (grams >> np.uint64(32))) * _FACTOR)
    place = np.searchsorted(mixed, _BOUNDS)
    least = np.append(mixed, np.uint64(0))[place[:-1]].astype(np.uint16)
    return np.where(place[:-1] < place[1:], least, np.uint16(0))
