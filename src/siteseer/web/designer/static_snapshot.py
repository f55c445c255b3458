"""Renders a snapshot as HTML without scripts, on which the person who designs a wrapper clicks.

Only elements and attributes that are known to be harmless are written, each element with its number. Links lead
nowhere, addresses of pictures lead to what the session fetched. It is served under a policy that forbids all scripts
but our own, so that what slips through still does nothing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import escape

from lxml import etree, html

from siteseer.model import JSON
from siteseer.page.urls import resolve
from siteseer.web.service.page_view import safe_css
from siteseer.wrapper.designer.page_snapshot import SVG, Snapshot, Style

Address = Callable[[str], str]
"""The URL of an asset in, the address under which we serve it out."""
NUMBER = "data-siteseer"
DROPPED = frozenset(
    "script noscript template base meta link style title param applet frameset noembed noframes xmp plaintext math "
    "source track portal".split()
)
BOXES = frozenset("iframe frame canvas video object embed audio".split())
"""Shown as empty boxes of their size."""
VOID = frozenset("area br col hr img input wbr".split())
SHAPES = frozenset(
    "svg g path circle ellipse line polygon polyline rect defs symbol use clippath lineargradient radialgradient stop "
    "text tspan title desc".split()
)
CASED = {"clippath": "clipPath", "lineargradient": "linearGradient", "radialgradient": "radialGradient"}
ATTRIBUTES = frozenset(
    "abbr align alt bgcolor border cellpadding cellspacing class clear color cols colspan dir face height hspace id "
    "lang label multiple nowrap open placeholder reversed role rows rowspan size span start style title type valign "
    "vspace width wrap".split()
)
DRAWN = frozenset(
    "viewBox d fill stroke stroke-width stroke-linecap stroke-linejoin fill-rule clip-rule cx cy r rx ry x y x1 x2 y1 "
    "y2 points transform width height class id style opacity offset stop-color preserveAspectRatio".split()
)
_NAME = re.compile(r"[a-z][a-z0-9-]{0,60}\Z")
_DATA = re.compile(r"(?:data|aria)-[a-z0-9-]{1,60}\Z")
LONGEST = 100_000
LONGEST_PICTURE = 300_000


def snapshot_html(snapshot: Snapshot, address: Address, css_of: Callable[[str], str | None], ours: str) -> str:
    """Return a page of HTML; `css_of` tells what a style sheet says whose text the page did not tell.

    >>> from siteseer.wrapper.designer.page_snapshot import read_snapshot
    >>> nodes = [[1, "html", "", [], {}], [2, "p", "", ["onclick", "x()"], {}], "1 < 2", [3, "script", "", [], {}]]
    >>> made = read_snapshot({"url": "http://e.org/", "nodes": [*nodes, 0, 0, 0]})
    >>> snapshot_html(made, str, lambda url: None, "").partition("</head>")[2]
    '<p data-siteseer="2">1 &lt; 2</p></html>'
    """
    writer = _Writer(snapshot, address)
    styles = "".join(_style(one, address, css_of) for one in snapshot.styles)
    root = writer.start(snapshot.root)
    head = f'<head><meta charset="utf-8"><title>{escape(snapshot.title)}</title>{styles}{ours}</head>'
    doctype = "" if snapshot.quirks else "<!DOCTYPE html>"
    return doctype + root + head + "".join(writer.inside(snapshot.root)) + "</html>"


def _style(style: Style, address: Address, css_of: Callable[[str], str | None]) -> str:
    css = style.css if style.css is not None else css_of(style.base)
    if not css:
        return ""
    media = f' media="{escape(style.media)}"' if style.media else ""
    return f"<style{media}>{safe_css(css, style.base, lambda kind, url: address(url))}</style>"


class _Writer:
    """Writes elements one after the other, without recursion."""

    def __init__(self, snapshot: Snapshot, address: Address) -> None:
        self.snapshot, self.address = snapshot, address

    def inside(self, root: html.HtmlElement) -> Iterator[str]:
        """Yield what stands inside an element."""
        yield escape(root.text or "", False)
        walk = etree.iterwalk(root, events=("start", "end"))
        next(walk)
        for event, element in walk:
            if element is root:
                return
            if event == "start":
                yield from self._begun(element, walk)
            else:
                yield self._end(element) + escape(element.tail or "", False)

    def _begun(self, element: html.HtmlElement, walk: etree.iterwalk) -> Iterator[str]:
        name = _local(element)
        if name == "head" or not self._is_shown(element):
            walk.skip_subtree()
            return
        yield self.start(element)
        if name == "textarea":
            yield escape(str(self._entered(element).get("value") or ""), False)
            walk.skip_subtree()
        elif name not in VOID and name not in BOXES:
            yield escape(element.text or "", False)

    def _is_shown(self, element: html.HtmlElement) -> bool:
        name = _local(element)
        if element.tag.startswith("{"):
            return element.tag.startswith(f"{{{SVG}}}") and name.lower() in SHAPES
        return name not in DROPPED and name != "head" and bool(_NAME.match(name))

    def _end(self, element: html.HtmlElement) -> str:
        name = _local(element)
        if not self._is_shown(element) or name in VOID:
            return ""
        return f"</{_written(name)}>"

    def start(self, element: html.HtmlElement) -> str:
        """Return the start tag of an element, with its number."""
        name = _local(element)
        number = self.snapshot.numbers[element]
        pairs = [*self._attributes(element, name, self._entered(element)), (NUMBER, str(number))]
        if name == "html":
            pairs = pairs[:-1]
        return f"<{_written(name)}{''.join(f' {key}=' + chr(34) + escape(value) + chr(34) for key, value in pairs)}>"

    def _entered(self, element: html.HtmlElement) -> JSON:
        return self.snapshot.entered.get(self.snapshot.numbers[element]) or {}

    def _attributes(self, element: html.HtmlElement, name: str, entered: JSON) -> Iterator[tuple[str, str]]:
        drawn = element.tag.startswith("{")
        for key, value in element.attrib.items():
            if len(value) > LONGEST or key.startswith(NUMBER) or (key == "style" and name in BOXES):
                continue
            if key == "style":
                yield key, safe_css(value, self.snapshot.base, lambda kind, url: self.address(url))
            elif _is_harmless(key, value, drawn):
                yield key, value
            elif key == "href" and name in ("a", "area"):
                yield key, "#"
        if name == "img" or (name == "input" and element.get("type") == "image"):
            yield from self._source(entered.get("source") or element.get("src") or "")
        yield from _shown(name, element, entered)

    def _source(self, source: object) -> Iterator[tuple[str, str]]:
        if not isinstance(source, str):
            return
        if source.lower().startswith("data:image/"):
            if len(source) <= LONGEST_PICTURE:
                yield "src", source
        elif url := resolve(self.snapshot.base, source):
            yield "src", self.address(url)


def _shown(name: str, element: html.HtmlElement, entered: JSON) -> Iterator[tuple[str, str]]:
    """Yield what a person has entered, and the size of what is shown as a box."""
    if name == "input":
        yield "value", str(entered.get("value") or "")
        yield "autocomplete", "off"
    if name == "input" and entered.get("checked"):
        yield "checked", ""
    if name == "option" and entered.get("selected"):
        yield "selected", ""
    if name in BOXES:
        width, height = [max(0, min(int(side), 20_000)) for side in (entered.get("box") or (0, 0))]
        yield "style", f"display:inline-block;width:{width}px;height:{height}px;background:#eee"


def _is_harmless(key: str, value: str, drawn: bool) -> bool:
    if drawn:
        return key in DRAWN or (key == "href" and value.startswith("#"))
    return key in ATTRIBUTES or bool(_DATA.match(key))


def _local(element: html.HtmlElement) -> str:
    return str(element.tag).rpartition("}")[2]


def _written(name: str) -> str:
    """Return the name under which an element is written: a box is no frame."""
    return "span" if name in BOXES else CASED.get(name.lower(), name)
