"""A page in, the same page in another style out: other tags, meaningless names, quotations that are no `blockquote`.

What a page says and its addresses stay; every class and id is another word, lists and definition lists become boxes,
headings and emphasis use other tags. The same name becomes the same word on every page.
"""

from __future__ import annotations

import hashlib
import re

from lxml import html

from siteseer.model import Page
from siteseer.page.tree import is_html

TAGS = {
    "blockquote": "div", "cite": "div", "dl": "section", "dt": "div", "dd": "div", "ul": "div", "ol": "div", "li": "div",
    "article": "section", "section": "div", "header": "div", "footer": "div", "main": "div", "aside": "div",
    "h2": "h3", "h3": "h4", "strong": "b", "em": "i", "abbr": "span",
}  # fmt: skip
SYLLABLES = ("ba", "do", "fi", "gu", "ke", "lo", "mi", "na", "po", "ru", "se", "ti", "vo", "xa", "zu")
_NUMBER = re.compile(r"(.*?)(\d*)")


def word(name: str) -> str:
    """Return the word that stands for a name; a number at its end stays, as it tells records apart."""
    found = _NUMBER.fullmatch(name)
    if found is None or not found[1]:
        return name
    digest = hashlib.sha256(found[1].encode()).digest()
    return "".join(SYLLABLES[one % len(SYLLABLES)] for one in digest[:4]) + found[2]


def in_other_style(page: Page) -> Page:
    """Return a page in another style."""
    if page.status != 200 or not is_html(page) or not page.body.strip():
        return page
    root = html.document_fromstring(page.body, parser=html.HTMLParser(encoding="utf-8"))
    for one in root.iter("*"):
        if one.tag in ("html", "head", "body"):
            continue
        names = (one.get("class") or "").split()
        if one.tag in ("blockquote", "cite"):
            names.append(f"{one.tag}-box")
        one.tag = TAGS.get(one.tag, one.tag)
        if names:
            one.set("class", " ".join(map(word, names)))
        if one.get("id"):
            one.set("id", word(one.get("id")))
    return Page(page.url, page.status, page.headers, html.tostring(root, encoding="utf-8"), page.fetched_at)
