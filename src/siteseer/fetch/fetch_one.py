"""Fetches single pages by their URLs, for commands that work on them: redirects followed, nothing archived."""

from __future__ import annotations

import logging

from siteseer.archive.content_decoding import content_encoding, decode
from siteseer.errors import FetchError, TemporaryFetchError, UsageError
from siteseer.event_loops import run_coroutine
from siteseer.fetch.certificates import UNTRUSTED
from siteseer.fetch.crawler_identity import identity_headers, user_agent
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.politeness import PolitenessClock
from siteseer.fetch.robots import MAX_BYTES, RobotsRules
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import Exchange, Request
from siteseer.model import Page
from siteseer.page.urls import host_of, origin_of, resolve, wire
from siteseer.settings import FetchLimits, Politeness

log = logging.getLogger(__name__)
AGENT = "siteseer"
"""The name by which robots.txt speaks of us, unless the user chose another."""


def fetch_page(url: str, limits: FetchLimits | None = None) -> Page:
    """Fetch a page at once, without asking for robots.txt; raise FetchError where that cannot be done."""
    return PageFetcher(Politeness(delay=0.0, robots="ignore"), limits).fetch(url)


class PageFetcher:
    """Fetches single pages as politely as the options say; hosts are remembered from one page to the next."""

    def __init__(self, polite: Politeness, limits: FetchLimits | None = None) -> None:
        self._polite, self._limits = polite, limits or FetchLimits()
        self._clock = PolitenessClock.of(polite)
        self._rules: dict[str, RobotsRules] = {}

    def fetch(self, url: str) -> Page:
        """Fetch a page; raise FetchError where that cannot be done, or where robots.txt forbids it."""
        return run_coroutine(self._fetch(url))

    async def _fetch(self, url: str) -> Page:
        try:
            current = wire(url)
        except ValueError:
            current = None
        if current is None:
            raise UsageError(f"{url} is no URL that can be fetched; write it as http://host/path")
        polite = self._polite
        addresses = AddressPolicy([current], polite.allow_private, polite.tls)
        fetcher = HttpFetcher(
            user_agent(polite), addresses, self._limits, identity_headers(polite),
            tells_when_sent=not polite.never_waits,
        )  # fmt: skip
        passed: list[str] = []
        try:
            for _ in range(self._limits.redirects + 1):
                await self._check_robots(current, fetcher)
                exchange = await self._send(current, fetcher)
                target = redirect_target(exchange)
                if target is None:
                    body = decode(exchange.body, content_encoding(exchange.headers), self._limits.decoded_bytes).body
                    return Page(current, exchange.status, exchange.headers, body, exchange.started, tuple(passed))
                passed.append(current)
                current = target
        finally:
            await fetcher.close()
        raise FetchError(f"{url} redirects more than {self._limits.redirects} times")

    async def _send(self, url: str, fetcher: HttpFetcher) -> Exchange:
        """Send one request when it is its turn."""
        async with self._clock.turn(host_of(url)) as sent:
            exchange = await fetcher.fetch(Request(url), sent)
        if exchange.certificate:
            log.warning("siteseer: the certificate of %s %s (%s)", host_of(url), UNTRUSTED, exchange.certificate)
        return exchange

    async def _check_robots(self, url: str, fetcher: HttpFetcher) -> None:
        """Raise where robots.txt forbids a page; where it is only to be noted, say so."""
        host, origin = host_of(url), origin_of(url)
        chosen = self._polite.of_host(host).robots if self._polite.hosts else self._polite.robots
        if chosen == "ignore":
            return
        if origin not in self._rules:
            self._rules[origin] = await self._read_robots(origin, fetcher)
        rules = self._rules[origin]
        verdict = rules.verdict(url)
        if not self._polite.obeys_robots(host):
            if not verdict.allowed:
                log.warning("siteseer: %s: %s", url, verdict.because)
            return
        if not verdict.allowed:
            kind = TemporaryFetchError if rules.refused else FetchError
            raise kind(f"{url}: {verdict.because}; --robots ignore fetches it all the same")
        if rules.crawl_delay:
            self._clock.obey_crawl_delay(host, rules.crawl_delay)

    async def _read_robots(self, origin: str, fetcher: HttpFetcher) -> RobotsRules:
        """Return the rules of an origin; a host that does not answer raises FetchError, as its page would."""
        url, agent = f"{origin}/robots.txt", self._polite.user_agent or AGENT
        for _ in range(self._limits.redirects + 1):
            exchange = await self._send(url, fetcher)
            target = redirect_target(exchange)
            if target is None:
                body = decode(exchange.body, content_encoding(exchange.headers), MAX_BYTES).body
                return RobotsRules.read(exchange.status, body, agent)
            url = target
        return RobotsRules(agent)


def redirect_target(exchange: Exchange) -> str | None:
    """Return where a redirect leads; None where the answer is none."""
    if exchange.status not in (301, 302, 303, 307, 308):
        return None
    location = next((value for name, value in exchange.headers if name.lower() == "location"), None)
    return resolve(exchange.url, location) if location else None
