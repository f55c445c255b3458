"""Compares two captures of a listing, feed or sitemap: which pages are new or changed; and finds further sources.

A page that the collection does not know is new where known content is linked in the same way; a known page has changed
where the source says something else of it, or its row shows other dates. Where a source was never captured before, the
days that it names are compared with those that the captures of the pages themselves show.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Protocol, runtime_checkable

from siteseer.change.change_signals import FEED, LISTING, SITEMAP, changed_pages, signals, source_kind
from siteseer.change.dated_rows import clocks, dated_rows, places, row_pages, shown_of
from siteseer.change.link_context import continues, is_recent_changes, leads_to_older, markup_of, shape_of
from siteseer.model import Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import find_dates
from siteseer.page.feeds import feed_links
from siteseer.page.text import text
from siteseer.page.urls import host_of, identity
from siteseer.page.whole_number import whole_number

FEWEST_LISTED = 3
"""Links of one kind that are a list."""
KNOWN_SHARE = 0.6
"""A link is to content where this share of the links with the same path led to pages that were kept."""
MOST_FEEDS, MOST_RECENT = 1, 1
_DIGITS = re.compile(r"\d+")


@runtime_checkable
class CaptureMemory(Protocol):
    """A memory that can also return the pages as earlier crawls kept them."""

    def earlier_page(self, url: str) -> Page | None:
        """Return the newest earlier capture of a URL."""
        ...

    def visits(self) -> Iterable[tuple[str, str, str]]:
        """Return URL, time and digest of every earlier capture, oldest first."""
        ...


class Sources:
    """The known sources and content of a collection: the pages kept, and those that feeds and sitemaps name."""

    def __init__(self, known: set[str], archive: CaptureMemory | None, named: Iterable[str] = ()) -> None:
        self.known, self.archive = known, archive
        self.named = set(named)
        self._shapes = Counter(map(shape_of, self.named))
        self.has_map = False
        """Whether a sitemap has told of all pages: no list needs to be read to its end then."""

    def name(self, pages: Iterable[str]) -> None:
        """Add pages that a feed or sitemap names: they are content."""
        fresh = set(pages) - self.named
        self.named |= fresh
        self._shapes.update(map(shape_of, fresh))

    def earlier(self, url: str) -> Page | None:
        """Return how a page was when it was last kept."""
        return self.archive.earlier_page(url) if self.archive else None

    def was(self, url: str) -> str | None:
        """Return the kind of source that an earlier crawl found at a URL; None where there was none."""
        page = self.earlier(url)
        return source_kind(page) if page is not None else None

    # ── what a source tells ───────────────────────────────────────────────────────────────────────────────────────

    def new(self, page: Page) -> list[str]:
        """Return the new pages: all that a feed or sitemap names; of a listing those that are linked as content is."""
        found = signals(page)
        unknown = [name for name in found if name not in self.known]
        if source_kind(page) in (FEED, SITEMAP):
            return unknown
        content = self.named & self.known or self.known
        earlier, said = self.earlier(page.url), Counter(signal.says for signal in found.values())
        now, before = (_Listed(one, content | self.named) if one is not None else None for one in (page, earlier))
        place = places(dated_rows(page))
        by_shape = Counter(map(shape_of, content))

        def is_content(name: str) -> bool:
            way, is_title = markup_of(found[name]), said[found[name].says] < FEWEST_LISTED
            captures = (now, before) if is_title else (now,)
            return any(one is not None and one.leads_to_content(way, place.get(name)) for one in captures)

        return [name for name in unknown if is_content(name) or by_shape[shape_of(name)] >= FEWEST_LISTED]

    def altered(self, page: Page) -> list[str]:
        """Return the known pages of which a source says something else than before, or than the pages themselves."""
        kind, new, earlier = source_kind(page), signals(page), self.earlier(page.url)
        old = signals(earlier) if earlier is not None else {}
        told = [name for name in changed_pages(old, new) if name in self.known and self._counts(kind, name)]
        about = self.known.union(self.new(page))
        before, now = (shown_of(dated_rows(one), about) if one is not None else {} for one in (earlier, page))
        moved = [name for name, shown in now.items() if name in new and name in before and shown - before[name]]
        moved += [
            name
            for name, (when, at) in self._dated(page, about).items()
            if name not in (before if kind == LISTING else old) and self._is_newer(new[name].url, when, at)
        ]
        return list(dict.fromkeys((*told, *(name for name in moved if self._is_content(name) or self.is_list(name)))))

    def changes_of(self, page: Page, altered: Iterable[str]) -> dict[str, bool]:
        """Return for each known page of which a source tells when it changes whether it has changed since its capture.

        A feed tells of its items, a sitemap of the pages that it dates, a list of those linked as the changed ones are.
        """
        kind, found, news = source_kind(page), signals(page), set(altered)
        ways = {markup_of(found[name]) for name in news if name in found}
        known = [name for name in found if name in self.known]
        if kind == SITEMAP:
            known = [name for name in known if found[name].when]
        elif kind == LISTING:
            known = [name for name in known if markup_of(found[name]) in ways and not self.is_list(found[name].url)]
        return {name: name in news for name in known}

    def _dated(self, page: Page, about: set[str]) -> dict[str, tuple[str, set[str]]]:
        """Return the newest day or moment that a source gives to each known page, and times of the clock in its row."""
        dated = {name: (row.newest, clocks(row.shows)) for name, row in row_pages(dated_rows(page), about)}
        dated |= {name: (one.when, set()) for name, one in signals(page).items() if one.when}
        return {name: when for name, when in dated.items() if name in self.known and name in signals(page)}

    def _counts(self, kind: str, name: str) -> bool:
        """Say whether a change counts: where feeds or sitemaps name the content, other pages are views of it."""
        return kind != LISTING or not self.named or name in self.named

    def _is_content(self, name: str) -> bool:
        return not self.named or name in self.named or self._shapes[shape_of(name)] >= FEWEST_LISTED

    def _is_newer(self, url: str, when: str, at: set[str]) -> bool:
        """Say whether a page changed after the newest day that its earlier capture shows, or at another time of it."""
        page = self.earlier(url)
        if page is None:
            return False
        parts = [page, *filter(None, map(self.earlier, self.further_pages(page)[-1:]))]
        shown = max(
            (found.day.isoformat() for part in parts for found in find_dates(text(part), context_of(part))), default=""
        )
        if at and when == shown:
            times = set().union(*(clocks(text(part)) for part in parts))
            return bool(times) and not at & times
        asked = page.fetched_at.isoformat() if page.fetched_at else ""
        return when[:10] > shown if shown else when > asked

    def further_pages(self, page: Page) -> list[str]:
        """Return the URLs of the known pages that continue a page, by their numbers."""
        own = identity(page.url)
        found = (one.url for name, one in signals(page).items() if name in self.known and continues(name, own))
        return sorted(found, key=_numbers)

    # ── where else to look ────────────────────────────────────────────────────────────────────────────────────────

    def is_list(self, url: str) -> bool:
        """Say whether a known page was a list of dated rows about other pages, as a board of threads is."""
        page = self.earlier(url)
        if page is None or source_kind(page) != LISTING or identity(url) in self.named:
            return False
        about = Counter(name for name, _ in row_pages(dated_rows(page), self.known) if name != identity(url))
        own = [name for name, count in about.items() if count == 1 and self._is_content(name)]
        return len(own) >= FEWEST_LISTED and 2 * len(own) >= len(about)

    def further(self, page: Page) -> list[str]:
        """Return what a seed names as a source of news: a feed where none is known, the page of recent changes."""
        feeds = [] if self.named else [url for url in feed_links(page) if host_of(url) == host_of(page.url)]
        recent = [signal.url for signal in signals(page).values() if is_recent_changes(signal)]
        return [*feeds[:MOST_FEEDS], *recent[:MOST_RECENT]]

    def older(self, page: Page) -> str | None:
        """Return the next page of a list, by the words or the relation of a link, else by its number."""
        found = list(signals(page).values())
        if by_words := next((signal.url for signal in found if leads_to_older(signal)), None):
            return by_words
        return min(
            (signal.url for signal in found if continues(identity(signal.url), identity(page.url))),
            key=_numbers,
            default=None,
        )

    def is_all_new(self, page: Page, fresh: Iterable[str], altered: Iterable[str]) -> bool:
        """Say whether a list on the page shows nothing but news: the next page of it may show more."""
        found = signals(page)
        ways = Counter(markup_of(found[name]) for name in fresh)
        still = {markup_of(signal) for name, signal in found.items() if name in self.known}
        if any(count >= FEWEST_LISTED and way not in still for way, count in ways.items()):
            return True
        news = {*fresh, *altered}
        rows = [row for row in dated_rows(page) if any(name in self.known or name in news for name in row.links)]
        return not self.has_map and len(rows) >= FEWEST_LISTED and all(news.intersection(row.links) for row in rows)


class _Listed:
    """How a capture of a list links to content: where much of a list is new, its earlier capture tells.

    That is asked of titles alone. Links that say the same again and again, such as "diff", lead to views of content.
    """

    def __init__(self, page: Page, content: set[str]) -> None:
        place = places(dated_rows(page))
        self._total, self._known = Counter[object](), Counter[object]()
        for name, signal in signals(page).items():
            for key in (markup_of(signal), (markup_of(signal), place.get(name))):
                self._total[key] += 1
                self._known[key] += name in content

    def leads_to_content(self, way: tuple[str, ...], place: int | None) -> bool:
        """Say whether links of this markup, or those at this place of their rows, lead to pages that were kept."""
        total, known = self._total, self._known
        if total[way] and known[way] >= KNOWN_SHARE * total[way]:
            return True
        in_row = (way, place)
        return place is not None and known[in_row] >= max(FEWEST_LISTED, KNOWN_SHARE * total[in_row])


def _numbers(url: str) -> list[int]:
    return [number for digits in _DIGITS.findall(url) if (number := whole_number(digits)) is not None]
