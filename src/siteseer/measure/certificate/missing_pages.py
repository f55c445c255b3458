"""Recognises the site's answer to a URL that does not exist (soft 404), by requesting one that cannot exist."""

from __future__ import annotations

from siteseer.measure.certificate.audit_visits import AuditVisits
from siteseer.model import Page
from siteseer.page.tree import is_html
from siteseer.strategies.traps.content_traps import kind_of
from siteseer.strategies.traps.repeated_pages import PageFingerprint, content_and_structure, digest
from siteseer.strategies.traps.soft404 import impossible_url, section

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
        where = _place(page.url)
        if where not in self._answers:
            self._answers[where] = None
            if len(self._answers) <= MOST_PROBES:
                self._answers[where] = await self._answer(page.url, where)
        answer = self._answers[where]
        return where if answer is not None and content_and_structure(page).is_like(*answer) else ""

    async def _answer(self, url: str, where: str) -> tuple[PageFingerprint, bool] | None:
        address, word = _impossible(url, where)
        found = (await self._visits.fetch(address)).page
        if found is None or found.status != 200 or not is_html(found):
            return None
        sight = content_and_structure(found)
        return sight, digest(word) in sight.echoed


def _place(url: str) -> str:
    """Return the part of a site whose addresses are answered alike: a folder, or a program with its parameters."""
    return kind_of(url) if "?" in url else section(url)


def _impossible(url: str, where: str) -> tuple[str, str]:
    """Return an address like a given one that cannot exist, and the word that nobody has used.

    >>> _impossible("http://e.org/wiki.php?do=show&id=green_tea", "x")[0].partition("id=")[0]
    'http://e.org/wiki.php?do=show&'
    """
    path, _, query = url.partition("?")
    address, word = impossible_url(path, where)
    if not query:
        return address, word
    longest = max(query.split("&"), key=lambda part: len(part.partition("=")[2]))
    return f"{path}?{query.replace(longest, longest.partition('=')[0] + '=' + word, 1)}", word
