"""A page in, its lxml tree out: one parser for everything that looks at pages."""

from __future__ import annotations

import re
from functools import lru_cache

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.encoding import decode_name, is_utf8
from siteseer.page.memo import cached as cached

HTML_TYPES = ("text/html", "application/xhtml+xml", "application/xhtml")
MAX_TAGS = 250_000
"""A tree costs some 300 bytes of memory for each tag; a page with more than this is an attack or a mistake."""

_TITLE = etree.XPath("string((head//title | body/title)[1])", smart_strings=False)
_LOOKS_HTML = re.compile(rb"<(?:!doctype\s+html|html|head|body|title|meta|div|table|p|a)[\s>/]", re.IGNORECASE)

_DECLARED = frozenset(("title", "meta", "link", "base"))
"""What a head says of the page, wherever it stands."""
_IN_HEAD = _DECLARED | {"script", "style", "noscript", "template", "object", etree.Comment}
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
    """Return the root `html` element; an empty one where the page is no HTML. Shared: never change it."""
    if is_html(page) and page.body.strip():
        root = _parse(_in_utf8(page))
        if root is not None:
            return root
    return html.Element("html")


def _bounded(body: bytes) -> bytes:
    """Cut a body that has more tags than any page for people, by the share that is too much."""
    tags = body.count(b"<") if len(body) > MAX_TAGS else 0
    return body if tags <= MAX_TAGS else body[: len(body) * MAX_TAGS // tags]


def _in_utf8(page: Page) -> bytes:
    """Return a body in UTF-8 without what stops libxml2: NUL, bytes that the encoding does not have, unusual names."""
    encoding, body = decode_name(page), _bounded(page.body)
    if encoding != "utf-8" or not is_utf8(page) or len(body) < len(page.body):
        body = body.decode(encoding, "replace").encode("utf-8", "replace")
    return body.replace(b"\x00", b"")


# lxml.html looks an element's class up in Python each time it is touched; one class for all is found in C.
_CLASSES = etree.ElementDefaultClassLookup(element=html.HtmlElement, comment=html.HtmlComment)


@lru_cache(maxsize=1)
def _parser() -> etree.HTMLParser:
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, remove_pis=True, no_network=True)
    parser.set_element_class_lookup(_CLASSES)
    return parser


def _parse(body: bytes) -> html.HtmlElement | None:
    try:
        root = etree.fromstring(body, parser=_parser())
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
    moved = [one for one in children[first:] if one.tag not in _DECLARED]
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
