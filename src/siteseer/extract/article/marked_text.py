"""Serialises a tree as text with marks: where block elements begin and end, where lines break, what is linked.

A page has thousands of elements; a stylesheet visits them in C and leaves only the informative ones to Python. The
marks are characters that Unicode keeps out of texts; a page that uses them all the same spoils its own blocks only.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from lxml import etree, html

from siteseer.extract.article.element_appearance import TELLING
from siteseer.extract.article.element_flags import is_unseen

SKIPPED = frozenset(
    ("script style noscript template iframe svg select option textarea button object embed head title audio video")
    .split() + "canvas map img input source track param meta link picture math datalist dialog".split()
)  # fmt: skip
"""Elements whose text is no text of the page."""
INLINE = frozenset(
    "a abbr acronym b bdi bdo big cite code dfn em font i kbd small span strong sub sup tt u s strike mark q time label"
    " ins del nobr wbr var samp data ruby rt rb rp".split()
)
"""Elements that do not end a run of text."""
START, LOOK, END, BREAK, LINK, LINKED, ATTRIBUTE, SPLIT = map(chr, range(0xFDD0, 0xFDD8))
"""An element begins (tag and attributes follow), its look ends, it ends; a line breaks; linked text begins, ends; an
attribute begins. The last stands where several breaks were."""

FOREIGN = dict.fromkeys(range(0xFDD0, 0xFDD8), "\ufffd")
"""What stands for the marks where the page itself writes them."""

_FOLDED = "translate(substring(@style, 1, 300), 'ABDEHILNOPSTVY &#9;&#10;&#13;', 'abdehilnopstvy')"
_SEEN = f"not(@style) or not(contains({_FOLDED}, 'display:none') or contains({_FOLDED}, 'visibility:hidden'))"
_INNER = "|".join(sorted(INLINE - {"a"}))


def _templates(mode: str) -> str:
    """Return the templates outside links (no mode) or inside them."""
    attributes, seen = '<xsl:apply-templates select="@*" mode="at"/>', f'<xsl:if test="{_SEEN}">'
    return (
        f'<xsl:template match="*"{mode}>{START}<xsl:value-of select="name()"/>{attributes}'
        f"{LOOK}<xsl:apply-templates{mode}/>{END}</xsl:template>"
        f'<xsl:template match="{"|".join(sorted(SKIPPED))}"{mode}/>'
        f'<xsl:template match="br"{mode}>{BREAK}</xsl:template>'
        f'<xsl:template match="{_INNER}"{mode}>{seen}<xsl:apply-templates{mode}/></xsl:if></xsl:template>'
        f'<xsl:template match="a"{mode}>{seen}<xsl:apply-templates mode="in"/></xsl:if></xsl:template>'
    )


_MARKED: Any = etree.XSLT(
    etree.XML(
        '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
        '<xsl:output method="text" encoding="UTF-8"/><xsl:template match="@*" mode="at"/>'
        + _templates("")
        + _templates(' mode="in"')
        + f'<xsl:template match="text()" mode="in">{LINK}<xsl:value-of select="."/>{LINKED}</xsl:template>'
        + "".join(
            f'<xsl:template match="@{name}" mode="at">{ATTRIBUTE}{place}<xsl:value-of select="."/></xsl:template>'
            for place, name in enumerate(TELLING)
        )
        + "</xsl:stylesheet>"
    )
)


def marked(root: html.HtmlElement) -> str:
    """Return the text below an element with its marks."""
    try:
        return str(_MARKED(root))
    except etree.XSLTError:  # nested deeper than libxslt goes
        return "".join(walked(root))


def walked(root: html.HtmlElement, foreign: Mapping[int, str] | None = None) -> Iterator[str]:
    """Yield the same as `marked`, piece by piece, without a stylesheet: slower, but for trees of any depth.

    `foreign` says what stands for our marks where the page itself writes them.
    """
    links = 0
    table = foreign or {}
    walk: Any = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, element in walk:
        tag = element.tag
        if event == "start":
            if tag in SKIPPED or (tag in INLINE and is_unseen(element.get("style"))):
                walk.skip_subtree()
            elif tag == "br":
                yield BREAK
                walk.skip_subtree()
            else:
                yield from () if tag in INLINE else _look(tag, element, table)
                yield from _text(element.text, links + (tag == "a"), table)
            links += tag == "a"
            continue
        if event == "end":
            links -= tag == "a"
            if tag not in INLINE and tag not in SKIPPED and tag != "br":
                yield END
        if element is not root:
            yield from _text(element.tail, links, table)


def _look(tag: str, element: html.HtmlElement, table: Mapping[int, str]) -> Iterator[str]:
    yield START + tag
    for name, value in element.items():
        if name in TELLING:
            yield f"{ATTRIBUTE}{TELLING.index(name)}{value.translate(table)}"
    yield LOOK


def _text(text: str | None, links: int, table: Mapping[int, str]) -> Iterator[str]:
    if text:
        shown = text.translate(table)
        yield f"{LINK}{shown}{LINKED}" if links else shown
