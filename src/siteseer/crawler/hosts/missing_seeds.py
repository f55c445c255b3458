"""Recognises a seed that does not exist although it is answered with 200: the site answers any address so.

What the page says is only a reason to ask; the evidence is the site's answer to an address that cannot exist. One such
request is sent in a crawl; its answer holds for other seeds of the same place.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from siteseer.crawler.capture_writer import WrittenCapture
from siteseer.crawler.hosts.known_pages import KnownPages
from siteseer.crawler.hosts.missing_page_words import hints_at_missing_page
from siteseer.crawler.robots_and_sitemaps import RobotsAndSitemaps
from siteseer.errors import FetchError
from siteseer.model import Follow, Page, Submit
from siteseer.page.scripts.needs_scripts import script_need
from siteseer.page.urls import host_of, identity
from siteseer.settings import CrawlOptions
from siteseer.strategies.traps.repeated_pages import PageFingerprint, content_and_structure, digest
from siteseer.strategies.traps.soft404 import impossible_address, place_of

MOST_PROBES = 1
"""Addresses that cannot exist that a crawl asks for because of its seeds."""
_FRONT = ("", "index", "default")
"""Names of the page with which a site begins."""


@dataclass(frozen=True, slots=True)
class _Answer:
    """How a place answers an address that cannot exist: with a page, or by leading to one."""

    sight: PageFingerprint | None = None
    may_echo: bool = False
    target: str = ""


@dataclass(slots=True)
class MissingSeeds:
    """Tells which seeds do not exist."""

    options: CrawlOptions
    known: KnownPages
    rules: RobotsAndSitemaps
    _answers: dict[str, _Answer | None] = field(default_factory=dict)
    _one_at_a_time: asyncio.Lock = field(default_factory=asyncio.Lock)

    def is_suspicious(self, why: Follow | Submit, page: Page | None) -> bool:
        """Say whether the page of a seed speaks like one that does not exist, and is not where a site begins."""
        if not isinstance(why, Follow) or page is None or page.status != 200 or self.options.offline is not None:
            return False
        asked = _asked(why)
        leads_in = asked != page.url and asked.endswith("/") and page.url.startswith(asked)  # a folder's first page
        if leads_in or _is_front(page.url) or _is_front(asked) or not hints_at_missing_page(page):
            return False
        return script_need(page).answer != "needed"  # such a shell is the same for every address

    async def is_missing(self, why: Follow | Submit, page: Page) -> bool:
        """Say whether the site answers an address that cannot exist with the same page."""
        asked = _asked(why)
        if urlsplit(asked).path.rpartition("/")[2] in page.url:
            asked = page.url  # the redirect only spelt the address otherwise
        where = place_of(asked)
        async with self._one_at_a_time:
            if where not in self._answers and len(self._answers) < MOST_PROBES:
                self._answers[where] = await self._probe(asked)
        answer = self._answers.get(where)
        if answer is None:
            return False
        if answer.sight is None:
            return asked != page.url and answer.target == identity(page.url)
        return asked == page.url and content_and_structure(page).is_like(answer.sight, answer.may_echo)

    async def _probe(self, asked: str) -> _Answer | None:
        url, word = impossible_address(asked, self.options.random_seed)
        limit = self.options.limit
        if limit is not None and self.known.progress.sent >= limit:
            return None
        robots = await self.rules.of(url)
        if not robots.verdict(url).allowed and self.options.obeys_robots(host_of(url)):
            return None
        try:
            kept = await self.known.ask(Follow(url, "does the site answer an address that cannot exist alike?"))
        except FetchError:
            return None
        return _answer(kept, word)


def _answer(kept: WrittenCapture, word: str) -> _Answer | None:
    if kept.outcome.kind == "redirect":
        return _Answer(target=identity(kept.outcome.target)) if kept.outcome.target else None
    if kept.page is None or kept.page.status != 200:
        return None
    sight = content_and_structure(kept.page)
    return _Answer(sight, digest(word) in sight.echoed)


def _asked(why: Follow | Submit) -> str:
    """Return the address whose answer is looked at: that of the seed, where the seed led on by one redirect."""
    return why.referrer if isinstance(why, Follow) and why.hops else why.url


def _is_front(url: str) -> bool:
    """Say whether an address is that of a site's front page.

    >>> [_is_front(f"http://e.org{path}") for path in ("", "/", "/index.html", "/?id=tea", "/blog/", "/tea.html")]
    [True, True, True, False, False, False]
    """
    parts = urlsplit(url)
    folder, _, name = parts.path.rpartition("/")
    return not folder and not parts.query and name.partition(".")[0].lower() in _FRONT
