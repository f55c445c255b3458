"""Tells whether a value belongs to another object: it stands in a small item that links to a page like its own.

Lists of replies ("Follow-Ups"), thread indexes, "previous by author", latest posts and related articles name other
people and other days than those of the record that the page is about.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections import Counter
from urllib.parse import urlsplit

from siteseer.extract.records.record_document import Document
from siteseer.page.urls import resolve

ITEMS = frozenset(("li", "tr", "dd", "dt", "p", "td", "article", "section", "div"))
LARGEST_ITEM = 300
"""Characters of an item: what is longer is a part of the page, not of a list."""
MOST_ELEMENTS = 60
HIGHEST = 6
LIST = 3
"""So many links in a box beside a value are a list of other objects: the newest ones in a sidebar."""
_DIGITS = re.compile(r"\d+")


def names_other_object(doc: Document, element: int, value: str) -> bool:
    """Say whether an item around an element links to another page of the kind of its own."""
    at, judged = element, range(0)
    for _ in range(HIGHEST):
        if at <= 0 or doc.stop[at] - at > MOST_ELEMENTS or _length(doc, at) > LARGEST_ITEM:
            return False
        if doc.tags[at] in ITEMS:
            if _links_beside(doc, at, judged, value):
                return True
            judged = range(at, doc.stop[at])
        at = doc.parent[at]
    return False


def _links_beside(doc: Document, box: int, judged: range, value: str) -> bool:
    """Say whether a box links to another object, outside of what was judged before.

    Several such links in a box of their own are a list, which tells nothing of a value beside it.
    """
    starts = [box, *doc.children(box)]
    others = Counter(
        bisect_right(starts, link) for link in _links(doc, box) if link not in judged and _is_other(doc, link, value)
    )
    return any(count < LIST for count in others.values())


def _length(doc: Document, element: int) -> int:
    return sum(map(len, doc.texts[doc.first_text[element] : doc.stop_text[element]]))


def _links(doc: Document, element: int) -> list[int]:
    return [number for number in range(element, doc.stop[element]) if doc.tags[number] == "a"]


def _is_other(doc: Document, link: int, value: str) -> bool:
    href = doc.elements[link].get("href") or ""
    if not href or href.startswith(("#", "mailto:")) or value in doc.string(link):
        return False
    target, own = resolve(doc.page.url, href), doc.page.url.partition("#")[0]
    return bool(target) and target != own and kind_of_address(target or "") == kind_of_address(own)


def kind_of_address(url: str) -> str:
    """Return what the addresses of pages of one kind share: digits folded, and the last name below a folder.

    >>> kind_of_address("http://e.org/2003-01/msg00028.html"), kind_of_address("http://e.org/posts/hoga-30/")
    ('/0-0/msg0.html', '/posts/*')
    """
    parts = urlsplit(url)
    folder, _, name = parts.path.rstrip("/").rpartition("/")
    if parts.query:
        names = sorted(pair.partition("=")[0] for pair in parts.query.split("&"))
        return _DIGITS.sub("0", parts.path) + "?" + "&".join(names)
    if folder and not re.search(r"\d", name):
        return f"{_DIGITS.sub('0', folder)}/*"
    stem = _DIGITS.sub("0", name)
    is_slug = bool(folder) and re.search(r"[a-z]{3,}-", stem)
    return f"{_DIGITS.sub('0', folder)}/{'*' if is_slug else stem}"
