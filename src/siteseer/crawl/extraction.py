"""A wrapper run from beginning to end: a browser is opened, records are written, visited pages are archived.

With a collection the pages go to its WARC and the records to its objects, each with the capture of its page.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from siteseer.crawl.harvested import Harvested
from siteseer.crawl.pace import Pace
from siteseer.crawl.run import user_agent
from siteseer.crawl.visit import Visits
from siteseer.errors import UsageError
from siteseer.fetch.addresses import AddressPolicy
from siteseer.fetch.browser_static import StaticBrowser, start_address
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.replay import ReplayFetcher
from siteseer.interfaces import Browser, Exchange, Fetcher, Request, WebNode
from siteseer.model import JSON
from siteseer.settings import BrowserLimits, CrawlOptions, FetchLimits
from siteseer.wrappers.effects import walk
from siteseer.wrappers.evaluate import MOST_ITERATIONS, Run
from siteseer.wrappers.records import Record
from siteseer.wrappers.syntax import Document, Expression, Literal

BROWSERS = ("auto", "never", "always")


@dataclass(frozen=True, slots=True)
class ExtractionOptions:
    """How a wrapper is run."""

    variables: Mapping[str, str] = field(default_factory=dict)
    browser: str = "auto"
    """`auto`: a real browser, except for pages from an archive."""
    start: str = ""
    """The page for a wrapper that loads none."""
    offline: Path | None = None
    collection: Path | None = None
    strict: bool = False
    delay: float = 1.0
    """Seconds between two pages of a host, as in a crawl."""
    allow_private: bool = False
    most_iterations: int = MOST_ITERATIONS
    limits: FetchLimits = field(default_factory=FetchLimits)
    browser_limits: BrowserLimits = field(default_factory=BrowserLimits)


Keep = Callable[[Exchange], None]


def extract(
    wrapper: Expression,
    give: Callable[[Record], None],
    options: ExtractionOptions,
    warn: Callable[[str], None] = lambda text: None,
) -> JSON:
    """Run a wrapper; `give` is handed every record as it is complete. Returns what it took."""
    with ExitStack() as open_things:
        kept = open_things.enter_context(Harvested.at(options.collection, str(wrapper))) if options.collection else None

        def hand_on(record: Record) -> None:
            if kept is not None:
                kept.keep_record(record)
            give(record)

        browser = open_things.enter_context(opened(wrapper, options, kept.keep_exchange if kept else None))
        run = Run(browser, hand_on, options.variables, warn, options.strict, options.most_iterations)
        run.run(wrapper, _start(browser, options.start))
        return {"pages": run.pages, "records": run.harvest.records, "values": run.harvest.values}


def _start(browser: Browser, url: str) -> WebNode | None:
    return browser.open(url) if url else None


@contextmanager
def opened(wrapper: Expression, options: ExtractionOptions, keep: Keep | None = None) -> Iterator[Browser]:
    """Open the browser that the options ask for; it is closed again, whatever happens."""
    if options.browser not in BROWSERS:
        raise UsageError(f"there is no --browser {options.browser!r}; choose one of {', '.join(BROWSERS)}")
    if options.offline is not None and options.browser == "always":
        raise UsageError("pages from an archive are shown without scripts: leave --browser out")
    if options.offline is not None or options.browser == "never":
        with Loader(_fetcher(wrapper, options), options) as load:
            yield StaticBrowser(load, options.limits, keep or (lambda exchange: None))
        return
    from siteseer.fetch.browser import ChromiumBrowser

    browser = ChromiumBrowser(
        addresses(wrapper, options), user_agent(CrawlOptions((), Path())), options.browser_limits, keep, options.delay
    )
    try:
        yield browser
    finally:
        browser.close()


def addresses(wrapper: Expression, options: ExtractionOptions) -> AddressPolicy:
    """Return what may be reached: the hosts that the wrapper names always may."""
    named = [one.url for one in walk(wrapper) if isinstance(one, Document)]
    texts = [one.text if isinstance(one, Literal) else options.variables.get(one.name, "") for one in named]
    urls = [start_address(text) for text in (*texts, options.start) if text]
    return AddressPolicy(urls, options.allow_private)


def _fetcher(wrapper: Expression, options: ExtractionOptions) -> Callable[[], Fetcher]:
    if options.offline is not None:
        archive = options.offline
        return lambda: ReplayFetcher(archive)
    agent = user_agent(CrawlOptions((), Path()))
    allowed = addresses(wrapper, options)
    return lambda: HttpFetcher(agent, allowed, options.limits)


class Loader:
    """Loads one request after the other, politely and with patience, in a loop of its own."""

    def __init__(self, make: Callable[[], Fetcher], options: ExtractionOptions) -> None:
        self._runner = asyncio.Runner()
        self._make, self._options = make, options
        self.counts: Counter[str] = Counter()
        self._visits: Visits | None = None

    def __enter__(self) -> Self:
        self._visits = self._runner.run(self._opened())
        return self

    async def _opened(self) -> Visits:
        pause = 0.0 if self._options.offline is not None else self._options.delay
        return Visits(self._make(), Pace(pause, 1), self._options.limits)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._visits is not None:
            self._runner.run(self._visits.fetcher.close())
        self._runner.close()

    def __call__(self, request: Request) -> Exchange:
        """Load a request."""
        assert self._visits is not None
        return self._runner.run(self._visits.fetch(request, self.counts))
