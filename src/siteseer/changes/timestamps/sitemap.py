"""A sitemap in, when each of its pages was last changed out. Reference: the sitemap protocol (sitemaps.org, 0.9)."""

from __future__ import annotations

import re
from html import unescape

from siteseer.model import Page
from siteseer.page.dates import read_date
from siteseer.page.urls import identity, resolve

MOST_PAGES = 50_000
_ENTRY = re.compile(r"<(?:\w{1,20}:)?(url|sitemap)\b[^>]{0,200}>(.{0,6000}?)</(?:\w{1,20}:)?\1>", re.S)
_LOCATION = re.compile(r"<(?:\w{1,20}:)?loc>\s{0,50}(?:<!\[CDATA\[)?([^<\]\s]{1,4000})")
_CHANGED = re.compile(r"<(?:\w{1,20}:)?lastmod>\s{0,50}([^<]{4,40})<")


def sitemap_dates(page: Page) -> dict[str, str]:
    """Return for the identity of every page when it was last changed, as the sitemap says.

    A sitemap whose entries all bear the same moment tells when it was made, not when the pages were.

    >>> body = b"<urlset><url><loc>http://e.org/a</loc><lastmod>2015-05-05</lastmod></url></urlset>"
    >>> sitemap_dates(Page("http://e.org/sitemap.xml", body=body))
    {'http://e.org/a': '2015-05-05'}
    """
    dates: dict[str, str] = {}
    for entry in _ENTRY.finditer(page.body.decode("utf-8", "replace")):
        place, changed = _LOCATION.search(entry[2]), _CHANGED.search(entry[2])
        url = resolve(page.url, unescape(place[1])) if place else None
        read = read_date(changed[1].strip(), now=page.fetched_at) if changed else None
        if url and read and read.precision not in ("month", "year"):
            dates[identity(url)] = read.iso
        if len(dates) >= MOST_PAGES:
            break
    return {} if len(dates) > 3 and len(set(dates.values())) == 1 else dates
