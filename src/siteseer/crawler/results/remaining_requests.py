"""Estimates how many requests a crawl still needs: an interval, and whether an end is in sight at all.

What waits and what the strategy holds back will be asked for. Some of it will be refused or turn out to be something
else; on the other hand each page may lead to more. How much more, the latest part of the crawl tells: m new URLs for
each request. If that goes on, the w known ones become w + m·w + m²·w + … = w / (1 − m); with m near 1 there is no end.
"""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import dataclass
from statistics import median

from siteseer.interfaces import Expectation, Expects, Strategy

LATEST = 0.3
"""The share of the crawl, from its end, that tells how quickly new URLs are found."""
SMOOTHED = 0.1
"""The share of the crawl before each end of that part whose middle counts."""
FEWEST_PAGES = 20
"""Before so many pages nothing can be told."""
ENDLESS = 0.85
"""So many new URLs for each request, and no end is in sight."""
DROPPED, MISSED = 0.85, 1.2
"""What of the known URLs is asked for at least, and how much more comes at most than can be seen."""
FEW = 3
MOST_POINTS = 400


@dataclass(frozen=True, slots=True)
class RemainingRequests:
    """How many requests are left, from `low` to `high`; where `high` is None, `because` says why nobody can tell."""

    low: int = 0
    high: int | None = 0
    because: str = ""

    def save(self, counts: Counter[str]) -> None:
        """Write it among the counts of a crawl, for those who look at the collection."""
        counts[_LOW], counts[_HIGH] = self.low, _UNKNOWN if self.high is None else self.high
        counts[_BECAUSE] = REASONS.index(self.because) if self.because in REASONS else 0

    @classmethod
    def saved(cls, counts: Counter[str], waiting: int) -> RemainingRequests:
        """Return what was written; of a crawl that wrote nothing, what waits is the least that is to come.

        >>> counts = Counter[str]()
        >>> RemainingRequests(3, None, TOO_EARLY).save(counts); RemainingRequests.saved(counts, 0)
        RemainingRequests(low=3, high=None, because='too few pages are there to tell')
        """
        if _HIGH not in counts:
            return cls(waiting, None if waiting else 0)
        low, high = counts[_LOW], counts[_HIGH]
        if high == _UNKNOWN:
            return cls(low, None, REASONS[counts[_BECAUSE]])
        return cls(low, high) if high or not waiting else cls(waiting, waiting)  # rules were lifted since


TOO_EARLY = "too few pages are there to tell"
LIST_GOES_ON = "it cannot be told yet how far lists and answers go on"
STILL_GROWING = "new addresses are found about as quickly as known ones are fetched"
REASONS = ("", TOO_EARLY, LIST_GOES_ON, STILL_GROWING)
_LOW, _HIGH, _BECAUSE = "left low", "left high", "left because"
_UNKNOWN = -1


def expected_of(strategy: Strategy) -> Expectation:
    """Return what a strategy still means to ask for; one that fails to tell costs a crawl nothing but the forecast."""
    try:
        return strategy.expected() if isinstance(strategy, Expects) else Expectation()
    except Exception:  # an error in an estimate never stops a crawl
        return Expectation(announced=None)


class Remaining:
    """Follows a crawl, and says how much of it is left.

    >>> remaining = Remaining()
    >>> for requests in range(0, 60, 10):
    ...     left = remaining.left(requests, requests, 100 - requests, Expectation())
    >>> left
    RemainingRequests(low=42, high=72, because='')
    >>> for requests in range(60, 100, 10):
    ...     left = remaining.left(requests, requests, 2 * requests, Expectation())
    >>> left.high is None, left.because
    (True, 'new addresses are found about as quickly as known ones are fetched')
    """

    def __init__(self) -> None:
        self._totals: list[tuple[int, int]] = []
        """Requests, and all that were done or known to come then."""
        self._first_pages = 0

    def left(self, requests: int, pages: int, waiting: int, expected: Expectation) -> RemainingRequests:
        """Return how many requests are left, after so many requests and pages, with so many URLs in the frontier."""
        known = waiting + expected.sure
        if not known and not expected.doubtful and not expected.announced:
            return RemainingRequests() if expected.announced == 0 else RemainingRequests(0, None, LIST_GOES_ON)
        if not self._totals:
            self._first_pages = pages
        self._note(requests, requests + known + (expected.announced or 0))
        low = int(DROPPED * known)
        if expected.announced is None:
            return RemainingRequests(low, None, LIST_GOES_ON)
        if pages - self._first_pages < FEWEST_PAGES:
            return RemainingRequests(low, None, TOO_EARLY)
        growth = self._growth(requests)
        if growth >= ENDLESS:
            return RemainingRequests(low, None, STILL_GROWING)
        largest = min(ENDLESS, growth + 1 / math.sqrt(max(1, requests)))  # a count of few requests is uncertain
        high = MISSED * (known + expected.announced + expected.doubtful) / (1 - largest)
        return RemainingRequests(low, int(high) + FEW)

    def _note(self, requests: int, total: int) -> None:
        if self._totals and self._totals[-1][0] == requests:
            self._totals.pop()
        self._totals.append((requests, total))
        if len(self._totals) > MOST_POINTS:
            del self._totals[1:-1:2]

    def _growth(self, requests: int) -> float:
        """Return how many new URLs each request of the latest part of the crawl led to."""
        begin = self._totals[0][0]
        then, total = self._about(begin + (1 - LATEST) * (requests - begin), requests)
        now, latest = self._about(requests, requests)
        return max(0.0, (latest - total) / max(1.0, now - then))

    def _about(self, until: float, requests: int) -> tuple[float, float]:
        """Return a point of the crawl, the middle of some before it: a list announces much until it is known better."""
        since = until - SMOOTHED * (requests - self._totals[0][0])
        points = [one for one in self._totals if since <= one[0] <= until]
        points = points or [max((one for one in self._totals if one[0] <= until), default=self._totals[0])]
        return median(at for at, _ in points), median(total for _, total in points)
