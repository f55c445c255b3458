"""Obeys robots.txt for wrappers: fetched once per host, archived, checked before each page."""

from __future__ import annotations

import time
from collections.abc import Callable, MutableMapping

from siteseer.archive.content_decoding import content_encoding, decode
from siteseer.errors import FetchError
from siteseer.fetch.browser.tab import HostilePageError
from siteseer.fetch.fetch_one import redirect_target
from siteseer.fetch.politeness import CRAWL_DELAY_MAX
from siteseer.fetch.robots import MAX_BYTES, RobotsRules
from siteseer.fetch.ssrf_guard import RefusedAddressError
from siteseer.interfaces import Exchange, Request
from siteseer.page.urls import host_of, origin_of
from siteseer.settings import Politeness

AGENT = "siteseer"
REDIRECTS = 5
GOOD_SECONDS = 3600.0
"""How long the answer of a host is believed; RFC 9309 allows a day."""
Known = MutableMapping[str, tuple[float, RobotsRules]]


class ForbiddenError(FetchError):
    """The robots.txt of a host forbids a page."""


class WrapperRobots:
    """Says whether pages may be loaded; successive runs may share `known`."""

    def __init__(
        self,
        load: Callable[[Request], Exchange],
        polite: Politeness,
        keep: Callable[[Exchange], None],
        warn: Callable[[str], None],
        known: Known | None = None,
    ) -> None:
        self._load, self._polite, self._keep, self._warn = load, polite, keep, warn
        self._agent = polite.user_agent or AGENT
        self._known: Known = {} if known is None else known
        self._told: set[str] = set()

    def check(self, url: str) -> float:
        """Raise where robots.txt forbids a page; return the delay in seconds that the host wants between two pages."""
        if self._polite.robots == "ignore" or not url.startswith(("http://", "https://")):
            return 0.0
        rules = self._rules(origin_of(url))
        verdict = rules.verdict(url)
        if not verdict.allowed and self._polite.obeys_robots(host_of(url)):
            raise ForbiddenError(f"{url}: {verdict.because}; --robots ignore loads it all the same")
        if not verdict.allowed and url not in self._told:
            self._told.add(url)
            self._warn(f"{url}: {verdict.because}")
        return min(rules.crawl_delay or 0.0, CRAWL_DELAY_MAX) if self._polite.obeys_robots(host_of(url)) else 0.0

    def _rules(self, origin: str) -> RobotsRules:
        asked, rules = self._known.get(origin, (0.0, None))
        if rules is None or time.monotonic() > asked + GOOD_SECONDS:
            rules = self._asked(origin)
            self._known[origin] = (time.monotonic(), rules)
        return rules

    def _asked(self, origin: str) -> RobotsRules:
        url = f"{origin}/robots.txt"
        for _ in range(REDIRECTS):
            exchange = self._loaded(url)
            target = redirect_target(exchange)
            exchange.body.seek(0)
            body = b"" if target else decode(exchange.body, content_encoding(exchange.headers), MAX_BYTES).body
            self._keep(exchange)
            if target is None:
                return RobotsRules.read(exchange.status, body, self._agent)
            url = target
        return RobotsRules(self._agent)

    def _loaded(self, url: str) -> Exchange:
        try:
            return self._load(Request(url))
        except RefusedAddressError as error:
            raise HostilePageError(str(error)) from error
