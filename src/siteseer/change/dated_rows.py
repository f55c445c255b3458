"""Finds the dated rows of a listing: a thread with its last post, a page with its last change.

A row is the nearest element around a link that shows a day and is short: the cells of a table, an item of a list. Days
and times of the clock are compared; counters of views, which every visit changes, are not.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator
from itertools import islice
from typing import NamedTuple

from lxml import html

from siteseer.model import Page
from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import find_dates
from siteseer.page.links import base
from siteseer.page.tree import cached, is_html, tree
from siteseer.page.urls import identity, resolve

MOST_LINKS, HIGHEST, LONGEST = 5_000, 8, 600
"""Links of a page that are looked at, elements around each, and letters of a row."""
_CLOCK = re.compile(r"\b\d{1,2}:\d\d\b")
_NOTHING = ("", "")


class Row(NamedTuple):
    """The pages that a row links to, in its order; its days and times; the newest day."""

    links: tuple[str, ...]
    shows: str
    newest: str


@cached
def dated_rows(page: Page) -> tuple[Row, ...]:
    """Return the rows of a page that show a day, in page order.

    >>> cells = b"<tr><td><a href=/t1>Boats</a><td>7<td>3 May 2020, 10:15<tr><td><a href=/t2>Tea</a><td>2<td>1 May 2020"
    >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=b"<table>" + cells)
    >>> [(row.links, row.shows) for row in dated_rows(page)]
    [(('http://e.org/t1',), '2020-05-03 10:15'), (('http://e.org/t2',), '2020-05-01')]
    """
    if not is_html(page):
        return ()
    read: dict[html.HtmlElement, tuple[str, str] | None] = {}
    dates = context_of(page)
    anchors = islice(tree(page).iter("a"), MOST_LINKS)
    dated = {
        row: None for anchor in anchors if anchor.get("href") and (row := _row_of(anchor, read, dates)) is not None
    }
    where = base(page)
    return tuple(Row(_targets(row, where), *(read[row] or _NOTHING)) for row in _whole(dated))


def _whole(dated: Collection[html.HtmlElement]) -> list[html.HtmlElement]:
    """Return the widest elements that still are one row: what holds two rows is a list of them."""
    around = {one: [outer for outer in one.iterancestors() if outer in dated] for one in dated}
    holds = Counter(outer for one, outers in around.items() for outer in outers)
    inner = [one for one in dated if not holds[one]]
    rows = Counter(outer for one in inner for outer in around[one])
    return list(dict.fromkeys(([outer for outer in around[one] if rows[outer] == 1] or [one])[-1] for one in inner))


def _targets(row: html.HtmlElement, where: str) -> tuple[str, ...]:
    urls = (resolve(where, anchor.get("href")) for anchor in row.iter("a") if anchor.get("href"))
    return tuple(dict.fromkeys(identity(url) for url in urls if url))


def _row_of(
    anchor: html.HtmlElement, read: dict[html.HtmlElement, tuple[str, str] | None], dates: DateContext
) -> html.HtmlElement | None:
    element = anchor
    for _ in range(HIGHEST):
        if element is None:
            return None
        if element not in read:
            read[element] = _dates(element, dates)
        found = read[element]
        if found is None:
            return None
        if found[0]:
            return element
        element = element.getparent()
    return None


def _dates(element: html.HtmlElement, dates: DateContext) -> tuple[str, str] | None:
    """Return what dates an element shows and the newest day; None where it says more than a row does."""
    words, length = [], 0
    for piece in element.itertext():
        words.append(piece.strip())
        length += len(words[-1])
        if length > LONGEST:
            return None
    text = " ".join(" ".join(words).split())
    days = [found.day.isoformat() for found in find_dates(text, dates) if found.names_a_day]
    if not days:
        return _NOTHING
    return " ".join((*sorted(set(days)), *_CLOCK.findall(text))), max(days)


def clocks(text: str) -> set[str]:
    """Return the times of the clock that a text shows, with two digits each.

    >>> sorted(clocks("3 May 2020, 9:05, edited 12:30"))
    ['09:05', '12:30']
    """
    return {found.zfill(5) for found in _CLOCK.findall(text)}


def row_pages(rows: Iterable[Row], known: Container[str]) -> Iterator[tuple[str, Row]]:
    """Yield each row with the page that it is about: the first known one that it links to."""
    for row in rows:
        if name := next((name for name in row.links if name in known), None):
            yield name, row


def shown_of(rows: Iterable[Row], known: Container[str]) -> dict[str, set[str]]:
    """Return the dates that the rows of a page show for each known page."""
    found: dict[str, set[str]] = {}
    for name, row in row_pages(rows, known):
        found.setdefault(name, set()).add(row.shows)
    return found


def places(rows: Iterable[Row]) -> dict[str, int]:
    """Return for each page that rows link to whether it is the first link of its row, the second, and so on."""
    return {name: place for row in rows for place, name in reversed(list(enumerate(row.links)))}
