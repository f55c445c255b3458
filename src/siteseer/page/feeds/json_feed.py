"""Reads JSON Feed 1.0 and 1.1; a truncated file is read as far as it goes."""

from __future__ import annotations

import json
import re
from html import escape
from typing import Any

from siteseer.model import Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import read_date
from siteseer.page.encoding import decode
from siteseer.page.feeds.feed import Feed, FeedItem
from siteseer.page.feeds.feed_elements import LONGEST_FEED, MOST_ITEMS
from siteseer.page.urls import resolve

_VERSION = re.compile(rb"""["']version["']\s{0,20}:\s{0,20}["']https?:(?:\\?/){2}(?:www\.)?jsonfeed\.org""")
_ITEMS = re.compile(r'"items"\s{0,20}:\s{0,20}\[')
_COMMA = re.compile(r"[\s,]{0,10000}")
_TRAILING = re.compile(r",(\s{0,200}[\]}])")


def looks_like_json_feed(page: Page) -> bool:
    """Say whether a document is JSON that names the version of JSON Feed."""
    body = page.body.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not body.startswith(b"{"):
        return False
    return bool(_VERSION.search(body[:65_536]) or _VERSION.search(body[-4096:]))


def read_json_feed(page: Page) -> Feed:
    """Return the feed of a document that `looks_like_json_feed`."""
    text = decode(page)[:LONGEST_FEED].lstrip("\ufeff")
    whole = _loaded(text)
    malformed = whole is None
    top = whole if whole is not None else _salvaged(text)
    items = top.get("items")
    rows = [row for row in items if isinstance(row, dict)] if isinstance(items, list) else []
    version = re.search(r"(\d)(?:\.(\d))?/?$", _text(top, "version"))
    hubs = top.get("hubs")
    hub = hubs[0] if isinstance(hubs, list) and hubs and isinstance(hubs[0], dict) else {}
    return Feed(
        url=page.url,
        type=f"JSON Feed {version[1]}.{version[2] or 0}" if version else "JSON Feed 1.1",
        title=_text(top, "title")[:1000],
        link=_address(page, top, "home_page_url"),
        description=_text(top, "description"),
        language=_text(top, "language")[:35].lower(),
        next=_address(page, top, "next_url"),
        hub=_address(page, hub, "url"),
        items=tuple(_item(page, row, top) for row in rows[:MOST_ITEMS]),
        malformed=malformed,
    )


def _loaded(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text, strict=False)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _salvaged(text: str) -> dict[str, Any]:
    """Read the channel before the items, then item after item as long as they are whole."""
    text = _TRAILING.sub(r"\1", text)
    if (mended := _loaded(text)) is not None:
        return mended
    start = _ITEMS.search(text)
    if start is None:
        return {}
    top = _loaded(text[: start.start()].rstrip().rstrip(",") + "}") or {}
    decoder, place, items = json.JSONDecoder(strict=False), start.end(), list[Any]()
    while len(items) < MOST_ITEMS:
        gap = _COMMA.match(text, place)
        place = gap.end() if gap else place
        try:
            row, place = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            break
        items.append(row)
    return {**top, "items": items}


def _item(page: Page, row: dict[str, Any], top: dict[str, Any]) -> FeedItem:
    link = _address(page, row, "url") or _address(page, row, "external_url")
    text = _text(row, "content_text")
    attached = row.get("attachments")
    media = (
        [_address(page, one, "url") for one in attached if isinstance(one, dict)] if isinstance(attached, list) else []
    )
    media.append(_address(page, row, "image"))
    tags = row.get("tags")
    return FeedItem(
        id=_text(row, "id") or link,
        link=link,
        title=" ".join(_text(row, "title").split())[:1000],
        description=escape(_text(row, "summary"), quote=False),
        content=_text(row, "content_html") or escape(text, quote=False),
        published=_date(page, row, "date_published"),
        modified=_date(page, row, "date_modified"),
        author=_author(row) or _author(top),
        tags=tuple(dict.fromkeys(str(tag)[:200] for tag in tags if isinstance(tag, str)))[:100]
        if isinstance(tags, list)
        else (),
        media=tuple(dict.fromkeys(url for url in media if url)),
    )


def _text(row: dict[str, Any], key: str) -> str:
    value = row.get(key)
    if isinstance(value, str):
        return value.encode("utf-8", "replace").decode().strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""


def _address(page: Page, row: dict[str, Any], key: str) -> str:
    text = _text(row, key)
    return (resolve(page.url, text) or "") if text else ""


def _date(page: Page, row: dict[str, Any], key: str) -> str | None:
    read = read_date(_text(row, key)[:100], context_of(page))
    return read.iso if read and read.names_a_day else None


def _author(row: dict[str, Any]) -> str:
    people = row.get("authors")
    people = people if isinstance(people, list) else [row.get("author")]
    return ", ".join(name for one in people[:10] if isinstance(one, dict) and (name := _text(one, "name")))[:300]
