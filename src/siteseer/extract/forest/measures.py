"""Counts of signifiers in, informativeness out: the formulas of the thesis, section 2.6.2.

x and y are the signifiers and the other terms of an element, with their multiplicity, X and Y those of its document.
Differs: logarithms to base 2, where the thesis' examples were computed with natural ones; only a constant factor.
"""

from __future__ import annotations

from collections.abc import Callable
from math import log2, sqrt

Measure = Callable[[int, int, int, int], float]
"""x, y, X, Y to a value."""


def density(x: int, y: int) -> float:
    """Return J (2.2): the lower end of the interval around the add-half estimate of the share of signifiers.

    >>> round(density(8, 20), 3), round(density(3, 5), 3), round(density(1, 0), 2), density(0, 1)
    (0.207, 0.217, 0.32, 0.0)
    """
    n = x + y
    if n == 0:
        return 0.0
    return max(0.0, (x + 0.5 - sqrt((x + 0.5) * (y + 0.5) / n)) / (n + 1))


def unexpectedness(x: int, y: int, X: int, Y: int) -> float:
    """Return U (2.3) in bits: how much shorter an element is to describe than to generate; 0 log 0 is 0.

    >>> round(unexpectedness(10, 26, 20, 100), 2), round(unexpectedness(3, 1, 20, 100), 2)
    (32.69, 8.02)
    """
    if X + Y == 0:
        return 0.0
    return (x + y) * log2(X + Y) - (x * log2(X) if x else 0.0) - (y * log2(Y) if y else 0.0)


def informativeness(x: int, y: int, X: int, Y: int) -> float:
    """Return I = J × U (2.4).

    >>> round(informativeness(10, 26, 20, 100), 2)
    6.82
    """
    return density(x, y) * unexpectedness(x, y, X, Y)


MEASURES: dict[str, Measure] = {
    "I": informativeness,
    "J": lambda x, y, X, Y: density(x, y),
    "U": unexpectedness,
}
"""The measure of FOREST, and its two factors alone (Figure 2.11)."""
