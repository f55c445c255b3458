"""Counts, during a crawl, the objects that its strategy will extract at the end, in at most a tenth of the time."""

from __future__ import annotations

import time
from collections.abc import Callable

from siteseer.interfaces import ObjectCounter, Strategy

SHARE = 0.1
"""The share of the crawl's time that counting may take."""
LONGEST = 0.1
"""Seconds after which counting lets the crawl go on; one step may take longer."""


class ObjectCount:
    """Lets a strategy count, bit by bit."""

    def __init__(self, strategy: Strategy, clock: Callable[[], float] = time.monotonic) -> None:
        self._counter = strategy if isinstance(strategy, ObjectCounter) else None
        self._clock = clock
        self._began = clock()
        self._spent = 0.0

    def so_far(self) -> int:
        """Return about how many objects the pages so far hold that the strategy has not given out yet."""
        return self._counter.objects_so_far() if self._counter is not None else 0

    def go_on(self) -> None:
        """Count a little further, if there is time for it."""
        began = now = self._clock()
        while self._counter is not None and now - began < LONGEST and self._spent < SHARE * (now - self._began):
            try:
                has_more = self._counter.count_on()
            except Exception:  # an error in an estimate never stops a crawl
                self._counter = None
                return
            self._spent += self._clock() - now
            now = self._clock()
            if not has_more:
                return
