"""Verbs about pages: `detect`, `article`, `timestamp`, `changes`, `form`.

A page is a file, a URL, or a `Page` that was read already. They return what the commands print with `--json`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siteseer.event_loops import outside_event_loops
from siteseer.fetch.page_source import fetch_page, read_page
from siteseer.model import JSON, Page, WebObject

Source = str | Path | Page
Place = str | Path


@outside_event_loops
def detect(page: Source, knowledge: Sequence[str] = ()) -> JSON:
    """Recognise the software behind a page, and the kind of page."""
    from siteseer.knowledge.knowledge_base import KnowledgeBase
    from siteseer.knowledge.recognition_json import recognition_json

    return recognition_json(_page(page), KnowledgeBase.with_files(knowledge))


@outside_event_loops
def article(
    pages: Place | Sequence[Place],
    feed: str | None = None,
    method: str = "auto",
    url: str | None = None,
    knowledge: Sequence[str] = (),
    *,
    formats: str = "text",
    parts: bool = False,
) -> list[JSON]:
    """Extract the article of each page: of files, URLs, folders, collections, WARC or WACZ files, or a feed.

    `formats` may name `markdown` and `html`, with commas between them; `parts` adds headings, lists, tables, code,
    quotes, images and comments, each apart.
    Raises SiteseerError where one of them cannot be had.
    """
    from siteseer.batch.article_batches import Output, article_rows
    from siteseer.batch.article_sources import FeedItems, named_pages, raise_error, read_items
    from siteseer.knowledge.knowledge_base import KnowledgeBase

    names = [str(pages)] if isinstance(pages, str | Path) else [str(page) for page in pages]
    items = FeedItems(read_items(feed, fetch_page) if feed else None)
    found = named_pages(names, url, fetch_page, raise_error)
    base = KnowledgeBase.with_files(knowledge)
    return list(article_rows(found, items, method, base, datetime.now(UTC), Output.named(formats, parts)))


@outside_event_loops
def timestamp(
    page: Source,
    url: str | None = None,
    headers: Sequence[str] = (),
    feeds: Sequence[str] = (),
    sitemaps: Sequence[str] = (),
    lists: Sequence[str] = (),
) -> JSON:
    """Say when a page was published and last changed, with source and confidence."""
    from siteseer.verbs.page_dates import DatesElsewhere

    return asdict(DatesElsewhere(feeds, sitemaps, lists).date(_page(page, url, headers), datetime.now(UTC)))


@outside_event_loops
def changes(old: Source, new: Source, url: str | None = None) -> JSON:
    """Compare two captures of a page; or the objects of two collections: `new`, `gone`, `edited`, `same`, `changes`."""
    if not isinstance(old, Page) and not isinstance(new, Page) and Path(old).is_dir() and Path(new).is_dir():
        return _changed_objects(Path(old), Path(new))
    from siteseer.change.diff import compare

    return asdict(compare(_page(old, url), _page(new, url)))


@outside_event_loops
def form(page: Source, url: str | None = None) -> list[JSON]:
    """List the forms of a page: kind, fields with their roles, and whether a crawl may send them."""
    from siteseer.forms.form_rows import form_rows

    return form_rows(_page(page, url))


def _page(source: Source, url: str | None = None, headers: Sequence[str] = ()) -> Page:
    return source if isinstance(source, Page) else read_page(str(source), url, list(headers), fetch_page)


def _changed_objects(old: Path, new: Path) -> JSON:
    from siteseer.change.diff import compare_objects

    found = compare_objects(_objects(old), _objects(new))
    rows: list[dict[str, Any]] = [{"change": "new", **_row(each)} for each in found.new]
    rows += [{"change": "gone", **_row(each)} for each in found.gone]
    rows += [
        {"change": "edited", **_row(each.new), "fields": each.fields, "similarity": each.similarity}
        for each in found.edited
    ]
    counts = {"new": len(found.new), "gone": len(found.gone), "edited": len(found.edited), "same": found.same}
    return {**counts, "changes": rows}


def _row(found: WebObject) -> dict[str, Any]:
    return {"kind": found.kind, "id": found.id, "url": found.url, "title": found.title}


def _objects(collection: Path) -> list[WebObject]:
    """Return the objects of a collection, each as its newest crawl saw it."""
    from siteseer.collection.collection import Collection
    from siteseer.collection.objects.object_json import loads

    with Collection.open(collection) as opened:
        rows = opened.state.rows("SELECT object FROM objects ORDER BY row", ())
        newest = {each.id: each for each in (loads(text) for (text,) in rows)}
    return list(newest.values())
