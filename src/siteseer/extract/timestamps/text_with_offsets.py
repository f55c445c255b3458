"""Serialises the visible text of a tree, a new line at every edge of a block, with the offsets of each element.

The text is written by libxslt with a mark where each element opens and closes; numpy pairs the marks. Both in C: a walk
in Python takes some four times as long. It stays as the twin to compare with, and for pages that libxslt gives up on.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Any

import numpy as np
from lxml import etree, html
from numpy.typing import NDArray

from siteseer.page.tag_policies import UNREAD_IN
from siteseer.page.text import BLOCKS

UNREAD = UNREAD_IN["dates"]
MOST_ELEMENTS = 100_000
OPEN, CLOSED, HIDDEN = "\ufdd0", "\ufdd1", "\ufdd2"
"""Marks of where an element opens or closes, or opens unread: code points that are no characters."""
_NO_MARKS = str.maketrans(dict.fromkeys((OPEN, CLOSED, HIDDEN), "\ufffd"))


class TextWithOffsets:
    """A page as one text that knows which element each character came from, and where each element begins and ends.

    >>> page = html.fromstring("<div><h1>Rivers</h1><p>of <b>Europe</b></p></div>")
    >>> laid = lay(page)
    >>> laid.text, laid.extent(page[1][0]), laid.holder(15).tag
    ('\\n\\nRivers\\n\\nof Europe\\n\\n', (13, 19), 'b')
    """

    def __init__(self, marked: str, elements: Sequence[etree._Element]) -> None:
        codes = np.frombuffer(marked.encode("utf-32-le"), dtype=np.uint32)
        is_mark = (codes >= ord(OPEN)) & (codes <= ord(HIDDEN))
        marks = np.flatnonzero(is_mark)
        kinds = codes[marks]
        self.text = codes[~is_mark].tobytes().decode("utf-32-le")
        self._elements = elements
        self._offsets = marks - np.arange(len(marks))
        self._opens = kinds != ord(CLOSED)
        self._numbers = _paired(self._opens)
        starts = np.where(kinds == ord(HIDDEN), -1, self._offsets)[self._opens]
        ends = np.empty_like(starts)
        ends[self._numbers[~self._opens]] = self._offsets[~self._opens]
        self._starts, self._ends = starts.tolist(), ends.tolist()
        self._number = dict(zip(elements, range(len(elements)), strict=True))

    def extent(self, element: etree._Element) -> tuple[int, int] | None:
        """Return where the text of an element begins and ends; None where nobody reads it."""
        number = self._number.get(element, -1)
        if number < 0 or self._starts[number] < 0:
            return None
        return self._starts[number], self._ends[number]

    def holder(self, offset: int) -> etree._Element | None:
        """Return the innermost element around a character of the text."""
        mark = max(0, bisect_right(self._offsets, offset) - 1)
        element: etree._Element = self._elements[self._numbers[mark]]
        return element if self._opens[mark] else element.getparent()


def _paired(opens: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Return for each mark the number of its element: on every level marks open and close in turn."""
    level = np.cumsum(np.where(opens, 1, -1)) + ~opens
    order = np.argsort(level, kind="stable")
    numbers = np.cumsum(opens) - 1
    numbers[order[1::2]] = numbers[order[::2]]
    return numbers


def lay(root: html.HtmlElement) -> TextWithOffsets:
    """Return the text of a page with the offsets of its elements."""
    elements: list[etree._Element] = list(root.iter("*"))
    if len(elements) <= MOST_ELEMENTS:
        try:
            marked = str(_MARKED(root))
        except etree.XSLTError:  # nested deeper than libxslt goes
            return TextWithOffsets(*walked(root))
        if marked.count(CLOSED) == len(elements) == marked.count(OPEN) + marked.count(HIDDEN):
            return TextWithOffsets(marked, elements)
    return TextWithOffsets(*walked(root))  # too many elements, or a text with marks of its own


def _template(names: str, marks: tuple[str, str], inner: str = "<xsl:apply-templates/>", mode: str = "") -> str:
    before, after = (f"<xsl:text>{mark}</xsl:text>" for mark in marks)
    return f'<xsl:template match="{names}"{mode}>{before}{inner}{after}</xsl:template>'


_UNREAD_MODE = ' mode="unread"'
_CHILDREN = f'<xsl:apply-templates select="*"{_UNREAD_MODE}/>'
_MARKED = etree.XSLT(
    etree.XML(
        '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
        '<xsl:output method="text" encoding="UTF-8"/>'
        + _template("*", (OPEN, CLOSED))
        + _template("|".join(sorted(BLOCKS - UNREAD)), (f"\n{OPEN}", f"{CLOSED}\n"))
        + _template("|".join(sorted(UNREAD)), (HIDDEN, CLOSED), _CHILDREN)
        + _template("*", (HIDDEN, CLOSED), _CHILDREN, _UNREAD_MODE)
        + "</xsl:stylesheet>"
    )
)


def walked(root: html.HtmlElement) -> tuple[str, list[etree._Element]]:
    """Return the marked text of a page and its elements by a plain walk: the slow twin."""
    pieces: list[str] = []
    elements: list[etree._Element] = []
    walk: Any = etree.iterwalk(root, events=("start", "end", "comment"))
    unread = False
    for event, element in walk:
        if event == "start":
            elements.append(element)
            unread = element.tag in UNREAD or len(elements) > MOST_ELEMENTS
            if unread:
                walk.skip_subtree()
                pieces.append(HIDDEN)
                continue
            pieces.append(f"\n{OPEN}" if element.tag in BLOCKS else OPEN)
            text = element.text
        else:
            if event == "end":
                pieces.append(f"{CLOSED}\n" if element.tag in BLOCKS and not unread else CLOSED)
                unread = False
            text = element.tail if element is not root else None
        if text:
            pieces.append(text.translate(_NO_MARKS))
    return "".join(pieces), elements
