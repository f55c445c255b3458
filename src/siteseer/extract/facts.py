"""A record in a page in, its facts by field type out: alternatives are tried in order until one says something."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from lxml import etree, html

from siteseer.extract.values import (
    Node,
    date_texts,
    inner_html,
    one_line,
    plain_text,
    read_dates,
    read_number,
    read_url,
)
from siteseer.knowledge.select import first_selection, fitting
from siteseer.knowledge.types import Extraction, Field, regex
from siteseer.model import Page
from siteseer.page.dates import Order, vote_order
from siteseer.page.links import base
from siteseer.xpath.evaluate import select, select_all
from siteseer.xpath.syntax import Expression

MANY = frozenset(("tags", "category", "attachment"))
"""Types of which a record may have several values."""
ORDERS: dict[str, Order] = {"day-first": "dmy", "month-first": "mdy"}
MAX_VALUES = 200
_REFERRING = frozenset(("a", "img", "video", "audio", "source", "iframe", "embed"))
_AMBIGUOUS = re.compile(r"(?<!\d)\d{1,2}[./-]\d{1,2}[./-]\d")


@dataclass(slots=True)
class Facts:
    """What a page says about one record."""

    values: dict[str, str] = field(default_factory=dict)
    lists: dict[str, tuple[str, ...]] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    links: tuple[str, ...] = ()
    media: tuple[str, ...] = ()
    element: html.HtmlElement | None = None


def facts_of(
    page: Page, element: html.HtmlElement, extraction: Extraction, others: set[html.HtmlElement], order: Order | None
) -> Facts:
    """Read the fields of one record. `others` are the elements of all records: text inside them is theirs."""
    facts = Facts(element=element)
    for one in extraction.fields:
        if one.type in facts.values or one.type in facts.lists or (one.name and one.name in facts.named):
            continue
        if one.type == "body":
            _read_body(page, element, one, others, facts)
        elif one.type in MANY:
            found = tuple(
                dict.fromkeys(
                    filter(None, (_value(page, n, one, order) for n in first_selection(one.text, page, element)))
                )
            )
            if found:
                facts.lists[one.type] = found[:MAX_VALUES]
        elif value := _first(page, element, one, order):
            if one.type == "field":
                facts.named[one.name] = value
            else:
                facts.values[one.type] = value
    return facts


def date_order(page: Page, elements: list[html.HtmlElement], extraction: Extraction) -> Order | None:
    """Return the order of day and month that all dates of a page together show; None where it does not matter."""
    fields = [one for one in extraction.fields if one.read == "date" and not one.format]
    starts = (node for one in fields for node in first_selection(one.text, page, elements[0])[:1])
    first = [text for node in starts for text in date_texts(node)]
    if not any(_AMBIGUOUS.search(text) for text in first):
        return None
    nodes = (node for one in fields for element in elements for node in first_selection(one.text, page, element)[:1])
    return vote_order(text for node in nodes for text in date_texts(node)[-1:])


def _first(page: Page, element: html.HtmlElement, one: Field, order: Order | None) -> str | None:
    for expression in fitting(one.text, page):
        for node in _found(page, expression, element)[:3]:
            if value := _value(page, node, one, order):
                return value
    return None


def _found(page: Page, expression: Expression, element: html.HtmlElement) -> list[Node]:
    """Select inside a record; what is asked of the whole page is asked once for all its records."""
    if expression.alternatives[0].start != "/":
        return select(expression, element)
    known: dict[Expression, list[Node]] = page.memo.setdefault("siteseer.extract.facts", {})
    if expression not in known:
        known[expression] = select(expression, element)
    return known[expression]


def _value(page: Page, node: Node, one: Field, order: Order | None) -> str | None:
    if one.read == "url":
        url = read_url(node, base(page))
        return next(_matching([url], one.regex), None) if url else None
    if one.read == "date":
        texts: Iterable[str] = _matching(date_texts(node), one.regex)
        return read_dates(texts, page.fetched_at, ORDERS.get(one.format, order))
    if one.read == "html" and not isinstance(node, str):
        return inner_html(node)
    text = one_line(node, _excluded(one, node))
    if one.regex:
        text = next(_matching([text], one.regex), "")
    return read_number(text) if one.read == "number" else text or None


def _matching(texts: Iterable[str], expression: str) -> Iterator[str]:
    for text in texts:
        if not expression:
            yield text
        elif found := regex(expression).search(text):
            yield (found.group(1) if found.groups() else found.group(0)) or ""


def _excluded(one: Field, node: Node) -> set[html.HtmlElement]:
    if not one.without or isinstance(node, str):
        return set()
    return {inside for expression in one.exclusions for inside in select_all(expression, node)}


def _read_body(page: Page, element: html.HtmlElement, one: Field, others: set[html.HtmlElement], facts: Facts) -> None:
    for expression in fitting(one.text, page):
        nodes = [node for node in select(expression, element)[:MAX_VALUES] if not isinstance(node, str)]
        inside = [node for node in nodes if not _belongs_to_another(node, element, others)]
        if not inside:
            continue
        excluded = others.union(*(_excluded(one, node) for node in inside)) - {element}
        kept = [node for node in inside if node not in excluded or node is element]
        text = "\n".join(filter(None, (plain_text(node, excluded) for node in _outermost(kept))))
        links, media = references(page, kept, excluded)
        if text or media:
            facts.values["body"] = text
            facts.values.setdefault("html", "\n".join(inner_html(node) for node in _outermost(kept)))
            facts.links, facts.media = links, media
            return


def _outermost(nodes: list[html.HtmlElement]) -> list[html.HtmlElement]:
    """Leave out what lies inside another of the nodes."""
    if len(nodes) < 2:
        return nodes
    chosen = set(nodes)
    return [node for node in nodes if not any(ancestor in chosen for ancestor in node.iterancestors())]


def _belongs_to_another(node: html.HtmlElement, element: html.HtmlElement, others: set[html.HtmlElement]) -> bool:
    """Say whether another record lies between the record and the node."""
    while node is not None and node is not element:
        if node in others:
            return True
        node = node.getparent()
    return False


def references(
    page: Page, nodes: Iterable[html.HtmlElement], excluded: set[html.HtmlElement]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the URLs of links and of pictures, sound and films inside the nodes, in order, each once."""
    where = base(page)
    links: dict[str, None] = {}
    media: dict[str, None] = {}
    for node in nodes:
        walk = etree.iterwalk(node, events=("start",))
        for _, one in walk:
            if one is not node and one in excluded:
                walk.skip_subtree()
                continue
            url = read_url(one, where) if one.tag in _REFERRING else None
            if url and url.startswith("http"):
                (links if one.tag == "a" else media)[url] = None
    return tuple(links)[:2000], tuple(media)[:2000]
