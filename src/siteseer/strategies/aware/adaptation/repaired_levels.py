"""Writes the findings of exploration as levels with repaired navigation actions and detection patterns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from siteseer.knowledge.pattern_match import detects
from siteseer.knowledge.recognise import level_of
from siteseer.knowledge.types import Application, Level
from siteseer.model import Page
from siteseer.strategies.aware.adaptation.extraction.expected_records import main_kind
from siteseer.strategies.aware.adaptation.extraction.extraction_repair import Change
from siteseer.strategies.aware.adaptation.level_detection import detection_of, level_pattern
from siteseer.strategies.aware.adaptation.navigation.exploration import Explorer
from siteseer.strategies.aware.adaptation.navigation.navigation_repair import NavigationRepair, RepairedNavigation
from siteseer.strategies.aware.adaptation.navigation.url_classes import ExploredPage, UrlClass

HOLDS_CHILDREN = 3
"""A page with links to at least so many terminal pages in one place is a list of them."""
FEWEST_PAGES = 4
"""Of a level and of others together: fewer do not tell a level apart."""
RECOGNISED = 0.8


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


def listing_below(application: Application, terminal: str) -> str:
    """Return the level whose pages lead to a terminal level and to which another level leads; empty where none is.

    The first page of software with one object a page is a list of them itself.
    """
    if has_one_object(application):
        return ""
    levels = [one for one in application.levels if one.kind == "intermediate" and one.format == "html"]
    reached = {action.to for one in levels for action in one.navigations if action.to != one.id}
    leading = [one for one in levels if one.id in reached and any(action.to == terminal for action in one.navigations)]
    return leading[0].id if leading else ""


class LevelWriter:
    """Writes what the explorer found as levels of the application."""

    def __init__(
        self, application: Application, explorer: Explorer, samples: Mapping[str, Sequence[Page]] | None = None
    ) -> None:
        self.application, self.explorer = application, explorer
        self.samples = samples or {}
        """Pages whose levels are known: what a new pattern must not hold on, unless they are of its level."""
        self.made = RepairedNavigation()
        self.routes = NavigationRepair(explorer, self.made)

    def compose(self) -> RepairedNavigation:
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
        self.routes.turn(level, terminal)
        if is_web:
            self.routes.follow(level, terminal, urls, "child", level.id, 10.0)
        if lists:
            self._detect(listing, lists, [*terminal, *rest], ())
            self.routes.follow(listing, lists, urls, "child", level.id, 10.0)
            self.routes.turn(listing, lists)
        self._ways_to_lists(listing, lists, rest, terminal)
        return self.made

    def _ways_to_lists(
        self, listing: Level, lists: list[ExploredPage], rest: list[ExploredPage], terminal: list[ExploredPage]
    ) -> None:
        ways = [one for one in self.explorer.classes if one.verdict == "list" and not one.pager and len(one.urls) > 1]
        urls = {url for one in ways for url in one.urls}
        if not urls:
            return
        index = index_level(self.application, listing.id)
        above = [look for look in rest if any(url in urls for group in look.groups for url in group.urls)]
        if above:
            self._detect(index, above, [*terminal, *lists, *(look for look in rest if look not in above)], ())
            self.routes.follow(index, above, urls, "child", listing.id, 12.0)
        if any(url in urls for look in lists for group in look.groups for url in group.urls):
            self.routes.follow(listing, lists, urls, "child", listing.id, 12.0)

    def _is_worthless(self, look: ExploredPage) -> bool:
        """Say whether a page is of a kind that was tried and brought nothing new."""
        one = self.explorer.classes.of(look.page.url)
        return one is not None and one.verdict == "nothing"

    def _is_other(self, look: ExploredPage, is_web: bool) -> bool:
        """Say whether a page is known not to be one with objects: by its level, or by what its like turned out to be.

        Where pages with objects link to each other (`is_web`), the first page is likely one of them.
        """
        one = self.explorer.classes.of(look.page.url)
        if is_web and look.depth == 0:
            return False
        return one is None or not one.is_open or (look.level is not None and not look.terminal)

    @staticmethod
    def _children(look: ExploredPage, urls: set[str]) -> bool:
        return any(sum(url in urls for url in group.urls) >= HOLDS_CHILDREN for group in look.groups)

    # ── detection ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _detect(
        self, level: Level, looks: list[ExploredPage], others: list[ExploredPage], classes: Sequence[UrlClass]
    ) -> None:
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
        added = self.made.level(level)
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
