"""Scopes of a crawl whose seeds have scopes of their own: a URL belongs to the crawl if it belongs to one of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from siteseer.interfaces import Verdict
from siteseer.settings import CrawlOptions, SeedOptions
from siteseer.strategies.scope import SeedScope


class SeedScopes:
    """Several scopes; `exclude` holds for all of them, and can be added to while a crawl runs."""

    def __init__(self, scopes: Sequence[tuple[SeedScope, SeedOptions]]) -> None:
        self.scopes = scopes
        self.exclude: list[tuple[str, Any]] = []
        self.seeds = [seed for scope, _ in scopes for seed in scope.seeds]

    def verdict(self, url: str, depth: int = 0) -> Verdict:
        """Say whether a URL belongs to one of the seeds; if to none, why not to the one that is nearest to it."""
        for text, expression in self.exclude:
            if expression.search(url):
                return Verdict(False, f"excluded by --exclude {text}", f"--exclude {text}")
        refused = []
        for scope, _ in self.scopes:
            verdict = scope.verdict(url, depth)
            if verdict.allowed:
                return verdict
            refused.append(verdict)
        return next((one for one in refused if one.rule != "scope"), refused[0])

    def seed_of(self, url: str) -> SeedOptions | None:
        """Return the seed to which a URL belongs: the first whose scope takes it."""
        return next((seed for scope, seed in self.scopes if scope.verdict(url).allowed), None)


CrawlScope = SeedScope | SeedScopes


def scope_of(options: CrawlOptions, named: Sequence[str]) -> CrawlScope:
    """Return the scope around the addresses that a crawl names."""
    own = {one.url: one for one in options.seed_options if not one.is_plain}
    if not own:
        return SeedScope(named, options.scope, options.include, options.exclude, options.depth)
    others = [url for url in named if url not in own]
    scopes = [(_scope(options, one), one) for one in own.values()]
    if others:
        scope = SeedScope(others, options.scope, options.include, options.exclude, options.depth)
        scopes.append((scope, SeedOptions("")))
    return SeedScopes(scopes)


def _scope(options: CrawlOptions, seed: SeedOptions) -> SeedScope:
    """Return the scope of one seed: what it does not say is as for the crawl; exclusions of the crawl hold, too."""
    include = options.include if seed.include is None else seed.include
    depth = options.depth if seed.depth is None else seed.depth
    return SeedScope([seed.url], seed.scope or options.scope, include, (*options.exclude, *(seed.exclude or ())), depth)
