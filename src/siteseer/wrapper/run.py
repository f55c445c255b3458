"""Runs a wrapper from beginning to end: opens the browser, writes records, archives visited pages.

With a collection the pages go to its WARC and the records to its objects, each with the capture of its page.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Coroutine, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import replace
from threading import Thread
from types import TracebackType
from typing import Any, Self, TypeVar

from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.errors import TemporaryFetchError, UsageError
from siteseer.fetch.browser.static_browser import StaticBrowser, start_address
from siteseer.fetch.crawler_identity import identity_headers, user_agent
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.politeness import PolitenessClock
from siteseer.fetch.replay import ReplayFetcher
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import Browser, Exchange, Fetcher, Request, WebNode
from siteseer.model import JSON
from siteseer.page.urls import host_of
from siteseer.settings import ExtractionOptions, options_of, read_values
from siteseer.wrapper.oxpath.evaluation.evaluate import Run
from siteseer.wrapper.oxpath.language.purity import walk
from siteseer.wrapper.oxpath.language.syntax import Document, Expression, Literal
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.wrapper_collection import WrapperCollection
from siteseer.wrapper.wrapper_robots import Known, WrapperRobots

Result = TypeVar("Result")


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
        run = Run(browser, hand_on, options.variables, warn, options.strict, options.rounds)
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
    with SyncFetcher(_fetcher(wrapper, options), options) as load:
        kept = keep or (lambda exchange: None)
        polite = replace(options, robots="ignore") if options.offline else options
        permits = WrapperRobots(load, polite, kept, warn, known)
        if options.offline is not None or options.browser == "never":
            yield StaticBrowser(lambda request: load(request, permits.check(request.url)), options.limits, kept)
            return
        from siteseer.fetch.browser.chromium import ChromiumBrowser
        from siteseer.fetch.browser.load import LoadRules

        make = chromium or ChromiumBrowser
        rules = LoadRules(keep, options.delay, warn, permits.check)
        browser = make(reachable_addresses(wrapper, options), user_agent(options), options.browser_limits, rules)
        try:
            yield browser
        finally:
            browser.close()


def _check(options: ExtractionOptions) -> None:
    described = options_of(ExtractionOptions)
    read_values(described, {one.name: getattr(options, one.name) for one in described})
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
    headers = identity_headers(options)
    return lambda: HttpFetcher(user_agent(options), allowed, options.limits, headers)


class SyncFetcher:
    """Loads requests in a thread of its own, because a browser may own the event loop of this one."""

    def __init__(self, make: Callable[[], Fetcher], options: ExtractionOptions) -> None:
        self._make, self._options = make, options
        self._loop = asyncio.new_event_loop()
        self._thread = Thread(target=self._loop.run_forever, name="loader", daemon=True)
        self.counts: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self._thread.start()
        self._visits = self._done(self._opened())
        return self

    async def _opened(self) -> PoliteFetcher:
        options = self._options  # one page at a time, as a person reads; nobody waits for an archive
        clock = PolitenessClock(0.0, 1) if options.offline else PolitenessClock.of(replace(options, concurrency=1))
        return PoliteFetcher(self._make(), clock, options.limits)

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
