"""Learns the order of day and month of a site from all of its pages, for those whose own dates do not decide.

Commands that read many pages attach one `SiteOrders` to each of them; `page_context` asks it. The pages are looked at
only when a date such as 03/04/2019 is met on a page that does not tell by itself, and then once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable

from siteseer.model import Page
from siteseer.page.dates.date_context import Order
from siteseer.page.dates.page_context import SITE_ORDERS, page_language, sure_order
from siteseer.page.own_address import own_address
from siteseer.page.urls import host_of

ENOUGH = 25
"""Pages of a site that say the order; further ones are not read."""
_DECIDES = re.compile(
    rb"(?<!\d)(?:\d{1,2}[./-] ?(?:1[3-9]|2\d|3[01])|(?:1[3-9]|2\d|3[01])[./-] ?\d{1,2})[./-] ?(?:\d{4}|\d\d)(?!\d)"
    rb"|[\xd9\xdb\xe0\xef]"
)
"""A page without numbers that can be read in one way only, and without digits of other scripts, need not be parsed."""

Site = tuple[str, str]


class SiteOrders:
    """The orders of day and month of sites, by host and language; `pages` returns all pages, each time anew.

    >>> html = (("Content-Type", "text/html"),)
    >>> pages = [Page(f"http://e.org/{n}", 200, html, b"<p>%d/04/2019" % n) for n in (3, 25)]
    >>> SiteOrders(lambda: pages).order_of(pages[0])
    'dmy'
    """

    def __init__(self, pages: Callable[[], Iterable[Page]]) -> None:
        self._pages = pages
        self._orders: dict[Site, Order | None] | None = None

    def attach(self, page: Page) -> Page:
        """Let the dates of a page be read in the order of its site."""
        page.memo[SITE_ORDERS] = self.order_of
        return page

    def order_of(self, page: Page) -> Order | None:
        """Return the order that most pages of a page's site show; None where none does, or the host is not known."""
        if self._orders is None:
            self._orders = {}  # what is read meanwhile asks nobody
            self._orders = self._learned()
        return self._orders.get(_site(page))

    def _learned(self) -> dict[Site, Order | None]:
        votes: dict[Site, Counter[Order]] = {}
        for page in self._pages():
            site = _site(page)
            if not site[0] or (site in votes and votes[site].total() >= ENOUGH) or not _DECIDES.search(page.body):
                continue
            if order := sure_order(page):
                votes.setdefault(site, Counter())[order] += 1
        return {site: _majority(counted) for site, counted in votes.items()}


def _site(page: Page) -> Site:
    return host_of(page.url or own_address(page)).removeprefix("www."), page_language(page)


def _majority(votes: Counter[Order]) -> Order | None:
    best = votes.most_common(2)
    return best[0][0] if len(best) == 1 or best[0][1] > best[1][1] else None
