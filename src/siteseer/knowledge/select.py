"""An expression with many alternatives and a page in, what the first fitting alternative selects out.

Knowledge files name what dozens of templates call a thing, and a page uses one of them: an alternative whose
classes or ids occur nowhere in the page is left out without asking the tree.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.tree import cached, tree
from siteseer.xpath.evaluate import select
from siteseer.xpath.parse import parse
from siteseer.xpath.syntax import And, Compare, Exists, Expression, Path, Predicate

_CLASSES: Any = etree.XPath("//@class", smart_strings=False)
_IDS: Any = etree.XPath("//@id", smart_strings=False)


@cached
def vocabulary(page: Page) -> frozenset[str]:
    """Return the `.classes` and `#ids` of a page."""
    root = tree(page)
    words = {f".{word}" for word in " ".join(set(_CLASSES(root))).split()}
    words.update("#" + name for name in _IDS(root))
    return frozenset(words)


@lru_cache(maxsize=32768)
def alternatives(text: str) -> tuple[tuple[Expression, frozenset[str]], ...]:
    """Return the alternatives of an expression, each with the words that a page must have for it to select anything.

    >>> [(str(one), sorted(words)) for one, words in alternatives("div.post//h1 | a[@rel='next']/@href")]
    [('div.post//h1', ['.post']), ("a[@rel='next']/@href", [])]
    """
    return tuple((Expression((path,)), frozenset(_words(path))) for path in parse(text).alternatives)


def fitting(text: str, page: Page) -> Iterator[Expression]:
    """Yield the alternatives that may select something in a page, in order."""
    known = vocabulary(page)
    for expression, words in alternatives(text):
        if words <= known:
            yield expression


def first_selection(text: str, page: Page, element: html.HtmlElement | None = None) -> list[Any]:
    """Return what the first alternative that selects anything selects, in the page or inside one of its elements."""
    root = tree(page) if element is None else element
    for expression in fitting(text, page):
        if found := select(expression, root):
            return found
    return []


def _words(path: Path) -> Iterator[str]:
    for step in path.steps:
        yield from ("." + name for name in step.classes)
        yield from ("#" + name for name in step.ids)
        for predicate in step.predicates:
            yield from _words_of(predicate)


def _words_of(predicate: Predicate) -> Iterator[str]:
    if isinstance(predicate, And):
        for part in predicate.parts:
            yield from _words_of(part)
    elif isinstance(predicate, Exists):
        yield from _words(predicate.value)
    elif isinstance(predicate, Compare) and str(predicate.value) == "@id" and predicate.comparison == "=":
        yield "#" + predicate.literal
