"""Returns the links that certainly continue the list on a page, before any rule excludes URLs.

Three kinds are sure: page links (`page_links`) that name another place in the list, buttons and menus that do
(`page_controls`), and the letters of an index. A link to the next topic, or to another order of the list, is none.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import islice, pairwise

from lxml import html

from siteseer.model import Page
from siteseer.page.links import base
from siteseer.page.pagination import link_words as words
from siteseer.page.pagination.list_position import names_position, position_of
from siteseer.page.pagination.page_controls import controls
from siteseer.page.pagination.page_links import PageLink, pagination
from siteseer.page.tree import cached, is_html, tree
from siteseer.page.urls import identity, resolve

FEWEST_LETTERS = 6
MOST_LINKS = 5_000
MOST_ALIKE = 2
"""So many links to different pages may say "next": two lists on a page."""
NEIGHBOURS = re.compile(r"=(?:next|prev|previous|nextnewest|nextoldest|newer|older)(?:[&;]|$)", re.IGNORECASE)
"""A URL that names its page by its place beside another one: the next topic, not the next page."""
_FIRST = re.compile(rf"\W*(?:(?:{words.PAGE})\W{{0,3}})?1(?:\s.*|\W*)", re.IGNORECASE)
_LETTER = re.compile(r"[^\W\d_]|#|0-9|123")


@cached
def further_pages(page: Page) -> tuple[PageLink, ...]:
    """Return the links that surely lead to further pages of the list, in page order, each URL once.

    >>> body = b'<a href="/?page=2&sort=date">next</a> <a href="/?sort=name">Name</a> <a href="/t?t=7&go=next">next</a>'
    >>> page = Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)
    >>> [link.url for link in further_pages(page)]
    ['http://e.org/?page=2&sort=date']
    """
    if not is_html(page):
        return ()
    found: dict[str, PageLink] = {}
    for link in (*pagination(page), *_controls(page), *_letters(page)):
        found.setdefault(identity(link.url), link)
    found.pop(identity(page.url), None)
    sure = [link for link in found.values() if _is_sure(link, page.url)]
    crowded = _repeated_directions(sure)
    return tuple(link for link in sure if link.text.lower() not in crowded)


def _is_sure(link: PageLink, here: str) -> bool:
    if NEIGHBOURS.search(link.url) or _is_beginning(link):
        return False
    if link.said in ("head", "letter"):
        return True
    is_named = link.said != "text" or words.says_only_direction(link.text) or words.says_only_number(link.text)
    return is_named and names_position(link.url, here)


def _repeated_directions(links: list[PageLink]) -> set[str]:
    """Return what more links say than lists have ends: an arrow beside each entry leads into it, not on in the list."""
    said = Counter(link.text.lower() for link in links if words.says_only_direction(link.text))
    return {text for text, count in said.items() if count > MOST_ALIKE}


def _is_beginning(link: PageLink) -> bool:
    """Say whether a link leads back to the first page, which is the list itself."""
    place = position_of(link.url)
    is_first = _FIRST.fullmatch(link.text) is not None
    return place == 0 or is_first or (place == 1 and link.direction == "prev")


def _controls(page: Page) -> Iterator[PageLink]:
    for url, label in controls(page):
        yield PageLink(url, "page", label, 0.9, "control")


# ── the letters of an index ───────────────────────────────────────────────────────────────────────────────────────


def _letters(page: Page) -> Iterator[PageLink]:
    """Return the links of an index from A to Z: single letters, one after the other, whose URLs differ in them only."""
    groups: dict[html.HtmlElement, list[tuple[str, str]]] = defaultdict(list)
    where = base(page)
    for element in islice(tree(page).iter("a"), MOST_LINKS):
        text = (element.text_content() if len(element) else element.text or "").strip()
        if 1 <= len(text) <= 3 and _LETTER.fullmatch(text):
            above = list(islice(element.iterancestors(), 3))
            url = resolve(where, element.get("href", ""))
            for one in above if url else ():
                groups[one].append((text.lower(), url or ""))
    for members in groups.values():
        if _is_index(members):
            yield from (PageLink(url, "page", letter, 0.9, "letter") for letter, url in members)
            return


def _is_index(members: list[tuple[str, str]]) -> bool:
    alone = [(letter, url) for letter, url in members if letter.isalpha()]
    if len(alone) < FEWEST_LETTERS or any(b <= a for (a, _), (b, _) in pairwise(alone)):
        return False
    shapes = {_without(url, letter) for letter, url in alone}
    return len(shapes) == 1 and None not in shapes


def _without(url: str, letter: str) -> str | None:
    """Return a URL with a star for the letter that it names, None where it names it nowhere by itself."""
    path = url.partition("://")[2]
    found = re.subn(rf"(?<=[/=_-]){re.escape(letter)}(?=[/&;.#]|$)", "*", path, flags=re.IGNORECASE)
    return found[0] if found[1] else None
