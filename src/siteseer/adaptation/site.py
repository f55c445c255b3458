"""One site while it is crawled: what its pages gave, what fails, and what was learned in its stead."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from siteseer.adaptation.allowance import Allowance
from siteseer.adaptation.classes import UrlClass
from siteseer.adaptation.compose import HOLDS_CHILDREN, Composer, has_one_object, terminal_level
from siteseer.adaptation.explore import Explorer
from siteseer.adaptation.extraction import Change, now_of, repair_extractions
from siteseer.adaptation.learned import learned_application
from siteseer.adaptation.links import group_links, has_further_pages
from siteseer.adaptation.notice import Failure, failures, moved
from siteseer.adaptation.promises import Promises
from siteseer.adaptation.reference import CONTAINERS, Reference, main_kind, reference
from siteseer.extract import records
from siteseer.knowledge.merge import merge
from siteseer.knowledge.types import Application, Level
from siteseer.model import Page, WebObject
from siteseer.page.links import links
from siteseer.page.urls import identity

MOST_PAGES = 40
"""Pages of a level that are kept to learn from."""
TRIES = (12, 24, 40)
"""Pages of a level after which a failing action is tried to be repaired."""
PROVEN = 12
"""Pages of a level on which all actions work: it is not watched any more."""
MAIN_SHARE = 0.6
AGAIN = 5
"""Pages that are lost although it is known where the content is, after which levels are learned anew."""
LEAST_MOVED = 2
MOST_BARREN = 3
BARREN_SHARE = 0.7


@dataclass(slots=True)
class Watched:
    """A level under observation: pages from all over the crawl with the objects found on them."""

    pages: list[tuple[Page, Sequence[WebObject]]] = field(default_factory=list)
    seen: int = 0
    proven: bool = False
    repaired: bool = False


class SiteAdaptation:
    """Notices, repairs and remembers for one site of a known application."""

    def __init__(
        self,
        application: Application,
        host: str,
        stored: Callable[[str], Sequence[WebObject]],
        earlier: Callable[[str], str | None] = lambda url: None,
    ) -> None:
        self.application, self.host, self.stored, self.earlier = application, host, stored, earlier
        main = terminal_level(application, has_one_object(application))
        self.explorer = Explorer(main.id if main else "")
        self.watched: dict[str, Watched] = {}
        self.repaired: dict[str, Level] = {}
        """Levels with repaired extractions."""
        self.ways: dict[str, Level] = {}
        """Levels with repaired patterns and navigation."""
        self.kinds: set[str] = set()
        """Kinds of objects that were found anywhere on the site."""
        self.changes: dict[tuple[str, str], Change] = {}
        self.allowance = Allowance()
        self.put_off: dict[str, str] = {}
        """Levels that were not repaired because their pages are more than may be learned from, with an example."""
        self.lost_since_composed = 0
        self.led: set[tuple[str, str]] = set()
        """Levels and roles of actions that found something."""
        self.barren: dict[str, tuple[int, int]] = {}
        """Pages of each level that link to content, and how many of them to nothing new."""
        self.suspects: dict[str, list[Page]] = {}
        """The latest of the latter."""
        self.said: set[tuple[str, str]] = set()
        """Levels and fields that were said to fail."""
        self.promises = Promises(application)
        self.mistaken: set[str] = set()
        """Pages that a learned pattern took for what they are not."""

    # ── extraction ────────────────────────────────────────────────────────────────────────────────────────────────

    def watch(self, page: Page, level: Level, objects: Sequence[WebObject]) -> bool:
        """Hear what known actions found on a page; say whether it is time to look for failures."""
        watched = self.watched.setdefault(level.id, Watched())
        watched.seen += 1
        self.kinds.update(one.kind for one in objects)
        if watched.proven or watched.repaired or any(known is page for known, _ in watched.pages):
            return False
        watched.pages.append((page, objects))
        if len(watched.pages) > MOST_PAGES:
            del watched.pages[1::2]
        return watched.seen in TRIES or watched.seen == PROVEN

    def complete(self, level: Level, objects: Sequence[WebObject]) -> Sequence[WebObject]:
        """Return the objects without threads whose title was not found while that may still be repaired."""
        watched = self.watched.get(level.id)
        if watched is None or watched.proven or watched.repaired or watched.seen > TRIES[-1]:
            return objects
        titled = {one.of for one in level.extractions if any(field.type == "title" for field in one.fields)}
        return [one for one in objects if one.kind not in CONTAINERS or one.title or one.kind not in titled]

    def has_news(self) -> bool:
        """Say whether so many pages are lost since levels were written down that it is time to do it again."""
        return self.lost_since_composed >= max(AGAIN, len(self.explorer.looks) // 4)

    def shows_again(self, page: Page) -> bool:
        """Say whether a page that was only tried shows what other pages showed before."""
        tried = self.explorer.classes.of(page.url)
        if tried is None or tried.verdict in ("terminal", "list", "prose") or not self.explorer.has_content:
            return False
        look = self.explorer.looks.get(identity(page.url))
        return look.repeats if look is not None else self.explorer.repeats(page)

    def is_mistaken(self, page: Page, level: Level, objects: Sequence[WebObject]) -> bool:
        """Say whether a learned pattern took a page for one with objects that is of a kind known to be another."""
        learned = self.ways.get(level.id)
        one = self.explorer.classes.of(page.url)
        if learned is None or not learned.detections or one is None or one.verdict == "terminal":
            return False
        if one.verdict == "list" or (one.is_open and self._lists_content(page)):
            return True
        return not objects and self.watched.get(level.id, Watched()).repaired

    def _lists_content(self, page: Page) -> bool:
        """Say whether links to pages with objects stand in one place of a page, as in a list."""
        content = self.explorer.classes.terminal
        groups = group_links(page, [link.url for link in links(page) if link.url in content])
        return any(len(group.urls) >= HOLDS_CHILDREN and not group.aside for group in groups.values())

    def failing(self, level: Level) -> list[Failure]:
        """Return what fails on a level; a level on which nothing fails is not watched any more.

        Comments that were found on some other level can be read: pages without any have none.
        """
        watched = self.watched[level.id]
        context = now_of([page for page, _ in watched.pages])
        main = main_kind(level)
        found = [
            one
            for one in failures(level, watched.pages, context)
            if one.field != "record" or one.kind == main or one.kind not in self.kinds
        ]
        lost = moved(self._stored([page for page, _ in watched.pages]), watched.pages)
        kinds = {one.kind for one in found}
        for page, known in lost if len(lost) >= LEAST_MOVED else ():
            if known.kind not in kinds and any(one.of == known.kind for one in level.extractions):
                kinds.add(known.kind)
                found.append(
                    Failure(level.id, known.kind, "record", "known from the last crawl, not found now", page.url)
                )
        if not found and watched.seen >= PROVEN:
            watched.proven = True
            watched.pages.clear()
        return found

    def _stored(self, pages: Sequence[Page]) -> dict[str, Sequence[WebObject]]:
        return {page.url: objects for page in pages if (objects := self.stored(page.url))}

    def repair(self, level: Level, failing: Sequence[Failure]) -> list[Change]:
        """Repair what fails on a level from the pages kept; nothing where no candidate is proven."""
        watched = self.watched[level.id]
        pages = [page for page, _ in watched.pages]
        changes = self.repair_from(level, pages, {(one.kind, one.field) for one in failing})
        main = main_kind(level)
        is_left = any(one.kind == main for one in failing) and not any(c.field.startswith(f"{main}/") for c in changes)
        watched.repaired = bool(changes) and not is_left
        return changes

    def repair_from(self, level: Level, pages: Sequence[Page], failing: set[tuple[str, str]]) -> list[Change]:
        """Repair the extractions of a level from some of its pages; `failing` limits it to kinds and fields."""
        example = pages[0].url if pages else ""
        pages = self.allowance.grant(pages)
        if not pages:
            self.put_off.setdefault(level.id, example)
            return []
        context = now_of(pages)
        stored = self._stored(pages)
        model = records.align_records(stored, pages, context.now) if stored else None
        method = "alignment" if model else "records"
        model = model or records.learn_records(pages, context.now)
        if model is None:
            return []
        expected = reference(pages, level, model)
        _only(expected, {kind for kind, _ in failing})
        added, changes = [], []
        for one in repair_extractions(level, expected, context):
            kind = one.extraction.of
            is_main = kind == main_kind(level)
            if not one.changes or expected.share(kind) < (MAIN_SHARE if is_main else 0.0):
                continue
            added.append(one.extraction)
            changes += [replace(c, method=method if c.method == "records" else c.method) for c in one.changes]
        if added:
            known = self.repaired.get(level.id) or Level(level.id, level.kind, level.name)
            self.repaired[level.id] = replace(known, extractions=(*added, *known.extractions))
        return self._new(changes)

    # ── navigation ────────────────────────────────────────────────────────────────────────────────────────────────

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

    def judge_by_records(self, one: UrlClass) -> bool:
        """Judge a class of pages that no pattern recognises by whether they hold objects."""
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
        expected = reference(pages, level, model)
        main = main_kind(level)
        if expected.share(main) < MAIN_SHARE or (lone and main not in expected.lone):
            return False
        self.explorer.classes.judge(one, "terminal", level.id)
        self.explorer.has_judged = True
        for look in one.looks:
            look.level, look.terminal = look.level or None, True
        return True

    def judge_by_last_crawl(self) -> None:
        """Judge classes of links by the levels that their URLs had on the last crawl."""
        for one in self.explorer.classes:
            if one.verdict in ("", "later"):
                levels = [level for url in one.urls if (level := self.earlier(url))]
                known = self.application.level(max(set(levels), key=levels.count)) if levels else None
                if known is not None and len(levels) * 2 >= len(one.urls):
                    self.explorer.classes.judge(one, "terminal" if known.is_terminal else "list", known.id)
                    self.explorer.has_judged = True

    def compose(self) -> list[Change]:
        """Write levels and navigation actions for what the explorer found; return what is new."""
        known = self.application
        if self.ways:
            known = merge(known, Application(known.id, known.category, levels=tuple(self.ways.values())))
        made = Composer(known, self.explorer, self.promises.samples).compose()
        for name, level in made.levels.items():
            self.ways[name] = _improved(self.ways.get(name), level)
        return self._new(made.changes)

    def _new(self, changes: Sequence[Change]) -> list[Change]:
        new = [
            one for one in changes if (old := self.changes.get((one.level, one.field))) is None or old.new != one.new
        ]
        self.changes.update({(one.level, one.field): one for one in changes})
        return new

    # ── what was learned ──────────────────────────────────────────────────────────────────────────────────────────

    def levels(self) -> Mapping[str, Level]:
        """Return all levels with something learned."""
        names = dict.fromkeys((*self.ways, *self.repaired))
        return {name: _joined(self.ways.get(name), self.repaired.get(name)) for name in names}

    def learned(self, at: datetime | None) -> Application | None:
        """Return what was learned of the site, or None."""
        levels = self.levels()
        if not levels:
            return None
        when = at.isoformat() if at else ""
        return learned_application(self.application, self.host, levels, self.changes.values(), when)


def _improved(old: Level | None, new: Level) -> Level:
    """Return a level with what was learned of it before and now; a new action stands for the old one of its role."""
    if old is None:
        return new
    replaced = {(action.role, action.to) for action in new.navigations}
    kept = tuple(action for action in old.navigations if (action.role, action.to) not in replaced)
    return replace(old, detections=new.detections or old.detections, navigations=(*new.navigations, *kept))


def _joined(ways: Level | None, repaired: Level | None) -> Level:
    if ways is None or repaired is None:
        return ways or repaired  # type: ignore[return-value]
    return replace(ways, extractions=repaired.extractions)


def _only(expected: Reference, kinds: set[str]) -> None:
    """Leave out the kinds of objects with which nothing is wrong."""
    for kind in [kind for kind in expected.by_kind if kind not in kinds]:
        del expected.by_kind[kind]


def described(changes: Sequence[Change]) -> Iterator[dict[str, object]]:
    """Yield what a report says of each change."""
    for one in changes:
        yield {
            "level": one.level,
            "field": one.field,
            "old": one.old,
            "new": one.new,
            "relaxations": list(one.relaxations),
            "method": one.method,
            "confidence": one.confidence,
            "example": one.example,
        }
