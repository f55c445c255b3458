"""Collects the external links of a site's pages: all of them, and those that somebody put into the content.

A site repeats some links on every page (the software's home, a blogroll) and makes others by machine (share this page).
Reference: Faheem, Intelligent Content Acquisition in Web Archiving, table 3.1, which left such links out by a list of
patterns made by hand. Here a link is boilerplate where it stands on a fifth of the pages, or names the page it is on.
"""

from __future__ import annotations

from collections import Counter
from typing import Any
from urllib.parse import quote

from lxml import etree

from siteseer.model import Page
from siteseer.page.links import base
from siteseer.page.tree import tree
from siteseer.page.urls import host_of, identity, origin_of, resolve

_HREFS: Any = etree.XPath("//a/@href | //area/@href", smart_strings=False)
REPEATED_SHARE = 0.2
REPEATED_PAGES = 5
"""On fewer pages than this nothing counts as repeated."""


class ExternalLinks:
    """Collects the external links of a site's pages.

    >>> found = ExternalLinks()
    >>> found.add(Page("http://e.org/", 200, (("Content-Type", "text/html"),), b"<a href=http://other.org/>x</a>"))
    >>> sorted(found.all()), sorted(found.content())
    (['http://other.org/'], ['http://other.org/'])
    """

    def __init__(self) -> None:
        self._pages: Counter[str] = Counter()
        self._made: set[str] = set()
        self._hosts: set[str] = set()
        self._count = 0

    def add(self, page: Page) -> None:
        """Add a page."""
        self._count += 1
        own = host_of(page.url)
        self._hosts.add(own)
        leaving = {url for url in _absolute(page) if host_of(url) != own}
        self._pages.update(set(map(identity, leaving)))
        written = (page.url, quote(page.url, safe=""), quote(page.url))
        self._made.update(identity(url) for url in leaving if any(name in url for name in written))

    def all(self) -> frozenset[str]:
        """Return every external link, by the identity of its URL."""
        return frozenset(url for url in self._pages if host_of(url) not in self._hosts)

    def content(self) -> frozenset[str]:
        """Return the external links that are no boilerplate."""
        often = max(REPEATED_PAGES, REPEATED_SHARE * self._count)
        return frozenset(url for url in self.all() if self._pages[url] < often and url not in self._made)


def _absolute(page: Page) -> set[str]:
    """Return where the page's links lead, those left out that plainly stay on its host."""
    where, here = base(page), origin_of(page.url) + "/"
    if origin_of(where) + "/" == here:
        hrefs = {href for href in _HREFS(tree(page)) if "//" in href and not href.startswith(here)}
    else:  # a base elsewhere takes every relative reference along
        hrefs = set(_HREFS(tree(page)))
    return {url for href in hrefs if (url := resolve(where, href))}
