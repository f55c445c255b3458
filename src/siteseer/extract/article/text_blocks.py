"""Segments a page into text blocks: maximal runs of inline text, and the tree of block elements that holds them.

Elements and blocks are numbered in document order, so that what lies inside an element is a range of blocks.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from lxml import html

from siteseer.extract.article.element_appearance import ElementAppearance, shape_of
from siteseer.extract.article.element_flags import is_unseen
from siteseer.extract.article.marked_text import (
    ATTRIBUTE,
    BREAK,
    END,
    INLINE,
    LINK,
    LINKED,
    LOOK,
    SKIPPED,
    START,
    marked,
)
from siteseer.model import Page
from siteseer.page.encoding import decode
from siteseer.page.text import WORD
from siteseer.page.tree import cached, is_html, tree

MAX_BLOCKS = 20_000
MAX_CHARACTERS = 2_000_000
"""What a page may cost: no article lies behind so much text."""
_FEW_TOKENS, _LONG_SOURCE = 60, 3_000
_BREAKS = re.compile(rf"{BREAK}(?:\s*{BREAK})+")
_LINKS = re.compile(f"[{LINK}{LINKED}]")
_UNREADABLE = re.compile(
    r"<!--.*?(?:-->|$)|<(script|style|noscript)\b.*?(?:</\1\s*>|$)|<title\b[^>]*>(?:[^<]*</title\s*>)?|</?(?:html|body)\b[^>]*>",
    re.IGNORECASE | re.DOTALL,
)


@dataclass(slots=True)
class Blocks:
    """The blocks of a page and the elements around them, column by column."""

    root: html.HtmlElement
    shapes: list[ElementAppearance] = field(default_factory=list)
    """By element: what it looks like."""
    parents: list[int] = field(default_factory=list)
    """Number of the parent; the root is its own."""
    depths: list[int] = field(default_factory=list)
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    """The blocks inside an element: from `starts` up to, not including, `ends`."""
    texts: list[str] = field(default_factory=list)
    tokens: list[list[str]] = field(default_factory=list)
    nodes: list[int] = field(default_factory=list)
    """Number of the element that holds the block."""
    linked: list[int] = field(default_factory=list)
    """Tokens inside links."""
    links: list[int] = field(default_factory=list)
    """Pieces of text inside links."""

    def __len__(self) -> int:
        return len(self.texts)

    def tag(self, node: int) -> str:
        """Return the tag of an element."""
        return self.shapes[node].tag

    def element(self, node: int) -> html.HtmlElement:
        """Return an element of the tree: the visible element of its tag with the same rank."""
        tag = self.tag(node)
        before = sum(1 for shape in self.shapes[:node] if shape.tag == tag)
        known: dict[html.HtmlElement, bool] = {}
        seen = (one for one in self.root.iter(tag) if _is_seen(one, known))
        return next((one for place, one in enumerate(seen) if place == before), self.root)


def _is_seen(element: html.HtmlElement, known: dict[html.HtmlElement, bool]) -> bool:
    """Say whether nothing around an element hides it from `marked`; `known` are the answers so far."""
    path: list[html.HtmlElement] = []
    above: html.HtmlElement | None = element
    while above is not None and above not in known:
        path.append(above)
        above = above.getparent()
    seen = above is None or known[above]
    for one in reversed(path):
        seen = seen and not (one.tag in SKIPPED or (one.tag in INLINE and is_unseen(one.get("style"))))
        known[one] = seen
    return seen


@cached
def blocks(page: Page) -> Blocks:
    """Return the blocks of a page; parses again, more simply, where the parser lost the text.

    >>> html_type = (("Content-Type", "text/html"),)
    >>> found = blocks(Page("http://e.org/", headers=html_type, body=b"<div>One <b>two</b><p>three</div>"))
    >>> [(text, found.tag(node)) for text, node in zip(found.texts, found.nodes)]
    [('One two', 'div'), ('three', 'p')]
    """
    found = segment(tree(page))
    if len(page.body) > _LONG_SOURCE and is_html(page) and sum(map(len, found.tokens)) < _FEW_TOKENS:
        again = segment(_parsed_again(decode(page)[:MAX_CHARACTERS]))
        return again if sum(map(len, again.tokens)) > sum(map(len, found.tokens)) else found
    return found


def _parsed_again(source: str) -> html.HtmlElement:
    """Parse what is left of a source without what swallows text: unclosed titles, scripts and comments."""
    plain = _UNREADABLE.sub(" ", source).replace("\x00", "")
    return html.document_fromstring(
        f"<html><body>{plain}</body></html>".encode(), parser=html.HTMLParser(encoding="utf-8")
    )


def segment(root: html.HtmlElement) -> Blocks:
    """Cut the text below an element into blocks."""
    found = Blocks(root)
    shapes, parents, depths, starts, ends = found.shapes, found.parents, found.depths, found.starts, found.ends
    rows: list[tuple[str, list[str], int, int, int]] = []
    node, depth, left = 0, -1, MAX_CHARACTERS
    for part in marked(root).split(START)[1:]:
        look, _, inside = part.partition(LOOK)
        parents.append(node)
        node, depth = len(shapes), depth + 1
        shapes.append(shape_of(look, ATTRIBUTE))
        depths.append(depth)
        starts.append(len(rows))
        ends.append(-1)
        is_after = False
        for run in inside.split(END):
            if is_after:
                ends[node] = len(rows)
                node, depth = parents[node], depth - 1
            is_after = True
            if run and not run.isspace():
                rows += _cut(run, node)
                left -= len(run)
        if left < 0 or len(rows) > MAX_BLOCKS:
            break
    found.ends = [len(rows) if end < 0 else end for end in ends]
    if rows:
        found.texts, found.tokens, found.nodes, found.linked, found.links = map(list, zip(*rows, strict=True))
    return found


def _cut(run: str, node: int) -> list[tuple[str, list[str], int, int, int]]:
    """Return the blocks of a run of text in an element, with their tokens and links: two breaks end a block."""
    if BREAK in run:
        parts = _BREAKS.split(run)
        if len(parts) > 1:
            return [row for part in parts for row in _cut(part, node)]
        run = run.replace(BREAK, " ")
    linked: list[str] = []
    if LINK in run:
        pieces = _LINKS.split(run)
        run = "".join(pieces)
        linked = [piece for piece in pieces[1::2] if not piece.isspace()]
    text = " ".join(run.split())
    tokens = WORD.findall(text)
    if not tokens:
        return []
    if not linked:
        return [(text, tokens, node, 0, 0)]
    is_link = len(linked) == 1 and linked[0].strip() == text
    count = len(tokens) if is_link else len(WORD.findall(" ".join(linked)))
    return [(text, tokens, node, count, len(linked))]
