"""Estimates the size of a union of sets from a sample of them, where URLs share pages (multiplicity estimator).

A thing may be reached from several URLs, of which some were not drawn. Each thing is divided among the URLs that lead
to it (the multiplicity estimator of network sampling: Sirken, Household surveys with multiplicity, 1970). With w for
how many URLs a drawn one stands for, the shares are proportional to 1 / (w - 1), the inverse of the variance that a URL
brings in (Sirken's shares are equal): a thing under a URL that stands for itself alone is counted there, once and for
all. A thing that occurs once in the sample may share with URLs that were not drawn; how often that is so is estimated
from the things that occur twice. What occurs three times and more, as the words of a template, is counted once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siteseer.page.two_grams import Grams

Values = NDArray[np.float64]
LEAST = 1e-9
"""The least by which a URL is taken to stand for more than itself."""


@dataclass(frozen=True, slots=True)
class DrawnUrl:
    """A URL that was drawn: its cell of the sample, how many URLs it stands for, and what it leads to."""

    cell: str
    weight: float
    items: Grams
    """Distinct hashes."""


def distinct_values(drawn: Sequence[DrawnUrl]) -> Values:
    """Return for each drawn URL how many distinct things it stands for; times its weight they add up to the union.

    >>> both = [DrawnUrl("a", 1.0, np.array([1, 2], np.uint64)), DrawnUrl("b", 1.0, np.array([2, 3], np.uint64))]
    >>> distinct_values(both).round(6).tolist()
    [1.5, 1.5]
    """
    sizes = np.array([len(one.items) for one in drawn], np.int64)
    if not sizes.sum():
        return np.zeros(len(drawn))
    owner = np.repeat(np.arange(len(drawn)), sizes)
    weights = np.array([one.weight for one in drawn])
    pulls = 1 / np.maximum(weights - 1, LEAST)
    _, thing = np.unique(np.concatenate([one.items for one in drawn]), return_inverse=True)
    met = np.bincount(thing)[thing]
    once = np.bincount(owner[met == 1], minlength=len(drawn))
    twice = met == 2
    shares = pulls[owner] / np.bincount(thing, pulls[owner])[thing]
    unseen = np.bincount(thing, weights[owner] - 1)[thing] - (weights[owner] - 1)
    often = (1 / np.bincount(thing, weights[owner])[thing])[met > 2]
    partners = _Partners(
        np.bincount(owner[twice], minlength=len(drawn)),
        np.bincount(owner[twice], unseen[twice], len(drawn)),
        np.bincount(owner[twice], (unseen * (1 - shares))[twice], len(drawn)),
    )
    values: Values = once * _own_shares(drawn, once, partners, weights)
    values += np.bincount(owner[twice], shares[twice], len(drawn))
    values += np.bincount(owner[met > 2], often, len(drawn))
    return values


@dataclass(frozen=True, slots=True)
class _Partners:
    """What is known of the URLs that share things with a drawn one, by drawn URL."""

    met: NDArray[np.int64]
    """How many of its things were met twice."""
    unseen: NDArray[Any]
    """For each of these, w - 1 URLs are to be expected with which another thing is shared, and which were not drawn."""
    loss: NDArray[Any]
    """The shares that these would have."""


def _own_shares(drawn: Sequence[DrawnUrl], once: NDArray[np.int64], partners: _Partners, weights: Values) -> Values:
    """Return what share of a thing that was met once a drawn URL has, on average over its cell.

    Up to one URL for each thing that was not drawn: that is the chance that there is one. Beyond, it is their number.
    """
    cells: dict[str, list[int]] = {}
    for place, one in enumerate(drawn):
        cells.setdefault(one.cell, []).append(place)
    found = np.ones(len(drawn))
    for places in cells.values():
        total = max(1.0, float(once[places].sum()))
        if partners.unseen[places].sum() <= total:
            found[places] = 1 - partners.loss[places].sum() / total
        else:
            found[places] = 1 / (1 + (weights[places] - 1) * partners.met[places].sum() / total)
    return found
