"""The engine `local`: slices are crawled in this process, all in one event loop."""

from __future__ import annotations

from collections import OrderedDict

from siteseer.crawl.sitting import Sitting
from siteseer.decide.focused.strategy import OUTBOX
from siteseer.jobs.campaign.browser import browser_of
from siteseer.jobs.campaign.dossier import Dossier
from siteseer.jobs.campaign.ledger import SiteRow, arrivals_of
from siteseer.jobs.campaign.slices import crawl_slice, fetcher_of, open_site, visits_of
from siteseer.jobs.campaign.tokens import Tokens
from siteseer.jobs.campaign.turns import Turn


class Local:
    """Keeps the crawls of some sites open, and carries them on."""

    def __init__(self, dossier: Dossier) -> None:
        self.dossier = dossier
        self._open: OrderedDict[str, Sitting] = OrderedDict()
        self._busy: set[str] = set()

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
        self._busy.add(row.host)
        try:
            sitting = self._sitting(row)
            taken, letters = ledger.letters(row.host)
            report = await crawl_slice(sitting, arrivals_of(letters), turn.requests, turn.least)
            ledger.end(row.host, taken, report, sitting.remembered(OUTBOX, row.delivered))
        finally:
            self._busy.discard(row.host)

    def stop(self, at_once: bool) -> None:
        """Let running slices end: what was sent is finished, what waits stays in the frontiers."""
        for host in self._busy:
            sitting = self._open.get(host)
            if sitting is not None and sitting.loop is not None:
                sitting.loop.stop_at_once() if at_once else sitting.loop.stop("interrupt")

    async def close(self) -> None:
        """Close the sites."""
        for sitting in self._open.values():
            sitting.close()
        self._open.clear()
        if self._browser is not None:
            await self._browser.close()
        await self._fetcher.close()

    def _sitting(self, row: SiteRow) -> Sitting:
        """Return the open crawl of a site; where too many are open, the one used longest ago is closed."""
        if row.host in self._open:
            self._open.move_to_end(row.host)
            return self._open[row.host]
        for host in [host for host in self._open if host not in self._busy]:
            if len(self._open) < self.places:
                break
            self._open.pop(host).close()
        dossier = self.dossier
        self._open[row.host] = open_site(
            dossier.place(row), dossier.definition, dossier.text, self._visits, dossier.apprentice, False, self._browser
        )
        return self._open[row.host]
