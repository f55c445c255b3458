"""Rebuilds a page of a browser as a tree with numbered elements, on which marks are made and expressions are tried.

The tree is built node by node, not parsed, so that an XPath selects here what it selects in the browser. The page's
data is validated: names and characters that no tree can hold are left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field

from lxml import etree, html

from siteseer.errors import FetchError
from siteseer.model import JSON, Page

SVG = "http://www.w3.org/2000/svg"
_NAME = re.compile(r"[a-zA-Z_][a-zA-Z0-9_.-]{0,100}\Z")
_ILLEGAL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


@dataclass(frozen=True, slots=True)
class Style:
    """A style sheet: its text, or None where only its address is known."""

    base: str
    media: str
    css: str | None


@dataclass(frozen=True)
class Snapshot:
    """A page at one moment."""

    url: str
    title: str
    base: str
    root: html.HtmlElement
    elements: dict[int, html.HtmlElement]
    """By number; the numbers are those that the browser knows its nodes by."""
    entered: dict[int, JSON] = field(default_factory=dict)
    """What the page shows besides its attributes: values of fields, sizes of frames."""
    styles: tuple[Style, ...] = ()
    truncated: bool = False
    quirks: bool = False
    numbers: dict[html.HtmlElement, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.numbers.update({element: number for number, element in self.elements.items()})

    def element(self, number: int) -> html.HtmlElement:
        """Return an element by its number; raise FetchError where there is none."""
        if number not in self.elements:
            raise FetchError("what you clicked is not on this page; look at the page again")
        return self.elements[number]

    def numbers_of(self, nodes: Iterable[object]) -> tuple[int, ...]:
        """Return the numbers of elements, texts and attributes as XPath found them; the latter two by their element."""
        owners = (one if isinstance(one, etree._Element) else _owner(one) for one in nodes)
        return tuple(dict.fromkeys(self.numbers[one] for one in owners if one in self.numbers))

    def page(self) -> Page:
        """Return the snapshot as a `Page`."""
        body = html.tostring(self.root, encoding="utf-8", doctype="<!DOCTYPE html>")
        return Page(self.url, 200, (("Content-Type", "text/html; charset=utf-8"),), body)


def _owner(text: object) -> html.HtmlElement | None:
    parent = text.getparent() if hasattr(text, "getparent") else None
    return parent.getparent() if parent is not None and getattr(text, "is_tail", False) else parent


def read_snapshot(told: JSON) -> Snapshot:
    """Return the snapshot from the data that a browser sent.

    >>> nodes = [[1, "html", "", [], {}], [2, "body", "", [], {}], [3, "p", "", ["class", "a"], {}], "Hi", 0, 0, 0]
    >>> made = read_snapshot({"url": "http://e.org/", "nodes": nodes})
    >>> made.element(3).get("class"), made.numbers_of(made.root.xpath("//p/text()"))
    ('a', (3,))
    """
    elements: dict[int, html.HtmlElement] = {}
    entered: dict[int, JSON] = {}
    try:
        root = _built(told["nodes"], elements, entered)
        styles = tuple(_style(one) for one in told.get("sheets") or ())
    except (TypeError, ValueError, KeyError, IndexError, AttributeError) as error:
        raise FetchError(f"the page cannot be shown ({type(error).__name__})") from error
    url = str(told["url"])
    return Snapshot(
        url, legal(told.get("title")), str(told.get("base") or url), root, elements, entered, styles,
        bool(told.get("truncated")), bool(told.get("quirks")),
    )  # fmt: skip


def legal(text: object) -> str:
    """Return text that a tree can hold."""
    return _ILLEGAL.sub("", text) if isinstance(text, str) else ""


def _built(nodes: Iterable[JSON], elements: dict[int, html.HtmlElement], entered: dict[int, JSON]) -> html.HtmlElement:
    above: list[html.HtmlElement] = []
    root: html.HtmlElement | None = None
    for one in nodes:
        if isinstance(one, str):
            _add_text(above[-1], legal(one))
        elif one == 0:
            above.pop()
        else:
            number, name, space, attributes, more = one
            made = _element(str(name), str(space), attributes)
            if above:
                above[-1].append(made)
            elif root is None:
                root = made
            above.append(made)
            elements[int(number)] = made
            if more:
                entered[int(number)] = more
    if root is None:
        raise ValueError("no element")
    return root


def _element(name: str, space: str, attributes: list[str]) -> html.HtmlElement:
    """Return an element; one of another vocabulary gets a name that expressions do not use."""
    tag = name if _NAME.match(name) else "unknown"
    made = html.Element(tag) if not space else html.Element(f"{{{SVG if space == SVG else 'urn:other'}}}{tag}")
    for key, value in zip(attributes[::2], attributes[1::2], strict=True):
        if _NAME.match(key):
            made.set(key, legal(value))
    return made


def _add_text(parent: html.HtmlElement, text: str) -> None:
    if len(parent):
        parent[-1].tail = (parent[-1].tail or "") + text
    else:
        parent.text = (parent.text or "") + text


def _style(told: JSON) -> Style:
    css = told.get("css")
    return Style(str(told.get("base") or ""), legal(told.get("media")), legal(css) if isinstance(css, str) else None)
