"""Writes navigation actions that select the links which proved worth following on a level's pages."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from urllib.parse import urlsplit

from siteseer.extract.read_values import read_url
from siteseer.knowledge.alternatives import first_selection
from siteseer.knowledge.types import Level, Navigation, Paging
from siteseer.model import Page
from siteseer.page.links import base
from siteseer.strategies.aware.adaptation.extraction.extraction_repair import Change
from siteseer.strategies.aware.adaptation.extraction.record_scope import words_of
from siteseer.strategies.aware.adaptation.navigation.exploration import Explorer
from siteseer.strategies.aware.adaptation.navigation.link_groups import LinkGroup, continues, is_near
from siteseer.strategies.aware.adaptation.navigation.url_classes import ExploredPage
from siteseer.strategies.aware.adaptation.navigation.url_skeletons import escaped, expression_of
from siteseer.xpath.relaxation import relaxations

MOST_RELAXED = 200
MOST_KNOWN = 9
"""Known actions that are relaxed: with what else is tried, 2,000 candidates at most."""
COVERED = 0.9
ANY_LINK = "a/@href"
FEWEST_LETTERS = 2


@dataclass(slots=True)
class RepairedNavigation:
    """Learned levels, the rule that turns the pages of one object, and the changes."""

    levels: dict[str, Level] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)
    pagings: dict[Paging, None] = field(default_factory=dict)

    def level(self, known: Level) -> Level:
        """Return what is added to a known level."""
        return self.levels.get(known.id) or Level(known.id, known.kind, known.name)


class NavigationRepair:
    """Writes the navigation actions of levels into what is composed."""

    def __init__(self, explorer: Explorer, made: RepairedNavigation) -> None:
        self.explorer, self.made = explorer, made

    def follow(
        self, level: Level, looks: list[ExploredPage], urls: set[str], role: str, to: str, priority: float
    ) -> None:
        """Write the action that leads from the pages of a level to these URLs."""
        known = [one for one in level.navigations if one.role == role and one.to == to and one.text]
        first = {url for url in urls if not ((one := self.explorer.classes.of(url)) and one.pager)} or urls
        wanted = [(look.page, {u for g in look.groups if not g.aside for u in g.urls if u in first}) for look in looks]
        wanted = [(page, found) for page, found in wanted if found]
        if not wanted or any(self._covers(one.text, wanted, urls) for one in known):
            return
        text, method, changes = self._expression(known, looks, wanted, urls)
        matches = _either(one.matches for one in self.explorer.classes if any(url in urls for url in one.urls))
        action = Navigation(role, text, to, known[0].priority if known else priority, matches)  # type: ignore[arg-type]
        self._add(level, action, known, method, changes, wanted[0][0].url)

    def _expression(
        self, known: list[Navigation], looks: list[ExploredPage], wanted: list[tuple[Page, set[str]]], urls: set[str]
    ) -> tuple[str, str, tuple[str, ...]]:
        """Return the known expression relaxed, or where the links stand, or any link."""
        words = words_of([page for page, _ in wanted[:4]])
        for action in known[:MOST_KNOWN]:
            for one in relaxations(action.expression, words, 0, limit=MOST_RELAXED):
                if self._covers(text := str(one.expression), wanted[:4], urls) and self._covers(text, wanted, urls):
                    return text, "relaxation", one.changes
        groups: dict[str, LinkGroup] = {g.expression: g for look in looks for g in look.groups if not g.aside}
        for text, group in sorted(groups.items(), key=lambda item: -item[1].score):
            if any(url in urls for url in group.urls) and self._covers(text, wanted, urls):
                return text, "links", ()
        return ANY_LINK, "addresses", ()

    @staticmethod
    def _covers(text: str, wanted: list[tuple[Page, set[str]]], urls: set[str]) -> bool:
        """Say whether an expression finds the wanted links of every page, and hardly others."""
        for page, some in wanted:
            found = {
                url.partition("#")[0] for node in first_selection(text, page) if (url := read_url(node, base(page)))
            }
            if len(found & some) < COVERED * len(some) or len(found & urls) < COVERED * len(found):
                return False
        return True

    def turn(self, level: Level, looks: list[ExploredPage]) -> None:
        """Write the action that turns the pages of a level, where none of the known ones does."""
        known = [one for one in level.navigations if one.role in ("next", "comments") and one.text]
        if any(first_selection(one.text, look.page) for look in looks for one in known):
            return
        groups: dict[str, list[LinkGroup]] = {}
        for look in looks:
            for group in look.groups:
                is_pager = group.pager * 2 >= max(1, group.links) and self._turns(level, look, group)
                if is_pager:
                    groups.setdefault(group.expression, []).append(group)
        if not groups:
            return
        text, best = max(groups.items(), key=lambda item: (len(item[1]), sum(g.pager for g in item[1])))
        if level.is_terminal:
            self._one_object(looks, best)
        matches = _either(expression_of(group.urls) for group in best)
        priority = known[0].priority if known else 15.0
        action = Navigation("next", text, level.id, priority, matches)
        self._add(level, action, known[:1], "links", (), looks[0].page.url)

    def _one_object(self, looks: list[ExploredPage], groups: list[LinkGroup]) -> None:
        """Write down which part of their addresses turns pages: what they show together is one object."""
        pages = {look.page.url for look in looks}
        pairs = [(url, page) for group in groups for page in group.pages & pages for url in group.urls]
        self.made.pagings.update((found, None) for url, page in pairs if (found := paging_of(url, page)))

    def _turns(self, level: Level, look: ExploredPage, group: LinkGroup) -> bool:
        """Say whether a group of links leads to further pages of what a page shows, not to its neighbours or parts."""
        if level.is_terminal:
            return any(continues(url, look.page.url) for url in group.urls)
        one = self.explorer.classes.of(next(iter(group.urls)))
        is_other = one is not None and one.verdict in ("terminal", "nothing")
        return not is_other and any(is_near(url, look.page.url) for url in group.urls)

    def _add(
        self, level: Level, action: Navigation, known: list[Navigation], method: str, changes: tuple[str, ...], url: str
    ) -> None:
        added = self.made.level(level)
        self.made.levels[level.id] = replace(added, navigations=(action, *added.navigations))
        old = " | ".join(one.text for one in known)
        name = f"{action.role} to {action.to}" if action.to else action.role
        self.made.changes.append(Change(level.id, name, old, action.text, method, changes, 1.0, url))


def paging_of(url: str, page: str) -> Paging | None:
    """Return the part of a URL by which it goes on from the page with the rest of its address; None where none is sure.

    >>> paging_of("http://e.org/a-boat/comment-page-2/", "http://e.org/a-boat/").matches
    '^https?://e\\\\.org/(?:.*?/)?(comment-page-[0-9]+/)$'
    >>> paging_of("http://e.org/t.php?t=5&start=10", "http://e.org/t.php?t=5").matches
    '^https?://e\\\\.org/.*?(&start=[0-9]+)$'
    >>> paging_of("http://e.org/2022/3/", "http://e.org/2022/") is None
    True
    """
    own = page.partition("#")[0]
    part = url.removeprefix(own)
    if not continues(url, own) or part == url or len(re.findall("[A-Za-z]", part)) < FEWEST_LETTERS:
        return None
    way = "/(?:.*?/)?" if own.endswith("/") else "/.*?"
    return Paging(matches=f"^https?://{escaped(urlsplit(own).netloc)}{way}({_number(escaped(part))})$")


def _number(text: str) -> str:
    return re.sub(r"[0-9]+", "[0-9]+", text)


def _either(expressions: Iterable[str]) -> str:
    found = list(dict.fromkeys(expressions))
    return found[0] if len(found) == 1 else "|".join(f"(?:{one})" for one in found[:12])
