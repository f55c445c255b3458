"""Estimates what the lists of a crawl still announce: further pages, and the entries that those will show.

A list that shows page numbers (`1 2 3 … 40`) says how many pages it has; each of them is taken to bring as many new
URLs as those fetched so far. A list that only links to its next page goes on for nobody knows how long.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from statistics import median

from siteseer.model import Page
from siteseer.page.pagination.list_length import ListLength, list_length
from siteseer.page.urls import identity

FEWEST_ENTRIES = 3
"""A page that brought fewer new URLs is no list of entries."""
MOST_LISTS = 10_000
"""Lists that are watched at a time."""
MOST_ANNOUNCED = 10_000_000
SAMPLE = 5
"""So many pages of a list, the latest, tell what one more of them brings."""

Brought = Callable[[int], int]
"""What a page brought, by what it was heard with."""
Wanted = Callable[[str], bool]


@dataclass(slots=True)
class _List:
    last: int = 1
    fetched: set[int] = field(default_factory=set)
    linked: dict[int, str] = field(default_factory=dict)
    heard: list[int] = field(default_factory=list)

    def is_over(self) -> bool:
        return len(self.fetched) >= self.last

    def wants_more(self, is_wanted: Wanted) -> bool:
        """Say whether the strategy would ask for a page of the list that was not fetched yet."""
        return any(is_wanted(url) for number, url in self.linked.items() if number not in self.fetched)

    def announced(self, brought: Brought) -> int:
        """Return how many URLs are announced that nobody has named yet: pages that are not linked, and entries."""
        unnamed = self.last - len(self.fetched | self.linked.keys())
        each = median(map(brought, self.heard[-SAMPLE:])) if self.heard else 0
        return max(0, unnamed) + int(each * (self.last - len(self.fetched)))


class ListsAhead:
    """Watches the lists of a crawl until all their pages were fetched.

    >>> row = b'1 <a href="?page=2">2</a> <a href="?page=3">3</a> ... <a href="?page=40">40</a>'
    >>> lists = ListsAhead()
    >>> page = Page("http://e.org/list", headers=(("Content-Type", "text/html"),), body=row)
    >>> lists.hear(page, [f"/entry/{number}" for number in range(25)])
    >>> lists.announced(int)  # 36 pages that are not linked, and 25 entries on each of 39
    1011
    """

    def __init__(self) -> None:
        self._lists: dict[str, _List] = {}
        self._over: set[str] = set()
        self._places: dict[str, tuple[str, int]] = {}
        self._open: dict[str, int] = {}
        """The next pages of lists that show no numbers, with what the pages before them were heard with."""

    def fetched(self, url: str) -> None:
        """Hear that a URL need not be waited for any longer, whatever became of it."""
        name = identity(url)
        self._open.pop(name, None)
        if (place := self._places.pop(name, None)) is not None and place[0] in self._lists:
            self._mark(*place)

    def hear(self, page: Page, new_urls: Collection[str], heard_with: int | None = None) -> None:
        """Take in a page and the URLs that it was the first to show; `announced` asks what `heard_with` brought.

        Where nothing is given, that is the number of the new URLs that are no further pages of the list.
        """
        if len(new_urls) < FEWEST_ENTRIES or len(self._lists) >= MOST_LISTS:
            return
        found = list_length(page)
        if found is None:
            return
        names = set(map(identity, new_urls))
        if heard_with is None:
            heard_with = len(names - set(found.linked.values()) - {found.next})
        if found.address:
            self._take(found, heard_with)
        elif found.next is not None and found.next in names:
            self._open[found.next] = heard_with

    def announced(self, brought: Brought, is_wanted: Wanted = lambda url: True) -> int | None:
        """Return how many URLs lists announce beyond those that are known; None where a list does not say."""
        if any(brought(one) >= FEWEST_ENTRIES and is_wanted(url) for url, one in self._open.items()):
            return None
        return min(MOST_ANNOUNCED, sum(one.announced(brought) for one in self._going_on(is_wanted)))

    def _going_on(self, is_wanted: Wanted) -> Iterator[_List]:
        return (one for one in self._lists.values() if one.wants_more(is_wanted))

    def _take(self, found: ListLength, heard_with: int) -> None:
        if found.address in self._over:
            return
        known = self._lists.setdefault(found.address, _List())
        known.last = max(known.last, found.last)
        known.heard.append(heard_with)
        for number, url in found.linked.items():
            known.linked[number] = url
            if number not in known.fetched:
                self._places[url] = found.address, number
        self._mark(found.address, found.number)

    def _mark(self, address: str, number: int) -> None:
        known = self._lists[address]
        known.fetched.add(number)
        if known.is_over():
            del self._lists[address]
            self._over.add(address)
