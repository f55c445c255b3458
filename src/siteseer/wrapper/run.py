"""Runs a wrapper from beginning to end: opens the browser, writes records, archives visited pages.

With a collection the pages go to its WARC and the records to its objects, each with the capture of its page.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

from siteseer.crawler.build import user_agent
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.errors import TemporaryFetchError, UsageError
from siteseer.fetch.browser.static_browser import StaticBrowser, start_address
from siteseer.fetch.certificates import TLS
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.politeness import PolitenessClock
from siteseer.fetch.replay import ReplayFetcher
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import Browser, Exchange, Fetcher, Request, WebNode
from siteseer.model import JSON
from siteseer.page.urls import host_of
from siteseer.settings import BrowserLimits, CrawlOptions, FetchLimits
from siteseer.wrapper.oxpath.evaluation.evaluate import MOST_ITERATIONS, Run
from siteseer.wrapper.oxpath.language.purity import walk
from siteseer.wrapper.oxpath.language.syntax import Document, Expression, Literal
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.wrapper_collection import WrapperCollection
from siteseer.wrapper.wrapper_robots import ROBOTS, Known, WrapperRobots

BROWSERS = ("auto", "never", "always")
AGENT = user_agent(CrawlOptions((), Path()))
Result = TypeVar("Result")


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
    robots: str = "obey"
    """`obey`: pages that a host asks crawlers to leave alone are not loaded; `log`: they are, with a warning."""
    allow_private: bool = False
    tls: str = "lenient"
    """`lenient`: pages of hosts with a bad certificate are loaded, and it is noted; `strict`: they are not."""
    most_iterations: int = MOST_ITERATIONS
    limits: FetchLimits = field(default_factory=FetchLimits)
    browser_limits: BrowserLimits = field(default_factory=BrowserLimits)


Keep = Callable[[Exchange], None]
Warn = Callable[[str], None]


def extract(
    wrapper: Expression,
    give: Callable[[Record], None],
    options: ExtractionOptions,
    warn: Warn = lambda text: None,
) -> JSON:
    """Run a wrapper; `give` receives every record when it is complete. Return what the run cost."""
    with ExitStack() as open_things:
        kept = (
            open_things.enter_context(WrapperCollection.at(options.collection, str(wrapper)))
            if options.collection
            else None
        )

        def hand_on(record: Record) -> None:
            if kept is not None:
                kept.keep_record(record)
            give(record)

        browser = open_things.enter_context(open_browser(wrapper, options, kept.keep_exchange if kept else None, warn))
        run = Run(browser, hand_on, options.variables, warn, options.strict, options.most_iterations)
        run.run(wrapper, _start(browser, options.start))
        return {"pages": run.pages, "records": run.harvest.records, "values": run.harvest.values}


def _start(browser: Browser, url: str) -> WebNode | None:
    return browser.open(url) if url else None


@contextmanager
def open_browser(
    wrapper: Expression,
    options: ExtractionOptions,
    keep: Keep | None = None,
    warn: Warn = lambda text: None,
    known: Known | None = None,
    chromium: Callable[..., Browser] | None = None,
) -> Iterator[Browser]:
    """Open the browser that the options ask for; it is closed again, whatever happens.

    `known` are the robots.txt rules that earlier runs fetched; `chromium` makes another kind of real browser.
    """
    _check(options)
    with SyncFetcher(_fetcher(wrapper, options), 0.0 if options.offline else options.delay, options.limits) as load:
        kept = keep or (lambda exchange: None)
        permits = WrapperRobots(load, "ignore" if options.offline else options.robots, kept, warn, known)
        if options.offline is not None or options.browser == "never":
            yield StaticBrowser(lambda request: load(request, permits.check(request.url)), options.limits, kept)
            return
        from siteseer.fetch.browser.chromium import ChromiumBrowser
        from siteseer.fetch.browser.load import LoadRules

        make = chromium or ChromiumBrowser
        rules = LoadRules(keep, options.delay, warn, permits.check)
        browser = make(reachable_addresses(wrapper, options), AGENT, options.browser_limits, rules)
        try:
            yield browser
        finally:
            browser.close()


def _check(options: ExtractionOptions) -> None:
    for name, value, known in (
        ("browser", options.browser, BROWSERS),
        ("robots", options.robots, ROBOTS),
        ("tls", options.tls, TLS),
    ):
        if value not in known:
            raise UsageError(f"there is no --{name} {value!r}; choose one of {', '.join(known)}")
    if options.offline is not None and options.browser == "always":
        raise UsageError("pages from an archive are shown without scripts: leave --browser out")


def reachable_addresses(wrapper: Expression, options: ExtractionOptions) -> AddressPolicy:
    """Return which hosts may be reached: those that the wrapper names always may."""
    named = [one.url for one in walk(wrapper) if isinstance(one, Document)]
    texts = [one.text if isinstance(one, Literal) else options.variables.get(one.name, "") for one in named]
    urls = [start_address(text) for text in (*texts, options.start) if text]
    return AddressPolicy(urls, options.allow_private, options.tls)


def _fetcher(wrapper: Expression, options: ExtractionOptions) -> Callable[[], Fetcher]:
    if options.offline is not None:
        archive = options.offline
        return lambda: ReplayFetcher(archive)
    allowed = reachable_addresses(wrapper, options)
    return lambda: HttpFetcher(AGENT, allowed, options.limits)


class SyncFetcher:
    """Loads requests in a thread of its own, because a browser may own the event loop of this one."""

    def __init__(self, make: Callable[[], Fetcher], delay: float, limits: FetchLimits) -> None:
        self._make, self._delay, self._limits = make, delay, limits
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="loader", daemon=True)
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._thread.start()
        self._visits = self._done(self._opened())
        return self

    async def _opened(self) -> PoliteFetcher:
        return PoliteFetcher(self._make(), PolitenessClock(self._delay, 1), self._limits)

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
