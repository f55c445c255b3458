"""Reads the dates of the nodes in a script of JSON-LD: those of the page's own article first.

A graph also tells when the site, a picture, a comment or the next article was published. Nodes of articles come before
those of the page, and nodes that name the address of another page come last; comments are left out, and events but for
the days on which they take place.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

ARTICLE = frozenset(
    "article newsarticle blogposting reportagenewsarticle analysisnewsarticle opinionnewsarticle reviewnewsarticle "
    "backgroundnewsarticle report scholarlyarticle techarticle socialmediaposting liveblogposting "
    "discussionforumposting".split()
)
PAGE = frozenset("webpage itempage medicalwebpage qapage faqpage videoobject recipe question book review".split())
_LEFT_OUT = frozenset("comment answer event person organization newsmediaorganization offer product jobposting".split())
_OTHERS = frozenset(
    "comment mentions haspart itemlistelement citation review event subjectof isrelatedto author publisher".split()
)
"""What a node says of other things than itself."""
EVENT_KEYS = frozenset(("startdate", "enddate", "doortime"))
"""Under which an event tells when it takes place."""
_DEPTH, _MOST = 12, 2_000
OWN, OF_PAGE, UNKNOWN, ELSEWHERE, OTHER = range(5)
"""`ELSEWHERE` names the address of another page, `OTHER` stands in a list or among comments."""


class NodeDate(NamedTuple):
    """A date of a node: whose it is (`OWN` first), its key in small letters, and its value."""

    whose: int
    key: str
    value: str


def node_dates(script: str, address: str) -> list[NodeDate] | None:
    """Return the dates that a script of JSON-LD gives, those of the page at this address first; None if it is broken.

    >>> graph = '{"@graph": [{"@type": "WebSite", "datePublished": "2010-01-05"}, '
    >>> graph += '{"@type": "NewsArticle", "datePublished": "2015-05-05"}]}'
    >>> [date.value for date in node_dates(graph, "http://e.org/a") if date.key == "datepublished"]
    ['2015-05-05', '2010-01-05']
    """
    try:
        whole = json.loads(script, strict=False)
    except (ValueError, RecursionError):
        return None
    found = []
    for date in _dates(whole, plain_address(address), OWN, _DEPTH):
        found.append(date)
        if len(found) >= _MOST:
            break
    return sorted(found, key=lambda date: date.whose)


def plain_address(url: str) -> str:
    """Return an address as far as it says which page it is.

    >>> plain_address("https://www.e.org/a/?x=1#top")
    'e.org/a'
    """
    rest = url.partition("://")[2] or url
    return rest.partition("#")[0].partition("?")[0].removeprefix("www.").rstrip("/").lower()


def _dates(node: Any, address: str, least: int, depth: int) -> Iterator[NodeDate]:
    if depth <= 0:
        return
    if isinstance(node, list):
        for one in node:
            yield from _dates(one, address, least, depth - 1)
        return
    if not isinstance(node, dict):
        return
    kinds = _kinds(node)
    if any(kind.endswith("event") for kind in kinds):
        for key, value in node.items():
            if isinstance(value, str) and str(key).lower() in EVENT_KEYS:
                yield NodeDate(OTHER, str(key).lower(), value)
        return
    if kinds & _LEFT_OUT:
        return
    whose = max(least, _whose(node, kinds, address)) if kinds or "@context" in node else max(least, UNKNOWN)
    for key, value in node.items():
        name = str(key).lower()
        if isinstance(value, str):
            yield NodeDate(whose, name, value)
        elif isinstance(value, dict | list):
            if isinstance(value, list) and value and isinstance(value[0], str):
                yield NodeDate(whose, name, value[0])
            yield from _dates(value, address, OTHER if name in _OTHERS else least, depth - 1)


def _kinds(node: dict[str, Any]) -> set[str]:
    kinds = node.get("@type", ())
    named = kinds if isinstance(kinds, list) else [kinds]
    return {str(one).rpartition("/")[2].rpartition(":")[2].lower() for one in named if isinstance(one, str)}


def _whose(node: dict[str, Any], kinds: set[str], address: str) -> int:
    if not kinds & (ARTICLE | PAGE):
        return UNKNOWN
    own = OWN if kinds & ARTICLE else OF_PAGE
    named = node.get("url") or node.get("mainEntityOfPage")
    if isinstance(named, dict):
        named = named.get("@id")
    if not isinstance(named, str) or "://" not in named or not address:
        return own
    plain = plain_address(named)
    return own if plain == address or "/" not in plain else ELSEWHERE
