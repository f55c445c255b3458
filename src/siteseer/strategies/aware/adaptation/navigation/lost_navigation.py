"""Tracks the failing navigation actions of one site while it is crawled, and repairs levels and actions.

A navigation action says to which level its links lead. Where page after page that should hold objects is recognised as
one that only leads on, the pattern of its level fails, and another level claims its pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import islice

from siteseer.extract import records
from siteseer.knowledge.merge import merge
from siteseer.knowledge.types import Application, Level, Paging
from siteseer.model import Page
from siteseer.page.links import links
from siteseer.page.urls import identity
from siteseer.strategies.aware.adaptation.byte_budget import ByteBudget
from siteseer.strategies.aware.adaptation.extraction.expected_records import MAIN_SHARE, expect_records, main_kind
from siteseer.strategies.aware.adaptation.extraction.extraction_repair import Change, now_of
from siteseer.strategies.aware.adaptation.navigation.exploration import Explorer
from siteseer.strategies.aware.adaptation.navigation.link_groups import group_links, has_further_pages
from siteseer.strategies.aware.adaptation.navigation.url_classes import WORTHWHILE, UrlClass
from siteseer.strategies.aware.adaptation.repaired_levels import (
    HOLDS_CHILDREN,
    LevelWriter,
    has_one_object,
    listing_below,
    terminal_level,
)

AGAIN = 5
"""Pages that are lost although it is known where the content is, after which levels are learned anew."""
SAMPLED = 200
"""URLs of content that are asked whether the last crawl met them."""
MOST_BARREN = 3
BARREN_SHARE = 0.7
MOST_PASSED = 200
"""Pages of a level that are looked at again when its actions are improved."""
BROKEN = 3
"""Promises that are broken before a level's pattern is doubted."""
MOST_KEPT = 0.2
"""A level that is recognised on a larger share of its promised pages has a pattern that works."""
MOST_SAMPLES = 8
MOST_BROKEN = 40


class LostNavigation:
    """Levels and navigation of one site: the failing actions, and the learned ones."""

    def __init__(self, application: Application, allowance: ByteBudget, earlier: Callable[[str], str | None]) -> None:
        self.application, self.allowance, self.earlier = application, allowance, earlier
        main = terminal_level(application, has_one_object(application))
        self.explorer = Explorer(main.id if main else "")
        self.promises = ExpectedLevels(application)
        self.levels: dict[str, Level] = {}
        """Levels with repaired patterns and navigation."""
        self.pagings: dict[Paging, None] = {}
        """What turns the pages of one object."""
        self.lost = 0
        """Pages that were lost since levels were written down."""
        self.led: set[tuple[str, str]] = set()
        """Levels and roles of actions that found something."""
        self.barren: dict[str, tuple[int, int]] = {}
        """Pages of each level that link to content, and how many of them to nothing new."""
        self.suspects: dict[str, list[Page]] = {}
        """The latest of the latter."""
        self.listing = listing_below(application, main.id) if main else ""
        """The level of the lists of content, where these are reached from another level."""
        self.recognised: set[str] = set()
        """Levels of which there was a page."""
        self.dead_ends: dict[str, Page] = {}
        """Pages of each level whose action to the lists of content finds nothing."""
        self.mistaken: set[str] = set()
        """Pages that a learned pattern took for what they are not."""
        self.passed: dict[str, dict[str, tuple[Page, int]]] = {}
        """Pages, with their depth, on which learned actions of a level found links: better actions may find more."""

    def lacks_a_way(self, page: Page, level: Level, roles: set[str], leads_on: bool) -> bool:
        """Say whether a page's level requires links that no page of this level had so far: to content, or paging.

        A list may be empty and the last page has no next one: an action that worked anywhere on the site works. But
        where page after page has the same links to content (`leads_on` is False), they are not what the list lists.
        """
        self.led.update((level.id, role) for role in roles)
        if "child" in roles and level.kind == "intermediate":
            pages, barren = self.barren.get(level.id, (0, 0))
            self.barren[level.id] = pages, barren = pages + 1, barren + (not leads_on)
            if barren >= MOST_BARREN and barren > BARREN_SHARE * pages:
                return True
        required = {action.role for action in level.navigations if action.text and not action.when.policy}
        missing = {role for role in required & {"child", "next", "comments"} if (level.id, role) not in self.led}
        if "child" in missing and (level.kind == "intermediate" or not roles):
            return True
        return bool(missing & {"next", "comments"}) and not roles & {"next", "comments"} and has_further_pages(page)

    def leads_elsewhere(self, level: Level) -> bool:
        """Say whether actions of a level found links on other pages: a page without any is an empty list."""
        return (level.id, "child") in self.led

    def hear(self, page: Page, level: Level, found: Sequence[str]) -> None:
        """Take a page of a known level, and the levels to which its actions found links."""
        self.recognised.add(level.id)
        if level.id == self.listing or self.listing in found:
            self.dead_ends.clear()
        elif (
            self.listing
            and self.listing not in self.recognised
            and any(one.to == self.listing for one in level.navigations)
        ):
            self.dead_ends.setdefault(level.id, page)

    def passes(self, page: Page, level: Level, depth: int) -> None:
        """Take a page whose links learned actions of its level selected."""
        learned = self.levels.get(level.id)
        if learned is not None and learned.navigations:
            pages = self.passed.setdefault(level.id, {})
            pages[page.url] = page, depth
            if len(pages) > MOST_PASSED:
                del pages[next(iter(pages))]

    def passed_before(self, changes: Sequence[Change]) -> list[tuple[Page, int]]:
        """Return the pages whose links were taken by actions that changed since."""
        changed = {one.level for one in changes if "/" not in one.field}
        return [found for level in changed for found in self.passed.pop(level, {}).values()]

    def unreached(self) -> list[Page]:
        """Return, once, pages whose action to the lists of content found nothing while no such list was seen."""
        pages = [] if self.listing in self.recognised else list(self.dead_ends.values())
        self.dead_ends.clear()
        return pages

    def judge_by_records(self, one: UrlClass) -> bool:
        """Decide a class of pages that no pattern recognises by whether they hold objects."""
        pages = [look.page for look in one.looks]
        one.learned_from = len(pages)
        lone = has_one_object(self.application)
        promised = Counter(look.promised for look in one.looks).most_common(1)[0]
        level = self.promises.promised(promised[0]) if promised[1] * 2 > len(one.looks) else None
        level = level or terminal_level(self.application, lone)
        if level is None or not (pages := self.allowance.grant(pages)):
            return False
        model = records.learn_records(pages, now_of(pages).now)
        if model is None:
            return False
        expected = expect_records(pages, level, model)
        main = main_kind(level)
        if expected.share(main) < MAIN_SHARE or (lone and main not in expected.lone):
            return False
        self.explorer.classes.judge(one, "terminal", level.id)
        self.explorer.has_judged = True
        for look in one.looks:
            look.level, look.terminal = look.level or None, True
        return True

    def judge_by_last_crawl(self) -> None:
        """Decide classes of links by the levels that their URLs had on the last crawl."""
        for one in self.explorer.classes:
            if one.verdict in ("", "later"):
                levels = [level for url in one.urls if (level := self.earlier(url))]
                known = self.application.level(Counter(levels).most_common(1)[0][0]) if levels else None
                if known is not None and len(levels) * 2 >= len(one.urls):
                    self.explorer.classes.judge(one, "terminal" if known.is_terminal else "list", known.id)
                    self.explorer.has_judged = True

    def keeps_addresses(self) -> bool:
        """Say whether most pages with objects have the addresses that they had on the last crawl."""
        sample = list(islice(self.explorer.classes.terminal, SAMPLED))
        return 2 * sum(self.earlier(url) is not None for url in sample) >= max(1, len(sample))

    def compose(self) -> list[Change]:
        """Write levels and navigation actions for the explorer's findings; return the changes."""
        known = self.application
        if self.levels:
            known = merge(known, Application(known.id, known.category, levels=tuple(self.levels.values())))
        made = LevelWriter(known, self.explorer, self.promises.samples).compose()
        for name, level in made.levels.items():
            self.levels[name] = _improved(self.levels.get(name), level)
        self.pagings.update(made.pagings)
        return made.changes

    def shows_again(self, page: Page) -> bool:
        """Say whether a page that was only tried shows what other pages showed before."""
        tried = self.explorer.classes.of(page.url)
        if tried is None or tried.verdict in WORTHWHILE or not self.explorer.has_content:
            return False
        look = self.explorer.looks.get(identity(page.url))
        return look.repeats if look is not None else self.explorer.repeats(page)

    def lists_content(self, page: Page) -> bool:
        """Say whether links to pages with objects stand in one place of a page, as in a list."""
        content = self.explorer.classes.terminal
        groups = group_links(page, [link.url for link in links(page) if link.url in content])
        return any(len(group.urls) >= HOLDS_CHILDREN and not group.aside for group in groups.values())

    def has_news(self) -> bool:
        """Say whether enough unexplained pages have come since levels were written to write them again."""
        return self.lost >= max(AGAIN, len(self.explorer.looks) // 4)


def _improved(old: Level | None, new: Level) -> Level:
    """Return a level with what was learned of it before and now; a new action stands for the old one of its role."""
    if old is None:
        return new
    replaced = {(action.role, action.to) for action in new.navigations}
    kept = tuple(action for action in old.navigations if (action.role, action.to) not in replaced)
    return replace(old, detections=new.detections or old.detections, navigations=(*new.navigations, *kept))


class ExpectedLevels:
    """The promised and the recognised levels of one site's pages."""

    def __init__(self, application: Application) -> None:
        self.application = application
        self.samples: dict[str, list[Page]] = {}
        """A few pages of each level that are what was promised: others can be told from them."""
        self._kept: Counter[str] = Counter()
        self._broken: Counter[str] = Counter()
        self._waiting: dict[str, list[Page]] = {}

    def promised(self, name: str) -> Level | None:
        """Return the level of that name where its pages hold objects."""
        level = self.application.level(name) if name else None
        return level if level is not None and level.is_terminal and level.format == "html" else None

    def hear(self, page: Page, promised: str, level: Level) -> list[Page]:
        """Record how a page was recognised; return the pages that seem to be recognised wrongly."""
        wanted = self.promised(promised)
        if wanted is None or level.id == promised or level.is_terminal:
            self._kept[level.id] += 1
            if promised in ("", level.id):
                samples = self.samples.setdefault(level.id, [])
                samples.append(page)
                del samples[1:-MOST_SAMPLES:2]
            return []
        self._broken[promised] += 1
        waiting = self._waiting.setdefault(promised, [])
        waiting.append(page)
        del waiting[:-MOST_BROKEN]
        broken, kept = self._broken[promised], self._kept[promised]
        if broken < BROKEN or kept > MOST_KEPT * (broken + kept):
            return []
        del self._waiting[promised]
        return waiting
