"""Requests a page that a host has shown before, to see whether it still shows it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from siteseer.archive.archived_pages import read_capture
from siteseer.crawler.capture_writer import CaptureWriter, WrittenCapture
from siteseer.crawler.polite_fetch import PoliteFetcher
from siteseer.crawler.progress import Progress
from siteseer.errors import FetchError
from siteseer.interfaces import Request
from siteseer.model import Follow, Page
from siteseer.page.interstitials import is_challenge, is_login
from siteseer.page.urls import host_of
from siteseer.strategies.traps.walls import HostWatch

MOST_LOOKED_AT = 10
"""Of the newest pages of the archive, and of the oldest, so many are looked at to find one to ask for again."""


@dataclass(slots=True)
class KnownPages:
    """Asks for pages only to see what comes."""

    visits: PoliteFetcher
    keeper: CaptureWriter
    progress: Progress

    def newest(self, name: str, watch: HostWatch) -> str | None:
        """Return the newest page that a host has shown before the suspicious run; None where there is none.

        Where the newest pages are all logins, as between the reply links of a forum, it is one of the oldest.
        """
        urls = {one.url for one in watch.run}
        for url, page in self._kept(name):
            is_of_run = url in urls or watch.leads_to(url) or watch.is_of_wall(page)
            if not is_of_run and not is_challenge(page) and not is_login(page):
                return url
        return None

    async def is_refused(self, url: str, watch: HostWatch) -> bool:
        """Say whether a page that was shown before is now answered like the suspicious run."""
        try:
            kept = await self.ask(Follow(url, "does the host still show what it has shown?"))
        except FetchError:
            return False
        if kept.outcome.kind == "redirect":
            return watch.is_redirected(url, kept.outcome.target or "")
        return kept.page is not None and watch.is_refused(kept.page)

    async def shows_login(self, url: str) -> bool:
        """Say whether what the redirects of a suspicious run lead to asks for a login."""
        try:
            kept = await self.ask(Follow(url, "what do all addresses lead to?"))
        except FetchError:
            return False
        return kept.page is not None and is_login(kept.page)

    async def ask(self, why: Follow) -> WrittenCapture:
        """Ask for a URL: the answer is archived as evidence, but it is no content."""
        tally = Counter[str]()
        self.progress.sent += 1
        try:
            exchange = await self.visits.send(Request(why.url), tally)
        finally:
            self.progress.counts.update(tally)
        kept = self.keeper.keep(exchange, why)
        self.progress.count(kept)
        self.progress.count_content(kept, -1)
        self.keeper.withdraw(self.keeper.record(kept, self.progress.counts["requests"]))
        self.progress.unsaved += 1
        return kept

    def _kept(self, name: str) -> Iterator[tuple[str, Page]]:
        """Return the last pages of a host that were kept, newest first, then the first ones, oldest first."""
        state = self.keeper.state
        for order in ("DESC", "ASC"):
            rows = state.rows(
                "SELECT c.url, coalesce(o.file, c.file), coalesce(o.offset, c.offset) FROM captures c "
                "LEFT JOIN captures o ON o.id = c.original "
                f"WHERE c.title IS NOT NULL AND c.status = 200 AND c.request IS NULL ORDER BY c.id {order}"
            )
            found = ((url, file, offset) for url, file, offset in rows if host_of(url) == name and "#" not in url)
            for url, file, offset in islice(found, MOST_LOOKED_AT):
                yield url, read_capture(state.archive / file, offset)
