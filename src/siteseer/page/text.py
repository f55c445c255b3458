"""Walks a page once and returns its text with marks; the visible text, its words and its blocks are cuts of that.

Marks stand where each text node ends, and where blocks and links begin and end. They are the five characters that
neither Latin-1 nor windows-1252 uses; a page that holds one is walked by `plain_walk`.
"""

from __future__ import annotations

import re

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.encoding import decode
from siteseer.page.tag_policies import BLOCKS as BLOCKS
from siteseer.page.tag_policies import UNREAD_IN
from siteseer.page.tree import HOLDS_MARKS, cached, content_type, is_html, tree
from siteseer.page.tree import MARKS as MARKS

UNREAD = UNREAD_IN["text"]
"""Elements whose text nobody reads on the page."""
NODE_END, BLOCK, BLOCK_END, LINK, LINK_END = MARKS
_FOREIGN = str.maketrans(dict.fromkeys(MARKS, "\ufffd"))
WORD = re.compile(r"\w+")

_SHEET = etree.XSLT(
    etree.XML(
        '<xsl:stylesheet version="1.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform">'
        f'<xsl:output method="text" encoding="UTF-8"/><xsl:template match="{"|".join(sorted(UNREAD))}"/>'
        f'<xsl:template match="{"|".join(sorted(BLOCKS))}">{BLOCK}<xsl:apply-templates/>{BLOCK_END}</xsl:template>'
        f'<xsl:template match="a">{LINK}<xsl:apply-templates/>{LINK_END}</xsl:template>'
        f'<xsl:template match="text()"><xsl:copy/>{NODE_END}</xsl:template></xsl:stylesheet>'
    ),
)
"""The same as `plain_walk`, in C."""


@cached
def marked_text(page: Page) -> str:
    """Return the text of a page's tree with its marks.

    >>> body = b"<p>One<a href=/2>two</a><script>x</script>"
    >>> marked = marked_text(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    >>> marked.translate({ord(mark): shown for mark, shown in zip(MARKS, "|[]()", strict=True)})
    '[[[One|(two|)]]]'
    """
    root = tree(page)
    if HOLDS_MARKS in page.memo:
        return plain_walk(root)
    try:
        return str(_SHEET(root))
    except etree.XSLTError:  # nested deeper than libxslt goes
        return plain_walk(root)


def plain_walk(root: html.HtmlElement) -> str:
    """Return the text of a tree with its marks; a mark that stands in the page itself becomes U+FFFD."""
    found: list[str] = []
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, element in walk:
        tag = element.tag
        if event == "start":
            if tag in UNREAD:
                walk.skip_subtree()
                continue
            if tag in BLOCKS or tag == "a":
                found.append(BLOCK if tag in BLOCKS else LINK)
            if element.text:
                found.append(element.text.translate(_FOREIGN) + NODE_END)
            continue
        if event == "end" and (tag in BLOCKS or tag == "a"):
            found.append(BLOCK_END if tag in BLOCKS else LINK_END)
        if element.tail and element is not root:
            found.append(element.tail.translate(_FOREIGN) + NODE_END)
    return "".join(found)


@cached
def text(page: Page) -> str:
    """Return the visible text, pieces joined by spaces; for other textual types the body itself.

    >>> html_type = (("Content-Type", "text/html"),)
    >>> text(Page("http://e.org/", headers=html_type, body=b"<p>One<b>two</b><script>x</script>"))
    'One two'
    """
    if is_html(page):
        return _spaced(marked_text(page))
    return decode(page) if content_type(page).startswith("text/") else ""


def _spaced(marked: str) -> str:
    shown = marked.replace(NODE_END, " ")
    for mark in (BLOCK, BLOCK_END, LINK, LINK_END):
        shown = shown.replace(mark, "")
    return shown.rstrip()


def text_below(element: html.HtmlElement) -> str:
    """Return the visible text of an element, pieces joined by spaces."""
    return _spaced(plain_walk(element))


@cached
def words(page: Page) -> list[str]:
    """Return the words of the visible text, lower case; no inline element parts a word, as in a browser."""
    return WORD.findall(bordered_text(page).lower())  # no mark is part of a word


def bordered_text(page: Page) -> str:
    """Return the visible text with the borders of block-level elements as its only marks."""
    if not is_html(page):
        return text(page)
    shown = marked_text(page)
    for mark in (NODE_END, LINK, LINK_END):
        shown = shown.replace(mark, "")
    return shown


@cached
def text_blocks(page: Page) -> list[str]:
    """Return the texts between the borders of block-level elements, in page order, empty ones left out.

    No space parts what only inline elements divide: this is what a browser shows.

    >>> body = b"<ul><li>A <b>hin</b>ge<li>12 mm<br>long</ul>"
    >>> text_blocks(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    ['A hinge', '12 mm', 'long']
    """
    found = bordered_text(page).replace(BLOCK_END, BLOCK).split(BLOCK)
    return [block for block in found if block and not block.isspace()]
