"""Crawls one slice of a site, in this process or on another machine."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from siteseer.archive.storage import below
from siteseer.campaigns.analysis.rescore import mark_new
from siteseer.campaigns.campaign_ledger import LAST, SET_ASIDE, SMALLEST, WAITING, Report, trust
from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.focused_strategy import FocusedStrategy
from siteseer.campaigns.relevance.term_learner import TermLearner
from siteseer.collection.history.url_history import skipped_by_rule
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.crawler.site_crawl import SiteCrawl
from siteseer.errors import FetchError
from siteseer.fetch.browser.render import PageBrowser
from siteseer.fetch.crawler_identity import identity_headers, user_agent
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.politeness import PolitenessClock
from siteseer.fetch.ssrf_guard import AddressPolicy, RefusedAddressError
from siteseer.interfaces import Exchange, Fetcher, Request, StrategyContext
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
class CampaignSite:
    """A site of a campaign, and where its collection lies."""

    host: str
    first: str
    """The URL that brought it into the campaign."""
    origin: JSON
    """What its first page inherits, and the group of the link that brought it."""
    folder: Path


def fetcher_of(definition: Definition, is_shared: bool = False) -> HttpFetcher:
    """Return the fetcher of a campaign; with `is_shared`, other workers fetch from the same hosts and it reports each
    request.
    """
    polite = definition.politeness
    return HttpFetcher(
        user_agent(polite),
        AddressPolicy(definition.all_seeds, polite.allow_private, polite.tls),
        headers=identity_headers(polite),
        tells_when_sent=is_shared or not polite.never_waits,
    )


class NoFetcher:
    """A fetcher that refuses every request: for sites that are opened only to be inspected."""

    async def fetch(self, request: Request, sent: asyncio.Event | None = None) -> Exchange:
        """Refuse."""
        raise FetchError(f"{request.url} is not asked for here")

    async def close(self) -> None:
        """Do nothing."""


def visits_of(definition: Definition, fetcher: Fetcher | None = None) -> PoliteFetcher:
    """Return the polite fetching of a campaign's sites; without a fetcher they cannot be requested."""
    return PoliteFetcher(
        fetcher or NoFetcher(),
        PolitenessClock.of(definition.politeness),
        FetchLimits(),
    )


def open_site(
    place: CampaignSite,
    definition: Definition,
    text: str,
    visits: PoliteFetcher,
    term_learner: TermLearner,
    is_scratch: bool = False,
    browser: PageBrowser | None = None,
) -> SiteCrawl:
    """Open the crawl of a site; `text` is the definition's TOML, `browser` renders pages that need scripts."""

    def make(context: StrategyContext) -> FocusedStrategy:
        inside = strategy_factory(definition.strategy)(context)
        return FocusedStrategy(inside, definition, place.host, term_learner, place.origin)

    polite, stores = definition.politeness, definition.stores
    options = CrawlOptions(
        seeds=(place.first,), collection=place.folder, strategy="focused", definition=text,
        policies=definition.policies, assets=definition.assets, browser=definition.browser,
        **polite.politeness_values(),
        archive_to=below(stores.archive, place.folder.name) if stores.archive else "", objects_to=stores.objects,
        objects_update=stores.objects_update,
    )  # fmt: skip
    site_crawl = SiteCrawl(options, visits, make, definition.social, is_scratch, browser)
    mark_new(site_crawl.state, definition, site_crawl.counts["requests"])
    return site_crawl


async def crawl_slice(
    site_crawl: SiteCrawl, arrivals: Sequence[Action], requests: int, least: float, seconds: float | None = None
) -> Report:
    """Crawl a slice of at most so many requests, for URLs with a score of at least `least`; return the report."""
    news = [one for one in arrivals if not (isinstance(one, Vote | Follow) and site_crawl.frontier.has_asked(one.url))]
    waiting = site_crawl.promising(least)[1]
    waiting += sum(isinstance(one, Vote) and one.score >= least for one in news)
    if waiting or len(news) == len(arrivals):
        waiting = max(waiting, 1) + (site_crawl.counts["requests"] == 0)  # robots.txt first
    size = min(requests, waiting) if least else requests  # without a budget nothing is held against what is found
    status, reason, unasked = WAITING, "", 0.0
    if await site_crawl.carry_on(news, size, seconds) is not None:
        unasked = UNASKED  # the strategy may have more to ask for, even where nothing waits
    if site_crawl.refusal:
        status, reason = SET_ASIDE, site_crawl.refusal
    return report_of(site_crawl, status, reason or _silence(site_crawl), unasked)


def _silence(site_crawl: SiteCrawl) -> str:
    """Return why a site gave nothing at all; empty where it gave a page."""
    if site_crawl.counts["pages"]:
        return ""
    if site_crawl.failure is not None:
        return PRIVATE if isinstance(site_crawl.failure, RefusedAddressError) else UNREACHABLE
    if "robots" in skipped_by_rule(site_crawl.state, site_crawl.crawl):
        return FORBIDDEN
    met = site_crawl.frontier.counts()
    return EMPTY if met["done"] or met["failed"] else ""


def report_of(site_crawl: SiteCrawl, status: str = WAITING, reason: str = "", least: float = UNASKED) -> Report:
    """Return the report on a site; `least` is its score where nothing waits."""
    best, waits = site_crawl.promising(0.0)
    counts = site_crawl.counts
    relevant, last = site_crawl.weighed(RELEVANT, LAST)
    return Report(
        max(best, SMALLEST) if waits else least, counts["requests"], counts["bytes"], counts["pages"],
        relevant, trust(last), counts["errors"], status, reason,
    )  # fmt: skip
