"""Finds the element of a page that shows an object, so that the archived page opens there.

Texts are compared without any space: a block ends with a space in an extracted text, and with none in a tree.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import urldefrag

from lxml import html

from siteseer.model import JSON
from siteseer.page.tag_policies import UNREAD_IN

FIRST_LETTERS = 80
"""So many letters are as good as always found once only."""
LOOKED_AT = 20_000_000
"""Letters that are read: each step inwards reads the text below once more, and pages can be nested very deep."""
BLOCKS = ("article", "section", "div", "td", "li", "blockquote", "dd", "p", "main", "body", "h1", "h2", "h3", "h4")


def element_of_object(found: Mapping[str, JSON], root: html.HtmlElement) -> html.HtmlElement | None:
    """Return the element of the page that shows the object: by its own words, else by the fragment of its address.

    >>> root = html.fromstring("<body><div id=p1>One</div><div id=p2><p>Which <b>lens</b>?</p></div></body>")
    >>> element_of_object({"text": "Which lens?"}, root).tag
    'p'
    >>> element_of_object({"permalink": "http://e.org/#p1"}, root).get("id")
    'p1'
    """
    anchor = _by_fragment(found, root)
    for words in _sought(found):
        for start in (anchor, root):
            if start is not None and (spot := _smallest(words, start)) is not None:
                return spot
    return anchor


def _sought(found: Mapping[str, JSON]) -> Iterator[str]:
    """Return what to look for, the surest first: the beginning of the text, then the title."""
    for name in ("text", "title"):
        if words := "".join(str(found.get(name) or "")[: 4 * FIRST_LETTERS].split()):
            yield words[:FIRST_LETTERS]


def _by_fragment(found: Mapping[str, JSON], root: html.HtmlElement) -> Any:
    for name in ("permalink", "id"):
        if fragment := urldefrag(str(found.get(name) or "")).fragment:
            named = root.xpath("//*[@id=$f or @name=$f]", f=fragment)
            if named:
                return named[0]
    return None


def _smallest(words: str, start: html.HtmlElement) -> html.HtmlElement | None:
    """Return the smallest block in which the words stand; the first of several."""
    if words not in _letters(start):
        return None
    here = block = start
    left = LOOKED_AT
    while left > 0:
        for child in here.iterchildren("*"):
            letters = _letters(child)
            left -= len(letters) + 1
            if words in letters:
                here, block = child, child if child.tag in BLOCKS else block
                break
        else:
            break
    return block


def _letters(element: Any) -> str:
    if element.tag in UNREAD_IN["texts looked up"]:
        return ""
    return "".join("".join(element.itertext("*")).split())
