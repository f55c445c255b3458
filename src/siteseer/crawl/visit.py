"""One URL fetched politely: turns, retries with growing pauses, Retry-After; every request counted."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from siteseer.crawl.pace import Pace
from siteseer.errors import FetchError, TemporaryFetchError
from siteseer.interfaces import Exchange, Fetcher, Request
from siteseer.page.urls import host_of
from siteseer.settings import FetchLimits

SLOW_DOWN = (429, 503)
"""Answers that ask for fewer requests: waited out, never kept as content."""
MAY_PASS = (408, 500, 502, 504, 520, 521, 522, 523, 524)
"""Answers of a server in trouble: another try may bring the page."""


class RateLimitedError(FetchError):
    """The server keeps asking for fewer requests, or for a pause longer than we wait."""

    exit_code = 18


@dataclass(slots=True)
class Visits:
    """Fetches URLs with patience."""

    fetcher: Fetcher
    pace: Pace
    limits: FetchLimits
    _sending: set[asyncio.Task[Any] | None] = field(default_factory=set)

    def has_sent(self, task: asyncio.Task[Any]) -> bool:
        """Say whether this task waits for an answer, rather than for its turn or before another try."""
        return task in self._sending

    async def fetch(self, request: Request, counts: Counter[str]) -> Exchange:
        """Fetch, waiting for turns and trying again where that may help; `counts` hears of every request sent."""
        host = host_of(request.url)
        for attempt in range(self.limits.retries + 1):
            is_last = attempt == self.limits.retries
            pause = self.limits.retry_seconds * 2**attempt
            try:
                async with self.pace.turn(host) as sent:
                    counts["requests"] += 1
                    exchange = await self._send(request, sent)
            except TemporaryFetchError:
                if is_last:
                    raise
                await asyncio.sleep(pause)
                continue
            if exchange.status in SLOW_DOWN:
                counts[f"status {exchange.status}"] += 1
                self._slow_down(host, exchange, is_last)
            elif exchange.status in MAY_PASS and not is_last:
                counts[f"status {exchange.status}"] += 1
                await asyncio.sleep(pause)
            else:
                self.pace.went_well(host)
                return exchange
        raise AssertionError("the last attempt returns or raises")

    async def _send(self, request: Request, sent: asyncio.Event) -> Exchange:
        task = asyncio.current_task()
        self._sending.add(task)
        try:
            return await self.fetcher.fetch(request, sent)
        finally:
            self._sending.discard(task)

    def _slow_down(self, host: str, exchange: Exchange, is_last: bool) -> None:
        asked = retry_after(exchange)
        if asked is not None and asked > self.limits.retry_after_max:
            raise RateLimitedError(f"{host} asks for a pause of {asked:.0f} seconds (status {exchange.status})")
        wait = self.pace.slow_down(host, asked)
        if is_last:
            tries = self.limits.retries
            raise RateLimitedError(
                f"{host} still answers {exchange.status} after {tries} pauses, the last of {wait:.0f} s"
            )


def retry_after(exchange: Exchange) -> float | None:
    """Return the seconds that a Retry-After header asks for."""
    value = next((value for name, value in exchange.headers if name.lower() == "retry-after"), "").strip()
    if value.isdigit() and len(value) < 10:
        return float(value)
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
