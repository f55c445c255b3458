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
    twice = np.bincount(owner[met == 2], minlength=len(drawn))
    shares = (pulls[owner] / np.bincount(thing, pulls[owner])[thing])[met == 2]
    often = (1 / np.bincount(thing, weights[owner])[thing])[met > 2]
    values: Values = once / (1 + _ratios(drawn, once, twice) / pulls)
    values += np.bincount(owner[met == 2], shares, len(drawn))
    values += np.bincount(owner[met > 2], often, len(drawn))
    return values


def _ratios(drawn: Sequence[DrawnUrl], once: NDArray[np.int64], twice: NDArray[np.int64]) -> Values:
    """Return how many things were met twice for each that was met once, by the cell of the URL.

    For each URL with which a thing is shared in the sample, w - 1 more are to be expected that were not drawn. Each of
    these has a share in proportion to 1 / (w - 1): together that is one for each thing that was met twice.
    """
    counts: dict[str, float] = {}
    shared: dict[str, float] = {}
    for place, one in enumerate(drawn):
        counts[one.cell] = counts.get(one.cell, 0.0) + once[place]
        shared[one.cell] = shared.get(one.cell, 0.0) + twice[place]
    return np.array([shared[one.cell] / max(1.0, counts[one.cell]) for one in drawn])
