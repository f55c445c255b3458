"""Returns the context in which the dates of a page are read: the same for every command that reads them."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from functools import partial
from itertools import islice

from siteseer.model import Page
from siteseer.page.dates.date_context import DateContext, Order, a_day, learn_order
from siteseer.page.encoding import decode
from siteseer.page.text import text, text_blocks
from siteseer.page.tree import cached, is_html
from siteseer.page.urls import host_of

SITE_ORDERS = f"{__name__}.site_orders"
"""Where a page keeps the function that knows the order of its site (see `site_order`)."""
_HEAD, _LONGEST_SOURCE = 20_000, 2_000_000
_HTML_LANGUAGE = re.compile(rb"<html\b[^>]{0,1000}?\s(?:xml:)?lang\s{0,3}=\s{0,3}[\"']?([A-Za-z_-]{2,20})", re.I)
_DECLARED = re.compile(
    rb"<meta\b[^>]{0,200}?\b(?:og:locale|content-language|dc\.language)[\"']?\s[^>]{0,200}?content\s{0,3}=\s{0,3}[\"']?"
    rb"([A-Za-z_-]{2,20})",
    re.I,
)
_STAMPS = (re.compile(rb"20\d\d([-/])\d\d\1\d\d(?!\d)"), re.compile(rb"19\d\d([-/])\d\d\1\d\d(?!\d)"))
"""Patterns that begin with two letters are searched many times faster than one that begins with a choice."""
_MOST_STAMPS = 5_000
_LONGEST_STAMP = 90
"""Characters of a text that is a date with little around it."""


@cached
def context_of(page: Page) -> DateContext:
    """Return what is known of the dates of a page: when it was fetched, its language and host, its other dates.

    >>> body = b"<p>Posted 03/04/2019</p><p>Posted 25/04/2019</p>"
    >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)
    >>> context_of(page).is_month_first(date(2019, 4, 3), date(2019, 3, 4), "/")
    False
    """
    learn: Callable[[], Order | None] = partial(page_order, page)
    return DateContext(page.fetched_at, None, page_language(page), host_of(page.url), learn=learn)


@cached
def page_language(page: Page) -> str:
    """Return the language that a page declares, lower case, read without parsing it.

    >>> page_language(Page("http://e.org/", body=b"<html lang='de-AT'>"))
    'de-at'
    """
    head = page.body[:_HEAD]
    for pattern in (_HTML_LANGUAGE, _DECLARED):
        if found := pattern.search(head):
            return found[1].decode("ascii").lower().replace("_", "-")
    return page.header("content-language").partition(",")[0].strip().lower()[:35]


@cached
def page_order(page: Page) -> Order | None:
    """Return the order of day and month that the dates of a page show, else those of its site."""
    if order := sure_order(page):
        return order
    site: Callable[[Page], Order | None] | None = page.memo.get(SITE_ORDERS)
    if site is not None and (order := site(page)):
        return order
    known, texts = _stamped(page), _texts(page)
    short = [one for one in texts if len(one) < _LONGEST_STAMP]
    return learn_order(short, known, page.fetched_at) or learn_order(texts, known, page.fetched_at)


@cached
def sure_order(page: Page) -> Order | None:
    """Return the order in which alone the short texts of a page can be read: its template, before prose."""
    return learn_order(one for one in _texts(page) if len(one) < _LONGEST_STAMP)


def _texts(page: Page) -> list[str]:
    if is_html(page):
        return text_blocks(page)
    return (text(page) or decode(page)[:_LONGEST_SOURCE].replace("<", "\n<").replace(">", ">\n")).split("\n")


def _stamped(page: Page) -> set[date]:
    """Return the days that stand year first in the source: attributes, scripts and addresses name them so."""
    days = set()
    for place in (page.body, page.url[:2000].encode()):
        for pattern in _STAMPS:
            for found in islice(pattern.finditer(place), _MOST_STAMPS):
                start, stamp = found.start(), found[0]
                is_part = start > 0 and place[start - 1 : start].isdigit()
                if not is_part and (day := a_day(int(stamp[:4]), int(stamp[5:7]), int(stamp[8:]))):
                    days.add(day)
    return days
