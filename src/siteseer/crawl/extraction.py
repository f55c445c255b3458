"""A wrapper run from beginning to end: a browser is opened, records are written, visited pages are archived.

With a collection the pages go to its WARC and the records to its objects, each with the capture of its page.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from siteseer.crawl.equipment import user_agent
from siteseer.crawl.harvested import Harvested
from siteseer.crawl.loader import Loader
from siteseer.crawl.permits import ROBOTS, Known, Permits
from siteseer.errors import UsageError
from siteseer.fetch.addresses import AddressPolicy
from siteseer.fetch.browser_static import StaticBrowser, start_address
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.replay import ReplayFetcher
from siteseer.interfaces import Browser, Exchange, Fetcher, WebNode
from siteseer.model import JSON
from siteseer.settings import BrowserLimits, CrawlOptions, FetchLimits
from siteseer.wrappers.effects import walk
from siteseer.wrappers.evaluate import MOST_ITERATIONS, Run
from siteseer.wrappers.records import Record
from siteseer.wrappers.syntax import Document, Expression, Literal

BROWSERS = ("auto", "never", "always")
AGENT = user_agent(CrawlOptions((), Path()))


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
    """Run a wrapper; `give` is handed every record as it is complete. Returns what it took."""
    with ExitStack() as open_things:
        kept = open_things.enter_context(Harvested.at(options.collection, str(wrapper))) if options.collection else None

        def hand_on(record: Record) -> None:
            if kept is not None:
                kept.keep_record(record)
            give(record)

        browser = open_things.enter_context(opened(wrapper, options, kept.keep_exchange if kept else None, warn))
        run = Run(browser, hand_on, options.variables, warn, options.strict, options.most_iterations)
        run.run(wrapper, _start(browser, options.start))
        return {"pages": run.pages, "records": run.harvest.records, "values": run.harvest.values}


def _start(browser: Browser, url: str) -> WebNode | None:
    return browser.open(url) if url else None


@contextmanager
def opened(
    wrapper: Expression,
    options: ExtractionOptions,
    keep: Keep | None = None,
    warn: Warn = lambda text: None,
    known: Known | None = None,
    chromium: Callable[..., Browser] | None = None,
) -> Iterator[Browser]:
    """Open the browser that the options ask for; it is closed again, whatever happens.

    `known` is what hosts allow, if an earlier run has asked them; `chromium` makes another kind of real browser.
    """
    _check(options)
    with Loader(_fetcher(wrapper, options), 0.0 if options.offline else options.delay, options.limits) as load:
        kept = keep or (lambda exchange: None)
        permits = Permits(load, "ignore" if options.offline else options.robots, kept, warn, known)
        if options.offline is not None or options.browser == "never":
            yield StaticBrowser(lambda request: load(request, permits.check(request.url)), options.limits, kept)
            return
        from siteseer.fetch.browser import ChromiumBrowser

        make = chromium or ChromiumBrowser
        browser = make(
            addresses(wrapper, options), AGENT, options.browser_limits, keep, options.delay, warn, permits.check
        )
        try:
            yield browser
        finally:
            browser.close()


def _check(options: ExtractionOptions) -> None:
    for name, value, known in (("browser", options.browser, BROWSERS), ("robots", options.robots, ROBOTS)):
        if value not in known:
            raise UsageError(f"there is no --{name} {value!r}; choose one of {', '.join(known)}")
    if options.offline is not None and options.browser == "always":
        raise UsageError("pages from an archive are shown without scripts: leave --browser out")


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
    allowed = addresses(wrapper, options)
    return lambda: HttpFetcher(AGENT, allowed, options.limits)
