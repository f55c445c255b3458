"""Reads author and dates of an article from microformats and microdata.

References: hAtom and h-entry (microformats.org), schema.org microdata.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from lxml import etree, html

from siteseer.extract.read_values import date_texts, one_line
from siteseer.model import Page
from siteseer.page.tree import cached, tree

LONGEST_NAME = 100


_SAID = {
    "author": "author", "p-author": "author", "fn": "author", "datePublished": "published", "dt-published": "published",
    "published": "published", "dateModified": "modified", "dt-updated": "modified", "updated": "modified",
}  # fmt: skip
_TESTS = {
    (b"itemprop",): "@itemprop",
    (b'rel="author', b"rel='author", b"rel=author"): "@rel='author'",
    (b'published"', b"published'", b"published "): "contains(@class,'published')",
    (b'updated"', b"updated'", b"updated "): "contains(@class,'updated')",
    (b"vcard",): "contains(@class,'fn')",
    (b"p-author",): "contains(@class,'p-author')",
}
"""What may name an element, by what the source then holds: looking through bytes is quicker than through the tree."""


@cache
def _elements(tests: tuple[str, ...]) -> Any:
    return etree.XPath(f"//*[{' or '.join(tests)}]")


@dataclass(frozen=True, slots=True)
class MarkupFacts:
    """The facts in the mark-up; empty where there are none."""

    author: str = ""
    published: str = ""
    modified: str = ""


@cached
def marked_up(page: Page) -> MarkupFacts:
    """Return the facts in a page's microformats and microdata.

    >>> body = b"<div class=hentry><b class='author vcard fn'>Ann</b><time class=published datetime=2020-05-01>"
    >>> marked_up(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    MarkupFacts(author='Ann', published='2020-05-01', modified='')
    """
    found: dict[str, html.HtmlElement] = {}
    tests = tuple(test for words, test in _TESTS.items() if any(word in page.body for word in words))
    if tests:
        for element in _elements(tests)(tree(page)):
            properties = f"{element.get('itemprop') or ''} {element.get('rel') or ''} {element.get('class') or ''}"
            for word in properties.split():
                if kind := _SAID.get(word):
                    found.setdefault(kind, element)
    author = found.get("author")
    inner = (
        next((one for one in author.iter() if one.get("itemprop") == "name"), author) if author is not None else None
    )
    name = (inner.get("content") or one_line(inner))[:LONGEST_NAME] if inner is not None else ""
    return MarkupFacts(name, _date(found.get("published")), _date(found.get("modified")))


def _date(element: html.HtmlElement | None) -> str:
    return next(iter(date_texts(element)), "")[:LONGEST_NAME] if element is not None else ""
