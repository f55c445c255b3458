"""Reads the fields of a record on a page: alternatives are tried in order until one has a value.

Values inside another record nested in this one belong to that record.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from lxml import html

from siteseer.extract.body_text import body_of, excluded
from siteseer.extract.read_values import Node, date_texts, inner_html, one_line, read_dates, read_number, read_url
from siteseer.knowledge.alternatives import Alternative, Origins, fitting
from siteseer.knowledge.element_index import Numbers, places
from siteseer.knowledge.types import Extraction, Field, regex
from siteseer.model import Page
from siteseer.page.dates.date_context import DateContext, Order
from siteseer.page.dates.page_context import context_of
from siteseer.page.links import base

CONTAINERS = frozenset(("board", "thread", "user"))
"""Kinds that hold or make others: they have no text of their own, and may be told by what they hold."""
MANY = frozenset(("tags", "category", "attachment"))
"""Types of which a record may have several values."""
ORDERS: dict[str, Order] = {"day-first": "dmy", "month-first": "mdy"}
MAX_VALUES = 200


@dataclass(slots=True)
class Facts:
    """The fields of one record."""

    values: dict[str, str] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    element: html.HtmlElement | None = None
    answers: Facts | None = None
    """The record that it answers, where the page says so otherwise than by nesting."""


Fitted = tuple[Field, tuple[Alternative, ...]]
"""A field with those of its alternatives that may say something on a page."""


@dataclass(frozen=True, slots=True)
class RecordReader:
    """Reads the records of one extraction on one page."""

    page: Page
    of: str
    fields: tuple[Fitted, ...]
    context: DateContext
    """What is known of the page's dates."""
    records: Origins

    @classmethod
    def on(cls, page: Page, extraction: Extraction, elements: Sequence[html.HtmlElement]) -> RecordReader:
        """Return the reader for the records of an extraction on a page."""
        fitted = ((one, fitting(one.text, page)) for one in extraction.fields)
        fields = tuple((one, some) for one, some in fitted if some)
        return cls(page, extraction.of, fields, context_of(page), Origins.of(page, elements))

    def facts(self, element: html.HtmlElement, nested: Numbers) -> Facts:
        """Read the fields of one record; `nested` are the numbers of the records inside it, whose values are theirs."""
        facts = Facts(element=element)
        inside = () if self.of in CONTAINERS else nested
        for fitted in self.fields:
            one = fitted[0]
            if one.type in facts.values or one.type in facts.lists or (one.name and one.name in facts.named):
                continue
            if one.type == "body":
                _read_body(self.page, element, one, nested, facts)
            elif one.type in MANY:
                if found := self._many(element, fitted, inside):
                    facts.lists[one.type] = found
            elif value := self._first(element, fitted, inside):
                if one.type == "field":
                    facts.named[one.name] = value
                else:
                    facts.values[one.type] = value
        return facts

    def _first(self, element: html.HtmlElement, fitted: Fitted, nested: Numbers) -> str | None:
        one, alternatives = fitted
        for alternative in alternatives:
            for node in self._found(alternative, element, nested)[:3]:
                if value := _value(self.page, node, one, self.context):
                    return value
        return None

    def _many(self, element: html.HtmlElement, fitted: Fitted, nested: Numbers) -> tuple[str, ...]:
        one, alternatives = fitted
        for alternative in alternatives:
            if nodes := self.records.select(alternative, self.page, element, nested):
                found = dict.fromkeys(filter(None, (_value(self.page, node, one, self.context) for node in nodes)))
                return tuple(found)[:MAX_VALUES]
        return ()

    def _found(self, alternative: Alternative, element: html.HtmlElement, nested: Numbers) -> list[Node]:
        """Select inside a record; what is asked of the whole page is asked once for all its records."""
        if not alternative.is_absolute:
            return self.records.select(alternative, self.page, element, nested)
        known: dict[Alternative, list[Any]] = self.page.memo.setdefault("siteseer.extract.record_fields", {})
        if alternative not in known:
            known[alternative] = alternative.select(self.page, element)
        return known[alternative]


def facts_of(
    page: Page,
    element: html.HtmlElement,
    extraction: Extraction,
    others: Collection[html.HtmlElement],
) -> Facts:
    """Read the fields of one record. `others` are the elements of other records, whose values are theirs."""
    known = places(page)
    numbers = sorted(known.numbers[other] for other in others if other in known.numbers)
    record = known.numbers.get(element)
    nested = known.inside(numbers, [record]) if record is not None else []
    return RecordReader.on(page, extraction, [element]).facts(element, nested)


def _value(page: Page, node: Node, one: Field, context: DateContext) -> str | None:
    if one.read == "url":
        url = read_url(node, base(page))
        return next(_matching([url], one.regex), None) if url else None
    if one.read == "date":
        texts: Iterable[str] = _matching(date_texts(node), one.regex)
        return read_dates(texts, context.or_order(ORDERS[one.format]) if one.format in ORDERS else context)
    if one.read == "html" and not isinstance(node, str):
        return inner_html(node)
    text = one_line(node, () if isinstance(node, str) else excluded(page, one, node))
    if one.until:
        text = text.partition(one.until)[0].rstrip()
    if one.regex:
        text = next(_matching([text], one.regex), "")
    return read_number(text) if one.read == "number" else text or None


def _matching(texts: Iterable[str], expression: str) -> Iterator[str]:
    for text in texts:
        if not expression:
            yield text
        elif found := regex(expression).search(text):
            yield (found.group(1) if found.groups() else found.group(0)) or ""


def _read_body(page: Page, element: html.HtmlElement, one: Field, nested: Numbers, facts: Facts) -> None:
    if body := body_of(page, element, one, nested):
        facts.values["body"] = body.text
        facts.values.setdefault("html", body.html)
        facts.links, facts.media = body.links, body.media
