"""Reads what the example strategy needs of a page: a sample's URL, texts and links; and a feed's items as links."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from lxml import etree, html
from xxhash import xxh3_64_intdigest

from siteseer.errors import UsageError
from siteseer.model import Page
from siteseer.page.feeds.parse_feed import is_feed, read_feed
from siteseer.page.links import links, placed_links
from siteseer.page.text import WORD, text_blocks
from siteseer.page.tree import is_html, title, tree
from siteseer.page.urls import identity, wire

LENGTHS = (15, 6, 1)
"""Words of a sentence, of a line that says something, of anything."""
MAX_TEXTS = 400
_QUOTATIONS: Callable[[html.HtmlElement], Any] = etree.XPath("//blockquote | //q | //*[contains(@class, 'quote')]")
Texts = tuple[tuple[int, ...], ...]


def texts_of(page: Page) -> Texts:
    """Return the hashes of a page's texts by length, longest first, in page order.

    What the title repeats is left out, and so are quotations: pages of one thread share both.

    >>> body = b"<title>Tea: a short history</title><h1>Tea: a short history</h1><p>Once there was a leaf that fell."
    >>> [len(one) for one in texts_of(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))]
    [0, 1, 0]
    """
    name = _plain(title(page))
    quoted = [_plain(" ".join(one.itertext())) for one in _QUOTATIONS(tree(page))[:MAX_TEXTS]]
    found: list[dict[int, None]] = [{} for _ in LENGTHS]
    for block in text_blocks(page):
        words = WORD.findall(block.lower()[:20_000])
        text = " ".join(words)
        if text and text not in name and not any(text in quotation for quotation in quoted):
            tier = next(place for place, least in enumerate(LENGTHS) if len(words) >= least)
            found[tier][xxh3_64_intdigest(text.encode("utf-8", "replace")) & 0xFFFFFFFF] = None
    return tuple(tuple(texts)[:MAX_TEXTS] for texts in found)


def _plain(text: str) -> str:
    return " ".join(WORD.findall(text[:20_000].lower()))


def links_of(page: Page) -> tuple[tuple[str, str], ...]:
    """Return where a page links to, each URL by its identity, with the place of its first link.

    >>> body = b'<ul class=threads><li><a class="title x" href="/t/1#p2">A</a></ul>'
    >>> links_of(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    (('http://e.org/t/1', 'ul.threads/li/a.title'),)
    """
    found: dict[str, str] = {}
    for link in placed_links(page):
        found.setdefault(identity(link.url), "/".join(map(_label, link.path[-3:])))
    for link in links(page):
        if link.kind in ("next", "prev", "frame", "refresh"):
            found.setdefault(identity(link.url), f"head/{link.kind}")
    return tuple(found.items())


def _label(step: str) -> str:
    """Return tag and first class without a number of a step written `tag#id.class.class`."""
    head, *classes = step.split(".")
    first = next((one for one in classes if one and not any(map(str.isdigit, one))), "")
    return head.partition("#")[0] + (f".{first}" if first else "")


def as_list_of_links(page: Page) -> Page:
    """Return a feed as a page that links to its items; any other page as it is."""
    if is_html(page) or not is_feed(page):
        return page
    feed = read_feed(page)
    items = feed.items if feed else ()
    links = "".join(f'<a href="{escape(one.link)}">{escape(one.title)}</a>\n' for one in items if one.link)
    return Page(page.url, page.status, (("Content-Type", "text/html; charset=utf-8"),), links.encode(), page.fetched_at)


def sample_url(text: str) -> str:
    """Return a sample's URL in the form that is requested."""
    try:
        url = wire(text if "://" in text else f"http://{text}")
    except ValueError:
        url = None
    if url is None:
        raise UsageError(f"--example {text} is no URL that can be had; write it as http://host/path")
    return url
