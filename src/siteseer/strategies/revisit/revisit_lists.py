"""Finds the lists among captured pages, and chooses those that a revisit must read to find new pages (set cover).

A page is a list by what it alone links to. Its parts are joined by their page links. Of all lists as few are chosen as
together name the pages that no other source names (greedy set cover).
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import date

from siteseer.change.link_context import shape_of
from siteseer.model import Page
from siteseer.page.links import placed_links
from siteseer.page.pagination.page_links import pagination
from siteseer.page.text import text
from siteseer.page.urls import identity

LEAST_LISTED, COMMON, FEWEST_COMMON = 5, 0.1, 3
"""Links of a list of its own; those that this share of the pages have, and more than so many, are the site's menu."""
FEWEST_LISTED, WORDS_OF_AN_ENTRY = 3, 30
"""A short list names so many pages of another form of address than its own, with no more words about each."""
AT_REST = 5.0
"""A list has come to rest when nothing was added for so many of its mean intervals and for longer than it shows: an
archive of one month, say."""


class CapturedLists:
    """The captured pages that name others."""

    def __init__(
        self, earlier: Callable[[str], Page | None], links: Mapping[str, Sequence[str]], days: Mapping[str, str]
    ) -> None:
        """Take the known pages that each page links to, by URL, and the days that pages tell, by identity."""
        self._earlier, self._days = earlier, days
        count = Counter(name for own in links.values() for name in own)
        limit = max(FEWEST_COMMON, COMMON * len(links))
        own_links = ((url, [name for name in own if count[name] <= limit]) for url, own in links.items())
        self.own: dict[str, list[str]] = {url: own for url, own in own_links if self._is_list(url, own)}
        """What each list links to and few other pages do, by its URL."""
        self.names = {identity(url) for url in self.own}
        self._first, self._at_rest = self._first_parts(), {url for url in self.own if self._has_come_to_rest(url)}

    def is_first_part(self, url: str) -> bool:
        """Say whether a list is the first page of those that its page links connect."""
        return self._first[identity(url)] == identity(url)

    def is_at_rest(self, url: str) -> bool:
        """Say whether a list no longer changed when it was captured."""
        return url in self._at_rest

    def topics(self) -> dict[str, list[str]]:
        """Return the lists that name each page: pages of one topic. The parts of a list are one."""
        found: dict[str, list[str]] = defaultdict(list)
        for url, own in self.own.items():
            first = self._first[identity(url)]
            for name in own:
                if first not in found[name] and first != name:
                    found[name].append(first)
        return found

    def uncovered(self, covered: Iterable[str], asked: Collection[str], near: Collection[str]) -> list[str]:
        """Return the lists to read: those that together name the pages that are not covered, the longest first.

        Of equal ones that a source links to goes first. No part but the first is among them, no list that has come to
        rest, and no page that names others of its own kind.
        """
        known = {*covered, *(name for url, own in self.own.items() if identity(url) in asked for name in own)}
        ahead = {
            url: set(own)
            for url, own in self.own.items()
            if identity(url) not in asked
            and is_of_other_kind(url, own)
            and self.is_first_part(url)
            and not self.is_at_rest(url)
        }
        chosen = []
        while ahead:
            best = max(ahead, key=lambda url: (len(ahead[url] - known), identity(url) in near))
            if len(fresh := ahead.pop(best) - known) < LEAST_LISTED:
                break
            known |= fresh
            chosen.append(best)
        return chosen

    def _is_list(self, url: str, own: Sequence[str]) -> bool:
        """Say whether a page is a list: it alone links to many pages, or to a few of another kind with few words."""
        if len(own) >= LEAST_LISTED or len(own) < FEWEST_LISTED or not is_of_other_kind(url, own):
            return len(own) >= LEAST_LISTED
        page = self._earlier(url)
        if page is None:
            return False
        linked = sum(len(link.text.split()) for link in placed_links(page) if link.kind == "anchor")
        return len(text(page).split()) - linked <= WORDS_OF_AN_ENTRY * len(own)

    def _first_parts(self) -> dict[str, str]:
        """Return for each list its first page: of those that page links connect the one with the shortest address."""
        parts: dict[str, set[str]] = {name: {name} for name in self.names}
        for url in self.own:
            page = self._earlier(url)
            for link in pagination(page) if page is not None else ():
                one, other = parts[identity(url)], parts.get(identity(link.url))
                if other is not None and other is not one:
                    one |= other
                    parts.update(dict.fromkeys(other, one))
        return {name: min(own, key=lambda part: (len(part), part)) for name, own in parts.items()}

    def _has_come_to_rest(self, url: str) -> bool:
        """Say whether so long a pause as a list shows at its capture is no chance (Poisson)."""
        days = sorted(date.fromisoformat(self._days[name]) for name in self.own[url] if self._days.get(name))
        page = self._earlier(url)
        if len(days) < FEWEST_LISTED or page is None or page.fetched_at is None:
            return False
        span = max(1, (days[-1] - days[0]).days)
        pause = (page.fetched_at.date() - days[-1]).days
        return pause > max(span, AT_REST * span / (len(days) - 1))


def is_of_other_kind(url: str, names: Sequence[str]) -> bool:
    """Say whether most pages have another form of address than the page that links to them.

    >>> is_of_other_kind("http://e.org/topic/tea", ["http://e.org/7.html", "http://e.org/9.html"])
    True
    """
    own = shape_of(identity(url))
    return 2 * sum(shape_of(name) == own for name in names) < len(names)
