"""A slice of a site: the same wherever it is crawled, in this process or on another machine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from siteseer.archive.shelf import below
from siteseer.crawl.equipment import user_agent
from siteseer.crawl.frontier import Frontier
from siteseer.crawl.pace import Pace
from siteseer.crawl.sitting import Sitting
from siteseer.crawl.visit import Visits
from siteseer.decide.focused.apprentice import Apprentice
from siteseer.decide.focused.definition import Definition
from siteseer.decide.focused.strategy import Focused
from siteseer.errors import FetchError
from siteseer.fetch.addresses import AddressPolicy, RefusedAddressError
from siteseer.fetch.browser_pages import PageBrowser
from siteseer.fetch.http import HttpFetcher
from siteseer.interfaces import Exchange, Fetcher, Request, StrategyContext
from siteseer.jobs.campaign.ledger import LAST, SET_ASIDE, SMALLEST, WAITING, Report, trust
from siteseer.jobs.campaign.reweighing import mark_new
from siteseer.model import JSON, Action, Follow, Vote
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions, FetchLimits

RELEVANT = 0.5
"""From this degree on a page is counted as relevant in progress and summary."""
UNASKED = 0.1
"""What a site promises whose strategy was stopped before it was asked for more."""


PRIVATE = "private addresses: allow_private = true in [politeness] lets them be reached"
UNREACHABLE = "could not be reached: their logs say why"
FORBIDDEN = "robots.txt asks crawlers to leave them alone"
EMPTY = "answered without a page, by errors or redirects: their logs say by which"


@dataclass(frozen=True, slots=True)
class Place:
    """A site of a campaign, and where its collection lies."""

    host: str
    first: str
    """The URL that brought it into the campaign."""
    origin: JSON
    """What its first page inherits, and the group of the link that brought it."""
    folder: Path


def who_asks(definition: Definition) -> CrawlOptions:
    """Return the options that say who asks for pages."""
    polite = definition.politeness
    return CrawlOptions(seeds=(), collection=Path(), user_agent=polite.user_agent, contact=polite.contact)


def fetcher_of(definition: Definition, is_shared: bool = False) -> HttpFetcher:
    """Return what fetches pages for a campaign; `is_shared` with other workers, of which each request must hear."""
    polite = definition.politeness
    return HttpFetcher(
        user_agent(who_asks(definition)),
        AddressPolicy(definition.all_seeds, polite.allow_private),
        headers=[("From", polite.contact)] if polite.contact else [],
        tells_when_sent=is_shared or polite.delay > 0,
    )


class Nobody:
    """Fetches nothing: for sites that are opened to be looked at."""

    async def fetch(self, request: Request, sent: asyncio.Event | None = None) -> Exchange:
        """Refuse."""
        raise FetchError(f"{request.url} is not asked for here")

    async def close(self) -> None:
        """Do nothing."""


def visits_of(definition: Definition, fetcher: Fetcher | None = None) -> Visits:
    """Return the patience with which a campaign's sites are asked; without a fetcher they cannot be."""
    return Visits(
        fetcher or Nobody(), Pace(definition.politeness.delay, definition.politeness.concurrency), FetchLimits()
    )


def open_site(
    place: Place,
    definition: Definition,
    text: str,
    visits: Visits,
    apprentice: Apprentice,
    is_scratch: bool = False,
    browser: PageBrowser | None = None,
) -> Sitting:
    """Open the crawl of a site; `text` is the definition as it was written, `browser` shows what needs scripts."""

    def make(context: StrategyContext) -> Focused:
        inside = strategy_factory(definition.strategy)(context)
        return Focused(inside, definition, place.host, apprentice, place.origin)

    polite, stores = definition.politeness, definition.stores
    options = CrawlOptions(
        seeds=(place.first,), collection=place.folder, strategy="focused", definition=text,
        policies=definition.policies, assets=definition.assets, browser=definition.browser, delay=polite.delay,
        concurrency=polite.concurrency, robots=polite.robots, user_agent=polite.user_agent, contact=polite.contact,
        archive_to=below(stores.archive, place.folder.name) if stores.archive else "", objects_to=stores.objects,
        objects_update=stores.objects_update,
    )  # fmt: skip
    sitting = Sitting(options, visits, make, definition.social, is_scratch, browser)
    mark_new(sitting.state, definition, sitting.counts["requests"])
    return sitting


async def crawl_slice(
    sitting: Sitting, arrivals: Sequence[Action], requests: int, least: float, seconds: float | None = None
) -> Report:
    """Carry a site on for at most so many requests, for URLs that promise at least `least`; return what it left."""
    news = [one for one in arrivals if not (isinstance(one, Vote | Follow) and sitting.frontier.has_asked(one.url))]
    waiting = sitting.promising(least)[1]
    waiting += sum(isinstance(one, Vote) and one.score >= least for one in news)
    if waiting or len(news) == len(arrivals):
        waiting = max(waiting, 1) + (sitting.counts["requests"] == 0)  # robots.txt first
    size = min(requests, waiting) if least else requests  # without a budget nothing is held against what is found
    status, reason, unasked = WAITING, "", 0.0
    if await sitting.carry_on(news, size, seconds) is not None:
        unasked = UNASKED  # the strategy may have more to ask for, even where nothing waits
    if sitting.refusal:
        status, reason = SET_ASIDE, sitting.refusal
    return report_of(sitting, status, reason or _silence(sitting), unasked)


def _silence(sitting: Sitting) -> str:
    """Return why a site gave nothing at all; empty where it gave a page."""
    if sitting.counts["pages"]:
        return ""
    if sitting.failure is not None:
        return PRIVATE if isinstance(sitting.failure, RefusedAddressError) else UNREACHABLE
    if "robots" in Frontier.skipped_by_rule(sitting.state, sitting.crawl):
        return FORBIDDEN
    met = sitting.frontier.counts()
    return EMPTY if met["done"] or met["failed"] else ""


def report_of(sitting: Sitting, status: str = WAITING, reason: str = "", least: float = UNASKED) -> Report:
    """Return how a site stands; `least` is what it promises where nothing waits."""
    best, waits = sitting.promising(0.0)
    counts = sitting.counts
    relevant, last = sitting.weighed(RELEVANT, LAST)
    return Report(
        max(best, SMALLEST) if waits else least, counts["requests"], counts["bytes"], counts["pages"],
        relevant, trust(last), counts["errors"], status, reason,
    )  # fmt: skip
