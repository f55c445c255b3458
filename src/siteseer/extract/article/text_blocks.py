"""Segments a page into text blocks: maximal runs of inline text, and the tree of block elements that holds them.

Elements and blocks are numbered in document order, so that what lies inside an element is a range of blocks. Elements
without text are left out.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from lxml import html

from siteseer.extract.article.block_tree import BEGINS, ENDS, Whole, element_tree
from siteseer.extract.article.element_appearance import ElementAppearance, shapes_of
from siteseer.extract.article.element_flags import is_unseen
from siteseer.extract.article.marked_text import (
    ATTRIBUTE,
    BREAK,
    END,
    FOREIGN,
    INLINE,
    LOOK,
    SKIPPED,
    SPLIT,
    START,
    marked,
    walked,
)
from siteseer.extract.article.runs_of_text import RunFacts, facts_of_runs
from siteseer.extract.article.token_features import Codes
from siteseer.extract.article.unspaced_scripts import tokens_of
from siteseer.model import Page
from siteseer.page.encoding import decode
from siteseer.page.tree import cached, is_html, tree

MAX_BLOCKS = 20_000
MAX_CHARACTERS = 2_000_000
"""What a page may cost: no article lies behind so much text."""
_FEW_TOKENS, _LONG_SOURCE = 60, 3_000
_LOOKS = re.compile(f"{START}([^{START}{LOOK}]*){LOOK}")
_BREAKS = re.compile(rf"{BREAK}(?:\s*{BREAK})+")
_EDGES = re.compile(f"[{START}{END}{SPLIT}]")
_STEPS = np.array([BEGINS, 0, ENDS, 0, 0, 0, 0, 0], np.int64)
"""What a mark does to the tree of elements."""
_UNREADABLE = re.compile(
    r"<!--.*?(?:-->|$)|<(script|style|noscript)\b.*?(?:</\1\s*>|$)|<title\b[^>]*>(?:[^<]*</title\s*>)?|</?(?:html|body)\b[^>]*>",
    re.IGNORECASE | re.DOTALL,
)


@dataclass
class Blocks:
    """The blocks of a page and the elements around them, column by column."""

    root: html.HtmlElement
    looks: list[str]
    """Tag and attributes of all elements."""
    numbers: Whole
    """By element with text: its place in `looks`."""
    shapes: list[ElementAppearance]
    """By element: what it looks like."""
    parents: Whole
    """Number of the parent; the root is its own."""
    depths: Whole
    starts: Whole
    ends: Whole
    """The blocks inside an element: from `starts` up to, not including, `ends`."""
    facts: list[RunFacts]
    """By block: what its text says."""
    nodes: Whole
    """Number of the element that holds the block."""
    runs: Whole
    """By block: the number of its run of text among all between marks, with or without words."""
    words: Codes
    """All words of the page, one after the other."""
    offsets: Whole
    """Where the words of each block begin; one more for the end."""
    linked: Whole
    """Words inside links."""
    links: Whole
    """Pieces of text inside links."""

    def __len__(self) -> int:
        return len(self.facts)

    @cached_property
    def texts(self) -> list[str]:
        """The text of each block."""
        return [facts.text for facts in self.facts]

    @cached_property
    def tokens(self) -> list[list[str]]:
        """The words of each block."""
        return [tokens_of(text) for text in self.texts]

    def tag(self, node: int) -> str:
        """Return the tag of an element."""
        return self.shapes[node].tag

    def element(self, node: int) -> html.HtmlElement:
        """Return an element of the tree: the visible element of its tag with the same rank."""
        tag = self.tag(node)
        ahead = self.looks[: self.numbers[node]]
        before = sum(1 for look in ahead if look.startswith(tag) and look.partition(ATTRIBUTE)[0] == tag)
        known: dict[html.HtmlElement, bool] = {}
        try:
            seen = (one for one in self.root.iter(tag) if _is_seen(one, known))
        except ValueError:  # a page that writes our marks as we do
            return self.root
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
    if len(page.body) > _LONG_SOURCE and is_html(page) and len(found.words) < _FEW_TOKENS:
        again = segment(_parsed_again(decode(page)[:MAX_CHARACTERS]))
        return again if len(again.words) > len(found.words) else found
    return found


def _parsed_again(source: str) -> html.HtmlElement:
    """Parse what is left of a source without what swallows text: unclosed titles, scripts and comments."""
    plain = _UNREADABLE.sub(" ", source).replace("\x00", "")
    return html.document_fromstring(
        f"<html><body>{plain}</body></html>".encode(), parser=html.HTMLParser(encoding="utf-8")
    )


def segment(root: html.HtmlElement) -> Blocks:
    """Cut the text below an element into blocks."""
    looks, stream = _parted(marked(root))
    if SPLIT in stream or not stream.count(START) == stream.count(END) == len(looks):
        looks, stream = _parted("".join(walked(root, FOREIGN)))  # the page writes our marks itself
    stream = stream[:MAX_CHARACTERS]
    if BREAK in stream:
        stream = _BREAKS.sub(SPLIT, stream).replace(BREAK, " ")
    places, facts = facts_of_runs(_EDGES.split(stream))
    places, facts = places[:MAX_BLOCKS], facts[:MAX_BLOCKS]
    edges = np.frombuffer("".join(_EDGES.findall(stream)).encode("utf-16-le"), np.uint16)
    found, runs = element_tree(_STEPS[edges - np.uint16(ord(START))]), np.array(places, np.int64)
    starts, ends = np.searchsorted(runs, found.first + 1), np.searchsorted(runs, found.last + 1)
    holds_text = ends > starts
    holds_text[:1] = True
    renumbered = np.cumsum(holds_text) - 1
    numbers = np.flatnonzero(holds_text)
    offsets = np.zeros(len(facts) + 1, np.int64)
    np.cumsum([len(one.words) >> 3 for one in facts], out=offsets[1:])
    return Blocks(
        root, looks, numbers, shapes_of([looks[number] for number in numbers.tolist()], ATTRIBUTE),
        renumbered[found.parents[numbers]], found.depths[numbers], starts[numbers], ends[numbers], facts,
        renumbered[found.open[runs - 1]], runs,
        np.frombuffer(b"".join([one.words for one in facts]), np.uint64),
        offsets,
        np.array([one.linked for one in facts], np.int64), np.array([one.links for one in facts], np.int64),
    )  # fmt: skip


def _parted(source: str) -> tuple[list[str], str]:
    """Return the looks of elements, and the text where each element begins with a single mark."""
    parts = _LOOKS.split(source)
    return parts[1::2], START.join(parts[::2])
