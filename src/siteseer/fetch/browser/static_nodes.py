"""Represents pages without scripts for wrappers: nodes of an lxml tree, XPath over them, visibility."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from hashlib import blake2b
from typing import Any

from lxml import etree, html

from siteseer.errors import UsageError
from siteseer.model import Page
from siteseer.page.tag_policies import UNREAD_IN
from siteseer.page.tree import tree
from siteseer.page.urls import resolve

_SELF = re.compile(r"\.(?:/self::node\(\))+")
_UPWARD = re.compile(r"(^|[^.])\.\.|parent::|ancestor|sibling::|following::|preceding::")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)", re.IGNORECASE)
_NEVER_SHOWN = UNREAD_IN["what a browser shows"]


class StaticPage:
    """A page as it was loaded, with what was typed and chosen in its forms since."""

    def __init__(self, page: Page) -> None:
        self.source = page
        self.url = page.url
        self.root: html.HtmlElement = tree(page)
        self.typed: dict[html.HtmlElement, str] = {}
        self.checked: dict[html.HtmlElement, bool] = {}
        self.fingerprint = _fingerprint(self.url, self.root)

    def resolve(self, reference: str) -> str | None:
        """Return the URL that a reference in the page means; None where it is no http(s) address."""
        base = self.root.xpath("string(//base/@href)")
        return resolve(resolve(self.url, str(base)) or self.url, reference) if base else resolve(self.url, reference)


def _fingerprint(url: str, root: html.HtmlElement) -> str:
    made = blake2b(url.partition("#")[0].encode("utf-8", "replace"), digest_size=12)
    for text in root.itertext():
        made.update(text.encode("utf-8", "replace"))
    return made.hexdigest()


@dataclass(frozen=True, slots=True)
class StaticNode:
    """A node of a static page: the document (no element), an element, or an attribute or text of it."""

    page: StaticPage
    element: Any = None
    attribute: str = ""
    """The name of an attribute; `text()` or `tail()` for a text."""
    text: str = ""

    @property
    def key(self) -> tuple[Any, str]:
        """What tells it from the other nodes of its page."""
        return self.element, self.attribute

    @property
    def is_element(self) -> bool:
        """Whether it is an element."""
        return self.element is not None and not self.attribute


@lru_cache(maxsize=2048)
def _compiled(xpath: str) -> etree.XPath:
    try:
        return etree.XPath(xpath)
    except etree.XPathSyntaxError as error:
        raise UsageError(f"{xpath} cannot be evaluated: {error}") from error


def evaluate(node: StaticNode, xpath: str) -> str | float | bool | list[StaticNode]:
    """Return the value of an XPath 1.0 expression at a node."""
    if node.attribute:
        return _at_text(node, xpath)
    element = node.element
    if xpath == "/":
        return [StaticNode(node.page)]
    if element is None:
        short = _SELF.sub(".", xpath, count=1)
        if short == ".":
            return [node]
        if short.startswith(".["):
            return [node] if _found(node.page.root, f"self::node(){short[1:]}", node.page) else []
        element, xpath = node.page.root, short[1:] if short.startswith("./") else xpath
    return _found(element, xpath, node.page)


def _found(element: Any, xpath: str, page: StaticPage) -> str | float | bool | list[StaticNode]:
    try:
        value = _compiled(xpath)(element)
    except etree.XPathError as error:
        raise UsageError(f"{xpath} cannot be evaluated: {error}") from error
    if isinstance(value, list):
        return [_node(one, page) for one in value]
    return value if isinstance(value, bool | float) else str(value)


def _node(found: Any, page: StaticPage) -> StaticNode:
    if not isinstance(found, str):
        return StaticNode(page, found)
    smart: Any = found
    kind = smart.attrname if smart.is_attribute else "text()" if smart.is_text else "tail()"
    return StaticNode(page, smart.getparent(), str(kind), str(found))


def _at_text(node: StaticNode, xpath: str) -> str | float | bool | list[StaticNode]:
    """Evaluate at an attribute or a text, which lxml cannot have as context: at an element with the same text."""
    if xpath in (".", "./self::node()"):
        return [node]
    if xpath == "./parent::node()":
        owner = node.element.getparent() if node.attribute == "tail()" else node.element
        return [StaticNode(node.page, owner)]
    if _UPWARD.search(xpath):
        raise UsageError(f"{xpath} starts at an attribute or a text, which only a browser can: begin at the element")
    stand_in = html.Element("text")
    stand_in.text = node.text
    value = _found(stand_in, xpath, node.page)
    if isinstance(value, list):
        return [node] if value and value[0].element is stand_in else []
    return value


def outer_html(node: StaticNode) -> str:
    """Return a node as HTML."""
    element = node.page.root if node.element is None else node.element
    return node.text if node.attribute else str(html.tostring(element, encoding="unicode", with_tail=False))


def inner_html(node: StaticNode) -> str:
    """Return what stands in a node as HTML."""
    if node.attribute:
        return node.text
    element = node.page.root if node.element is None else node.element
    inside = (str(html.tostring(one, encoding="unicode")) for one in element)
    return (element.text or "") + "".join(inside)


def is_visible(node: StaticNode) -> bool:
    """Say whether a node would be seen, as far as the page's own markup tells: style sheets are not read."""
    element = node.element
    if element is None or node.attribute:
        return element is None or is_visible(StaticNode(node.page, element))
    if element.tag == "input" and (element.get("type") or "").lower() == "hidden":
        return False
    for one in (element, *element.iterancestors()):
        if one.tag in _NEVER_SHOWN or one.get("hidden") is not None or _HIDDEN.search(one.get("style") or ""):
            return False
    return True


def same_node(node: StaticNode, page: StaticPage) -> StaticNode | None:
    """Return the node of another page that is this one: at the same place or with the same id, and alike."""
    if node.page is page or node.element is None:
        return StaticNode(page) if node.element is None else node
    owner = node.element
    places = [owner.getroottree().getpath(owner)]
    if owner.get("id"):
        places.insert(0, "//*[@id=$id]")
    for place in places:
        found: Any = page.root.xpath(place, id=owner.get("id") or "")
        if len(found) == 1 and found[0].tag == owner.tag and _alike(found[0], owner):
            return StaticNode(page, found[0], node.attribute, node.text)
    return None


def _alike(one: html.HtmlElement, other: html.HtmlElement) -> bool:
    return dict(one.attrib) == dict(other.attrib) or one.text_content() == other.text_content()
