"""Parses a feed of any dialect into a `Feed`."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from html import escape
from urllib.parse import urljoin

from siteseer.model import Page
from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import read_date
from siteseer.page.encoding import decode
from siteseer.page.feeds.feed import Feed, FeedItem, plain
from siteseer.page.feeds.feed_elements import Element, raw_feed
from siteseer.page.feeds.json_feed import looks_like_json_feed, read_json_feed
from siteseer.page.tree import cached
from siteseer.page.urls import resolve

_START = re.compile(rb"<(?:\w{1,20}:)?(?:rss|RDF|feed)\b|<channel\b", re.IGNORECASE)
_HTML = re.compile(rb"<!doctype html|<html[\s>]", re.IGNORECASE)
_NAME = re.compile(r"<(?:\w{1,20}:)?name[^<>]{0,200}>([^<]{0,500})<")
_MINUTES = {"hourly": 60, "daily": 1440, "weekly": 10_080, "monthly": 43_200, "yearly": 525_600}

PUBLISHED = (
    "pubDate",
    "published",
    "dc:date",
    "issued",
    "dcterms:issued",
    "created",
    "dcterms:created",
    "atom:published",
)
MODIFIED = ("updated", "modified", "dcterms:modified", "atom:updated", "lastModified")
DESCRIPTION = ("description", "summary", "tagline", "dc:description", "itunes:summary", "media:description")
CONTENT = ("content:encoded", "content", "xhtml:body", "fullitem")


def is_feed(page: Page) -> bool:
    """Say whether a document looks like a feed, by its first bytes: servers name all kinds of types.

    >>> is_feed(Page("http://e.org/feed", body=b"<?xml version='1.0'?><rss version='2.0'>"))
    True
    """
    head = page.body[:4096].replace(b"\x00", b"")
    found = _START.search(head)
    if found:
        return not _HTML.search(head[: found.start()])
    return looks_like_json_feed(page)


@cached
def read_feed(page: Page) -> Feed | None:
    """Return the feed that a document holds; None where it holds none.

    >>> body = b"<rss version='2.0'><channel><title>News</title><item><title>One &amp; two</title><link>/1</link>"
    >>> feed = read_feed(Page("http://e.org/feed", body=body))
    >>> feed.type, feed.malformed, feed.items[0].title, feed.items[0].link
    ('RSS 2.0', True, 'One & two', 'http://e.org/1')
    """
    if not is_feed(page):
        return None
    if looks_like_json_feed(page):
        return read_json_feed(page)
    raw = raw_feed(decode(page))
    if raw is None:
        return None
    channel = raw.channel
    return Feed(
        url=page.url,
        type=_type(raw.root, raw.version),
        title=_title(channel),
        link=_link(page.url, channel),
        description=plain(_markup(channel, DESCRIPTION + ("subtitle",))),
        language=_value(channel, ("language", "dc:language"))[:35].lower(),
        updated=_date(channel, ("lastBuildDate", "updated", "modified", "pubDate", "dc:date"), context_of(page)),
        minutes=_minutes(channel),
        next=_related(page.url, channel, "next"),
        hub=_related(page.url, channel, "hub"),
        items=tuple(_item(page, elements) for elements in raw.items),
        malformed=raw.malformed,
    )


def _type(root: str, version: str) -> str:
    version = version.strip()[:10]
    if root == "feed":
        return f"Atom {version or '1.0'}"
    return f"RSS {'2.0' if version.startswith('2') or not version else version}"


def _item(page: Page, elements: Sequence[Element]) -> FeedItem:
    link = _link(page.url, elements)
    media = [one.attributes.get("url", "") for one in elements if one.name in ("enclosure", "media:content")]
    media += [one.attributes.get("href", "") for one in elements if one.attributes.get("rel") == "enclosure"]
    return FeedItem(
        id=_value(elements, ("guid", "id", "rdf:about")) or link,
        link=link,
        title=_title(elements),
        description=_markup(elements, DESCRIPTION),
        content=_markup(elements, CONTENT),
        published=_date(elements, PUBLISHED, context_of(page)),
        modified=_date(elements, MODIFIED, context_of(page)),
        author=_author(elements),
        tags=_tags(elements),
        media=_unique(url for one in media if one and (url := resolve(page.url, one))),
        comments=_address(page.url, _value(elements, ("comments",))) or _related(page.url, elements, "replies"),
        comment_feed=_address(page.url, _value(elements, ("wfw:commentRss", "wfw:commentRSS"))),
        comment_count=_count(elements),
    )


def _first(elements: Sequence[Element], names: Iterable[str]) -> Element | None:
    for name in names:
        for one in elements:
            if one.name == name and (one.value.strip() or one.attributes):
                return one
    return None


def _value(elements: Sequence[Element], names: Iterable[str]) -> str:
    found = _first(elements, names)
    return found.value.strip()[:8000] if found else ""


def _title(elements: Sequence[Element]) -> str:
    found = _first(elements, ("title", "dc:title", "media:title", "itunes:title"))
    if found is None:
        return ""
    if found.attributes.get("type") == "text":
        return " ".join(found.value.split())[:1000]
    return plain(found.value)[:1000]


def _markup(elements: Sequence[Element], names: Iterable[str]) -> str:
    """Return HTML; text that Atom declares as text is escaped."""
    for name in names:
        found = _first(elements, (name,))
        if found and found.value.strip():
            declared = found.attributes.get("type", "")
            is_text = declared in ("text", "text/plain") or (
                not declared and name == "summary" and "<" not in found.value
            )
            return escape(found.value, quote=False) if is_text and not found.is_markup else found.value.strip()
    return ""


def _link(base: str, elements: Sequence[Element]) -> str:
    """Return the page of a channel or item: the original before the counted one, the page before its other forms."""
    if original := _address(base, _value(elements, ("feedburner:origLink",))):
        return original
    for one in elements:
        if one.name == "link" and one.value.strip() and (url := _address(one.base or base, one.value, base)):
            return url
    pages = [one for one in elements if one.name in ("link", "atom:link") and one.attributes.get("href")]
    alternate = [one for one in pages if one.attributes.get("rel", "alternate") == "alternate"]
    alternate.sort(key=lambda one: "html" not in one.attributes.get("type", "text/html"))
    for one in alternate:
        if url := _address(one.base or base, one.attributes["href"], base):
            return url
    guid = _first(elements, ("guid",))
    if guid and guid.attributes.get("isPermaLink", "true").lower() != "false" and "://" in guid.value:
        return _address(base, guid.value)
    about = _value(elements, ("rdf:about", "id"))
    return _address(base, about) if about.startswith(("http://", "https://")) else ""


def _address(base: str, text: str, outer: str = "") -> str:
    if not text.strip():
        return ""
    try:
        whole = urljoin(outer, base) if outer else base
    except ValueError:
        whole = outer
    return resolve(whole, text.strip()) or ""


def _related(base: str, elements: Sequence[Element], rel: str) -> str:
    for one in elements:
        if one.name in ("link", "atom:link") and one.attributes.get("rel") == rel:
            return _address(base, one.attributes.get("href", ""))
    return ""


def _date(elements: Sequence[Element], names: Iterable[str], context: DateContext) -> str | None:
    for name in names:
        text = _value(elements, (name,))
        if text and (read := read_date(text[:100], context)) and read.names_a_day:
            return read.iso
    return None


def _author(elements: Sequence[Element]) -> str:
    found = _first(elements, ("author", "dc:creator", "creator", "itunes:author", "atom:author"))
    if found is None:
        return ""
    named = _NAME.search(found.value[:4000])
    text = plain(named[1] if named else found.value[:1000])
    address = re.fullmatch(r"\S{1,100}@\S{1,100} \((.{1,200})\)", text)
    return address[1] if address else text[:300]


def _tags(elements: Sequence[Element]) -> tuple[str, ...]:
    found = (one for one in elements if one.name in ("category", "dc:subject"))
    return _unique(
        tag
        for one in found
        if (tag := plain(one.attributes.get("label") or one.value or one.attributes.get("term", "")))
    )[:100]


def _count(elements: Sequence[Element]) -> int | None:
    text = _value(elements, ("slash:comments", "thr:total"))
    if not text:
        replies = (one for one in elements if one.attributes.get("rel") == "replies")
        text = next((one.attributes.get("thr:count", "") or one.attributes.get("count", "") for one in replies), "")
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _minutes(channel: Sequence[Element]) -> int | None:
    ttl = _value(channel, ("ttl",))
    if ttl.isascii() and ttl.isdigit() and 0 < len(ttl) < 7:
        return int(ttl) or None
    period = _MINUTES.get(_value(channel, ("sy:updatePeriod",)).lower())
    often = _value(channel, ("sy:updateFrequency",))
    times = int(often) if often.isascii() and often.isdigit() and len(often) < 6 else 1
    return period // max(1, times) or 1 if period else None


def _unique(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(values))
