"""Measures the cosine of the angle between two weighted bags of words.

Reference: Salton, Wong and Yang, A vector space model for automatic indexing, 1975.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TypeVar

Term = TypeVar("Term")


def cosine(one: Mapping[Term, float], other: Mapping[Term, float]) -> float:
    """Return the cosine of two vectors given by their weights; 0 where one of them is empty.

    >>> round(cosine({"sea": 3.0, "kelp": 4.0}, {"sea": 1.0}), 2)
    0.6
    """
    lengths = length(one) * length(other)
    return dot(one, other) / lengths if lengths else 0.0


def dot(one: Mapping[Term, float], other: Mapping[Term, float]) -> float:
    """Return the inner product of two vectors."""
    return sum(weight * other[term] for term, weight in one.items() if term in other)


def length(one: Mapping[Term, float]) -> float:
    """Return the Euclidean length of a vector."""
    return math.sqrt(sum(weight * weight for weight in one.values()))
