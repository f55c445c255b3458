"""Classifies URLs by shape, with what is known of the pages behind them.

A URL belongs to one class, the narrowest whose expression it matches. Each class keeps its own fetched pages, so that
deciding it never iterates over the whole site.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from siteseer.knowledge.types import regex
from siteseer.model import Page
from siteseer.page.urls import identity
from siteseer.strategies.aware.adaptation.navigation.link_groups import LinkGroup, continues
from siteseer.strategies.aware.adaptation.navigation.url_skeletons import path_and_query, skeleton

Verdict = Literal["", "terminal", "list", "prose", "nothing", "later"]
WORTHWHILE = ("terminal", "list", "prose")
MOST_WAITING = 20_000
MOST_CLASSES = 400
LONGEST_TAIL = 26
"""How much longer the address of a further page may be than that of the first one."""
_CLASS = re.compile(r"\[[^\]]*\]\+")
_PART = re.compile(r"[/?&;]")


@dataclass(slots=True, eq=False)
class ExploredPage:
    """A fetched page: what is known of its level, its links, and what was new on it."""

    page: Page
    level: str | None
    terminal: bool
    depth: int
    groups: list[LinkGroup] = field(default_factory=list)
    fresh: set[str] = field(default_factory=set)
    """URLs that no page looked at before linked to, and that were not asked for."""
    says_new: bool = False
    """Whether most of what it said no page before said."""
    adds: bool = False
    """Whether it said anything of some length that no page before said."""
    is_alias: bool = False
    """Whether it is another page under another address."""
    repeats: bool = False
    """Whether it said mostly what pages with objects said before."""
    promised: str = ""
    """The level that the link to it promised."""


@dataclass(slots=True)
class UrlClass:
    """URLs of one shape."""

    matches: str
    urls: dict[str, str] = field(default_factory=dict)
    """Each with the page that linked to it first."""
    looks: list[ExploredPage] = field(default_factory=list)
    """The pages of this class that were looked at."""
    score: float = -9.0
    links: int = 0
    turning: int = 0
    """How many of the links to its URLs turn the pages of what the page with the link shows."""
    tried: list[str] = field(default_factory=list)
    verdict: Verdict = ""
    level: str | None = None
    followed: int = 0
    """How many of its URLs were asked for since it was judged worthwhile."""
    learned_from: int = 0
    """Pages from which records were tried to be learned last."""

    @property
    def pager(self) -> bool:
        """Whether its URLs are further pages of something."""
        return self.turning > 0 and self.turning * 2 >= self.links

    @property
    def is_open(self) -> bool:
        """Whether it is still unknown what its URLs lead to."""
        return self.verdict in ("", "later")


class UrlClasses:
    """All classes of a site's URLs.

    >>> classes = UrlClasses()
    >>> for url in ("http://e.org/t/5-two-ships/page-2/", "http://e.org/t/6-an-old-boat/page-3/"):
    ...     classes.place(LinkGroup("a", skeleton(url), {url: None}), "http://e.org/").matches
    '^/t/[0-9]+-[^/?]+/[^/?]+-[0-9]+/$'
    '^/t/[0-9]+-[^/?]+/[^/?]+-[0-9]+/$'
    """

    def __init__(self) -> None:
        self.by_expression: dict[str, UrlClass] = {}
        self.terminal: dict[str, None] = {}
        """The URLs that lead to objects, in the order in which they were found."""
        self.levels: set[str] = set()
        """The levels of the pages behind them."""
        self._stems: dict[str, str] = {}
        self._of: dict[str, UrlClass] = {}
        self._of_identity: dict[str, UrlClass] = {}
        self._of_shape: dict[str, list[UrlClass]] = {}
        self._looks: dict[str, ExploredPage] = {}
        self._unplaced: dict[str, ExploredPage] = {}
        """Pages that were looked at before a class for their address was made."""

    def __iter__(self) -> Iterator[UrlClass]:
        return iter(list(self.by_expression.values()))

    def of(self, url: str) -> UrlClass | None:
        """Return the class of a URL that was seen."""
        address = url.partition("#")[0]
        return self._of.get(address) or self._of_identity.get(identity(address)) or self._fitting([address])

    def _fitting(self, urls: Sequence[str]) -> UrlClass | None:
        """Return the narrowest class whose expression some URLs of one shape match."""
        found: UrlClass | None = None
        addresses = [path_and_query(url) for url in urls]
        for one in self._of_shape.get(skeleton(urls[0]), ()):
            if (found is None or narrowness(one.matches) > narrowness(found.matches)) and all(
                regex(one.matches).search(address) for address in addresses
            ):
                found = one
        return found

    def place(self, group: LinkGroup, where: str) -> UrlClass:
        """Put the URLs of a group of links into their class."""
        one = self._class_for(group)
        one.score = max(one.score, group.score)
        one.links += group.links
        one.turning += group.pager
        rest: dict[str, None] = {}
        for url in group.urls:
            if url in self._of or len(one.urls) >= MOST_WAITING:
                continue
            if regex(one.matches).search(path_and_query(url)):
                self._put(url, one, where)
            else:
                rest[url] = None
        if rest and len(rest) < len(group.urls):
            self.place(replace(group, urls=rest), where)
        return one

    def _put(self, url: str, one: UrlClass, where: str) -> None:
        one.urls[url] = where
        self._of[url] = one
        name = identity(url)
        look = self._looks.get(name)
        if self._of_identity.setdefault(name, one) is one and look is not None and look not in one.looks:
            one.looks.append(look)
            self._unplaced.pop(name, None)
        if one.verdict == "terminal":
            self._is_terminal(url)

    def _class_for(self, group: LinkGroup) -> UrlClass:
        """Return the class of the group's URLs: where one is known already, else the narrowest that fits."""
        known = next((self._of[url] for url in group.urls if url in self._of), None)
        if known is not None:
            return known
        own = group.matches
        if own in self.by_expression:
            return self.by_expression[own]
        best = self._fitting(list(group.urls))
        if best is not None and (narrowness(best.matches) >= narrowness(own) or self._is_full):
            return best
        made = self.by_expression[own] = UrlClass(own)
        self._of_shape.setdefault(skeleton(next(iter(group.urls))), []).append(made)
        self._adopt(made)
        return made

    def _adopt(self, made: UrlClass) -> None:
        """Move already fetched pages with such URLs into a new class."""
        for name, look in list(self._unplaced.items()):
            if self.of(look.page.url) is made:
                made.looks.append(self._unplaced.pop(name))

    @property
    def _is_full(self) -> bool:
        return len(self.by_expression) >= MOST_CLASSES

    def looked_at(self, look: ExploredPage) -> None:
        """Add a fetched page to the class of its URL."""
        name = identity(look.page.url)
        self._looks[name] = look
        if (one := self.of(look.page.url)) is not None:
            one.looks.append(look)
        else:
            self._unplaced[name] = look

    def judge(self, one: UrlClass, verdict: Verdict, level: str | None = None) -> bool:
        """Record the outcome of a class; say whether it is new."""
        before, one.verdict = one.verdict, verdict
        one.level = level or one.level
        if verdict == "terminal":
            self.levels.update({one.level} if one.level else ())
            for url in one.urls:
                self._is_terminal(url)
        return before != verdict

    def _is_terminal(self, url: str) -> None:
        self.terminal[url] = None
        self._stems[url.rstrip("/")] = url

    def continued(self, url: str) -> UrlClass | None:
        """Return the class of the page with objects whose address a URL continues with one number more."""
        for length in range(len(url) - 1, max(0, len(url) - LONGEST_TAIL), -1):
            known = self._stems.get(url[:length])
            if known is not None and known != url and continues(url, known):
                return self._of.get(known)
        return None


def narrowness(expression: str) -> int:
    """Return how many letters the parts of an expression have that do not vary.

    >>> narrowness("^/topic/[0-9]+-a-pond/page-[0-9]+$") == narrowness("^/topic/[0-9]+-[^/?]+/[^/?]+-[0-9]+$") == 5
    True
    """
    parts = _PART.split(_CLASS.sub("[]", expression).strip("^$").replace("\\", ""))
    return sum(len(part) for part in parts if "[" not in part)
