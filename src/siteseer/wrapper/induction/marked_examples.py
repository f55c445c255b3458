"""Locates the marks of a person on their pages: which texts or elements they mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from lxml import etree, html

from siteseer.errors import UsageError
from siteseer.wrapper.induction.candidates.substring import Part
from siteseer.wrapper.induction.element_tables import ElementTables, clean
from siteseer.wrapper.induction.evaluate_with_lxml import nodes

Kind = Literal["text", "element", "attribute"]
MOST = 200
"""Nodes that one mark may stand for."""


@dataclass(frozen=True, slots=True)
class Mark:
    """An example: on that page (counted from 0), the attribute of that name is there.

    `at` is a node of the page's tree, an XPath that selects nodes (it starts with `/`, `(` or `./`), or the value as it
    is read on the page. `part` is the marked range, where only a part of a text was marked.
    """

    page: int
    name: str
    at: str | html.HtmlElement
    part: str = ""


@dataclass(frozen=True, slots=True)
class MarkLocation:
    """The location of a mark: texts or elements of a view by number; a range where a part of a text was marked."""

    kind: Kind
    numbers: frozenset[int]
    value: str
    by_value: bool = False
    attribute: str = ""
    part: Part | None = None


def locate_mark(mark: Mark, view: ElementTables) -> MarkLocation:
    """Return the location of a mark in the view of its page.

    >>> view = ElementTables(html.fromstring("<p><b>By:</b> Ann</p>"))
    >>> locate_mark(Mark(0, "author", "Ann"), view).numbers
    frozenset({1})
    """
    if not isinstance(mark.at, str):
        return _with_part(mark, view, _of_nodes(mark, view, [mark.at]))
    if mark.at.lstrip().startswith(("/", "(", "./")):
        return _with_part(mark, view, _of_nodes(mark, view, nodes(mark.at, view.root)[:MOST]))
    return _of_value(mark, view)


def _of_nodes(mark: Mark, view: ElementTables, selected: Sequence[object]) -> MarkLocation:
    known = {node: number for number, node in enumerate(view.nodes)}
    elements, texts, attribute = set(), set(), ""
    for node in selected:
        if isinstance(node, etree._Element):
            elements.add(known.get(node, -1))
        elif getattr(node, "is_attribute", False):
            attribute = str(node.attrname)  # type: ignore[attr-defined]
            elements.add(known.get(node.getparent(), -1))  # type: ignore[attr-defined]
        elif hasattr(node, "getparent"):
            texts.add(_text_number(view, known, node))
    numbers = frozenset(elements or texts) - {-1}
    if not numbers:
        raise UsageError(f"{str(mark.at)[:200]!r} selects nothing that is shown on page {mark.page + 1}")
    kind: Kind = "attribute" if attribute else "element" if elements else "text"
    first = min(numbers)
    value = view.texts[first] if kind == "text" else view.string(first)
    return MarkLocation(
        kind, numbers, clean(view.nodes[first].get(attribute) or "") if attribute else value, attribute=attribute
    )


def _text_number(view: ElementTables, known: dict[html.HtmlElement, int], text: object) -> int:
    """Return the number of a text that lxml found: the one of its parent that reads the same, counted in its place."""
    parent, is_tail = text.getparent(), text.is_tail  # type: ignore[attr-defined]
    owner = known.get(parent.getparent() if is_tail else parent, -1)
    if owner < 0:
        return -1
    before = _shown_before(parent, is_tail)
    own = view.own[owner]
    return own[before] if before < len(own) and clean(str(text)) == view.texts[own[before]] else -1


def _shown_before(parent: html.HtmlElement, is_tail: bool) -> int:
    if not is_tail:
        return 0
    owner = parent.getparent()
    earlier = [owner.text, *(one.tail for one in parent.itersiblings(preceding=True))]
    return sum(1 for one in earlier if one and clean(one))


def _with_part(mark: Mark, view: ElementTables, found: MarkLocation) -> MarkLocation:
    if not mark.part:
        return found
    wanted = clean(mark.part)
    texts = [t for one in found.numbers for t in (range(*view.spans[one]) if found.kind == "element" else (one,))]
    return next(_parts(view, texts, wanted), None) or _nowhere(mark)


def _of_value(mark: Mark, view: ElementTables) -> MarkLocation:
    value = clean(mark.at if isinstance(mark.at, str) else "")
    ways: tuple[Callable[[], Iterator[MarkLocation]], ...] = (
        lambda: _equal_texts(view, value),
        lambda: _equal_elements(view, value),
        lambda: _equal_attributes(view, value),
        lambda: _parts(view, range(len(view.texts)), value),
    )
    for way in ways if value else ():
        for found in way():
            return found
    return _nowhere(mark)


def _nowhere(mark: Mark) -> MarkLocation:
    raise UsageError(
        f"page {mark.page + 1} does not show {(mark.part or str(mark.at))[:200]!r}; mark what is written there"
    )


def _equal_texts(view: ElementTables, value: str) -> Iterator[MarkLocation]:
    if numbers := view.by_text.get(value):
        yield MarkLocation("text", frozenset(numbers[:MOST]), value, by_value=True)


def _equal_elements(view: ElementTables, value: str) -> Iterator[MarkLocation]:
    """The smallest elements in which exactly this is written, over several texts."""
    first = value.split()[0]
    starts = {
        view.owners[t] for t, text in enumerate(view.texts) if text.startswith(first[:20]) and value.startswith(text)
    }
    found = set()
    for start in starts:
        for one in (start, *view.ancestors(start)):
            written = view.string(one)
            if written == value:
                found.add(one)
            if len(written) >= len(value):
                break
    if found:
        yield MarkLocation("element", frozenset(found), value, by_value=True)


def _equal_attributes(view: ElementTables, value: str) -> Iterator[MarkLocation]:
    for name in ("href", "src", "content", "datetime", "value", "title", "alt"):
        if numbers := [n for n, node in enumerate(view.nodes) if node.get(name) and clean(node.get(name)) == value]:
            yield MarkLocation("attribute", frozenset(numbers[:MOST]), value, by_value=True, attribute=name)


def _parts(view: ElementTables, texts: Sequence[int], value: str) -> Iterator[MarkLocation]:
    for number in texts:
        at = view.texts[number].find(value)
        if at >= 0:
            whole = view.texts[number]
            yield MarkLocation("text", frozenset((number,)), whole, part=(whole, at, at + len(value)))
