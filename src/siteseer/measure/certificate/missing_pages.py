"""Recognises the site's answer to a URL that does not exist (soft 404), by requesting one that cannot exist."""

from __future__ import annotations

from siteseer.measure.certificate.audit_visits import AuditVisits
from siteseer.model import Page
from siteseer.page.tree import is_html
from siteseer.strategies.traps.repeated_pages import PageFingerprint, content_and_structure, digest
from siteseer.strategies.traps.soft404 import impossible_address, place_of

MOST_PROBES = 5


class MissingPages:
    """How each section of a site answers URLs that cannot exist."""

    def __init__(self, visits: AuditVisits) -> None:
        self._visits = visits
        self._answers: dict[str, tuple[PageFingerprint, bool] | None] = {}

    async def looks_missing(self, page: Page) -> str:
        """Say where on the site a page would be taken for missing: it says what the site says where there is no page.

        One such page may exist all the same: some sites answer with one of their pages. Several are missing.
        """
        where = place_of(page.url)
        if where not in self._answers:
            self._answers[where] = None
            if len(self._answers) <= MOST_PROBES:
                self._answers[where] = await self._answer(page.url)
        answer = self._answers[where]
        return where if answer is not None and content_and_structure(page).is_like(*answer) else ""

    async def _answer(self, url: str) -> tuple[PageFingerprint, bool] | None:
        address, word = impossible_address(url)
        found = (await self._visits.fetch(address)).page
        if found is None or found.status != 200 or not is_html(found):
            return None
        sight = content_and_structure(found)
        return sight, digest(word) in sight.echoed
