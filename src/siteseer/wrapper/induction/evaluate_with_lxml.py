"""Evaluates induced XPath expressions with lxml on ordinary trees, and reads their values."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from lxml import etree, html

from siteseer.errors import UsageError
from siteseer.wrapper.induction.element_tables import clean

_STRING = etree.XPath("string()", smart_strings=False)
MAX_XPATH = 20_000


@dataclass(frozen=True, slots=True)
class Hit:
    """One node that an expression selects: its text, and the path of positions that leads to it."""

    value: str
    path: str


@lru_cache(maxsize=2_000)
def compiled(xpath: str) -> etree.XPath:
    """Return an expression ready to be evaluated."""
    try:
        if len(xpath) > MAX_XPATH:
            raise ValueError("too long")
        return etree.XPath(xpath)
    except (etree.XPathError, ValueError) as error:
        raise UsageError(f"this is no XPath 1.0 expression: {xpath[:200]!r} ({error})") from error


def nodes(xpath: str, root: html.HtmlElement) -> list[Any]:
    """Return the nodes that an expression selects: elements, or texts that know their parent."""
    try:
        found = compiled(xpath)(root)
    except etree.XPathError as error:
        raise UsageError(f"this expression cannot be evaluated: {xpath[:200]!r} ({error})") from error
    return found if isinstance(found, list) else [found]


def value_of(node: Any) -> str:
    """Return the text of a node, spaces folded."""
    return clean(
        node if isinstance(node, str) else str(_STRING(node)) if isinstance(node, etree._Element) else str(node)
    )


def read(xpath: str, root: html.HtmlElement) -> tuple[str, ...]:
    """Return the values that an expression selects, blank ones left out.

    >>> read("//b/text()", html.fromstring("<p><b> A </b><b> </b><b>B</b></p>"))
    ('A', 'B')
    """
    return tuple(value for node in nodes(xpath, root) if (value := value_of(node)))


def hits(xpath: str, root: html.HtmlElement) -> tuple[Hit, ...]:
    """Return the values with the position of each.

    >>> hits("//b/text()", html.fromstring("<p>x<b>A</b></p>"))
    (Hit(value='A', path='/html/body/p/b/text()[1]'),)
    """
    return tuple(Hit(value, place(node)) for node in nodes(xpath, root) if (value := value_of(node)))


def place(node: Any) -> str:
    """Return the path of positions to an element or a text."""
    if not isinstance(node, str):
        return str(node.getroottree().getpath(node))
    parent = node.getparent()  # type: ignore[attr-defined]
    owner = parent.getparent() if node.is_tail else parent  # type: ignore[attr-defined]
    texts = list(_texts(owner))
    at = 1 + next((n for n, one in enumerate(texts) if one is (parent if node.is_tail else None)), 0)  # type: ignore[attr-defined]
    return f"{owner.getroottree().getpath(owner)}/text()[{at}]"


def _texts(owner: html.HtmlElement) -> Iterable[html.HtmlElement | None]:
    """Yield what stands before each text of an element: None before its first, else a child."""
    if owner.text:
        yield None
    yield from (child for child in owner if child.tail)
