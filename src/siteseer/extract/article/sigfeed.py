"""SIGFEED: finds the block of a page that holds the article which its feed item describes.

Reference: the thesis of Oita, section 2.5, Algorithm 1. Differs: the loop that seeks the block does climb; relevance is
summed over the leaves whose *closest* block it is, as the prose has it; HTML5's elements are blocks too; a block whose
siblings hold the other paragraphs of the article gives way to their parent.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Set
from dataclasses import dataclass
from typing import Any

from lxml import etree, html

from siteseer.extract.article.forest.comment_zones import comment_zones
from siteseer.extract.article.forest.signifiers import of_items
from siteseer.extract.read_values import plain_text
from siteseer.model import Page
from siteseer.page.feeds import FeedItem, plain
from siteseer.page.similarity.text_measures import runs
from siteseer.page.text import UNREAD, WORD
from siteseer.page.tree import tree

BLOCKS = frozenset("div td article section main body".split())
SHORTEST_LEAF = 3
"""Tokens: a title link alone would be denser than any article."""
NEARLY_ALL = 0.9
Shingle = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SigfeedResult:
    """The block that an item's signifiers point to."""

    element: html.HtmlElement
    left_out: frozenset[html.HtmlElement]
    relevance: float
    signifiers: str
    """`3-grams`, or `keywords` where no 3-gram of the item is on the page."""

    @property
    def text(self) -> str:
        """The text of the article, line by line, without comments."""
        return plain_text(self.element, self.left_out)


def sigfeed(page: Page, item: FeedItem, others: Iterable[FeedItem] = ()) -> SigfeedResult | None:
    """Return the block of the page that the item is about; `others` are the feed's other items.

    Words that most items of a feed share ("read more") are no signifiers.

    None where neither a 3-gram nor a keyword of the item is on the page.
    """
    root = tree(page)
    zones = frozenset(comment_zones(root))
    leaves = _leaves(root, zones)
    wanted = signifiers(item.title) | signifiers(plain(item.description or item.content))
    for name, size, known in (("3-grams", 3, wanted), ("keywords", 1, None)):
        if known is None:
            known = {(term,) for term in of_items([item, *(one for one in others if one is not item)])[0]}
        if chosen := _densest(leaves, known, size):
            return SigfeedResult(chosen[0], zones, chosen[1], name)
    return None


def signifiers(text: str) -> set[Shingle]:
    """Return the runs of three consecutive words.

    >>> sorted(signifiers("A study on how to"))
    [('a', 'study', 'on'), ('on', 'how', 'to'), ('study', 'on', 'how')]
    """
    return set(runs(WORD.findall(text.lower()), 3))


def _leaves(root: html.HtmlElement, left_out: Set[html.HtmlElement]) -> list[tuple[html.HtmlElement, list[str]]]:
    """Return the text leaves with the element around each: paragraphs and the like, their inline elements included."""
    found: list[tuple[html.HtmlElement, list[str]]] = []
    walk: Any = etree.iterwalk(next(root.iter("body"), root), events=("start",))
    for _, element in walk:
        if element.tag in UNREAD or element in left_out:
            walk.skip_subtree()
        elif not any(child.tag in _HOLDERS for child in element) or element.tag not in _HOLDERS:
            if words := WORD.findall(plain_text(element, left_out).lower()):
                found.append((element, words))
            walk.skip_subtree()
        elif own := WORD.findall(" ".join([element.text or "", *(child.tail or "" for child in element)]).lower()):
            found.append((element, own))
    return found


_HOLDERS = frozenset(
    "body div td tr table tbody article section main ul ol dl li p blockquote form header footer aside nav center"
    " figure h1 h2 h3 h4 h5 h6 dd dt fieldset pre".split()
)


def _densest(
    leaves: list[tuple[html.HtmlElement, list[str]]], signifiers: set[Shingle], size: int
) -> tuple[html.HtmlElement, float] | None:
    relevance: dict[html.HtmlElement, float] = defaultdict(float)
    for leaf, words in leaves:
        matches = sum(run in signifiers for run in runs(words, size))
        if matches and len(words) >= SHORTEST_LEAF:
            relevance[_block(leaf)] += min(1.0, matches / len(words))
    if not relevance:
        return None
    best = max(relevance, key=lambda block: relevance[block])
    total = sum(relevance.values())
    parent = best.getparent()
    siblings = [block for block in relevance if block.getparent() is parent]
    if parent is not None and len(siblings) > 1 and sum(relevance[one] for one in siblings) >= NEARLY_ALL * total:
        return _block(parent), total
    return best, relevance[best]


def _block(element: html.HtmlElement) -> html.HtmlElement:
    """Return the closest block element, the element itself if it is one."""
    while element.tag not in BLOCKS and (parent := element.getparent()) is not None:
        element = parent
    return element
