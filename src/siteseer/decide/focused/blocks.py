"""A page in, its blocks out: runs of text that a reader sees as one, each with its links, place and author."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from lxml import etree

from siteseer.model import Page
from siteseer.page.links import MAX_LINKS, MAX_TEXT, base
from siteseer.page.text import BLOCKS, UNREAD
from siteseer.page.tree import is_html, tree
from siteseer.page.urls import resolve

MOST_BLOCKS = 5_000
"""A page with more is cut: no page for people has so many."""
LONGEST_BLOCK = 20_000
_DEPTH = 6
"""So many block elements above a link tell its place."""
_RULES = frozenset(("br", "hr"))
_OBJECTS = frozenset(
    ("post", "comment", "entry", "message", "reply", "hentry", "h-entry", "status", "answer", "review")
)
"""Classes of elements that are a text of somebody's own."""
_AUTHORS = frozenset(("author", "byline", "p-author", "username", "poster", "fn", "vcard", "nickname"))
LONGEST_AUTHOR = 80


@dataclass(slots=True)
class Block:
    """One run of text."""

    text: str
    container: int
    """The element that holds it, by its number: blocks of one container stand together."""
    place: str
    """Tags and classes of the elements around it."""
    object: int
    """The post, comment or article that it belongs to, by its number; 0 for the page itself."""
    author: str = ""
    """Who wrote that object, where the page says so."""
    links: list[tuple[str, str]] = field(default_factory=list)
    """Target and anchor text."""


def blocks_of(page: Page) -> list[Block]:
    """Return the blocks of a page in document order; those without words and links are left out.

    >>> page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<p>Kelp <a href='k'>old</a><p>Tea")
    >>> [(block.text, block.links) for block in blocks_of(page)]
    [('Kelp old', [('http://e.org/k', 'old')]), ('Tea', [])]
    """
    if not is_html(page):
        return []
    splitter = _Splitter(page)
    found = list(splitter.blocks())
    for block in found:
        block.author = splitter.authors.get(block.object) or splitter.authors.get(0, "")
    return found


class _Splitter:
    """One walk through the tree."""

    def __init__(self, page: Page) -> None:
        self.page, self.where = page, base(page)
        self.pieces: list[str] = []
        self.links: list[tuple[str, int]] = []
        self.ends: list[int] = []
        self.stack: list[tuple[int, str, int]] = [(0, "", 0)]
        self.authors: dict[int, str] = {}
        self.count = self.made = self.followed = 0

    def blocks(self) -> Iterator[Block]:
        body = tree(self.page).find("body")
        if body is None:
            return
        walk = etree.iterwalk(body, events=("start", "end", "comment"))
        for event, element in walk:
            tag = element.tag
            if event == "start":
                if tag in UNREAD:
                    walk.skip_subtree()
                    continue
                if tag in BLOCKS:
                    if (made := self._flush()) is not None:
                        yield made
                    if tag not in _RULES:
                        self._enter(element)
                elif tag == "a" and element.get("href"):
                    self.links.append((element.get("href"), len(self.pieces)))
                if element.text:
                    self.pieces.append(element.text)
                self._hear_author(element)
                continue
            if event == "end":
                if tag in BLOCKS:
                    if (made := self._flush()) is not None:
                        yield made
                    if tag not in _RULES and len(self.stack) > 1:
                        self.stack.pop()
                elif tag == "a" and len(self.links) > len(self.ends):
                    self.ends.append(len(self.pieces))
            if element.tail and element is not body:
                self.pieces.append(element.tail)
            if self.made >= MOST_BLOCKS:
                return

    def _enter(self, element: Any) -> None:
        self.count += 1
        classes = element.get("class", "")[:60]
        is_object = element.tag == "article" or (classes and not _OBJECTS.isdisjoint(classes.lower().split()))
        self.stack.append((self.count, f"{element.tag}.{classes}", self.count if is_object else self.stack[-1][2]))

    def _hear_author(self, element: Any) -> None:
        """Note who wrote the object at hand: the first that the page names there."""
        named = element.get("class", "")
        if (
            (named and not _AUTHORS.isdisjoint(named[:200].lower().split()))
            or element.get("rel") == "author"
            or element.get("itemprop") == "author"
        ):
            name = " ".join("".join(element.itertext())[:500].split())
            if 0 < len(name) <= LONGEST_AUTHOR:
                self.authors.setdefault(self.stack[-1][2], name)

    def _flush(self) -> Block | None:
        """End the run of text at hand."""
        if not self.pieces and not self.links:
            return None
        text = " ".join("".join(self.pieces).split())[:LONGEST_BLOCK]
        links = list(self._resolved()) if self.links else []
        self.pieces, self.links, self.ends = [], [], []
        if not text and not links:
            return None
        self.made += 1
        container = self.stack[-2][0] if len(self.stack) > 1 else 0
        place = "/".join(name for _, name, _ in self.stack[-_DEPTH:]) if links else ""
        return Block(text, container, place, self.stack[-1][2], links=links)

    def _resolved(self) -> Iterator[tuple[str, str]]:
        for number, (href, start) in enumerate(self.links):
            if self.followed >= MAX_LINKS:
                return
            end = self.ends[number] if number < len(self.ends) else len(self.pieces)
            if (url := resolve(self.where, href)) is not None:
                self.followed += 1
                yield url, " ".join("".join(self.pieces[start:end]).split())[:MAX_TEXT]
