"""Returns all other pages of the list on a page: linked ones, and those implied by the numbers between them.

A list that shows `1 2 3 … 12` has twelve pages. Between two numbered links the pattern of the URLs is known, so that
the others can be named and looked up; only URLs that a page really shows are ever requested.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from siteseer.model import Page
from siteseer.page.pagination.page_links import PageLink, pagination
from siteseer.page.tree import cached

MOST_PAGES = 5_000
_NUMBER = re.compile(r"\D{0,8}(\d{1,6})\D{0,3}")
_NUMBERS = re.compile(r"(\d{1,12})")


@dataclass(frozen=True, slots=True)
class ListPage:
    """Another page of a list; `is_shown` where a link leads to it."""

    url: str
    is_shown: bool = True


@cached
def list_pages(page: Page) -> tuple[ListPage, ...]:
    """Return the other pages of the list that a page belongs to, as far as it shows them.

    >>> body = b'<div class="pager">1 <a href="?p=2">2</a> <a href="?p=3">3</a> ... <a href="?p=5">5</a></div>'
    >>> found = list_pages(Page("http://e.org/list", headers=(("Content-Type", "text/html"),), body=body))
    >>> [(one.url[-3:], one.is_shown) for one in found]
    [('p=2', True), ('p=3', True), ('p=5', True), ('p=4', False)]
    """
    links = pagination(page)
    shown = {link.url: ListPage(link.url) for link in links}
    numbered = dict(sorted((number, link.url) for link in links if (number := _number(link)) is not None))
    for url in _between(numbered):
        shown.setdefault(url, ListPage(url, False))
    return tuple(shown.values())


def _number(link: PageLink) -> int | None:
    found = _NUMBER.fullmatch(link.text.strip())
    return int(found[1]) if found else None


def _between(numbered: dict[int, str]) -> Iterator[str]:
    """Name the pages between those that are linked: one number of the URL grows evenly with that of the page."""
    known = list(numbered.items())
    for (first, start), (number, url) in pairwise(known):
        pieces, others = _NUMBERS.split(start), _NUMBERS.split(url)
        places = [at for at, (one, other) in enumerate(zip(pieces, others, strict=False)) if one != other]
        if len(others) != len(pieces) or len(places) != 1 or not places[0] % 2:
            continue  # the first page is often named without a number
        at, step = places[0], (int(others[places[0]]) - int(pieces[places[0]])) // (number - first)
        for page in range(first + 1, min(known[-1][0], first + MOST_PAGES)):
            if page not in numbered:
                yield "".join((*pieces[:at], str(int(pieces[at]) + step * (page - first)), *pieces[at + 1 :]))
        return
