"""Adapts the knowledge of one site during a crawl: watches levels, repairs failing actions, keeps the repairs."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from siteseer.extract import records
from siteseer.knowledge.types import Application, Identity, Level
from siteseer.model import Page, WebObject
from siteseer.page.urls import identity
from siteseer.strategies.aware.adaptation.byte_budget import ByteBudget
from siteseer.strategies.aware.adaptation.extraction.expected_records import (
    CONTAINERS,
    MAIN_SHARE,
    ExpectedRecords,
    expect_records,
    main_kind,
)
from siteseer.strategies.aware.adaptation.extraction.extraction_repair import Change, now_of, repair_extractions
from siteseer.strategies.aware.adaptation.extraction.record_scope import names_in, words_of
from siteseer.strategies.aware.adaptation.extraction.text_anchors import expect_known
from siteseer.strategies.aware.adaptation.failure_detection import Failure, failures, missed_objects
from siteseer.strategies.aware.adaptation.learned_application import learned_application
from siteseer.strategies.aware.adaptation.navigation.lost_navigation import LostNavigation
from siteseer.strategies.aware.adaptation.repaired_levels import has_one_object

MOST_PAGES = 40
"""Pages of a level that are kept to learn from."""
TRIES = (12, 24, 40)
"""Pages of a level after which a failing action is tried to be repaired."""
PROVEN = 12
"""Pages of a level on which all actions work: it is not watched any more."""
LEAST_MOVED = 2
TRIES_AGAIN = (LEAST_MOVED, 8, 24)
"""Pages of a repaired level with texts of the last crawl that are not read, after which it is repaired again."""
SIGNED = ("author", "published")


@dataclass(slots=True)
class WatchedLevel:
    """A level under observation: pages from all over the crawl with the objects found on them."""

    pages: list[tuple[Page, Sequence[WebObject]]] = field(default_factory=list)
    seen: int = 0
    proven: bool = False
    repaired: bool = False
    lost: set[str] = field(default_factory=set)
    """Pages on which a text of the last crawl is still there, but was not read after all was proven or repaired."""

    @property
    def is_settled(self) -> bool:
        """Whether nothing is left to repair."""
        return (self.proven or self.repaired) and len(self.lost) < LEAST_MOVED


class SiteAdaptation:
    """Detects failures, repairs actions and keeps the repairs for one site of a known application."""

    def __init__(
        self,
        application: Application,
        host: str,
        stored: Callable[[str], Sequence[WebObject]],
        earlier: Callable[[str], str | None] = lambda url: None,
        related: Sequence[Application] = (),
    ) -> None:
        self.application, self.host, self.stored = application, host, stored
        self.related = related
        """Other applications of its category: templates borrow names from each other."""
        self.allowance = ByteBudget()
        self.ways = LostNavigation(application, self.allowance, earlier)
        self.explorer = self.ways.explorer
        self.watched: dict[str, WatchedLevel] = {}
        self.repaired: dict[str, Level] = {}
        """Levels with repaired extractions."""
        self.kinds: set[str] = set()
        """Kinds of objects that were found anywhere on the site."""
        self.changes: dict[tuple[str, str], Change] = {}
        self.put_off: dict[str, str] = {}
        """Levels that were not repaired because their pages are more than may be learned from, with an example."""
        self.said: set[str] = set()
        """Levels of which it was said that their repair is put off."""

    # ── extraction ────────────────────────────────────────────────────────────────────────────────────────────────

    def watch(self, page: Page, level: Level, objects: Sequence[WebObject]) -> bool:
        """Record what known actions extracted from a page; say whether it is time to look for failures."""
        watched = self.watched.setdefault(level.id, WatchedLevel())
        watched.seen += 1
        self.kinds.update(one.kind for one in objects)
        if watched.proven or watched.repaired:
            return self._watch_again(watched, page, objects)
        if any(known is page for known, _ in watched.pages):
            return False
        watched.pages.append((page, objects))
        if len(watched.pages) > MOST_PAGES:
            del watched.pages[1::2]
        return watched.seen in TRIES or watched.seen == PROVEN

    def _watch_again(self, watched: WatchedLevel, page: Page, objects: Sequence[WebObject]) -> bool:
        """Take the objects of a page after everything was proven or repaired: the last crawl knows what is missing.

        What only few pages have, such as a second part of the text, need not be on those from which was learned.
        """
        if len(watched.lost) >= TRIES_AGAIN[-1]:
            return False
        others = [one for one in watched.pages if one[0] is not page]
        if len(others) < len(watched.pages):
            watched.pages = [*others, (page, objects)]
        if page.url in watched.lost or not missed_objects(self._stored([page]), [(page, objects)]):
            return False
        watched.lost.add(page.url)
        watched.pages = [(page, objects), *others][:MOST_PAGES]
        return len(watched.lost) in TRIES_AGAIN

    def complete(self, level: Level, objects: Sequence[WebObject]) -> Sequence[WebObject]:
        """Return the objects without threads whose title was not found while that may still be repaired."""
        watched = self.watched.get(level.id)
        if watched is None or watched.proven or watched.repaired or watched.seen > TRIES[-1]:
            return objects
        titled = {one.of for one in level.extractions if any(field.type == "title" for field in one.fields)}
        return [one for one in objects if one.kind not in CONTAINERS or one.title or one.kind not in titled]

    def is_mistaken(self, page: Page, level: Level, objects: Sequence[WebObject]) -> bool:
        """Say whether a learned pattern took a page for one with objects that is of a kind known to be another."""
        learned = self.ways.levels.get(level.id)
        one = self.explorer.classes.of(page.url)
        if learned is None or not learned.detections or one is None or one.verdict == "terminal":
            return False
        if one.verdict == "list" or (one.is_open and self.ways.lists_content(page)):
            return True
        return not objects and self.watched.get(level.id, WatchedLevel()).repaired

    def stands_alone(self, page: Page) -> str:
        """Say of a page of unknown level why it may hold an object of its own: it is the `first` page, or `prose`."""
        look = self.explorer.looks.get(identity(page.url))
        if look is None or look.is_alias or not has_one_object(self.application) or not self.explorer.has_content:
            return ""
        one = self.explorer.classes.of(page.url)
        if one is None:
            return "first" if look.depth == 0 and not self.explorer.repeats(page) else ""
        return "prose" if one.verdict == "prose" else ""

    def failing(self, level: Level) -> list[Failure]:
        """Return what fails on a level; a level on which nothing fails is not watched any more.

        Comments that were found on some other level can be read: pages without any have none. And beside the posts of
        a blog, a page such as the imprint need not say who wrote it when; a page of a wiki does.
        """
        watched = self.watched[level.id]
        context = now_of([page for page, _ in watched.pages])
        main = main_kind(level)
        found = [
            one
            for one in failures(level, watched.pages, context)
            if (one.field != "record" or one.kind == main or one.kind not in self.kinds)
            and not (one.kind == "page" and one.field in SIGNED and level.id != self.explorer.main)
        ]
        lost = missed_objects(self._stored([page for page, _ in watched.pages]), watched.pages)
        kinds = {one.kind for one in found}
        for page, known in lost if len(lost) >= LEAST_MOVED else ():
            if known.kind not in kinds and any(one.of == known.kind for one in level.extractions):
                kinds.add(known.kind)
                found.append(
                    Failure(level.id, known.kind, "record", "known from the last crawl, not found now", page.url)
                )
        if not found and watched.seen >= PROVEN:
            watched.proven = True
            if not any(self.stored(page.url) for page, _ in watched.pages):
                watched.pages.clear()
        return found

    def _stored(self, pages: Sequence[Page]) -> dict[str, Sequence[WebObject]]:
        return {page.url: objects for page in pages if (objects := self.stored(page.url))}

    def repair(self, level: Level, failing: Sequence[Failure]) -> list[Change]:
        """Repair what fails on a level from the pages kept; nothing where no candidate is proven."""
        watched = self.watched[level.id]
        pages = sorted((page for page, _ in watched.pages), key=lambda page: page.url not in watched.lost)
        changes = self.repair_from(level, pages, {(one.kind, one.field) for one in failing})
        main = main_kind(level)
        is_left = any(one.kind == main for one in failing) and not any(c.field.startswith(f"{main}/") for c in changes)
        watched.repaired = watched.repaired or (bool(changes) and not is_left)
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
        fields = {kind: frozenset(field for one, field in failing if one == kind) for kind, _ in failing}
        expected = expect_records(pages, level, model) if model else ExpectedRecords(list(pages))
        expected.is_stored = method == "alignment"
        if not expected.is_stored:
            expect_known(expected, level, fields, context)
        _only(expected, set(fields))
        added, changes = [], []
        words = words_of(expected.pages[:6], names_in(self.related))
        for one in repair_extractions(level, expected, context, words, fields):
            kind = one.extraction.of
            is_main = kind == main_kind(level)
            if not one.changes or expected.share(kind) < (MAIN_SHARE if is_main else 0.0):
                continue
            added.append(one.extraction)
            changes += [replace(c, method=method if c.method == "records" else c.method) for c in one.changes]
        if added:
            known = self.repaired.get(level.id) or Level(level.id, level.kind, level.name)
            kinds = {one.of for one in added}
            kept = (one for one in known.extractions if one.of not in kinds)
            self.repaired[level.id] = replace(known, extractions=(*added, *kept))
        return self._new(changes)

    def compose(self) -> list[Change]:
        """Write levels and navigation actions for the explorer's findings; return the new ones."""
        return self._new(self.ways.compose())

    def _new(self, changes: Sequence[Change]) -> list[Change]:
        new = [
            one for one in changes if (old := self.changes.get((one.level, one.field))) is None or old.new != one.new
        ]
        self.changes.update({(one.level, one.field): one for one in changes})
        return new

    # ── what was learned ──────────────────────────────────────────────────────────────────────────────────────────

    def levels(self) -> Mapping[str, Level]:
        """Return all levels with something learned."""
        names = dict.fromkeys((*self.ways.levels, *self.repaired))
        return {name: _joined(self.ways.levels.get(name), self.repaired.get(name)) for name in names}

    def learned(self, at: datetime | None) -> Application | None:
        """Return what was learned of the site, or None."""
        levels = self.levels()
        if not levels:
            return None
        when = at.isoformat() if at else ""
        made = learned_application(self.application, self.host, levels, self.changes.values(), when)
        return replace(made, identity=Identity(pagings=tuple(self.ways.pagings)))


def _joined(ways: Level | None, repaired: Level | None) -> Level:
    if ways is None or repaired is None:
        return ways or repaired  # type: ignore[return-value]
    return replace(ways, extractions=repaired.extractions)


def _only(expected: ExpectedRecords, kinds: set[str]) -> None:
    """Leave out the kinds of objects with which nothing is wrong."""
    for kind in [kind for kind in expected.by_kind if kind not in kinds]:
        del expected.by_kind[kind]
