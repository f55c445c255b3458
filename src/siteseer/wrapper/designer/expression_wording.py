"""Writes expressions in readable form, and proposes names for attributes."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml import html

from siteseer.wrapper.induction.compose_wrapper import label
from siteseer.wrapper.induction.element_tables import clean
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.syntax_error import WrapperSyntaxError

_CLASS = re.compile(
    r"\[contains\(concat\(' ', ?normalize-space\(@class\), ?' '\), ?' ([A-Za-z_][A-Za-z0-9_-]{0,100}) '\)\](?=\Z|[/\[])"
)
_CAMEL = re.compile(r"(?<=[a-z])(?=[A-Z])|[^A-Za-z]+")
_MONEY = re.compile(r"[£$€¥₹]\s?\d|\d\s?(?:[£$€¥₹]|EUR|USD|GBP|CHF)", re.IGNORECASE)
_DATE = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}[./]\d{1,2}[./]\d{2,4}\b")
KNOWN = (
    "title", "name", "headline", "price", "date", "time", "author", "description", "summary", "text", "location",
    "address", "postcode", "city", "country", "rating", "phone", "email", "category", "tags", "image", "picture",
    "link", "company", "salary", "size", "colour", "brand", "stock", "isbn", "publisher", "year", "comments", "score",
)  # fmt: skip
ALIKE = {
    "subject": "title", "heading": "title", "cost": "price", "amount": "price", "published": "date", "datetime": "date",
    "zip": "postcode", "user": "author", "creator": "author", "excerpt": "summary", "body": "text", "img": "picture",
    "place": "location", "tel": "phone", "stars": "rating", "tag": "tags", "desc": "description",
    "descr": "description",
}  # fmt: skip
BY_TAG = {"h1": "title", "h2": "title", "h3": "title", "h4": "title", "time": "date", "img": "picture", "p": "text",
          "address": "address"}  # fmt: skip


def readable_expression(xpath: str) -> str:
    """Return an expression with classes in the short form `.class`, where the language allows it.

    >>> readable_expression("//*[contains(concat(' ',normalize-space(@class),' '),' price ')]/a")
    '//*.price/a'
    """
    short = _CLASS.sub(r".\1", xpath)
    try:
        parse(short)
    except WrapperSyntaxError:
        return xpath
    return short


def proposed_name(element: html.HtmlElement, take: str, taken: frozenset[str] = frozenset()) -> str:
    """Return a name for an attribute, from its name, label or text on the page.

    >>> proposed_name(html.fromstring("<span class='prop_price'>£ 500</span>"), "text")
    'price'
    """
    first = next((one for one in _names(element, take) if one not in taken), "value")
    number, name = 2, first
    while name in taken:
        name, number = f"{first}_{number}", number + 1
    return name


def _names(element: html.HtmlElement, take: str) -> Iterator[str]:
    if take in ("href", "src"):
        yield "link" if take == "href" else "picture"
    words = [word for text in _said(element) for word in _words(text)]
    yield from (ALIKE.get(word, word) for word in words if word in KNOWN or word in ALIKE)
    inside = [element.tag, *(one.tag for one in element.iterancestors())][:3]
    yield from (BY_TAG[tag] for tag in inside if tag in BY_TAG)
    written = clean(element.text_content())[:100]
    if _MONEY.search(written):
        yield "price"
    if _DATE.search(written):
        yield "date"
    before = element.getprevious()
    caption = clean(before.text_content())[:40] if before is not None and isinstance(before.tag, str) else ""
    if caption.endswith(":"):
        yield label(caption).lower()
    yield from (label(word) for word in words[:1])
    if element.tag == "a":
        yield "title"


def _said(element: html.HtmlElement) -> Iterator[str]:
    for name in ("itemprop", "class", "id", "name"):
        yield from (element.get(name) or "")[:200].split()


def _words(text: str) -> list[str]:
    return [word.lower() for word in _CAMEL.split(text) if len(word) > 2]
