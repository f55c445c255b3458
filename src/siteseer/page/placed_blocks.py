"""Splits a page into texts between block borders, with their text outside links and their element."""

from __future__ import annotations

import re

from lxml import html

from siteseer.model import Page
from siteseer.page.text import BLOCK, BLOCK_END, BLOCKS, LINK, LINK_END, NODE_END, UNREAD, marked_text
from siteseer.page.tree import cached, tree

_LINK_BORDER = re.compile(f"([{LINK}{LINK_END}])")


@cached
def placed_blocks(page: Page) -> list[tuple[str, str, html.HtmlElement]]:
    """Return each text between borders of block-level elements, its part outside links, and its element.

    Texts stand in page order, empty ones are left out.

    >>> body = b"<ul><li><a href=/7>A hinge</a>, 12 mm</ul>"
    >>> found = placed_blocks(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    >>> [(text, own, element.tag) for text, own, element in found]
    [('A hinge, 12 mm', ', 12 mm', 'li')]
    """
    root = tree(page)
    elements = iter(block_elements(root))
    open_blocks = [root]
    found: list[tuple[str, str, html.HtmlElement]] = []
    linked = False
    for place, piece in enumerate(marked_text(page).replace(NODE_END, "").split(BLOCK)):
        if place:
            open_blocks.append(next(elements))
        for ended, block in enumerate(piece.split(BLOCK_END)):
            if ended:
                open_blocks.pop()
            if block and not block.isspace():
                text, own, linked = _outside_links(block, linked)
                if text and not text.isspace():
                    found.append((text, own, open_blocks[-1]))
    return found


def _outside_links(block: str, linked: bool) -> tuple[str, str, bool]:
    """Return a block without the marks of links, its part outside links, and whether a link goes on behind it."""
    if LINK not in block and LINK_END not in block:
        return block, "" if linked else block, linked
    if block[0] == LINK and block[-1] == LINK_END and block.count(LINK) == block.count(LINK_END) == 1:
        return block[1:-1], "", False
    text, own = "", ""
    for piece in _LINK_BORDER.split(block):
        if piece in (LINK, LINK_END):
            linked = piece == LINK
        else:
            text += piece
            own += "" if linked else piece
    return text, own, linked


def block_elements(root: html.HtmlElement) -> list[html.HtmlElement]:
    """Return the block-level elements in page order, those inside of unread elements left out."""
    found = []
    elements = root.iter(*BLOCKS, *UNREAD)
    for element in elements:
        if element.tag in BLOCKS:
            found.append(element)
        elif len(element):
            for _ in element.iterdescendants(*BLOCKS, *UNREAD):
                next(elements)
    return found
