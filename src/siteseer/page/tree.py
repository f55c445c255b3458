"""Parses a page into its lxml tree: the one parser for everything that looks at pages."""

from __future__ import annotations

import re
from functools import lru_cache

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.encoding import decode_name, is_utf8
from siteseer.page.page_cache import cached as cached
from siteseer.page.size_limits import (
    MANY_TAGS,
    PARSER_DEPTH,
    has_many_comments,
    is_nested_too_deep,
    move_up,
    within_attributes,
    within_length,
    without_formatting,
)
from siteseer.page.tag_policies import DECLARED, UNREAD_IN

HTML_TYPES = ("text/html", "application/xhtml+xml", "application/xhtml")
_LEFT_OFF = f"{__name__}.left_off"
MARKS = ("\x81", "\x8d", "\x8f", "\x90", "\x9d")
"""Control characters without a meaning, with which `text` marks where pieces end."""
HOLDS_MARKS = f"{__name__}.holds_marks"
_MARK = re.compile(rb"\xc2[\x81\x8d\x8f\x90\x9d]")
_MARK_REFERENCE = re.compile(
    rb"&#(?:0*1(?:29|41|43|44|57)(?![0-9])|[xX]0*(?:8[1dDfF]|9[0dD])(?![0-9a-fA-F]))"
)  # apart: an expression that begins with one known byte is found twenty times as fast

_TITLE = etree.XPath("string((head//title | body/title)[1])", smart_strings=False)
_LOOKS_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|div|table|p|a)[\s>/]", re.IGNORECASE)

_IN_HEAD = UNREAD_IN["head"] | {etree.Comment}
"""What may stand in a head; anything else ends it."""


def content_type(page: Page) -> str:
    """Return the media type without parameters, lower case.

    >>> content_type(Page("http://e.org/", headers=(("Content-Type", "Text/HTML; charset=x"),)))
    'text/html'
    """
    return page.header("content-type").partition(";")[0].strip().lower()


@cached
def is_html(page: Page) -> bool:
    """Say whether the page is HTML: by its type, or by its first bytes where the server names none."""
    kind = content_type(page)
    if kind in HTML_TYPES:
        return True
    return kind in ("", "application/octet-stream", "text/plain") and bool(_LOOKS_HTML.search(page.body[:1024]))


@cached
def tree(page: Page) -> html.HtmlElement:
    """Return the root `html` element; an empty one where the page is no HTML. Shared: never change it.

    A page beyond the size limits is read in part: `left_off` says so.
    """
    if is_html(page) and page.body.strip():
        root = _within_depth(page, _in_utf8(page))
        if root is not None:
            return root
    return html.Element("html")


def left_off(page: Page) -> str:
    """Return why the tree does not hold the whole page; an empty string where it does.

    >>> body = b"<p " + b" ".join(b"a%d=1" % number for number in range(9_000)) + b">x"
    >>> left_off(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    'a tag has more than 256 attributes'
    """
    tree(page)
    return str(page.memo.get(_LEFT_OFF, ""))


def _in_utf8(page: Page) -> bytes:
    """Return a body in UTF-8 without what stops libxml2: NUL, bytes that the encoding does not have, unusual names."""
    encoding = decode_name(page)
    body, too_long = within_length(page.body)
    if encoding != "utf-8" or not is_utf8(page) or too_long:
        body = body.decode(encoding, "replace").encode("utf-8", "replace")
    body, too_wide = within_attributes(body.replace(b"\x00", b""))
    if too_long or too_wide:
        page.memo[_LEFT_OFF] = too_long or too_wide
    if _MARK.search(body) or _MARK_REFERENCE.search(body):
        page.memo[HOLDS_MARKS] = True
    return body


def _within_depth(page: Page, body: bytes) -> html.HtmlElement | None:
    root = _parse(body)
    if root is not None and is_nested_too_deep(root):
        root = _parse(without_formatting(body))
        if root is not None and is_nested_too_deep(root):
            page.memo[_LEFT_OFF] = f"its tags nest more than {PARSER_DEPTH:,} levels deep"
    if root is not None and body.count(b"<") > MANY_TAGS:
        move_up(root)
    return root


# lxml.html looks an element's class up in Python each time it is touched; one class for all is found in C.
_CLASSES = etree.ElementDefaultClassLookup(element=html.HtmlElement, comment=html.HtmlComment)


@lru_cache(maxsize=2)
def _parser(with_comments: bool) -> etree.HTMLParser:
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_pis=True, no_network=True, remove_comments=not with_comments
    )
    parser.set_element_class_lookup(_CLASSES)
    return parser


def _parse(body: bytes) -> html.HtmlElement | None:
    try:
        root = etree.fromstring(body, parser=_parser(not has_many_comments(body)))
    except (etree.LxmlError, ValueError, LookupError):
        return None
    if root is None or root.tag != "html":
        return None
    _end_head(root)
    return root


def _end_head(root: html.HtmlElement) -> None:
    """End the head where HTML5 ends it: libxml2 does not know that `nav` or `article` begin a body without a tag."""
    head = root.find("head")
    children = list(head) if head is not None else []
    first = next((place for place, one in enumerate(children) if one.tag not in _IN_HEAD), len(children))
    moved = [one for one in children[first:] if one.tag not in DECLARED]
    if not moved:
        return
    body = root.find("body")
    if body is None:
        body = etree.SubElement(root, "body")
    if body.text:
        moved[-1].tail, body.text = (moved[-1].tail or "") + body.text, None
    body[:0] = moved


@cached
def title(page: Page) -> str:
    """Return the text of the title element, spaces folded, or an empty string."""
    return " ".join(str(_TITLE(tree(page))).split())[:500]


@cached
def language(page: Page) -> str:
    """Return the language that the page declares (`lang` or Content-Language), lower case, or an empty string."""
    declared = tree(page).get("lang") or page.header("content-language")
    return declared.partition(",")[0].strip().lower()[:35]
