"""What exploring found out in, levels with repaired navigation actions and detection patterns out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from siteseer.adaptation.addresses import expression_of
from siteseer.adaptation.classes import Look, UrlClass
from siteseer.adaptation.explore import Explorer
from siteseer.adaptation.extraction import Change
from siteseer.adaptation.levels import detection_of, level_pattern
from siteseer.adaptation.links import LinkGroup, continues, is_near
from siteseer.adaptation.reference import main_kind
from siteseer.adaptation.scopes import words_of
from siteseer.extract.values import read_url
from siteseer.knowledge.match import detects
from siteseer.knowledge.select import first_selection
from siteseer.knowledge.types import Application, Level, Navigation
from siteseer.model import Page
from siteseer.page.links import base
from siteseer.recognise.level import level_of
from siteseer.xpath.relax import relaxations

HOLDS_CHILDREN = 3
"""A page with links to at least so many terminal pages in one place is a list of them."""
FEWEST_PAGES = 4
"""Of a level and of others together: fewer do not tell a level apart."""
RECOGNISED = 0.8
MOST_RELAXED = 200
COVERED = 0.9
ANY_LINK = "a/@href"


@dataclass(slots=True)
class Composed:
    """Levels that are added to what is known, and what changed."""

    levels: dict[str, Level] = field(default_factory=dict)
    changes: list[Change] = field(default_factory=list)


def terminal_level(application: Application, lone: bool) -> Level | None:
    """Return the level that holds the objects of an application: one object a page, or many.

    Pages that are nothing but pages come last, unless the application has no other.
    """
    levels = [one for one in application.levels if one.is_terminal and one.format == "html" and one.extractions]
    fitting = [one for one in levels if any(extraction.take == "first" for extraction in one.extractions) == lone]
    return min(fitting or levels, key=lambda level: main_kind(level) == "page", default=None)


def has_one_object(application: Application) -> bool:
    """Say whether a page of this kind of software is about one object, with what others said of it beneath."""
    return application.category not in ("forum", "social")


def list_level(application: Application, terminal: str) -> Level:
    """Return the level whose pages lead to a terminal level."""
    levels = [one for one in application.levels if one.kind == "intermediate" and one.format == "html"]
    leading = [one for one in levels if any(action.to == terminal for action in one.navigations)]
    named = [one for one in levels if one.id == "list"]
    return next(iter(leading or named), Level("list", "intermediate"))


def index_level(application: Application, listing: str) -> Level:
    """Return the level whose pages lead to lists."""
    levels = [one for one in application.levels if one.kind == "intermediate" and one.format == "html"]
    leading = [one for one in levels if one.id != listing and any(a.to == listing for a in one.navigations)]
    return next(iter(leading), Level("index", "intermediate"))


class Composer:
    """Writes what the explorer found as levels of the application."""

    def __init__(
        self, application: Application, explorer: Explorer, samples: Mapping[str, Sequence[Page]] | None = None
    ) -> None:
        self.application, self.explorer = application, explorer
        self.samples = samples or {}
        """Pages whose levels are known: what a new pattern must not hold on, unless they are of its level."""
        self.made = Composed()

    def compose(self) -> Composed:
        """Return levels for the pages that were looked at."""
        content = [one for one in self.explorer.classes if one.verdict == "terminal" and one.level]
        if self.explorer.main in (one.level for one in content):
            content = [one for one in content if one.level == self.explorer.main]
        level = self.application.level(content[0].level or "") if content else None
        if level is None:
            return self.made
        urls = set(self.explorer.classes.terminal)
        looks = [look for look in self.explorer.looks.values() if not look.is_alias]
        terminal = [look for one in content for look in one.looks]
        is_web = any(action.role == "child" and action.to == level.id for action in level.navigations)
        lists = [look for look in looks if look not in terminal and self._children(look, urls)]
        lists = [look for look in lists if not self._is_worthless(look) and not (is_web and look.depth == 0)]
        rest = [look for look in looks if look not in terminal and look not in lists and self._is_other(look, is_web)]
        listing = list_level(self.application, level.id)
        self._detect(level, terminal, [*lists, *rest], content)
        self._pager(level, terminal)
        if is_web:
            self._follow(level, terminal, urls, "child", level.id, 10.0)
        if lists:
            self._detect(listing, lists, [*terminal, *rest], ())
            self._follow(listing, lists, urls, "child", level.id, 10.0)
            self._pager(listing, lists)
        self._ways_to_lists(listing, lists, rest, terminal)
        return self.made

    def _ways_to_lists(self, listing: Level, lists: list[Look], rest: list[Look], terminal: list[Look]) -> None:
        ways = [one for one in self.explorer.classes if one.verdict == "list" and not one.pager and len(one.urls) > 1]
        urls = {url for one in ways for url in one.urls}
        if not urls:
            return
        index = index_level(self.application, listing.id)
        above = [look for look in rest if any(url in urls for group in look.groups for url in group.urls)]
        if above:
            self._detect(index, above, [*terminal, *lists, *(look for look in rest if look not in above)], ())
            self._follow(index, above, urls, "child", listing.id, 12.0)
        if any(url in urls for look in lists for group in look.groups for url in group.urls):
            self._follow(listing, lists, urls, "child", listing.id, 12.0)

    def _is_worthless(self, look: Look) -> bool:
        """Say whether a page is of a kind that was tried and brought nothing new."""
        one = self.explorer.classes.of(look.page.url)
        return one is not None and one.verdict == "nothing"

    def _is_other(self, look: Look, is_web: bool) -> bool:
        """Say whether a page is known not to be one with objects: by its level, or by what its like turned out to be.

        Where pages with objects link to each other (`is_web`), the first page is likely one of them.
        """
        one = self.explorer.classes.of(look.page.url)
        if is_web and look.depth == 0:
            return False
        return one is None or not one.is_open or (look.level is not None and not look.terminal)

    @staticmethod
    def _children(look: Look, urls: set[str]) -> bool:
        return any(sum(url in urls for url in group.urls) >= HOLDS_CHILDREN for group in look.groups)

    # ── detection ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _detect(self, level: Level, looks: list[Look], others: list[Look], classes: Sequence[UrlClass]) -> None:
        """Learn a pattern where the known ones did not recognise these pages."""
        known_pages = {look.page.url for look in looks}
        elsewhere = [look.page for look in others]
        elsewhere += [page for page in self._samples(level) if page.url not in known_pages]
        if not looks or not (elsewhere or classes) or len(looks) + len(elsewhere) < FEWEST_PAGES:
            return
        recognised = [level_of(look.page, self.application) for look in looks]
        right = sum(one is not None and one[0].id == level.id for one in recognised)
        mistaken = any(detects(one, page) for one in level.detections for page in elsewhere)
        if right >= RECOGNISED * len(looks) and not mistaken:
            return
        addresses = [one.urls for one in classes]
        found = level_pattern(level, [look.page for look in looks], elsewhere, addresses)
        if found is None:
            return
        rivals = {one[0].id: one[0].priority for one in recognised if one is not None and one[0].id != level.id}
        priority = max(level.priority, *(rival + 1 for rival in rivals.values())) if rivals else level.priority
        added = self._level(level)
        known = " | ".join(one.text for detection in level.detections for one in detection.patterns)
        self.made.levels[level.id] = replace(added, detections=(detection_of(found, priority), *added.detections))
        candidate = found.candidate
        self.made.changes.append(
            Change(
                level.id, "level", known, candidate.text, candidate.method, candidate.changes, found.confidence,
                looks[0].page.url, tuple(look.page.url for look in looks[1:5]),
            )
        )  # fmt: skip

    def _samples(self, level: Level) -> Iterator[Page]:
        """Yield pages that are known to be of other levels."""
        for name, pages in self.samples.items():
            if name != level.id:
                yield from pages

    def _level(self, level: Level) -> Level:
        return self.made.levels.get(level.id) or Level(level.id, level.kind, level.name)

    # ── navigation ────────────────────────────────────────────────────────────────────────────────────────────────

    def _follow(self, level: Level, looks: list[Look], urls: set[str], role: str, to: str, priority: float) -> None:
        """Write the action that leads from the pages of a level to these URLs."""
        known = [one for one in level.navigations if one.role == role and one.to == to and one.text]
        wanted = [(look.page, {u for g in look.groups if not g.aside for u in g.urls if u in urls}) for look in looks]
        wanted = [(page, found) for page, found in wanted if found]
        if not wanted or any(self._covers(one.text, wanted, urls) for one in known):
            return
        text, method, changes = self._expression(known, looks, wanted, urls)
        matches = _either(one.matches for one in self.explorer.classes if any(url in urls for url in one.urls))
        action = Navigation(role, text, to, known[0].priority if known else priority, matches)  # type: ignore[arg-type]
        self._add(level, action, known, method, changes, wanted[0][0].url)

    def _expression(
        self, known: list[Navigation], looks: list[Look], wanted: list[tuple[Page, set[str]]], urls: set[str]
    ) -> tuple[str, str, tuple[str, ...]]:
        """Return the known expression relaxed, or where the links stand, or any link."""
        words = words_of([page for page, _ in wanted[:4]])
        for action in known:
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

    def _pager(self, level: Level, looks: list[Look]) -> None:
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
        matches = _either(expression_of(group.urls) for group in best)
        priority = known[0].priority if known else 15.0
        action = Navigation("next", text, level.id, priority, matches)
        self._add(level, action, known[:1], "links", (), looks[0].page.url)

    def _turns(self, level: Level, look: Look, group: LinkGroup) -> bool:
        """Say whether a group of links leads to further pages of what a page shows, not to its neighbours or parts."""
        if level.is_terminal:
            return any(continues(url, look.page.url) for url in group.urls)
        one = self.explorer.classes.of(next(iter(group.urls)))
        is_other = one is not None and one.verdict in ("terminal", "nothing")
        return not is_other and any(is_near(url, look.page.url) for url in group.urls)

    def _add(
        self, level: Level, action: Navigation, known: list[Navigation], method: str, changes: tuple[str, ...], url: str
    ) -> None:
        added = self._level(level)
        self.made.levels[level.id] = replace(added, navigations=(action, *added.navigations))
        old = " | ".join(one.text for one in known)
        name = f"{action.role} to {action.to}" if action.to else action.role
        self.made.changes.append(Change(level.id, name, old, action.text, method, changes, 1.0, url))


def _either(expressions: Iterable[str]) -> str:
    found = list(dict.fromkeys(expressions))
    return found[0] if len(found) == 1 else "|".join(f"(?:{one})" for one in found[:12])
