"""A page and what is known of it from elsewhere in, the facts about its article out: author, dates, links, images."""

from __future__ import annotations

from dataclasses import dataclass

from lxml import html

from siteseer.extract.article.claims import claims
from siteseer.extract.bodies import references
from siteseer.extract.microformats import Marked, marked_up
from siteseer.model import Page, WebObject
from siteseer.page.dates import read_date
from siteseer.page.feeds import FeedItem


@dataclass(frozen=True, slots=True)
class Hint:
    """What is known of a page from elsewhere."""

    known: WebObject | None = None
    """The page's article as the knowledge base's actions find it."""
    item: FeedItem | None = None
    """The feed item that links to the page."""
    is_listing: bool = False
    """Whether the knowledge base knows that the page only leads to others."""


@dataclass(frozen=True, slots=True)
class Facts:
    """What is told about an article."""

    author: str | None = None
    published: str | None = None
    modified: str | None = None
    links: tuple[str, ...] = ()
    images: tuple[str, ...] = ()


def facts_of(page: Page, element: html.HtmlElement | None, hint: Hint) -> Facts:
    """Return author and dates, each from the source that knows best, and what the article's element refers to."""
    said = claims(page)
    marked = Marked() if said.author and said.published else marked_up(page)
    known, item = hint.known, hint.item
    links, images = references(page, [element], ()) if element is not None else ((), ())
    author = (known and known.author) or (item and item.author) or said.author or marked.author
    published = (known and known.published) or (item and item.published) or _date(said.published or marked.published)
    modified = (known and known.modified) or (item and item.modified) or _date(said.modified or marked.modified)
    return Facts(author or None, published or None, modified or None, links, images)


def _date(text: str) -> str | None:
    found = read_date(text[:100]) if text else None
    return found.iso if found else None
