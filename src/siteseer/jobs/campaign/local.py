"""The engine `local` in one process: slices are crawled here, all in one event loop."""

from __future__ import annotations

from siteseer.crawl.sitting import Sitting
from siteseer.decide.focused.strategy import OUTBOX
from siteseer.jobs.campaign.browser import browser_of
from siteseer.jobs.campaign.dossier import Dossier
from siteseer.jobs.campaign.ledger import SiteRow, arrivals_of
from siteseer.jobs.campaign.open_sites import OpenSites
from siteseer.jobs.campaign.slices import Place, crawl_slice, fetcher_of, open_site, visits_of
from siteseer.jobs.campaign.tokens import Tokens
from siteseer.jobs.campaign.turns import Turn


class Local:
    """Keeps the crawls of some sites open, and carries them on."""

    def __init__(self, dossier: Dossier) -> None:
        self.dossier = dossier
        self._sites = OpenSites(self.places, self._opened)

    async def open(self) -> None:
        """Take the sites over from where they were crawled before."""
        Tokens(self.dossier.ledger).leave()
        self._fetcher = fetcher_of(self.dossier.definition)
        self._visits = visits_of(self.dossier.definition, self._fetcher)
        self._browser = browser_of(self.dossier.definition, self._fetcher)

    @property
    def places(self) -> int:
        """How many slices may be under way at a time."""
        return self.dossier.definition.sites.at_once

    @property
    def note(self) -> str:
        """What there is to say about the engine: nothing."""
        return ""

    def left_over(self) -> list[tuple[SiteRow, Turn]]:
        """Return the slices that go on although the campaign stopped: none does."""
        return []

    async def perform(self, row: SiteRow, turn: Turn) -> None:
        """Carry one site on, then tell the ledger."""
        ledger = self.dossier.ledger
        ledger.begin(row.host)
        sitting = self._sites.take(self.dossier.place(row))
        try:
            taken, letters = ledger.letters(row.host)
            report = await crawl_slice(sitting, arrivals_of(letters), turn.requests, turn.least)
            ledger.end(row.host, taken, report, sitting.remembered(OUTBOX, row.delivered))
        finally:
            self._sites.give_back(row.host)

    def stop(self, at_once: bool) -> None:
        """Let running slices end: what was sent is finished, what waits stays in the frontiers."""
        self._sites.stop(at_once)

    async def close(self) -> None:
        """Close the sites."""
        self._sites.close()
        if self._browser is not None:
            await self._browser.close()
        await self._fetcher.close()

    def _opened(self, place: Place) -> Sitting:
        dossier = self.dossier
        return open_site(
            place, dossier.definition, dossier.text, self._visits, dossier.apprentice, False, self._browser
        )
