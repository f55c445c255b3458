"""A page in, its texts out as they stand between borders of blocks: what is outside links, and where they stand."""

from __future__ import annotations

import re

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.text import BLOCKS, UNREAD
from siteseer.page.tree import cached, tree

_BORDER, _LINK, _LINK_END = "\n\0", "\x01\0", "\x02\0"
"""Marks in the text of a page, which holds no NUL itself."""
_MARK = re.compile("([\x01\x02]\0)")


@cached
def placed_blocks(page: Page) -> list[tuple[str, str, html.HtmlElement]]:
    """Return each text between borders of block-level elements, what of it stands outside links, and its element.

    Texts stand in page order, empty ones are left out.

    >>> body = b"<ul><li><a href=/7>A hinge</a>, 12 mm</ul>"
    >>> found = placed_blocks(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    >>> [(text, own, element.tag) for text, own, element in found]
    [('A hinge, 12 mm', ', 12 mm', 'li')]
    """
    pieces: list[str] = []
    root = tree(page)
    open_blocks, elements = [root], [root]
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, element in walk:
        tag = element.tag
        if event == "start":
            if tag in UNREAD:
                walk.skip_subtree()
                continue
            if tag in BLOCKS:
                pieces.append(_BORDER)
                open_blocks.append(element)
                elements.append(element)
            elif tag == "a":
                pieces.append(_LINK)
            if element.text:
                pieces.append(element.text)
            continue
        if event == "end":
            if tag in BLOCKS:
                pieces.append(_BORDER)
                open_blocks.pop()
                elements.append(open_blocks[-1])
            elif tag == "a":
                pieces.append(_LINK_END)
        if element.tail:
            pieces.append(element.tail)
    return _without_marks("".join(pieces).split(_BORDER), elements)


def _without_marks(blocks: list[str], elements: list[html.HtmlElement]) -> list[tuple[str, str, html.HtmlElement]]:
    """Return the blocks that hold text, without the marks of links; a link may span several blocks."""
    found: list[tuple[str, str, html.HtmlElement]] = []
    linked = False
    for block, element in zip(blocks, elements, strict=True):
        if not block or block.isspace():
            continue
        text, own = block, "" if linked else block
        if "\0" in block:
            text, own = _MARK.sub("", block), ""
            if block.count("\0") != 2 or block[1] != "\0" or block[-1] != "\0" or linked:
                for piece in _MARK.split(block):
                    if piece in (_LINK, _LINK_END):
                        linked = piece == _LINK
                    elif not linked:
                        own += piece
        if text and not text.isspace():
            found.append((text, own, element))
    return found
