"""Forecasts the share of a site's content that a crawl has reached, as an interval, from its curve and what is left.

A crawl's content C grows with its requests n as C ~ n^β: β is 1 where each page brings as much as the one before, less
where a site is being exhausted, more where the content comes late. The latest parts of the curve tell β (the yield now
divided by the yield so far), so that n of n + l requests bring the share (n / (n + l))^β. The low end takes the most
requests that may be left and the largest β, the high end the fewest and the smallest; a yield that falls by the same
part with each request is reckoned with as well. Checked by `bench/forecast.py`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from siteseer.crawler.results.remaining_requests import RemainingRequests
from siteseer.model import JSON

LATEST = (0.3, 0.15)
"""The shares of the curve, from its end, that tell the yield of a request now."""
STEADY = 1.0
"""Content that comes late is always reckoned with: the low end takes the yield to stay as it is, at least."""
FALLING = 0.6
"""The high end takes the yield to fall further: what is new now may be known to the pages that come."""
SMALLEST, LARGEST = 0.02, 4.0


def forecast(curve: Sequence[tuple[int, int]], left: RemainingRequests) -> JSON:
    """Return what is left: requests, the 2-grams that they would bring, and the share of all that is there already.

    Where the number of remaining requests is unknown, `high` is None and the share may be anything; `because` says why.

    >>> forecast([(10, 1000), (20, 2000), (30, 3000)], RemainingRequests(10, 15))["complete"]
    {'low': 0.666, 'high': 0.842}
    >>> forecast([(10, 1000)], RemainingRequests())
    {'requests': {'low': 0, 'high': 0}, 'two_grams': {'low': 0, 'high': 0}, 'complete': {'low': 1.0, 'high': 1.0}, \
'estimated': False}
    >>> forecast([(10, 1000)], RemainingRequests(5, None, "it goes on"))["complete"]
    {'low': 0.0, 'high': 1.0}
    """
    requests, held = curve[-1] if curve else (0, 0)
    low, high = _shares(curve, left) if requests else (0.0, 0.0 if left.high != 0 else 1.0)
    found: JSON = {
        "requests": {"low": left.low, "high": left.high},
        "two_grams": {"low": _missing(held, high), "high": _missing(held, low) if left.high is not None else None},
        "complete": {"low": math.floor(1000 * low) / 1000, "high": math.ceil(1000 * high) / 1000},
        "estimated": left.high != 0,
    }
    return {**found, "because": left.because} if left.because else found


def _shares(curve: Sequence[tuple[int, int]], left: RemainingRequests) -> tuple[float, float]:
    """Return the least and the largest share of all content that may be there."""
    if left.high == 0:
        return 1.0, 1.0
    if left.high is None:
        return 0.0, 1.0
    requests, falls = curve[-1][0], [_exponent(curve, share) for share in LATEST]
    smallest = max(SMALLEST, FALLING * min(*falls, STEADY))
    largest = min(LARGEST, max(*falls, STEADY))
    low, high = (requests / (requests + left.high)) ** largest, (requests / (requests + left.low)) ** smallest
    return low, max(high, _exhausted(curve, left.low))


def _exponent(curve: Sequence[tuple[int, int]], share: float) -> float:
    """Return β: the yield of the latest requests, divided by that of all."""
    requests, held = curve[-1]
    latest = _yield(curve, 1 - share, 1)
    return latest * requests / held if held else STEADY


def _exhausted(curve: Sequence[tuple[int, int]], requests: int) -> float:
    """Return the share that is there if the yield falls on as it fell, by the same part in each request."""
    earlier, later = _yield(curve, 1 - LATEST[0], 1 - LATEST[1]), _yield(curve, 1 - LATEST[1], 1)
    if not 0 < later < earlier:
        return 0.0 if later else 1.0
    at_end = later * math.sqrt(later / earlier)
    rate = math.log(earlier / later) / (LATEST[1] * curve[-1][0])
    return curve[-1][1] / (curve[-1][1] + at_end * -math.expm1(-rate * requests) / rate)


def _yield(curve: Sequence[tuple[int, int]], since: float, until: float) -> float:
    """Return the content that each request of a part of the curve brought."""
    parts = (part * curve[-1][0] for part in (since, until))
    (first, before), (last, after) = (max((one for one in curve if one[0] <= n), default=(0, 0)) for n in parts)
    return (after - before) / max(1, last - first)


def _missing(held: int, share: float) -> int | None:
    """Return the content that is missing where so much is that share of all."""
    return round(held / share - held) if share else None
