"""Gathers what tells how likely a page has changed: its address, its age, its sitemap, and the pages beside it.

Each is a class of pages (`changes/rate_priors`) whose effect on the rate of change is learned from the visits of the
site; the effects expected here are only where each begins.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from datetime import date, datetime
from urllib.parse import parse_qsl, urlsplit

from siteseer.changes.rate_priors import USUAL, Class
from siteseer.changes.schedule import Evidence
from siteseer.changes.signals import LISTING, signals, source_kind
from siteseer.changes.timestamps.sitemap import FREQUENCIES, SitemapEntry
from siteseer.changes.timestamps.written import days_in_text
from siteseer.changes.ways import shape_of
from siteseer.model import Page
from siteseer.page.text import text
from siteseer.page.urls import folder_of, identity

MOST_READ = 2_000
"""Captures that are read for the days that they show."""
FEWEST_OF_A_CLASS = 3
AGES = (2, 7, 30, 90, 365, 1095)
"""Days since the newest day that a page shows: pages are of one age between two of these."""
LEAST_LISTED, COMMON = 5, 0.1
"""Links of a list of its own; those that this share of the pages have are the site's menu."""
LIST, NEAR_LIST = 3.0, 6.0
"""How much more often a list changes than other pages, and one that a source links to."""
TOLD = 0.15
"""A page that a source says to be unchanged is that much as likely to have changed: sources may be wrong."""
_NO_PAGE = re.compile(
    r"\.(?:css|js|mjs|json|xml|rss|atom|txt|"
    r"png|jpe?g|gif|svg|ico|webp|woff2?|ttf|mp[34]|pdf|zip)(?:$|\?)",
    re.I,
)


class RevisitEvidence:
    """What the sources of a visit and the earlier captures tell of the pages of a site."""

    def __init__(self, levels: Mapping[str, str], earlier: Callable[[str], Page | None]) -> None:
        self._levels, self._earlier = levels, earlier
        self._entries: dict[str, SitemapEntry] = {}
        self._fed: set[str] = set()
        self._lists: list[list[str]] = []
        self._days: dict[str, str | None] = {}
        """The day of the last change that each page tells, "" where it tells none; None where it is no page."""
        self._own: dict[str, list[str]] = {}
        """Pages that are lists: what they link to and few others do."""

    def hear_sitemap(self, entries: Mapping[str, SitemapEntry]) -> None:
        """Hear what a sitemap says of its pages."""
        self._entries.update(entries)

    def hear_feed(self, names: Iterable[str]) -> None:
        """Hear which pages a feed names: it would show if their words were others."""
        self._fed.update(names)

    def hear_list(self, names: Iterable[str]) -> None:
        """Hear in which order a list names pages."""
        self._lists.append(list(names))

    def of(self, urls: Sequence[str], left_out: Collection[str], now: datetime) -> Evidence:
        """Return the classes of the pages, the lists that they stand in, and which of them are not to be visited."""
        pages = [url for url in urls if not _NO_PAGE.search(url)]
        by_name = {identity(url): url for url in pages}
        self._read([url for url in pages if identity(url) not in left_out], by_name)
        others = {url for url in urls if self._days.get(url) is None}
        shared = _shared_parts(pages)
        classes = {url: self._classes(url, shared[url], now) for url in pages}
        lists = [[by_name[name] for name in names if name in by_name] for names in (*self._lists, *self._own.values())]
        return Evidence(classes, [*lists, *_in_order_of_capture(pages)], others)

    def _read(self, urls: Sequence[str], known: Container[str]) -> None:
        """Read the newest captures: the day of the last change that each page tells, and what it alone links to."""
        links: dict[str, list[str]] = {}
        for number, url in enumerate(urls):
            page = self._earlier(url) if number < MOST_READ else None
            entry = self._entries.get(identity(url))
            day = newest_day(page)
            self._days[url] = entry.changed[:10] if day is not None and entry is not None and entry.changed else day
            if page is not None and day is not None:
                links[url] = [name for name in signals(page) if name in known and name != identity(url)]
        count = Counter(name for own in links.values() for name in own)
        limit = max(FEWEST_OF_A_CLASS, COMMON * len(links))
        own_links = ((url, [name for name in own if count[name] <= limit]) for url, own in links.items())
        self._own = {url: own for url, own in own_links if len(own) >= LEAST_LISTED}

    def _classes(self, url: str, parts: Sequence[str], now: datetime) -> list[Class]:
        name, day = identity(url), self._days.get(url)
        found = [Class("shape", shape_of(name)), *(Class("address", part) for part in parts)]
        if level := self._levels.get(name):
            found.append(Class("level", level))
        if url in self._own:
            is_near = any(name in names for names in self._lists)
            found.append(Class("list", "near" if is_near else "other", NEAR_LIST if is_near else LIST))
        elif day:
            found.append(age_class((now.date() - date.fromisoformat(day)).days))
        entry = self._entries.get(name)
        if entry is not None and entry.frequency:
            found.append(frequency_class(entry.frequency))
        if (entry is not None and entry.changed) or name in self._fed:
            found.append(Class("told", "sitemap" if entry is not None and entry.changed else "feed", TOLD))
        return found


def newest_day(page: Page | None) -> str | None:
    """Return the newest day that a page shows, not after its capture; "" where it shows none, None for no page."""
    if page is None:
        return ""
    if source_kind(page) != LISTING:
        return None
    latest = page.fetched_at.date().isoformat() if page.fetched_at else "9999"
    shown = (found.day.isoformat() for found in days_in_text(text(page)) if found.precision == "day")
    return max((day for day in shown if day <= latest), default="")


def age_class(days: int) -> Class:
    """Return the class of a page by its age: young pages are changed more often.

    >>> age_class(3).value, age_class(5000).value, age_class(3).expected > 2 > 0.5 > age_class(5000).expected
    ('7', 'older', True)
    """
    band = next((limit for limit in AGES if days <= limit), None)
    return Class("age", str(band or "older"), min(3.0, max(0.25, math.sqrt(60 / ((band or 2 * AGES[-1]) + 7)))))


def frequency_class(frequency: str) -> Class:
    """Return the class of pages that a sitemap says to change so often; sites exaggerate, so it is half believed.

    >>> frequency_class("daily").expected > 3 > 1 > frequency_class("yearly").expected
    True
    """
    return Class("frequency", frequency, min(6.0, max(0.15, math.sqrt(FREQUENCIES[frequency] / USUAL))))


def _shared_parts(urls: Sequence[str]) -> dict[str, list[str]]:
    """Return the parts of each address that it shares with some pages but not with all: its folder, its parameters."""
    parts = {url: [folder_of(url), *(f"{k}={v}" for k, v in parse_qsl(urlsplit(url).query))] for url in urls}
    count = Counter(part for own in parts.values() for part in dict.fromkeys(own))
    return {
        url: [part for part in dict.fromkeys(own) if FEWEST_OF_A_CLASS <= count[part] < len(urls)]
        for url, own in parts.items()
    }


def _in_order_of_capture(urls: Sequence[str]) -> list[list[str]]:
    """Return the pages of each shape in the order of their first capture: lists are crawled from above."""
    found: dict[str, list[str]] = defaultdict(list)
    for url in urls:
        found[shape_of(identity(url))].append(url)
    return list(found.values())
