"""Fetches pages for an audit as politely as the crawl did: its delay, its robots.txt, and a budget of requests."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from siteseer.archive.content_decoding import content_encoding, decode
from siteseer.collection.events import ROBOTS_MEMORY
from siteseer.collection.state import State
from siteseer.crawler.build import fetcher_of
from siteseer.crawler.polite_fetch import PoliteFetcher, RateLimitedError
from siteseer.crawler.validate_options import seeds_and_scope
from siteseer.errors import FetchError, TemporaryFetchError
from siteseer.fetch.fetch_one import redirect_target
from siteseer.fetch.politeness import PolitenessClock
from siteseer.fetch.robots import MAX_BYTES, RobotsRules
from siteseer.interfaces import Exchange, Request
from siteseer.model import Page
from siteseer.page.urls import host_of, origin_of
from siteseer.settings import CrawlOptions

Tell = Callable[[str], None]
TELL_EVERY = 25
"""Progress is told after so many requests."""


@dataclass(frozen=True, slots=True)
class Visited:
    """The outcome of a URL: a page, or why there is none. `is_open` where nothing is known of it."""

    page: Page | None = None
    because: str = ""
    is_open: bool = False


class AuditVisits:
    """Fetches pages until the budget is used up."""

    def __init__(self, state: State, options: CrawlOptions, budget: int, tell: Tell) -> None:
        seeds, self._scope = seeds_and_scope(options)
        self.options, self.budget, self._tell = options, budget, tell
        self._state = state
        self._fetcher = fetcher_of(options, seeds)
        self._visits = PoliteFetcher(self._fetcher, PolitenessClock.of(options), options.limits)
        self._robots: dict[str, asyncio.Task[RobotsRules]] = {}
        self._counts: Counter[str] = Counter()
        self._begun = 0
        self.refusal = ""
        """Why the host wants no more requests, where it said so."""

    @property
    def requests(self) -> int:
        """How many requests were sent."""
        return self._counts["requests"]

    @property
    def left(self) -> int:
        """How many requests may still be sent."""
        return 0 if self.refusal else max(0, self.budget - max(self._begun, self.requests))

    async def close(self) -> None:
        """Close connections."""
        await self._fetcher.close()

    async def fetch_all(self, urls: Sequence[str], stop: Callable[[str], bool]) -> list[Visited]:
        """Fetch URLs; a redirect is not followed to where `stop` says that everything is known."""
        return await asyncio.gather(*(self.fetch(url, stop) for url in urls))

    async def fetch(self, url: str, stop: Callable[[str], bool] = lambda url: False) -> Visited:
        """Return the page behind a URL."""
        passed: list[str] = []
        for _ in range(self.options.limits.redirects):
            if passed and stop(url):
                return Visited(because="leads to a page that is known")
            if refusal := await self.refused(url):
                return Visited(because=refusal, is_open=True)
            if not self.left:
                return Visited(because="beyond the budget", is_open=True)
            try:
                exchange = await self._send(url)
            except RateLimitedError as error:
                self.refusal = str(error)
                return Visited(because=str(error), is_open=True)
            except FetchError as error:
                return Visited(because=str(error), is_open=isinstance(error, TemporaryFetchError))
            target = redirect_target(exchange)
            if target is None:
                return self._page(url, exchange, passed)
            passed.append(url)
            url = target
        return Visited(because="redirects in a circle")

    def _page(self, url: str, exchange: Exchange, passed: list[str]) -> Visited:
        if exchange.status >= 500 or exchange.status == 429:
            return Visited(because=f"status {exchange.status}", is_open=True)
        body = decode(exchange.body, content_encoding(exchange.headers), self.options.limits.decoded_bytes).body
        return Visited(Page(url, exchange.status, exchange.headers, body, exchange.started, tuple(passed)))

    async def _send(self, url: str) -> Exchange:
        self._begun += 1
        before = self.requests
        try:
            return await self._visits.fetch(Request(url), self._counts)
        finally:
            if self.requests // TELL_EVERY > before // TELL_EVERY:
                self._tell(f"{self.requests:,} of at most {self.budget:,} requests sent")

    async def refused(self, url: str) -> str:
        """Say why a URL is not ours to fetch: its scope, or the robots.txt of its host."""
        if not (verdict := self._scope.verdict(url)).allowed:
            return verdict.because
        if not self.options.obeys_robots(host_of(url)):
            return ""
        origin = origin_of(url)
        if origin not in self._robots:
            self._robots[origin] = asyncio.create_task(self._rules(origin))
        verdict = (await asyncio.shield(self._robots[origin])).verdict(url)
        return "" if verdict.allowed else verdict.because

    async def _rules(self, origin: str) -> RobotsRules:
        """Return the robots.txt rules of a host: as the newest crawl that fetched them read them, otherwise fetched
        now.
        """
        agent = self.options.user_agent or "siteseer"
        read = self._state.rows(
            "SELECT value FROM memory WHERE kind = ? AND key = ? ORDER BY crawl DESC LIMIT 1", (ROBOTS_MEMORY, origin)
        )
        if stored := next((json.loads(text) for (text,) in read), None):
            rules = RobotsRules.read(stored["status"], stored["body"].encode("latin-1"), agent)
        else:
            rules = RobotsRules.read(*await self._robots_txt(origin), agent)
        if rules.crawl_delay:
            self._visits.pace.obey_crawl_delay(host_of(f"{origin}/"), rules.crawl_delay)
        return rules

    async def _robots_txt(self, origin: str) -> tuple[int | None, bytes]:
        url = f"{origin}/robots.txt"
        for _ in range(5):
            try:
                exchange = await self._send(url)
            except FetchError:
                return None, b""
            target = redirect_target(exchange)
            if target is None:
                return exchange.status, decode(exchange.body, content_encoding(exchange.headers), MAX_BYTES).body
            url = target
        return 404, b""
