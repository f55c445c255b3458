"""Maps values to positions on a chart, and chooses round values for its axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scale:
    """Maps values from `low` to `high` onto pixels from `start` to `end`.

    >>> Scale(0, 10, 100, 0)(5)
    50.0
    """

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        """Return the pixel of a value."""
        span = (self.high - self.low) or 1.0
        return round(self.start + (value - self.low) / span * (self.end - self.start), 2)


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Return round values that cover the range, about so many.

    >>> ticks(0, 4134), ticks(0.9, 1.0)
    ([0, 1000, 2000, 3000, 4000, 5000], [0.9, 0.92, 0.94, 0.96, 0.98, 1.0])
    """
    span = (high - low) or 1.0
    raw = span / count
    power = 10.0 ** math.floor(math.log10(raw))
    step = min((m * power for m in (1, 2, 2.5, 5, 10)), key=lambda one: (abs(span / one - count), one))
    digits = max(0, 2 - math.floor(math.log10(step)))
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    values = [round(number * step, digits) for number in range(first, last + 1)]
    return [int(value) if value == int(value) and step >= 1 else value for value in values]


def short(value: float) -> str:
    """Return a figure as people write it on an axis.

    >>> short(134610), short(5000), short(0), short(2_500_000)
    ('135 k', '5 k', '0', '2.5 M')
    """
    for size, unit in ((1e9, " G"), (1e6, " M"), (1e3, " k")):
        if abs(value) >= size:
            scaled = value / size
            return (f"{scaled:.1f}".removesuffix(".0") if scaled < 100 else f"{scaled:.0f}") + unit
    return f"{value:g}"


def quartiles(values: Sequence[float]) -> tuple[float, float, float, float, float]:
    """Return minimum, first quartile, median, third quartile and maximum, by linear interpolation.

    >>> quartiles([1, 2, 3, 4, 5])
    (1, 2.0, 3.0, 4.0, 5)
    """
    ranked = sorted(values)

    def at(share: float) -> float:
        place = share * (len(ranked) - 1)
        below = math.floor(place)
        above = min(below + 1, len(ranked) - 1)
        return ranked[below] + (ranked[above] - ranked[below]) * (place - below)

    return ranked[0], at(0.25), at(0.5), at(0.75), ranked[-1]
