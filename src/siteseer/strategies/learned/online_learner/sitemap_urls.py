"""Reads URLs from robots.txt and sitemaps. Reference: the sitemap protocol (sitemaps.org, 0.9) and RFC 9309."""

from __future__ import annotations

import re
import zlib

from siteseer.model import Page
from siteseer.page.urls import resolve

GUESSED_SITEMAP = "guessed sitemap"
"""The family of sitemaps that no page and no robots.txt names."""
MAX_FILES = 20
"""Sitemap files that are fetched for one site."""
MAX_BYTES = 50 << 20
MAX_URLS = 50_000
_NAMED = re.compile(r"^[ \t]*sitemap[ \t]*:[ \t]*(\S{1,4000})", re.IGNORECASE | re.MULTILINE)
_LOCATION = re.compile(rb"<(?:\w{1,20}:)?loc>\s{0,50}([^<\s]{1,8000})\s{0,50}</", re.IGNORECASE)
_CDATA = re.compile(rb"<!\[CDATA\[([^\]<>]{1,8000})\]\]>")
_ENTITIES = ((b"&amp;", b"&"), (b"&lt;", b"<"), (b"&gt;", b">"), (b"&quot;", b'"'), (b"&apos;", b"'"))


def sitemaps_named(robots: Page) -> list[str]:
    """Return the sitemaps that a robots.txt names.

    >>> sitemaps_named(Page("http://e.org/robots.txt", body=b"User-agent: *" + bytes([10]) + b"Sitemap: /map.xml"))
    ['http://e.org/map.xml']
    """
    found = (resolve(robots.url, name) for name in _NAMED.findall(robots.body[: 1 << 20].decode("utf-8", "replace")))
    return list(dict.fromkeys(url for url in found if url))[:MAX_FILES]


def read_sitemap(page: Page) -> tuple[list[str], list[str]]:
    """Return the further sitemaps and the pages that a sitemap names; nothing where it is no sitemap.

    >>> read_sitemap(Page("http://e.org/map.xml", body=b"<urlset><url><loc>http://e.org/a?b&amp;c</loc></url></urlset>"))
    ([], ['http://e.org/a?b&c'])
    """
    body = _inflated(page.body)
    head = body[:2000].lower()
    if b"<urlset" not in head and b"<sitemapindex" not in head:
        return [], []
    found: dict[str, None] = {}
    for match in _LOCATION.finditer(_CDATA.sub(rb"\1", body)):
        text = match[1]
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
        if url := resolve(page.url, text.decode("utf-8", "replace")):
            found[url] = None
        if len(found) >= MAX_URLS:
            break
    return (list(found)[:MAX_FILES], []) if b"<sitemapindex" in head else ([], list(found))


def _inflated(body: bytes) -> bytes:
    """Return the text of a sitemap; one that is compressed as a file is unpacked, up to a limit."""
    if body[:2] != b"\x1f\x8b":
        return body[:MAX_BYTES]
    try:
        return zlib.decompressobj(31).decompress(body, MAX_BYTES)
    except zlib.error:
        return b""
