"""Counts the pages that are asked for below each seed, where seeds have limits of their own."""

from __future__ import annotations

from collections import Counter

from siteseer.crawler.frontier import Entry, Frontier
from siteseer.interfaces import Scope
from siteseer.strategies.redirects_and_assets import ASSETS
from siteseer.strategies.seed_scopes import SeedScopes

RULE = "limit of the seed"


class SeedLimits:
    """Says when a seed has had its pages; goes on counting where an earlier run of the crawl stopped."""

    def __init__(self, scope: Scope, frontier: Frontier) -> None:
        self._scope = scope if isinstance(scope, SeedScopes) and any(one.limit for _, one in scope.scopes) else None
        self._counts: Counter[str] = Counter()
        if self._scope is not None:
            for url in frontier.asked_for():
                self._count(url)
        self._counted: set[int] = set()

    def _count(self, url: str) -> None:
        assert self._scope is not None
        seed = self._scope.seed_of(url)
        if seed is not None:
            self._counts[seed.url] += 1

    def refusal(self, entry: Entry) -> str:
        """Return why a URL is not asked for any more; where it is, count it and return nothing."""
        action = entry.action
        if self._scope is None or action.family == ASSETS or entry.id in self._counted:  # a retry counts no more
            return ""
        seed = self._scope.seed_of(action.url)
        if seed is None or not seed.limit:
            return ""
        if self._counts[seed.url] >= seed.limit:
            return f"{seed.limit:,} pages of the seed {seed.url} were asked for, as many as its limit allows"
        self._counts[seed.url] += 1
        self._counted.add(entry.id)
        return ""
