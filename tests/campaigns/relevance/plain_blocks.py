"""The plain twin of siteseer.campaigns.relevance.relevance_blocks: one walk through the tree, a step for every node."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lxml import etree

from siteseer.campaigns.relevance.relevance_blocks import Block
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
_EDGE = "\x1f"
"""Python takes it for a space."""
_PLAIN = False, False


def plain_blocks(page: Page) -> list[Block]:
    """Return the blocks of a page in document order; those without words and links are left out."""
    if not is_html(page):
        return []
    splitter = _Splitter(page)
    found = list(splitter.blocks())
    for block in found:
        block.author = splitter.authors.get(block.object) or splitter.authors.get(0, "")
    return found


class _Splitter:
    """One walk through the tree; every step counts, as it is made for every page."""

    def __init__(self, page: Page) -> None:
        self.page, self.where = page, base(page)
        self.pieces: list[str] = []
        self.links: list[tuple[str, int, Any]] = []
        self.ends: list[int] = []
        self.stack: list[tuple[int, str, str, int]] = [(0, "", "", 0)]
        self.authors: dict[int, str] = {}
        self.has_items = b"itemprop" in page.body
        self.count = self.made = self.followed = 0

    def blocks(self) -> Iterator[Block]:
        """Return the blocks, in document order."""
        body = tree(self.page).find("body")
        if body is None:
            return
        events = ("start", "end", "comment") if b"<!--" in self.page.body else ("start", "end")
        walk = etree.iterwalk(body, events=events)
        stack, blocks, unread, rules = self.stack, BLOCKS, UNREAD, _RULES
        for event, element in walk:
            tag = element.tag
            if event == "start":
                if tag in unread:
                    walk.skip_subtree()
                    continue
                named = element.get("class")
                is_object, is_author = _roles(named) if named else _PLAIN
                if tag in blocks:
                    if (self.pieces or self.links) and (made := self._flush()) is not None:
                        yield made
                    if tag not in rules:
                        self.count += 1
                        whose = self.count if is_object or tag == "article" else stack[-1][3]
                        stack.append((self.count, tag, named or "", whose))
                elif tag == "a":
                    if href := element.get("href"):
                        self.ends += [len(self.pieces)] * (len(self.links) - len(self.ends))  # links hold no links
                        self.links.append((href, len(self.pieces), element))
                    is_author = is_author or element.get("rel") == "author"
                text = element.text
                if text and (self.pieces or not text.isspace()):
                    self.pieces.append(text)
                if is_author or (self.has_items and element.get("itemprop") == "author"):
                    self._hear_author(element)
                continue
            if event == "end":
                if tag in blocks:
                    if (self.pieces or self.links) and (made := self._flush()) is not None:
                        yield made
                    if tag not in rules and len(stack) > 1:
                        stack.pop()
                elif tag == "a" and element.get("href") and len(self.links) > len(self.ends):
                    self.ends.append(len(self.pieces))
            tail = element.tail
            if tail and (self.pieces or not tail.isspace()) and element is not body:
                self.pieces.append(tail)
            if self.made >= MOST_BLOCKS:
                return

    def _hear_author(self, element: Any) -> None:
        """Note who wrote the object at hand: the first that the page names there."""
        texts = "".join(_read(element)).split(_EDGE) if element.tag in BLOCKS else ["".join(_read(element))]
        name = next((" ".join(one.split()) for one in texts if not one.isspace() and one), "")
        if 0 < len(name) <= LONGEST_AUTHOR:
            self.authors.setdefault(self.stack[-1][3], name)

    def _flush(self) -> Block | None:
        """End the run of text at hand."""
        text = " ".join("".join(self.pieces).split())[:LONGEST_BLOCK]
        links = list(self._resolved()) if self.links else []
        self.pieces, self.links, self.ends = [], [], []
        if links and not text:
            text = links[-1][1]
        if not text and not links:
            return None
        self.made += 1
        stack = self.stack
        container = stack[-2][0] if len(stack) > 1 else 0
        place = "/".join(f"{tag}.{named[:60]}" for _, tag, named, _ in stack[-_DEPTH:]) if links else ""
        return Block(text, container, place, stack[-1][3], links=tuple(links))

    def _resolved(self) -> Iterator[tuple[str, str]]:
        for number, (href, start, element) in enumerate(self.links):
            if self.followed >= MAX_LINKS:
                return
            end = self.ends[number] if number < len(self.ends) else len(self.pieces)
            if (url := resolve(self.where, href)) is not None:
                self.followed += 1
                is_open = number >= len(self.ends)  # it holds blocks
                label = "".join(_read(element)) if is_open else "".join(self.pieces[start:end])
                yield url, " ".join(label.split())[:MAX_TEXT]


@lru_cache(maxsize=10_000)
def _roles(named: str) -> tuple[bool, bool]:
    """Say whether an element of these classes is somebody's text, and whether it names who wrote it."""
    classes = named[:200].lower().split()
    return not _OBJECTS.isdisjoint(classes), not _AUTHORS.isdisjoint(classes)


def _read(root: Any) -> Iterator[str]:
    """Return the visible text of an element, with a space at every edge of a block."""
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, element in walk:
        if event == "start" and element.tag in UNREAD:
            walk.skip_subtree()
        elif element is not root and element.tag in BLOCKS:
            yield _EDGE
        if event == "start" and element.tag not in UNREAD:
            yield element.text or ""
        elif event != "start" and element is not root:
            yield element.tail or ""
