"""Gathers the evidence of how likely each page has changed: its URL, its age, its sitemap, and the pages beside it.

Each is a class of pages (`change/rate_priors`) whose effect on the rate of change is learned from the visits of the
site; the effects given here are only starting values.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from datetime import date, datetime
from urllib.parse import parse_qsl, urlsplit

from siteseer.change.change_signals import LISTING, signals, source_kind
from siteseer.change.link_context import shape_of
from siteseer.change.rate_priors import PARTS, USUAL, Class
from siteseer.change.revisit_choice import TOLD_BY, Evidence
from siteseer.extract.timestamps.sitemap_dates import FREQUENCIES, SitemapEntry
from siteseer.model import Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import find_dates
from siteseer.page.text import text
from siteseer.page.urls import folder_of, identity
from siteseer.strategies.revisit.revisit_lists import CapturedLists

MOST_READ = 2_000
"""Captures that are read for the days that they show."""
FEWEST_OF_A_CLASS = 3
AGES = (2, 7, 30, 90, 365, 1095)
"""Days since the newest day that a page shows: pages are of one age between two of these."""
LIST, COVERED_LIST = 3.0, 0.2
"""How often a list bears news beside other pages: more where no source names its pages, hardly ever where one does,
where it has come to rest and on its further pages."""
TOLD = 0.15
"""A page that a source says to be unchanged is that much as likely to have changed: sources may be wrong."""
_NO_PAGE = re.compile(
    r"\.(?:css|js|mjs|json|xml|rss|atom|txt|"
    r"png|jpe?g|gif|svg|ico|webp|woff2?|ttf|mp[34]|pdf|zip)(?:$|\?)",
    re.I,
)


class RevisitEvidence:
    """The evidence that the sources of a visit and the earlier captures give on the pages of a site."""

    def __init__(self, levels: Mapping[str, str], earlier: Callable[[str], Page | None]) -> None:
        self._levels, self._earlier = levels, earlier
        self._entries: dict[str, SitemapEntry] = {}
        self._fed: set[str] = set()
        self._lists: list[list[str]] = []
        self._told: dict[str, bool] = {}
        self._days: dict[str, str | None] = {}
        """The day of the last change that each page tells, "" where it tells none; None where it is no page."""
        self._captured = CapturedLists(earlier, {}, {})
        self._usual_age = 1.0
        """The mean effect of the ages that are known: that of a page whose age is not."""

    def hear_sitemap(self, entries: Mapping[str, SitemapEntry]) -> None:
        """Add the entries of a sitemap."""
        self._entries.update(entries)

    def hear_feed(self, names: Iterable[str]) -> None:
        """Add the pages that a feed names: it would show a change of their words."""
        self._fed.update(names)

    def hear_of_changes(self, told: Mapping[str, bool]) -> None:
        """Add which pages a source shows as changed, and which as unchanged."""
        for name, has_changed in told.items():
            self._told[name] = self._told.get(name, False) or has_changed

    def hear_list(self, names: Iterable[str]) -> None:
        """Add the order in which a list names pages."""
        self._lists.append(list(names))

    def of(self, urls: Sequence[str], left_out: Collection[str], now: datetime) -> Evidence:
        """Return the classes of the pages, the lists that they stand in, and which of them are not to be visited."""
        pages = self.read(urls, left_out)
        by_name = {identity(url): url for url in pages}
        others = {url for url in urls if self._days.get(url) is None}
        shared, listed = _shared_parts(pages), self._captured.topics()
        covered = self._covered()
        ages = [
            (now.date() - date.fromisoformat(day)).days
            for url, day in self._days.items()
            if day and url not in self._captured.own
        ]
        self._usual_age = sum(age_class(age).expected for age in ages) / len(ages) if ages else 1.0
        classes = _distinct(
            {
                url: [
                    *self._classes(url, shared[url], now, covered),
                    *(Class("listed", name) for name in listed.get(identity(url), ())),
                ]
                for url in pages
            }
        )
        lists = [
            [by_name[name] for name in names if name in by_name]
            for names in (*self._lists, *self._captured.own.values())
        ]
        told = {by_name[name]: has_changed for name, has_changed in self._told.items() if name in by_name}
        return Evidence(classes, [*lists, *_in_order_of_capture(pages)], others, told)

    def read(self, urls: Sequence[str], left_out: Collection[str]) -> list[str]:
        """Read the newest captures, once; return the URLs that may be of pages."""
        pages = [url for url in urls if not _NO_PAGE.search(url)]
        if not self._days:
            self._read([url for url in pages if identity(url) not in left_out], {identity(url) for url in pages})
        return pages

    def is_list(self, url: str) -> bool:
        """Say whether a captured page names pages that few others name."""
        return identity(url) in self._captured.names

    def uncovered_lists(self, asked: Collection[str]) -> list[str]:
        """Return the known lists to read: their pages no source of this visit has named."""
        near = {name for names in self._lists for name in names}
        return self._captured.uncovered(self._covered(), asked, near)

    def _covered(self) -> set[str]:
        """Return the pages that the sources of this visit name, and those of the kinds that a feed names."""
        shapes = Counter(map(shape_of, self._fed))
        fed = {
            name for own in self._captured.own.values() for name in own if shapes[shape_of(name)] >= FEWEST_OF_A_CLASS
        }
        return {*self._entries, *fed, *(name for names in self._lists for name in names)}

    def _read(self, urls: Sequence[str], known: set[str]) -> None:
        """Read the newest captures: the day of the last change that each page tells, and what it alone links to."""
        links: dict[str, list[str]] = {}
        for number, url in enumerate(urls):
            page = self._earlier(url) if number < MOST_READ else None
            entry = self._entries.get(identity(url))
            day = newest_day(page)
            self._days[url] = entry.changed[:10] if day is not None and entry is not None and entry.changed else day
            if page is not None and day is not None:
                links[url] = [name for name in signals(page) if name in known and name != identity(url)]
        days = {identity(url): day for url, day in self._days.items() if day}
        self._captured = CapturedLists(self._earlier, links, days)

    def _classes(self, url: str, parts: Sequence[str], now: datetime, covered: Container[str]) -> list[Class]:
        name, day = identity(url), self._days.get(url)
        found = [Class("shape", shape_of(name)), *(Class("address", part) for part in parts)]
        if level := self._levels.get(name):
            found.append(Class("level", level))
        if url in self._captured.own:
            found.append(self._list_class(url, covered))
        elif day:
            found.append(age_class((now.date() - date.fromisoformat(day)).days, self._usual_age))
        entry = self._entries.get(name)
        if entry is not None and entry.frequency:
            found.append(frequency_class(entry.frequency))
        if (entry is not None and entry.changed) or name in self._fed:
            found.append(Class(TOLD_BY, "sitemap" if entry is not None and entry.changed else "feed", TOLD))
        return found

    def _list_class(self, url: str, covered: Container[str]) -> Class:
        lists = self._captured
        if not lists.is_first_part(url):
            return Class("list", "further page", COVERED_LIST)
        if lists.is_at_rest(url) or all(name in covered for name in lists.own[url]):
            return Class("list", "covered", COVERED_LIST)
        return Class("list", "first page", LIST)


def _distinct(classes: Mapping[str, Sequence[Class]]) -> dict[str, list[Class]]:
    """Return the classes without those of too few pages, and without those of the same pages as another one.

    Folder, form of address and list often are one and the same part of a site: it is to be believed once.
    """
    members: dict[Class, set[str]] = defaultdict(set)
    for url, own in classes.items():
        for one in own:
            members[one].add(url)
    first: dict[frozenset[str], Class] = {}
    for one, urls in members.items():
        if one.feature in PARTS:
            first.setdefault(frozenset(urls), one)
    kept = {one for one in first.values() if one.feature != "listed" or len(members[one]) >= FEWEST_OF_A_CLASS}
    return {url: [one for one in own if one.feature not in PARTS or one in kept] for url, own in classes.items()}


def newest_day(page: Page | None) -> str | None:
    """Return the newest day that a page shows, not after its capture; "" where it shows none, None for no page."""
    if page is None:
        return ""
    if source_kind(page) != LISTING:
        return None
    latest = page.fetched_at.date().isoformat() if page.fetched_at else "9999"
    shown = (found.day.isoformat() for found in find_dates(text(page), context_of(page)) if found.names_a_day)
    return max((day for day in shown if day <= latest), default="")


def age_class(days: int, usual: float = 1.0) -> Class:
    """Return the class of a page by its age: young pages are changed more often, beside the usual effect of this site.

    >>> age_class(3).value, age_class(5000).value, age_class(3).expected > 2 > 0.5 > age_class(5000).expected
    ('7', 'older', True)
    """
    band = next((limit for limit in AGES if days <= limit), None)
    return Class("age", str(band or "older"), min(3.0, max(0.25, math.sqrt(60 / ((band or 2 * AGES[-1]) + 7)))) / usual)


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
