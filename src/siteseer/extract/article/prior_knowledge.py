"""Combines the sources of an article's facts (author, dates, links, images): the page itself and prior knowledge."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import html

from siteseer.extract.article.declared_metadata import claims
from siteseer.extract.body_text import references
from siteseer.extract.microformats import MarkupFacts, marked_up
from siteseer.model import Page, WebObject
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import read_date
from siteseer.page.feeds import FeedItem


@dataclass(frozen=True, slots=True)
class Hint:
    """Prior knowledge of a page: from its feed, lists or the knowledge base."""

    known: WebObject | None = None
    """The page's article as the knowledge base's actions find it."""
    item: FeedItem | None = None
    """The feed item that links to the page."""
    is_listing: bool = False
    """Whether the knowledge base knows that the page only leads to others."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The facts about an article."""

    author: str | None = None
    published: str | None = None
    modified: str | None = None
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()


def facts_of(page: Page, element: html.HtmlElement | None, hint: Hint) -> Facts:
    """Return author and dates, each from its best source, and the links and images of the article's element."""
    said = claims(page)
    marked = MarkupFacts() if said.author and said.published else marked_up(page)
    known, item = hint.known, hint.item
    links, images = references(page, [element], ()) if element is not None else ((), ())
    author = (known and known.author) or (item and item.author) or said.author or marked.author
    published = (
        (known and known.published) or (item and item.published) or _date(page, said.published or marked.published)
    )
    modified = (known and known.modified) or (item and item.modified) or _date(page, said.modified or marked.modified)
    return Facts(author or None, published or None, modified or None, links, images)


def _date(page: Page, text: str) -> str | None:
    found = read_date(text[:100], context_of(page)) if text else None
    return found.iso if found else None
