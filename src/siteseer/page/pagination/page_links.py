"""Recognises the links of a page to the other pages of the same list: page numbers, next, previous.

It serves every strategy: a list is followed to its end without asking where that is. Directions are returned, but blogs
mean either by "previous": follow both.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Literal, cast

from siteseer.model import Page
from siteseer.page.linear_model import Weights
from siteseer.page.links import base, head_links
from siteseer.page.pagination.link_features import Candidate, all_features, candidates
from siteseer.page.tree import cached, is_html, tree
from siteseer.page.urls import identity, resolve

WEIGHTS = "pagination.json"
"""Fitted by `bench/pagination.py --train`; the file says on what."""
CLASSES = ("other", "page", "next", "prev")
ACCEPTED = 0.5
"""How probable a pagination link must be by itself."""
AMONG_ACCEPTED = 0.2
"""How probable it must be in a group in which two links were accepted."""
CERTAIN = frozenset(("t:only", "u:place"))
Direction = Literal["page", "next", "prev"]
Said = Literal["head", "text", "name", "control", "letter"]


@dataclass(frozen=True, slots=True)
class PageLink:
    """A link to another page of the list."""

    url: str
    direction: Direction
    text: str
    confidence: float
    said: Said = "text"
    """What says so: the page's head, the link's text, a name or picture in its stead, a button or menu, a letter."""


@cached
def pagination(page: Page) -> tuple[PageLink, ...]:
    """Return the links to other pages of this page's list, in page order, each URL once.

    >>> body = b'<div class="pager">1 <a href="?page=2">2</a> <a href="?page=3">3</a> <a href="?page=2">Next</a></div>'
    >>> html_type = (("Content-Type", "text/html"),)
    >>> [(link.url, link.direction) for link in pagination(Page("http://e.org/list", headers=html_type, body=body))]
    [('http://e.org/list?page=2', 'next'), ('http://e.org/list?page=3', 'page')]
    """
    if not is_html(page):
        return ()
    found: dict[str, PageLink] = {}
    for link in head_links(page):
        if link.kind in ("next", "prev") and identity(link.url) != identity(page.url):
            found[identity(link.url)] = PageLink(link.url, cast(Direction, link.kind), "", 1.0, "head")
    for one, chances in accepted(page):
        name = identity(one.url) if one.url else ""
        if not name or name == identity(page.url):
            continue
        direction = max(CLASSES[1:], key=lambda kind: chances[CLASSES.index(kind)])
        known = found.get(name)
        if known is None or (known.direction == "page" and direction != "page"):
            said: Said = "name" if "empty" in one.marks else "text"
            found[name] = PageLink(one.url, cast(Direction, direction), one.text, 1 - chances[0], said)
    return tuple(found.values())


def accepted(page: Page, weights: Weights | None = None) -> list[tuple[Candidate, list[float]]]:
    """Return the links that are classified as pagination, with the probability of each class."""
    known = weights or _weights()
    found, facts = described(page)
    judged = [(one, with_certain(fact, known.probabilities(fact))) for one, fact in zip(found, facts, strict=True)]
    return chosen(judged)


def with_certain(fact: frozenset[str], chances: list[float]) -> list[float]:
    """Return the probabilities, raised for a link that says next or previous and nothing else, and names another
    position.

    Lone links of that kind are rare among the labelled pages, but leave no doubt.
    """
    says = fact & {"t:next", "t:prev", "t:arrow-next", "t:arrow-prev", "rel=next", "rel=prev"}
    if not says or not fact >= CERTAIN:
        return chances
    at = 2 if fact & {"t:next", "rel=next", "t:arrow-next"} and "t:prev" not in fact else 3
    return [min(chances[0], 0.1), *(0.9 if at == place else 0.0 for place in (1, 2, 3))]


def chosen(judged: list[tuple[Candidate, list[float]]]) -> list[tuple[Candidate, list[float]]]:
    """Return those that are probable enough, by themselves or in the company of others."""
    sure = [one for one, chances in judged if 1 - chances[0] >= ACCEPTED]
    company: dict[object, int] = {}
    for one in sure:
        for element in one.above[:3]:
            company[element] = company.get(element, 0) + 1
    taken = set(map(id, sure))
    return [
        (one, chances)
        for one, chances in judged
        if id(one) in taken
        or (1 - chances[0] >= AMONG_ACCEPTED and any(company.get(element, 0) >= 2 for element in one.above[:3]))
    ]


def described(page: Page) -> tuple[list[Candidate], list[frozenset[str]]]:
    """Return the links that may be pagination, with their features."""
    root = tree(page)
    found = candidates(root)
    where = base(page)
    for one in found:
        one.url = (resolve(where, one.href) or "") if one.href else ""
    total = found[-1].order + 1 if found else 0
    return found, all_features(found, page.url, total)


@lru_cache(maxsize=1)
def _weights() -> Weights:
    return Weights.shipped("siteseer.page", WEIGHTS)
