"""Reads from a sitemap when each page was last changed, and how often it is said to change.

Reference: the sitemap protocol (sitemaps.org, 0.9).
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from html import unescape

from siteseer.model import Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import read_date
from siteseer.page.urls import identity, resolve

MOST_PAGES = 50_000
_ENTRY = re.compile(r"<(?:\w{1,20}:)?(url|sitemap)\b[^>]{0,200}>(.{0,6000}?)</(?:\w{1,20}:)?\1>", re.S)
_LOCATION = re.compile(r"<(?:\w{1,20}:)?loc>\s{0,50}(?:<!\[CDATA\[)?([^<\]\s]{1,4000})")
_CHANGED = re.compile(r"<(?:\w{1,20}:)?lastmod>\s{0,50}([^<]{4,40})<")
_FREQUENCY = re.compile(
    r"<(?:\w{1,20}:)?changefreq>\s{0,50}(always|hourly|daily|weekly|monthly|yearly|never)\s{0,50}<", re.I
)
FREQUENCIES = {
    "always": 96.0, "hourly": 24.0, "daily": 1.0, "weekly": 1 / 7, "monthly": 1 / 30, "yearly": 1 / 365,
    "never": 1 / 3650,
}  # fmt: skip
"""Changes a day by the words of `changefreq`."""


@dataclass(frozen=True, slots=True)
class SitemapEntry:
    """A page's entry in a sitemap: its URL, when it was last changed (ISO 8601) and how often it changes."""

    url: str
    changed: str = ""
    frequency: str = ""


def sitemap_entries(page: Page) -> dict[str, SitemapEntry]:
    """Return what a sitemap says of each page, by the page's identity.

    A sitemap whose entries all bear the same moment tells when it was made, not when the pages were: it dates none.

    >>> url = b"<url><loc>http://e.org/a</loc><lastmod>2015-05-05</lastmod><changefreq>weekly</changefreq></url>"
    >>> sitemap_entries(Page("http://e.org/sitemap.xml", body=b"<urlset>" + url + b"</urlset>"))
    {'http://e.org/a': SitemapEntry(url='http://e.org/a', changed='2015-05-05', frequency='weekly')}
    """
    found: dict[str, SitemapEntry] = {}
    context = context_of(page)
    for entry in _ENTRY.finditer(page.body.decode("utf-8", "replace")):
        place, changed, often = (pattern.search(entry[2]) for pattern in (_LOCATION, _CHANGED, _FREQUENCY))
        url = resolve(page.url, unescape(place[1])) if place else None
        read = read_date(changed[1].strip(), context) if changed else None
        when = read.iso if read and read.names_a_day else ""
        if url:
            found[identity(url)] = SitemapEntry(url, when, often[1].lower() if often else "")
        if len(found) >= MOST_PAGES:
            break
    dates = [entry.changed for entry in found.values() if entry.changed]
    if len(dates) > 3 and len(set(dates)) == 1:
        return {name: SitemapEntry(entry.url, "", entry.frequency) for name, entry in found.items()}
    return found


def sitemap_dates(page: Page) -> dict[str, str]:
    """Return for the identity of every page when it was last changed, as the sitemap says.

    A sitemap whose entries all bear the same moment tells when it was made, not when the pages were.

    >>> body = b"<urlset><url><loc>http://e.org/a</loc><lastmod>2015-05-05</lastmod></url></urlset>"
    >>> sitemap_dates(Page("http://e.org/sitemap.xml", body=body))
    {'http://e.org/a': '2015-05-05'}
    """
    return {name: entry.changed for name, entry in sitemap_entries(page).items() if entry.changed}
