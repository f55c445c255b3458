"""Labels the links of a page for the site graph: the root-to-link path with id and class.

Reference: thesis, sections 5.1.2 and 5.3. An id is cut before its first digit (`post-123` gives `post-`), of classes
only the existence is shown. Labels are XPath expressions of the link elements.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from lxml import html

from siteseer.model import Page
from siteseer.page.links import MAX_LINKS, base
from siteseer.page.tree import tree
from siteseer.page.urls import resolve
from siteseer.strategies.acebot.oxpath_patterns import Node

MAX_DEPTH = 100
"""Links nested deeper than this are left out: no template does that."""
MAX_PART = 80

_TAG = re.compile(r"[A-Za-z_][A-Za-z0-9_.:\-]{0,60}")
_BEFORE_DIGIT = re.compile(r"\D*")
_UNFIT = re.compile(r'["\s\x00-\x1f\x7f-\x9f]')
# A query may make a page of anything, and wikis have pages such as File:X.jpg.
_NO_PAGE = re.compile(
    r"/[^/:?]*\.(?:jpe?g|png|gif|webp|svg|ico|bmp|tiff?|css|js|mp[34]|m4[av]|og[gv]|wav|avi|mov|webm|pdf|zip|gz|bz2|xz|tar|rar|7z|"
    r"exe|dmg|iso|docx?|xlsx?|pptx?|odt|ods|rss|atom|rdf|xml|json|txt|woff2?|ttf)$",
    re.IGNORECASE,
)


def labelled_links(page: Page, attributes: Sequence[str] = ("id",)) -> list[tuple[str, str]]:
    """Return URL and label of every link, in page order, each pair once; files that are no pages are left out.

    >>> body = b'<body><div id="post-12"><a href="b">B</a></div><a href="c.png">C</a>'
    >>> labelled_links(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    [('http://e.org/b', '/html/body/div[contains(@id,"post-")]/a')]
    """
    where, known = base(page), dict[html.HtmlElement, str | None]()
    found: dict[tuple[str, str], None] = {}
    for element in tree(page).iter("a", "area"):
        href = element.get("href")
        url = resolve(where, href) if href else None
        if url is None or href.startswith("#") or _NO_PAGE.search(url):
            continue
        label = _label(element, attributes, known)
        if label is not None:
            found[url, label] = None
        if len(found) >= MAX_LINKS:
            break
    return list(found)


def _label(
    element: html.HtmlElement, attributes: Sequence[str], known: dict[html.HtmlElement, str | None]
) -> str | None:
    """Return the path from the root, None where it is too deep; `known` keeps the paths of elements met before."""
    chain: list[html.HtmlElement] = []
    while element is not None and element not in known:
        chain.append(element)
        element = element.getparent()
        if len(chain) > MAX_DEPTH:
            known[chain[0]] = None
            return None
    label = "" if element is None else known[element]
    for one in reversed(chain):
        if label is not None:
            label = f"{label}/{_node(one, attributes)}" if label.count("/") < MAX_DEPTH else None
        known[one] = label
    return label


def _node(element: html.HtmlElement, attributes: Sequence[str]) -> Node:
    tag = element.tag if isinstance(element.tag, str) and _TAG.fullmatch(element.tag) else "*"
    tests = []
    if "id" in attributes and (identifier := element.get("id")):
        tests.append(("id", _part(identifier)))
    if "class" in attributes and element.get("class"):
        tests.append(("class", ""))
    return Node(tag, tuple(tests))


def _part(identifier: str) -> str:
    """Return what of an id names the kind of thing, empty where only its existence says anything.

    >>> _part("post-123"), _part("42"), _part('a"b')
    ('post-', '', '')
    """
    found = _BEFORE_DIGIT.match(identifier)
    part = found[0] if found else ""
    return "" if _UNFIT.search(part) or len(part) > MAX_PART else part
