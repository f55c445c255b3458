"""Counts words of content outside menus and footers, and finds empty parts that scripts may fill.

A client-rendered page leaves an empty element for its content (`<div id="root">`, an empty list). A page whose words
are in the HTML may be short, but has none of these. Pages are hostile: every search stops after a number of steps.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import islice
from typing import Any

from lxml import etree, html

from siteseer.model import Page
from siteseer.page.text import UNREAD, WORD
from siteseer.page.tree import cached, tree

Query = Callable[..., Any]

MOST_PARTS = 400
MOST_ROOTS = 50
MOST_INSIDE = 1_000
"""Elements in a part that are looked at: one that has more is not empty."""
MOST_ABOVE = 100
_SURROUNDINGS = frozenset(("nav", "footer", "aside", "dialog", "head"))
_ROLES = frozenset(("navigation", "banner", "contentinfo", "complementary", "search", "dialog", "alert", "menu"))
_LINKS_AND_FORMS = frozenset(("a", "button", "form", "label", "option"))
_FILLED = frozenset(("img", "picture", "video", "audio", "iframe", "frame", "object", "embed", "canvas", "input"))
_CONTROLS = frozenset(("textarea", "select", "input", "iframe", "video", "audio"))
_ROOT_NAME = re.compile(
    r"_*(?:root|app|application|main|content|contents|page|mount|view|outlet|next|nuxt|gatsby|svelte|ember|site)|"
    r"(?:app|root|react|vue|svelte|ember|angular|ng|main|page|site)[-_].{1,40}|.{1,40}[-_](?:root|app|mount|outlet|view)",
    re.IGNORECASE,
)
"""What the element that scripts fill is called by the frameworks that do."""
_ROOT_MARKS = ("ng-app", "ng-view", "ui-view", "data-reactroot", "data-v-app")
_LIST_TAGS = frozenset(("ul", "ol", "dl", "table", "tbody"))
_LIST_NAMES = frozenset(
    "list items item posts entries threads topics articles feed stream timeline products records rows cards grid "
    "results comments replies reviews stories news content data catalog catalogue listing listings".split()
)
_OTHER_NAMES = frozenset(
    "search menu nav navigation breadcrumb breadcrumbs pagination pager toc tabs alert alerts flash messages "
    "toast toasts notification notifications modal dialog cart share social ad ads adsbygoogle banner related "
    "disqus giscus utterances isso commento remark valine waline gitalk twikoo artalk cusdis facebook fb twitter "
    "tooltip popup lightbox cookie consent player map autocomplete suggest suggestions dropdown overlay preloader "
    "recaptcha captcha translate".split()
)
"""Parts that are empty on whole pages, too: what the reader opens, and what other services put there."""
_CAMEL = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])")
_ROOTS: Query = etree.XPath(
    "//body//*[self::main or self::article or @role = 'main' or @id or contains(local-name(), '-') or "
    + " or ".join(f"@{name}" for name in _ROOT_MARKS)
    + "]"
)
_LISTS: Query = etree.XPath(
    "//body//*[@id or @class][self::ul or self::ol or self::dl or self::table or self::tbody or self::div or "
    "self::main or self::section]"
)
_LEAVES: Query = etree.XPath(
    "//body//*[self::ul or self::ol or self::dl or self::table or self::tbody or contains(local-name(), '-') or "
    "(@id or @class) and (self::div or self::main or self::section or self::article or self::p or self::span)]"
    "[not(*)][not(normalize-space())]"
)


@cached
def content_words(page: Page) -> int:
    """Return how many words stand outside menus, headers and footers; those of links and forms are counted."""
    return sum(len(WORD.findall(text)) for text in _outside(tree(page), frozenset()))


@cached
def own_words(page: Page) -> int:
    """Return how many words stand outside links, forms, menus, headers and footers."""
    return sum(len(WORD.findall(text)) for text in _outside(tree(page), _LINKS_AND_FORMS))


@cached
def has_media(page: Page) -> bool:
    """Say whether a picture, a film, a frame or a field to fill in stands outside menus, headers and footers."""
    found = (one for one in tree(page).iter(*_FILLED, "textarea", "select") if one.get("type") != "hidden")
    return any(not in_surroundings(one) for one in found)


@cached
def has_empty_root(page: Page) -> bool:
    """Say whether the element that should hold the page's content holds no word.

    >>> made = b"<body><h1>Forum</h1><main></main><script src=/app.js></script>"
    >>> has_empty_root(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=made))
    True
    """
    roots = filter(is_root, _ROOTS(tree(page))[: 10 * MOST_PARTS])
    return any(_is_empty_root(element) for element in islice(roots, MOST_ROOTS))


@cached
def empty_parts(page: Page) -> list[html.HtmlElement]:
    """Return the parts without a word that scripts may fill, but not menus, what readers open and what others fill."""
    found: dict[html.HtmlElement, None] = {}
    for leaf in _LEAVES(tree(page))[:MOST_PARTS]:
        found[leaf] = None
        for above in islice(leaf.iterancestors(), 3):
            if above.tag == "body" or above in found or not _is_wordless(above):
                break
            found[above] = None
    return [one for one in found if not in_surroundings(one) and not names_of(one) & _OTHER_NAMES]


@cached
def has_empty_list(page: Page) -> bool:
    """Say whether a list, a table, or a part that is named like one, is empty."""
    return any(is_list(element) for element in empty_parts(page))


@cached
def lists(page: Page) -> list[html.HtmlElement]:
    """Return the lists and tables of a page that have a name, outside menus, headers and footers."""
    return [one for one in _LISTS(tree(page))[:MOST_PARTS] if is_list(one) and not in_surroundings(one)]


def is_list(element: html.HtmlElement) -> bool:
    """Say whether an element is a list by its kind or its name."""
    return element.tag in _LIST_TAGS or bool(names_of(element) & _LIST_NAMES)


def is_root(element: html.HtmlElement) -> bool:
    """Say whether an element is one that holds the content of a page."""
    tag = str(element.tag)
    if (
        tag in ("main", "article")
        or element.get("role") == "main"
        or any(name in element.attrib for name in _ROOT_MARKS)
    ):
        return True
    if "-" in tag and _ROOT_NAME.fullmatch(tag):
        return True
    return bool(_ROOT_NAME.fullmatch((element.get("id") or "").strip()[:60]))


def in_surroundings(element: html.HtmlElement) -> bool:
    """Say whether an element belongs to a menu, a header, a footer or something that readers open."""
    return any(_is_surrounding(one) for one in (element, *islice(element.iterancestors(), MOST_ABOVE)))


def names_of(element: html.HtmlElement) -> set[str]:
    """Return the words of an element's id and classes.

    >>> sorted(names_of(html.fromstring('<div id="postList" class="col-md-3 search-form"></div>')))
    ['col', 'form', 'list', 'md', 'post', 'search']
    """
    named = f"{element.get('id') or ''} {element.get('class') or ''}"[:400]
    return {word.lower() for word in _CAMEL.findall(named)}


def _is_empty_root(element: html.HtmlElement) -> bool:
    if in_surroundings(element) or names_of(element) & _OTHER_NAMES:
        return False
    is_named = element.tag not in ("main", "article")  # a picture may be all that an article is about
    return _is_wordless(element, _CONTROLS if is_named else _FILLED | _CONTROLS)


def _is_wordless(element: html.HtmlElement, filled: frozenset[str] = _FILLED | _CONTROLS) -> bool:
    """Say whether an element shows no word, and none of the elements that stand for content."""
    for number, one in enumerate(element.iter()):
        if number >= MOST_INSIDE or (one.tag in filled and one is not element and one.get("type") != "hidden"):
            return False
        is_read = isinstance(one.tag, str) and one.tag not in UNREAD
        if (is_read and WORD.search(one.text or "")) or (one is not element and WORD.search(one.tail or "")):
            return False
    return True


def _outside(root: html.HtmlElement, left_out: frozenset[str]) -> list[str]:
    """Return the texts below the body that do not stand in surroundings or in elements of the given names."""
    found: list[str] = []
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, element in walk:
        if event == "start":
            if element.tag in UNREAD or element.tag in left_out or _is_surrounding(element):
                walk.skip_subtree()
            elif element.text:
                found.append(element.text)
        elif element.tail and element is not root:
            found.append(element.tail)
    return found


def _is_surrounding(element: html.HtmlElement) -> bool:
    tag = element.tag
    if tag in _SURROUNDINGS or element.get("role") in _ROLES:
        return True
    if tag != "header":
        return False
    return not any(one.tag in ("main", "article", "section") for one in islice(element.iterancestors(), MOST_ABOVE))
