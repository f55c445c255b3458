"""Selects with an expression of many alternatives: the first that selects anything, or all that fit the page.

Knowledge files name what dozens of templates call a thing, and a page uses one of them: an alternative whose
classes or ids occur nowhere in the page is left out without asking the tree.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise
from typing import Any

from lxml import html

from siteseer.knowledge.element_index import ElementIndex, Numbers, places
from siteseer.knowledge.query_plans import Plan, plan_of
from siteseer.model import Page
from siteseer.page.tree import cached, tree
from siteseer.xpath.evaluation import select as evaluate
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax import And, Compare, Exists, Expression, Path, Predicate


@dataclass(frozen=True, slots=True, eq=False)
class Alternative:
    """One alternative of an expression."""

    expression: Expression
    words: frozenset[str]
    """The `.classes` and `#ids` that a page must have for it to select anything."""
    plan: Plan | None
    """How to find its nodes among numbered elements; None where XPath does it."""
    is_absolute: bool = False
    """Whether it asks the whole page, wherever it is asked."""

    def select(self, page: Page, element: html.HtmlElement | None = None, without: Numbers = ()) -> list[Any]:
        """Return the nodes that it selects in the page or inside one of its elements, not inside those left out."""
        known = places(page)
        record = None if element is None else known.numbers.get(element)
        if self.plan is None or (record is None and element is not None):
            found: list[Any] = evaluate(self.expression, tree(page) if element is None else element)
            return [node for node in found if not _is_inside(known, known.numbers.get(node), without)]
        numbers = self.plan.numbers(known, record or None)  # the root asks as the document does
        if without and numbers:
            numbers = [one for one in numbers if not _is_inside(known, one, without)]
        return self.plan.read(known, numbers) if numbers else []


@dataclass(slots=True)
class Origins:
    """Records of a page of which none lies inside another: an alternative is evaluated once for all of them."""

    places: ElementIndex
    numbers: Numbers
    """The records, rising; none where some are nested or the page itself is one."""
    _reached: dict[Alternative, Numbers] = field(default_factory=dict)

    @classmethod
    def of(cls, page: Page, elements: Sequence[html.HtmlElement]) -> Origins:
        """Return the records at these elements."""
        known = places(page)
        numbers = sorted(known.numbers.get(element, 0) for element in elements)
        ends = known.ends
        are_apart = all(ends[one] < other for one, other in pairwise(numbers))
        return cls(known, numbers if are_apart and numbers and numbers[0] > 0 else ())

    def select(self, one: Alternative, page: Page, element: html.HtmlElement, without: Numbers = ()) -> list[Any]:
        """Return the nodes that an alternative selects inside a record, as `Alternative.select` does."""
        record = self.places.numbers.get(element, 0)
        if one.plan is None or one.is_absolute or without or not _has(self.numbers, record):
            return one.select(page, element, without)
        reached = self._reached.get(one)
        if reached is None:
            reached = self._reached[one] = one.plan.reached(self.places, self.numbers)
        own = reached[bisect_left(reached, record) : bisect_right(reached, self.places.ends[record])]
        return one.plan.read(self.places, own) if own else []


def _has(numbers: Numbers, number: int) -> bool:
    place = bisect_left(numbers, number)
    return place < len(numbers) and numbers[place] == number


def _is_inside(known: ElementIndex, number: int | None, some: Numbers) -> bool:
    return number is not None and any(one <= number <= known.ends[one] for one in some)


@cached
def vocabulary(page: Page) -> frozenset[str]:
    """Return the `.classes` and `#ids` of a page."""
    return frozenset(places(page).words)


@lru_cache(maxsize=32768)
def alternatives(text: str) -> tuple[Alternative, ...]:
    """Return the alternatives of an expression.

    >>> [(str(one.expression), sorted(one.words)) for one in alternatives("div.post//h1 | a[@rel='next']/@href")]
    [('div.post//h1', ['.post']), ("a[@rel='next']/@href", [])]
    """
    return tuple(
        Alternative(Expression((path,)), frozenset(_words(path)), plan_of(path), path.start == "/")
        for path in parse(text).alternatives
    )


def fitting(text: str, page: Page) -> tuple[Alternative, ...]:
    """Return the alternatives that may select something in a page, in order."""
    asked: dict[str, tuple[Alternative, ...]] = page.memo.setdefault("siteseer.knowledge.alternatives", {})
    found = asked.get(text)
    if found is None:
        known = vocabulary(page)
        found = asked[text] = tuple(one for one in alternatives(text) if one.words <= known)
    return found


def first_selection(text: str, page: Page, element: html.HtmlElement | None = None) -> list[Any]:
    """Return the nodes of the first alternative that selects any, in the page or inside one of its elements."""
    for one in fitting(text, page):
        if found := one.select(page, element):
            return found
    return []


def every_selection(text: str, page: Page, element: html.HtmlElement | None = None) -> list[Any]:
    """Return the nodes of all alternatives, one after the other."""
    return [node for one in fitting(text, page) for node in one.select(page, element)]


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
