"""The curve of a crawl in, what is left to be found out: an estimate, said to be one.

The yield of a request falls as a site is exhausted. The latest part of the curve gives the yield now and how quickly it
falls; what waits is taken to be like it. What is not yet known to exist is not counted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from siteseer.model import JSON

LATEST = 0.3
"""The share of the curve, from its end, that tells what comes next."""


def forecast(curve: Sequence[tuple[int, int]], waiting: int) -> JSON:
    """Return the requests that wait and the 2-grams that they would bring.

    >>> forecast([(10, 1000), (20, 2000), (30, 3000)], 5)
    {'requests': 5, 'two_grams': 500, 'complete': 0.857, 'estimated': True}
    >>> forecast([(10, 1000)], 0)
    {'requests': 0, 'two_grams': 0, 'complete': 1.0, 'estimated': False}
    """
    held = curve[-1][1] if curve else 0
    if not waiting or not curve:
        return {"requests": waiting, "two_grams": 0, "complete": 1.0 if not waiting else 0.0, "estimated": waiting > 0}
    early, late = _yields(curve)
    brought = _sum_of_falling(late, early, waiting, _span(curve))
    return {
        "requests": waiting,
        "two_grams": round(brought),
        "complete": round(held / (held + brought), 3) if held + brought else 0.0,
        "estimated": True,
    }


def _yields(curve: Sequence[tuple[int, int]]) -> tuple[float, float]:
    """Return the new 2-grams per request in the two halves of the latest part."""
    first = max(0, int(len(curve) * (1 - LATEST)) - 1)
    middle = (first + len(curve) - 1) // 2
    return _slope(curve, first, middle), _slope(curve, middle, len(curve) - 1)


def _slope(curve: Sequence[tuple[int, int]], first: int, last: int) -> float:
    if last <= first:  # too few points: from the beginning
        return curve[last][1] / max(1, curve[last][0])
    return (curve[last][1] - curve[first][1]) / max(1, curve[last][0] - curve[first][0])


def _span(curve: Sequence[tuple[int, int]]) -> float:
    """Return the requests between the middles of the two halves."""
    first = max(0, int(len(curve) * (1 - LATEST)) - 1)
    return max(1.0, (curve[-1][0] - curve[first][0]) / 2)


def _sum_of_falling(late: float, early: float, requests: int, span: float) -> float:
    """Return the yield of further requests: it falls as it fell, and never rises."""
    if late <= 0:
        return 0.0
    rate = math.log(early / late) / span if early > late else 0.0
    if rate * requests < 1e-9:
        return late * requests
    return late * (1 - math.exp(-rate * requests)) / rate
