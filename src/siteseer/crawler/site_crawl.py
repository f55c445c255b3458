"""Crawls one site slice by slice in a running event loop, beside the crawls of other sites.

What it writes is an ordinary collection. Everything that a slice reported is on disk when it ends: a campaign may be
killed at any moment, and another process may take the next slice.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import replace

from siteseer.collection.collection import Collection
from siteseer.collection.layout import learned_folder, log_of
from siteseer.collection.stores.store_config import choose_stores
from siteseer.collection.stores.upload import deliver
from siteseer.crawler.build import robots_word
from siteseer.crawler.capture_writer import CaptureWriter
from siteseer.crawler.frontier import Frontier
from siteseer.crawler.loop import Loop
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.crawler.results.crawl_log import CrawlLog
from siteseer.crawler.results.derived_files import summary, with_undelivered, write_derived_files
from siteseer.crawler.strategy_memory import CollectionMemory
from siteseer.errors import FetchError
from siteseer.fetch.browser.render import PageBrowser
from siteseer.fetch.crawler_identity import user_agent
from siteseer.interfaces import StrategyContext, StrategyFactory
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import JSON, Action, Seed
from siteseer.settings import CrawlOptions
from siteseer.strategies.scope import SeedScope
from siteseer.version import __version__

CACHE_KILOBYTES = 1_000
"""Of the database, for each site: a hundred are open at a time."""


class SiteCrawl:
    """One open site."""

    def __init__(
        self,
        options: CrawlOptions,
        visits: PoliteFetcher,
        make: StrategyFactory,
        social: float,
        is_scratch: bool = False,
        browser: PageBrowser | None = None,
    ) -> None:
        self.options, self.visits, self._make, self.browser = options, visits, make, browser
        self.is_scratch = is_scratch
        """Whether the collection is thrown away where the process ends too soon: then nothing waits for the disk."""
        with ExitStack() as opened:
            self._begin(opened, social)
            self._open = opened.pop_all()
        self.loop: Loop | None = None
        self.failure: FetchError | None = None
        """The first URL of the last slice that could not be had."""
        self.refusal = ""
        """Why the host of the last slice was stopped."""

    def _begin(self, opened: ExitStack, social: float) -> None:
        options = self.options
        collection = opened.enter_context(Collection.open(options.collection, "create"))
        self.state = collection.state
        if self.is_scratch:
            self.state.write_behind()
        self.state.db.execute(f"PRAGMA cache_size = -{CACHE_KILOBYTES}")
        last = self.state.last_crawl(options.strategy)  # others came back to the site in the meantime, perhaps
        self.counts: Counter[str] = last[3] if last else Counter()
        self.crawl = last[0] if last else self.state.new_crawl(options.strategy, _stored(options))
        seeds = [Seed(url) for url in options.seeds]
        self.scope = SeedScope(options.seeds, "host", options.include, options.exclude, options.depth)
        context = StrategyContext(options, self.scope, self._knowledge, learned_folder(options.collection))
        self.strategy = self._make(context)
        self._first = list(self.strategy.start(seeds, CollectionMemory(self.state, self.crawl)))
        self.frontier = Frontier(self.state, self.crawl)
        self.frontier.votes.social = social
        self.log = CrawlLog(log_of(collection.path, self.crawl))
        opened.callback(self.log.close)
        warc = opened.enter_context(collection.warc_writer(_warcinfo(options)))
        warc.is_synced = not self.is_scratch
        self.keeper = CaptureWriter(self.state, self.crawl, warc, options.limits, self.counts)

    async def carry_on(self, arrivals: Sequence[Action], requests: int, seconds: float | None = None) -> str | None:
        """Crawl for so many more requests and seconds; `arrivals` are done first. Return what ended the slice."""
        at_once = max(1, min(self.options.concurrency, requests // 4))  # a worker may be one request ahead of the limit
        until = None if seconds is None else self.counts["milliseconds"] / 1000 + seconds
        limit = self.counts["requests"] + requests
        options = replace(self.options, limit=limit, time_limit=until, concurrency=at_once)
        self.loop = loop = self._loop(options)
        first, self._first = [*self._first, *arrivals], []
        try:
            await loop.run(first)
        finally:
            self.loop, self.failure, self.refusal = None, loop.failure, loop.refusal
        self.state.end_crawl(self.crawl, loop.stopped_by)
        self.state.commit()
        return loop.stopped_by

    def promising(self, least: float) -> tuple[float, int]:
        """Return the highest priority that waits, and how many URLs wait with at least that of the argument."""
        return self.frontier.promising(least)

    def remembered(self, kind: str, after: int) -> Iterator[tuple[int, JSON]]:
        """Return the rows that the strategy remembered under a kind after a row."""
        rows = self.state.rows(
            "SELECT row, value FROM memory WHERE crawl = ? AND kind = ? AND row > ? ORDER BY row",
            (self.crawl, kind, after),
        )
        for row, value in rows:
            yield int(row), json.loads(value)

    def weighed(self, least: float, last: int) -> tuple[int, list[float]]:
        """Return how many kept pages have at least this degree of relevance, and the degrees of the last so many."""
        relevant = next(iter(self.state.rows("SELECT total(degree >= ?) FROM relevance", (least,))))[0]
        rows = self.state.rows("SELECT degree FROM relevance ORDER BY capture DESC LIMIT ?", (last,))
        return int(relevant), [float(degree) for (degree,) in rows]

    def finish(self) -> JSON:
        """Let the strategy look at the kept pages once more, write what is derived, and return the summary."""
        newest = str(next(iter(self.state.rows("SELECT max(id) FROM captures")))[0])
        if self.state.about("harvested") != newest:
            self._loop(self.options).harvest()
            self.state.say("harvested", newest)
            self.state.commit()
        options = self.options
        choose_stores(options.collection, options.archive_to, options.objects_to, options.objects_update)
        write_derived_files(self.state, self.crawl)
        result = summary(self.state, self.crawl, self.counts)
        return with_undelivered(result, deliver(options.collection))

    def _loop(self, options: CrawlOptions) -> Loop:
        return Loop(
            options, self.frontier, self.strategy, self.scope, self.visits, self.keeper, self.log, self.counts,
            self.browser, self._knowledge,
        )  # fmt: skip

    def _knowledge(self) -> KnowledgeBase:
        return KnowledgeBase.with_files([*self.options.knowledge])

    def close(self) -> None:
        """Let go of files and lock."""
        self._open.close()


def _warcinfo(options: CrawlOptions) -> dict[str, str]:
    return {
        "software": f"siteseer/{__version__}",
        "robots": robots_word(options),
        "isPartOf": options.collection.resolve().name,
        "description": f"strategy {options.strategy} of a campaign; seeds: {' '.join(options.seeds)[:500]}",
        "http-header-user-agent": user_agent(options),
        **({"http-header-from": options.contact} if options.contact else {}),
    }


def _stored(options: CrawlOptions) -> JSON:
    """Return the options for the record."""
    names = "seeds strategy delay concurrency robots user_agent contact assets browser policies definition"
    return {name: getattr(options, name) for name in names.split()}
