"""Extracts text, HTML, links and media from a record's body field, without parts that belong to other records."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from lxml import etree, html

from siteseer.extract.read_values import inner_html, plain_text, read_url
from siteseer.knowledge.alternatives import Alternative, fitting
from siteseer.knowledge.element_index import Numbers, places
from siteseer.knowledge.types import Field
from siteseer.model import Page
from siteseer.page.links import base

MAX_NODES = 200
_REFERRING = frozenset(("a", "img", "video", "audio", "source", "iframe", "embed"))


@dataclass(frozen=True, slots=True)
class Body:
    """The contents of a record's body."""

    text: str
    html: str
    links: tuple[str, ...]
    media: tuple[str, ...]


def body_of(page: Page, element: html.HtmlElement, one: Field, nested: Numbers) -> Body | None:
    """Return the body by the first alternative with text, else by the first with pictures; `nested` are others'
    records.
    """
    pictures = None
    theirs = {places(page).elements[number] for number in nested}
    for alternative in fitting(one.text, page):
        found = alternative.select(page, element, nested)[:MAX_NODES]
        nodes = [node for node in found if not isinstance(node, str)]
        if nodes and (body := _read(page, nodes, one, theirs)):
            if body.text:
                return body
            pictures = pictures or body
    return pictures


def _read(page: Page, nodes: list[html.HtmlElement], one: Field, theirs: set[html.HtmlElement]) -> Body | None:
    left_out = theirs | {inside for node in nodes for inside in excluded(page, one, node)}
    kept = outermost([node for node in nodes if node not in left_out])
    text = "\n".join(filter(None, (plain_text(node, left_out) for node in kept)))
    if one.until and one.until in text:
        text = text.partition(one.until)[0].rstrip()
        left_out |= _after(kept, one.until)
    links, media = references(page, kept, left_out)
    if not (text or media):
        return None
    return Body(text, "\n".join(inner_html(node) for node in kept), links, media)


def excluded(page: Page, one: Field, node: html.HtmlElement) -> set[html.HtmlElement]:
    """Return the nodes inside a node that the field excludes."""
    known: dict[tuple[str, ...], list[Alternative]] = page.memo.setdefault("siteseer.extract.body_text", {})
    if one.exclusions not in known:
        known[one.exclusions] = [some for text in one.exclusions for some in fitting(text, page)]
    return {inside for alternative in known[one.exclusions] for inside in alternative.select(page, node)}


def outermost(nodes: list[html.HtmlElement]) -> list[html.HtmlElement]:
    """Leave out what lies inside another of the nodes."""
    if len(nodes) < 2:
        return nodes
    chosen = set(nodes)
    return [node for node in nodes if not any(ancestor in chosen for ancestor in node.iterancestors())]


def _after(nodes: Iterable[html.HtmlElement], marker: str) -> set[html.HtmlElement]:
    """Return the elements that begin after a marker in the text."""
    found: set[html.HtmlElement] = set()
    is_after = False
    for node in nodes:
        for event, one in etree.iterwalk(node, events=("start", "end")):
            if event == "start" and is_after:
                found.add(one)
            said = one.text if event == "start" else one.tail if one is not node else None
            is_after = is_after or marker in (said or "")
    return found


def references(
    page: Page, nodes: Iterable[html.HtmlElement], left_out: Collection[html.HtmlElement]
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the URLs of links and of pictures, sound and films inside the nodes, in order, each once."""
    where = base(page)
    links: dict[str, None] = {}
    media: dict[str, None] = {}
    for node in nodes:
        walk: Any = (
            etree.iterwalk(node, events=("start",)) if left_out else ((0, one) for one in node.iter(*_REFERRING))
        )
        for _, one in walk:
            if left_out and one is not node and one in left_out:
                walk.skip_subtree()
                continue
            url = read_url(one, where) if one.tag in _REFERRING else None
            if url and url.startswith("http"):
                (links if one.tag == "a" else media)[url] = None
    return tuple(links)[:2000], tuple(media)[:2000]
