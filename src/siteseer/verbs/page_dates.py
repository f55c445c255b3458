"""Dates pages: when they were published and last changed, with the dates that feeds, sitemaps and lists give."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import datetime

from siteseer.change.listed_dates import days_beside, list_order, listed_days
from siteseer.errors import SiteseerError
from siteseer.extract.timestamps import Outside, Timestamps, date_page, sitemap_dates
from siteseer.fetch.page_source import FetchPage, fetch_page, read_page
from siteseer.model import Page
from siteseer.page.feeds import read_feed
from siteseer.page.urls import identity


class DatesElsewhere:
    """Dates of pages that feeds, sitemaps and lists name; each is a file or a URL."""

    def __init__(
        self,
        feeds: Iterable[str] = (),
        sitemaps: Iterable[str] = (),
        lists: Iterable[str] = (),
        fetch_page: FetchPage = fetch_page,
    ) -> None:
        self._fed: dict[str, tuple[str | None, str | None]] = {}
        self._mapped: dict[str, str] = {}
        self._days: dict[str, str] = {}
        self._orders: list[list[str]] = []
        for name in feeds:
            feed = read_feed(read_page(name, None, [], fetch_page))
            if feed is None:
                raise SiteseerError(f"{name} is no feed; name an RSS, Atom or JSON Feed file or URL")
            self._fed |= {identity(item.link): (item.when, item.modified) for item in feed.items if item.link}
        for name in sitemaps:
            self._mapped |= sitemap_dates(read_page(name, None, [], fetch_page))
        for name in lists:
            listing = read_page(name, None, [], fetch_page)
            self._days |= listed_days(listing)
            self._orders.append(list_order(listing))

    def date(self, page: Page, now: datetime) -> Timestamps:
        """Say when a page was published and last changed."""
        key = identity(page.url) if page.url else ""
        published, modified = self._fed.get(key, (None, None)) if key else (None, None)
        beside = next(filter(None, (days_beside(order, self._days, key) for order in self._orders)), ())
        return date_page(page, now, Outside(published, modified, self._mapped.get(key), beside, self._days.get(key)))


def stored_pages(names: Iterable[str], url: str | None = None) -> Iterator[Page]:
    """Yield the pages among those named that are files and can be read; nothing is fetched."""
    for name in names:
        with suppress(OSError, SiteseerError):
            yield read_page(name, url, [], None)
