"""Recognises endless lists and growing paths along a chain of links, for strategies that follow everything.

A page passes fingerprints of the pages before it on to the URLs that it leads to, in the `state` of the actions, so
that nothing has to be stored. Where page after page of one path shows what was shown before, numbers aside, the links
that continue like this are left: a calendar ends a dozen months after its last event, while a list whose pages differ
is followed to its end, however long.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
from xxhash import xxh3_64_intdigest

from siteseer.interfaces import Verdict
from siteseer.model import JSON, Follow, Page, Submit
from siteseer.page.tree import is_html
from siteseer.page.two_grams import distinct
from siteseer.strategies.learned.online_learner.prose import prose
from siteseer.strategies.traps.content_traps import MOST_SEGMENTS, is_growing, kind_of

KEY = "chain"
LONGEST = 12
"""So many pages in a row that show nothing else are enough of an endless list: one year of a calendar."""
GROWTH = 2
"""Where the path repeats itself, so many are enough."""
FINGERPRINTS = 14
"""Pages of the way that are compared: a calendar's months have twelve names."""
_SESSION = re.compile(r"[?&;]([A-Za-z_]{1,30})=((?=[0-9a-zA-Z]{0,60}[0-9])[0-9a-zA-Z]{12,64})(?=[&;]|$)")
FEWEST_LINKS = 3


def in_own_session(page_url: str, urls: Iterable[str]) -> list[str]:
    """Return the URLs of a page in the session under which it was fetched, where it gives out a new one to everybody.

    >>> links = [f"http://e.org/{name}?id=7f00000000001" for name in "abc"]
    >>> in_own_session("http://e.org/?id=90000000000ab", links)[0]
    'http://e.org/a?id=90000000000ab'
    """
    urls = list(urls)
    for name, value in _SESSION.findall(page_url):
        given = [found for url in urls for key, found in _SESSION.findall(url) if key == name]
        if len(given) >= FEWEST_LINKS and len(set(given)) == 1 and given[0] != value:
            urls = [url.replace(f"{name}={given[0]}", f"{name}={value}") for url in urls]
    return urls


class Chain:
    """The fingerprints on the way to a page, and how many pages in a row showed nothing else.

    >>> page = Page("http://e.org/2024/5", headers=(("Content-Type", "text/html"),), body=b"<p>No events in 5/2024.")
    >>> state = {"chain": [12, fingerprint(page)]}
    >>> way = Chain(page, Follow(page.url, "link", state=state, referrer="http://e.org/2024/4"))
    >>> way.verdict("http://e.org/2024/6").allowed, way.verdict("http://e.org/about").allowed
    (False, True)
    """

    def __init__(self, page: Page, why: Follow | Submit) -> None:
        self.kind = path_kind(page.url)
        told = why.state.get(KEY) if isinstance(why.state, dict) else None
        if not isinstance(told, list) or not is_html(page) or self.kind != path_kind(why.referrer):
            self._state: list[int] | None = None
            self._page, self.length = page, 0
            return
        shown = fingerprint(page)
        self.length = told[0] + 1 if shown in told[1:] else 0
        self._state = [self.length, *[one for one in told[1:] if one != shown][-FINGERPRINTS:], shown]

    def verdict(self, url: str) -> Verdict:
        """Say whether a URL on this page may lead to something else."""
        segments = [one for one in url.partition("://")[2].partition("/")[2].partition("?")[0].split("/") if one]
        if len(segments) > MOST_SEGMENTS or (self.length >= GROWTH and is_growing(segments)):
            return Verdict(False, "its path grows without showing anything new", "growing path")
        if self.length >= LONGEST and path_kind(url) == self.kind:
            because = f"{self.length} pages like {self.kind} in a row showed nothing new"
            return Verdict(False, because, f"endless list: {self.kind}")
        return Verdict(True, "nothing repeats itself here")

    def state_for(self, url: str) -> JSON:
        """Return the state for a URL on this page: only one that may continue like this page gets any."""
        if path_kind(url) != self.kind:
            return None
        if self._state is None:
            self._state = [0, fingerprint(self._page)] if is_html(self._page) else [0]
        return {KEY: self._state}


def path_kind(url: str) -> str:
    """Return the path of a URL with all numbers written 0 and repetitions written once.

    >>> path_kind("http://e.org/calendar/2024/5?day=7"), path_kind("http://e.org/a/b/a/b")
    ('/calendar/0/0', '/a/b/')
    """
    kind = kind_of(url.partition("?")[0])
    segments = kind.split("/")[1:]
    if is_growing([one for one in segments if one]):
        return "/" + "/".join(sorted(set(filter(None, segments)))) + "/"
    return kind


def fingerprint(page: Page) -> int:
    """Return a fingerprint of all that a page shows, numbers aside."""
    found = prose(page)
    texts = distinct(np.array((*found.blocks, *found.shorter), np.uint64))
    return xxh3_64_intdigest(texts.tobytes()) & 0xFFFFFFFF
