"""Determines the position of a page in a list of several pages: its number, the last number, and the links between.

Page links are read as people read them: a row of numbers (`1 2 3 … 40`) whose addresses count in step with them, by
pages (`page=2`) or by entries (`start=50`). Where a list shows no numbers, only its link to the next page tells that
there is more.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from siteseer.model import Page
from siteseer.page.links import base
from siteseer.page.pagination.further_pages import NEIGHBOURS
from siteseer.page.pagination.link_features import Candidate, candidates
from siteseer.page.pagination.link_words import PAGE_WORD_IN_URL, says_only_direction
from siteseer.page.pagination.list_position import names_position
from siteseer.page.tree import is_html, tree
from siteseer.page.urls import identity, resolve

MOST_PAGES = 100_000
"""A list that claims more pages than this says nothing."""
NEXT = frozenset(("next", "arrow-next"))
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class ListLength:
    """The position of a page in a list of several pages."""

    address: str
    """The address of the list's pages, with `*` for the number that counts them; empty where the list shows none."""
    number: int = 1
    last: int = 1
    """The highest number that is linked, or this page's own."""
    linked: Mapping[int, str] = field(default_factory=dict)
    """Numbers of other pages of the list, and their URLs."""
    next: str | None = None
    """The URL of the next page, where only that is linked."""


def list_length(page: Page) -> ListLength | None:
    """Return the position of a page in a list of several pages; None where it shows no links to other pages of a list.

    >>> body = b'1 <a href="?page=2">2</a> <a href="?page=3">3</a> ... <a href="?page=40">40</a>'
    >>> found = list_length(Page("http://e.org/list", headers=(("Content-Type", "text/html"),), body=body))
    >>> found.address, found.number, found.last, sorted(found.linked)
    ('http://e.org/list?page=*', 1, 40, [2, 3, 40])
    """
    if not is_html(page):
        return None
    where, here = base(page), identity(page.url)
    found = [(one, identity(url)) for one in candidates(tree(page)) if (url := resolve(where, one.href))]
    numbered = {(one.number, url) for one, url in found if one.number and one.number <= MOST_PAGES}
    positions = [one for one in _counted(numbered, here) if _is_plausible(one)]
    if positions:
        return max(positions, key=lambda one: (len(one.linked), one.last))
    following = next((url for one, url in found if _leads_on(one, url, here)), None)
    return ListLength("", next=following) if following else None


def _counted(links: Iterable[tuple[int, str]], here: str) -> Iterator[ListLength]:
    """Return the rows of numbers that addresses count in step with."""
    rows: dict[str, dict[int, tuple[int, str]]] = defaultdict(dict)
    for number, url in links:
        for address, value in _addresses(url):
            rows[address][number] = value, url
    own = dict(_addresses(here))
    for address, row in rows.items():
        if (address not in own and not _goes_on(address, here)) or (step := _step(row)) is None:
            continue
        first, by = step
        at = own.get(address)
        number = (at - first) // by if at is not None and at >= first else 1
        linked = {one: url for one, (_, url) in row.items() if url != here}
        yield ListLength(address, number, max((number, *linked)), linked)


def _goes_on(address: str, here: str) -> bool:
    """Say whether an address asks for a numbered page of what this page shows: it says so, and all that this one says.

    >>> _goes_on("http://e.org/list?f=1&start=*", "http://e.org/list?f=1")
    True
    >>> _goes_on("http://e.org/list?t=*", "http://e.org/list")
    False
    """
    before = address.partition("*")[0][-20:]
    if not any(found[1] for found in PAGE_WORD_IN_URL.finditer(before + "1")):
        return False
    path, _, query = address.partition("?")
    own_path, _, own_query = here.partition("?")
    if "*" in path:
        return path.startswith(own_path.rstrip("/")) and query == own_query
    return path == own_path and set(filter(None, own_query.split("&"))) <= set(query.split("&"))


def _addresses(url: str) -> Iterator[tuple[str, int]]:
    """Return each number of a URL, with the URL around it."""
    for found in _NUMBER.finditer(url, url.find("/", 8) if "://" in url[:8] else 0):
        if len(found[0]) < 10:
            yield f"{url[: found.start()]}*{url[found.end() :]}", int(found[0])


def _step(row: Mapping[int, tuple[int, str]]) -> tuple[int, int] | None:
    """Return what page 0 would be called and by how much each page counts on; None where the row does not count.

    >>> _step({2: (25, ""), 4: (75, "")}), _step({2: (7, ""), 4: (8, "")}), _step({2: (2, "")})
    ((-25, 25), None, (0, 1))
    """
    pairs = sorted((number, value) for number, (value, _) in row.items())
    (one, low), (other, high) = pairs[0], pairs[-1]
    if one == other:
        if one < 2 or low < one - 1 or (low > one and low % (one - 1)):
            return None
        by = 1 if low <= one else low // (one - 1)
        first = low - by * one
    else:
        by, rest = divmod(high - low, other - one)
        first = low - by * one
        if rest or by < 1:
            return None
    is_counted = first in (0, -by) and all(value == first + by * number for number, value in pairs)
    return (first, by) if is_counted else None


def _is_plausible(found: ListLength) -> bool:
    """Say whether a neighbour of the page is linked: days of a calendar and years of an archive are no pages."""
    return bool({found.number - 1, found.number + 1} & found.linked.keys())


def _leads_on(one: Candidate, url: str, here: str) -> bool:
    """Say whether a link goes on in a list: it says nothing else, and names a place that this page does not have."""
    is_said = one.marks & NEXT and says_only_direction(one.text)
    if not is_said and "next" not in one.element.get("rel", "").split():
        return False
    return names_position(url, here) and not NEIGHBOURS.search(url)
