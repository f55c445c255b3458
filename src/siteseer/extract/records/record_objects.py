"""Turns records into objects for the store: their type, which object they answer, and their IRI.

The lone record of a page is a post, or a page where it has neither author nor date of publication; records listed
with it are its comments; records listed alone are the posts of a thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from siteseer.extract.records.record_model import Record
from siteseer.model import ObjectKind, Page, WebObject
from siteseer.page.object_iris import object_iri
from siteseer.page.tree import tree
from siteseer.page.urls import resolve

BECAUSE = "records learned from the site's own pages"


def to_objects(
    records: Sequence[Record], page: Page, *, thread: str | None = None, because: str = BECAUSE
) -> list[WebObject]:
    """Return the records of a page as objects, in page order.

    `thread` is the IRI of the thread that the page belongs to, where more is known than the page's own address.
    """
    lone = next((record for record in records if record.kind == "single"), None)
    container = thread or object_iri("thread", permalink=canonical(page))
    article = _object(lone, page, because) if lone else None
    objects = []
    for record in records:
        if record is lone and article:
            objects.append(article)
        elif article:
            objects.append(_object(record, page, because, "comment", article.id, thread))
        else:
            objects.append(_object(record, page, because, "post", thread=container))
    return objects


def _object(
    record: Record,
    page: Page,
    because: str,
    kind: ObjectKind | None = None,
    parent: str | None = None,
    thread: str | None = None,
) -> WebObject:
    kind = kind or _lone_kind(record)
    permalink = (record.permalink or canonical(page)) if record.kind == "single" else record.permalink
    iri = object_iri(
        kind,
        permalink=permalink,
        page_url=page.url,
        native_id=record.native_id,
        container=parent or thread,
        author=record.author,
        created=record.published,
        text=record.text,
    )
    if permalink is None and record.native_id:
        permalink = f"{page.url.partition('#')[0]}#{record.native_id}"
    return WebObject(
        kind,
        iri,
        page.url,
        permalink,
        record.title if kind != "comment" else None,
        record.author,
        record.author_url,
        record.published,
        record.modified,
        record.text,
        record.html,
        parent,
        thread,
        links=record.links,
        media=record.media,
        fields={"quote": "\n".join(record.quotes)} if record.quotes else {},
        because=because,
        confidence=record.confidence,
    )


def _lone_kind(record: Record) -> ObjectKind:
    """A page of a wiki says when it was edited, a static page says nothing at all; a post has author or date."""
    if record.modified or not (record.author or record.published):
        return "page"
    return "post"


def canonical(page: Page) -> str:
    """Return the address that the page claims for itself on its own host, else the one it was fetched from."""
    link = tree(page).find(".//link[@rel='canonical']")
    claimed = resolve(page.url, link.get("href") or "") if link is not None else None
    same_host = claimed and claimed.split("/")[2:3] == page.url.split("/")[2:3]
    return claimed if claimed and same_host else page.url
