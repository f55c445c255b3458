"""Estimates the size of a union of sets from a sample of them, where URLs share pages (multiplicity estimator).

A thing that occurs once in the sample may also be reached from URLs that were not drawn; how often that is so is
estimated from the things that occur twice. A thing under a URL that stands for itself alone is counted there, once and
for all; of the rest, let w be how many URLs a drawn one stands for. For a thing that occurs twice, w - 1 more URLs were
to be expected for each one that was seen; spread over the things that occur once, these make their multiplicity (the
multiplicity estimator of network sampling: Sirken, Household surveys with multiplicity, 1970). What occurs three times
and more, as the words of a template, is counted once.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from siteseer.page.two_grams import Grams

Values = NDArray[np.float64]
CERTAIN = 1.0 + 1e-9
"""The weight of a URL that stands for itself alone."""


@dataclass(frozen=True, slots=True)
class DrawnUrl:
    """A URL that was drawn: its cell of the sample, how many URLs it stands for, and what it leads to."""

    cell: str
    weight: float
    items: Grams
    """Distinct hashes."""


def distinct_values(drawn: Sequence[DrawnUrl], shared: Mapping[str, float] | None = None) -> Values:
    """Return for each drawn URL how many distinct things it stands for; times its weight they add up to the union.

    `shared` says of cells how many further URLs were found, on average, that lead to the same things.

    >>> both = [DrawnUrl("a", 1.0, np.array([1, 2], np.uint64)), DrawnUrl("b", 1.0, np.array([2, 3], np.uint64))]
    >>> distinct_values(both).tolist()
    [1.5, 1.5]
    """
    sizes = np.array([len(one.items) for one in drawn], np.int64)
    values = np.zeros(len(drawn))
    if not sizes.sum():
        return values
    owner = np.repeat(np.arange(len(drawn)), sizes)
    weights = np.array([one.weight for one in drawn])
    _, thing = np.unique(np.concatenate([one.items for one in drawn]), return_inverse=True)
    certain = np.bincount(thing, weights[owner] <= CERTAIN)[thing]
    values += np.bincount(owner, (certain > 0) * (weights[owner] <= CERTAIN) / np.maximum(certain, 1), len(drawn))
    owner, thing = owner[certain == 0], thing[certain == 0]
    total = np.bincount(thing, weights[owner])
    met = np.bincount(thing)[thing] if len(thing) else thing
    once = np.bincount(owner[met == 1], minlength=len(drawn))
    twice = np.bincount(owner[met == 2], minlength=len(drawn))
    partners = np.bincount(owner[met == 2], (total[thing] - weights[owner])[met == 2], minlength=len(drawn))
    often = np.bincount(owner[met > 2], (1 / total[thing])[met > 2], minlength=len(drawn))
    copies = _copies(drawn, once, partners - twice, shared or {})
    values += once / copies + twice / 2 + often
    return values


def _copies(
    drawn: Sequence[DrawnUrl], once: NDArray[np.int64], unseen: NDArray[Any], shared: Mapping[str, float]
) -> Values:
    """Return under how many URLs a thing that was met once may be had, by the cell of the URL."""
    counts: dict[str, float] = {}
    missing: dict[str, float] = {}
    for place, one in enumerate(drawn):
        counts[one.cell] = counts.get(one.cell, 0.0) + once[place]
        missing[one.cell] = missing.get(one.cell, 0.0) + unseen[place]
    found = {
        cell: 1 + max(missing[cell] / counts[cell] if counts[cell] else 0.0, shared.get(cell, 0.0)) for cell in counts
    }
    return np.array([found[one.cell] for one in drawn])
