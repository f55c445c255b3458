"""Fetches one URL politely: waits for its turn, obeys Retry-After, retries with growing pauses, counts each request."""

from __future__ import annotations

import asyncio
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Any

from siteseer.collection.history.crawl_history import UNSENT
from siteseer.crawler.hosts.host_health import HostHealth
from siteseer.errors import FetchError, TemporaryFetchError
from siteseer.fetch.exchange_page import page_of
from siteseer.fetch.politeness import PolitenessClock
from siteseer.interfaces import Exchange, Fetcher, Request
from siteseer.page.interstitials import is_challenge
from siteseer.page.urls import host_of
from siteseer.page.whole_number import whole_number
from siteseer.settings import FetchLimits

TOO_MANY = 429
SLOW_DOWN = (TOO_MANY, 503)
"""Answers that ask for fewer requests: waited out, never kept as content."""
MAY_PASS = (408, 500, 502, 504, 520, 521, 522, 523, 524)
"""Answers of a server in trouble: another try may bring the page."""


class RateLimitedError(FetchError):
    """The server keeps asking for fewer requests, or for a pause longer than we wait."""

    exit_code = 18


@dataclass(slots=True)
class PoliteFetcher:
    """Fetches URLs with patience."""

    fetcher: Fetcher
    pace: PolitenessClock
    limits: FetchLimits
    health: defaultdict[str, HostHealth] = field(default_factory=lambda: defaultdict(HostHealth))
    """How each host has answered lately."""
    _sending: set[asyncio.Task[Any] | None] = field(default_factory=set)

    def has_sent(self, task: asyncio.Task[Any]) -> bool:
        """Say whether this task waits for an answer, rather than for its turn or before another try."""
        return task in self._sending

    async def send(self, request: Request, counts: Counter[str]) -> Exchange:
        """Send a request once, at its host's turn, and count it; heed the pause that the answer asks for."""
        host = host_of(request.url)
        async with self.pace.turn(host) as sent:
            counts["requests"] += 1
            exchange = await self._send(request, sent, counts)
        if exchange.status in SLOW_DOWN and not self.is_challenge(exchange):
            self._heed(host, exchange)
        else:
            self.pace.went_well(host)
        return exchange

    def _heed(self, host: str, exchange: Exchange) -> None:
        """Let the host rest where an answer asks for that: 429 always does, 503 with Retry-After.

        A host that answers others of its URLs after such a pause speaks of the one URL only.
        """
        asked, health = retry_after(exchange), self.health[host]
        is_about_host = exchange.status == TOO_MANY or not health.means_the_page
        if asked is not None and asked > self.limits.retry_after_max:
            if exchange.status == TOO_MANY or not health.good_url:
                health.stop(f"{host} asks for a pause of {asked:,.0f} seconds ({answer_line(exchange)}).")
        elif is_about_host and (asked is not None or exchange.status == TOO_MANY):
            health.pauses += 1
            self.pace.slow_down(host, asked)
            if self.pace.host(host).refusals > self.limits.retries:
                health.stop(f"{host} still answers {answer_line(exchange)} after {self.limits.retries} pauses.")

    async def fetch_soon(self, request: Request, counts: Counter[str]) -> Exchange:
        """Send a request, and once more where that may help: for what a page that is being shown waits for."""
        try:
            exchange = await self.send(request, counts)
        except TemporaryFetchError:
            await asyncio.sleep(self.limits.retry_seconds)
            return await self.send(request, counts)
        if not may_pass(exchange.status) or self.health[host_of(request.url)].stopped:
            return exchange
        counts[f"status {exchange.status}"] += 1
        await asyncio.sleep(self.limits.retry_seconds)
        return await self.send(request, counts)

    async def fetch(self, request: Request, counts: Counter[str]) -> Exchange:
        """Fetch what cannot wait for later, with pauses and further tries; `counts` hears of every request sent."""
        host = host_of(request.url)
        for attempt in range(self.limits.retries + 1):
            is_last = attempt == self.limits.retries
            pause = self.limits.retry_seconds * 2**attempt
            try:
                async with self.pace.turn(host) as sent:
                    counts["requests"] += 1
                    exchange = await self._send(request, sent, counts)
            except TemporaryFetchError:
                if is_last:
                    raise
                await asyncio.sleep(pause)
                continue
            if exchange.status in SLOW_DOWN and not self.is_challenge(exchange):
                counts[f"status {exchange.status}"] += 1
                self._slow_down(host, exchange, is_last)
            elif exchange.status in MAY_PASS and not is_last:
                counts[f"status {exchange.status}"] += 1
                await asyncio.sleep(pause)
            else:
                self.pace.went_well(host)
                return exchange
        raise AssertionError("the last attempt returns or raises")

    def is_challenge(self, exchange: Exchange) -> bool:
        """Say whether what asks for fewer requests is a challenge in truth: asking again brings the same."""
        return exchange.status in SLOW_DOWN and is_challenge(page_of(exchange, self.limits.decoded_bytes))

    async def _send(self, request: Request, sent: asyncio.Event, counts: Counter[str]) -> Exchange:
        task = asyncio.current_task()
        self._sending.add(task)
        try:
            return await self.fetcher.fetch(request, sent)
        except FetchError as error:
            counts[UNSENT] += not error.was_sent
            raise
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


def may_pass(status: int) -> bool:
    """Say whether another try may bring the page."""
    return status in SLOW_DOWN or status in MAY_PASS


def answer_line(exchange: Exchange) -> str:
    """Return status and reason of an answer, as people say them: `503 Service Unavailable`."""
    return f"{exchange.status} {exchange.reason}".strip()


def retry_after(exchange: Exchange) -> float | None:
    """Return the seconds that a Retry-After header asks for."""
    value = next((value for name, value in exchange.headers if name.lower() == "retry-after"), "").strip()
    if (seconds := whole_number(value)) is not None:
        return float(seconds)
    try:
        when = parsedate_to_datetime(value)
    except (ValueError, TypeError, IndexError):
        return None
    if when.tzinfo is None:
        when = when.replace(tzinfo=UTC)
    return max(0.0, (when - datetime.now(UTC)).total_seconds())
