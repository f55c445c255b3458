"""Reads change signals: what a listing, feed or sitemap says of each page, which changes when that page changes.

Of a feed item: its dates, comment count and words; of a sitemap: when a page was changed; of a listing: the words of
all links to a page (`3 comments`, the newest remark). Two captures of one source then show which pages to fetch again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from hashlib import blake2b

from siteseer.extract.timestamps.sitemap_dates import sitemap_entries
from siteseer.model import Page
from siteseer.page.feeds import is_feed, read_feed
from siteseer.page.links import placed_links
from siteseer.page.tree import is_html
from siteseer.page.urls import identity

LISTING, FEED, SITEMAP, NOTHING = "listing", "feed", "sitemap", "nothing"
_BETWEEN = " | "


@dataclass(frozen=True, slots=True)
class Signal:
    """A source's statement about one page: its URL as written, the words about it, and how it is linked."""

    url: str
    says: str
    path: tuple[str, ...] = ()
    when: str = ""
    """The newest moment that feed or sitemap name; ISO 8601."""
    is_next: bool = False
    """Whether a link says by its relation that it continues the page."""


def source_kind(page: Page) -> str:
    """Return the kind of source that a page is: `feed`, `sitemap`, `listing`, or `nothing` of these."""
    if is_feed(page):
        return FEED
    if b"<urlset" in page.body[:2000] or b"<sitemapindex" in page.body[:2000]:
        return SITEMAP
    return LISTING if is_html(page) else NOTHING


def is_sitemap_index(page: Page) -> bool:
    """Say whether a page is a sitemap that names further sitemaps."""
    return b"<sitemapindex" in page.body[:2000]


def signals(page: Page) -> dict[str, Signal]:
    """Return the signals of a source for each page, by the page's identity.

    >>> body = b"<a href=/a>Boats</a> <a href=/a#comments>3 comments</a>"
    >>> found = signals(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    >>> {name: signal.says for name, signal in found.items()}
    {'http://e.org/a': '3 comments | Boats'}
    """
    kind = source_kind(page)
    if kind == FEED:
        return _of_feed(page)
    if kind == SITEMAP:
        entries = sitemap_entries(page).items()
        return {name: Signal(entry.url, entry.changed, when=entry.changed) for name, entry in entries}
    return _of_listing(page) if kind == LISTING else {}


def _of_feed(page: Page) -> dict[str, Signal]:
    found: dict[str, Signal] = {}
    feed = read_feed(page)
    for item in feed.items if feed else ():
        if item.link:
            words = blake2b(
                f"{item.title}\n{item.description}\n{item.content}".encode("utf-8", "replace"), digest_size=8
            )
            said = f"{item.published} {item.modified} {item.comment_count} {words.hexdigest()}"
            when = max(item.published or "", item.modified or "")
            if earlier := found.get(identity(item.link)):
                said, when = f"{earlier.says}; {said}", max(earlier.when, when)
            found[identity(item.link)] = Signal(item.link, said, when=when)
    return found


def _of_listing(page: Page) -> dict[str, Signal]:
    texts: dict[str, set[str]] = {}
    first: dict[str, tuple[str, tuple[str, ...], bool]] = {}
    for link in placed_links(page):
        if link.kind in ("anchor", "next", "prev"):
            name = identity(link.url)
            first.setdefault(name, (link.url, link.path, "next" in link.rel))
            texts.setdefault(name, set()).add(f"{link.text}{'#' + link.fragment if _names_item(link.fragment) else ''}")
    return {
        name: Signal(url, _BETWEEN.join(sorted(t for t in texts[name] if t)), path, is_next=is_next)
        for name, (url, path, is_next) in first.items()
    }


def _names_item(fragment: str) -> bool:
    """Say whether a fragment names one comment: a new one is a new fragment."""
    return any(c.isdigit() for c in fragment)


def changed_pages(old: Mapping[str, Signal], new: Mapping[str, Signal]) -> list[str]:
    """Return the identities of the pages with a signal that the source did not give before.

    A signal that disappears does not count: a page that leaves the list of the latest remarks has not changed.
    """
    return [name for name, signal in new.items() if name in old and _texts(signal) - _texts(old[name])]


def _texts(signal: Signal) -> set[str]:
    return set(signal.says.split(_BETWEEN))
