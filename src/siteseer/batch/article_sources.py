"""Reads the pages named on the command line: files, folders, archives, collections, URLs, and what a feed links to."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from siteseer.archive.archived_pages import check_holds_records
from siteseer.archive.archived_pages import pages as archived_pages
from siteseer.archive.warc_sources import WARC_ENDINGS
from siteseer.errors import ArchiveError, FetchError, NotFoundError, SiteseerError, UsageError
from siteseer.model import Page
from siteseer.page.dates.site_order import SiteOrders
from siteseer.page.feeds import Feed, FeedItem, is_feed, read_feed
from siteseer.page.own_address import own_address
from siteseer.page.tree import is_html
from siteseer.page.urls import host_of, identity

FetchPage = Callable[[str], Page]
Complain = Callable[[str, int], None]
ENDINGS = (".html", ".htm", ".xhtml", ".shtml", ".php", ".asp", ".aspx")
"""Files of a folder that are taken for pages."""
MOST_ITEMS = 500
LARGEST_FILE = 64 * 2**20


@dataclass(frozen=True, slots=True)
class NamedPage:
    """A page, the name by which it was requested, and the feed item that led to it."""

    name: str
    page: Page
    item: FeedItem | None = None


def raise_error(sentence: str, code: int) -> None:
    """End what needs all its pages; to be given as `complain`."""
    error = SiteseerError(sentence)
    error.exit_code = code
    raise error


def named_pages(names: list[str], url: str | None, fetch: FetchPage, complain: Complain) -> Iterator[NamedPage]:
    """Yield the named pages; one that cannot be read is reported and left out."""
    orders = SiteOrders(lambda: (named.page for named in _stored_pages(names, url)))
    for name in names:
        try:
            for named in _named(name, url, fetch, complain):
                orders.attach(named.page)
                yield named
        except ArchiveError as error:
            complain(str(error), 1)
        except (FetchError, OSError) as error:
            code = error.exit_code if isinstance(error, FetchError) else NotFoundError.exit_code
            complain(f"{name}: {getattr(error, 'strerror', None) or error}", code)


def _stored_pages(names: list[str], url: str | None) -> Iterator[NamedPage]:
    """Yield the pages that lie on the disk; nothing is fetched, and what cannot be read was reported already."""
    for name in names:
        with suppress(ArchiveError, FetchError, OSError):
            if not is_url(name):
                yield from _named(name, url, _fetch_nothing, lambda sentence, code: None)


def _fetch_nothing(url: str) -> Page:
    raise FetchError(f"{url} is not fetched again")


def _named(name: str, url: str | None, fetch: FetchPage, complain: Complain) -> Iterator[NamedPage]:
    path = Path(name)
    if is_url(name):
        yield from _page_or_feed(name, fetch(name), fetch, complain)
    elif path.is_dir():
        yield from _folder(path)
    elif name.lower().endswith((*WARC_ENDINGS, ".wacz")):
        yield from _archive(path)
    else:
        yield from _page_or_feed(name, read_page(path, url), fetch, complain)


def is_url(name: str) -> bool:
    """Say whether a page is named by its URL."""
    return name.startswith(("http://", "https://"))


def read_page(path: Path, url: str | None = None) -> Page:
    """Read a saved page; its own address is taken where none is given."""
    if path.stat().st_size > LARGEST_FILE:
        raise UsageError(f"{path} is longer than any page; name a page, a folder, a WARC, a WACZ or a feed")
    page = Page(url or "", 200, (("Content-Type", "text/html"),), path.read_bytes())
    return page if url or is_feed(page) else Page(own_address(page), page.status, page.headers, page.body)


def _folder(path: Path) -> Iterator[NamedPage]:
    held = any(file.name.lower().endswith((*WARC_ENDINGS, ".wacz")) for file in path.rglob("*"))
    if held:
        yield from _archive(path)
        return
    files = [file for file in sorted(path.rglob("*")) if file.suffix.lower() in ENDINGS and file.is_file()]
    if not files:
        raise UsageError(f"{path} holds neither pages nor archives; name a folder of HTML files, or a collection")
    for file in files:
        yield NamedPage(str(file), read_page(file))


def _archive(path: Path) -> Iterator[NamedPage]:
    check_holds_records(path)
    for page, _ in archived_pages(path):
        if page.status == 200 and is_html(page) and not is_feed(page):
            yield NamedPage(str(path), page)


def _page_or_feed(name: str, page: Page, fetch: FetchPage, complain: Complain) -> Iterator[NamedPage]:
    feed = read_feed(page)
    if feed is None:
        yield NamedPage(name, page)
        return
    for item in feed.items[:MOST_ITEMS]:
        if is_url(item.link):
            try:
                yield NamedPage(item.link, fetch(item.link), item)
            except FetchError as error:
                complain(f"{item.link}: {error}", error.exit_code)


def read_items(name: str, fetch: FetchPage) -> Feed:
    """Return the feed of that name."""
    page = fetch(name) if is_url(name) else Page("", 200, (), Path(name).read_bytes())
    feed = read_feed(page)
    if feed is None:
        raise UsageError(f"{name} is no feed; name an RSS, Atom or JSON feed")
    return feed


class FeedItems:
    """The items of a feed by the page that they link to."""

    def __init__(self, feed: Feed | None) -> None:
        self.all = feed.items if feed else ()
        self._by_link = {identity(item.link): item for item in reversed(self.all) if item.link}

    def of(self, named: NamedPage) -> FeedItem | None:
        """Return the item of a page."""
        return named.item or self._by_link.get(identity(named.page.url) if named.page.url else "")


def site_of(named: NamedPage) -> str:
    """Return the key of pages that are extracted together: the host, or the folder of files without URL."""
    return host_of(named.page.url) if named.page.url else f"file:{Path(named.name).parent}"
