"""One request after the other for wrappers, politely and with patience, in a thread of its own."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

from siteseer.crawl.pace import Pace
from siteseer.crawl.visit import Visits
from siteseer.errors import TemporaryFetchError
from siteseer.interfaces import Exchange, Fetcher, Request
from siteseer.page.urls import host_of
from siteseer.settings import FetchLimits

Result = TypeVar("Result")


class Loader:
    """Loads requests; a thread of its own, because a browser may own the loop of this one."""

    def __init__(self, make: Callable[[], Fetcher], delay: float, limits: FetchLimits) -> None:
        self._make, self._delay, self._limits = make, delay, limits
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="loader", daemon=True)
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._thread.start()
        self._visits = self._done(self._opened())
        return self

    async def _opened(self) -> Visits:
        return Visits(self._make(), Pace(self._delay, 1), self._limits)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self._done(self._visits.fetcher.close())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def __call__(self, request: Request, delay: float = 0.0) -> Exchange:
        """Load a request; `delay` is what the host asks for between two of them."""
        return self._done(self._load(request, delay))

    async def _load(self, request: Request, delay: float) -> Exchange:
        if delay:
            self._visits.pace.obey_crawl_delay(host_of(request.url), delay)
        try:
            return await self._visits.fetch(request, self.counts)
        except TemporaryFetchError as error:
            if type(error) is not TemporaryFetchError:
                raise
            raise TemporaryFetchError(f"{request.url[:300]} cannot be reached: {error}") from error

    def _done(self, work: Coroutine[Any, Any, Result]) -> Result:
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except BaseException:  # also when somebody presses Ctrl-C
            future.cancel()
            raise
