"""The engine `local` with one process: crawls the slices here, all in one event loop."""

from __future__ import annotations

from siteseer.campaigns.campaign_ledger import SiteRow, arrivals_of
from siteseer.campaigns.campaign_state import CampaignState
from siteseer.campaigns.engines.shared_browser import browser_of
from siteseer.campaigns.engines.site_cache import SiteCache
from siteseer.campaigns.engines.site_slice import CampaignSite, crawl_slice, fetcher_of, open_site, visits_of
from siteseer.campaigns.relevance.focused_strategy import OUTBOX
from siteseer.campaigns.slice_allocation import SliceTurn
from siteseer.crawler.site_crawl import SiteCrawl
from siteseer.workers.fencing_tokens import FencingTokens


class InProcessEngine:
    """Keeps the crawls of some sites open, and continues them slice by slice."""

    def __init__(self, campaign_state: CampaignState) -> None:
        self.campaign_state = campaign_state
        self._sites = SiteCache(self.places, self._opened)

    async def open(self) -> None:
        """Take over sites that another engine crawled before."""
        FencingTokens(self.campaign_state.ledger).leave()
        self._fetcher = fetcher_of(self.campaign_state.definition)
        self._visits = visits_of(self.campaign_state.definition, self._fetcher)
        self._browser = browser_of(self.campaign_state.definition, self._fetcher)

    @property
    def places(self) -> int:
        """How many slices may be under way at a time."""
        return self.campaign_state.definition.sites.at_once

    @property
    def note(self) -> str:
        """Return no message: this engine never lacks anything."""
        return ""

    def left_over(self) -> list[tuple[SiteRow, SliceTurn]]:
        """Return no slices: none continues while the campaign is stopped."""
        return []

    async def perform(self, row: SiteRow, turn: SliceTurn) -> None:
        """Crawl a slice of a site, and record the result in the ledger."""
        ledger = self.campaign_state.ledger
        ledger.begin(row.host)
        site_crawl = self._sites.take(self.campaign_state.place(row))
        try:
            taken, letters = ledger.letters(row.host)
            report = await crawl_slice(site_crawl, arrivals_of(letters), turn.requests, turn.least)
            ledger.end(row.host, taken, report, site_crawl.remembered(OUTBOX, row.delivered))
        finally:
            self._sites.give_back(row.host)

    def stop(self, at_once: bool) -> None:
        """Let running slices end: pending requests finish, waiting URLs stay in the frontiers."""
        self._sites.stop(at_once)

    async def close(self) -> None:
        """Close the sites."""
        self._sites.close()
        if self._browser is not None:
            await self._browser.close()
        await self._fetcher.close()

    def _opened(self, place: CampaignSite) -> SiteCrawl:
        campaign_state = self.campaign_state
        return open_site(
            place,
            campaign_state.definition,
            campaign_state.text,
            self._visits,
            campaign_state.term_learner,
            False,
            self._browser,
        )
