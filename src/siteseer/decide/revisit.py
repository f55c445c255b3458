"""The strategy that comes back: listings, feeds and sitemaps first, then only what they show to be new or changed.

Two captures of a source are compared (`changes/signals`): a page that the collection does not know is new where known
content is linked in the same way; a known page of which the source says something else (a date, a comment count, a
newer remark) has changed. Every request is conditional, so what did not change costs no transfer. Where the seeds are
nothing but feeds only their items count, and no sitemap is asked for. A page of known software is handed to the aware
strategy, which extracts it and repairs what a new template broke; of unknown software the objects are learned when all
pages are in. With a budget, pages that no source tells about are asked for too when they are due by their rates of
change (`changes/schedule`).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from typing import Protocol, runtime_checkable

from siteseer.changes.channels import has_gap
from siteseer.changes.schedule import due_pages, histories
from siteseer.changes.signals import FEED, LISTING, SITEMAP, Signal, changed, signals, source_kind
from siteseer.changes.timestamps.written import days_in_text
from siteseer.changes.ways import continues, leads_to_older, shape_of, way_of
from siteseer.decide.common import follow_redirect
from siteseer.decide.harvest import harvest_records
from siteseer.extract.sigfeed import sigfeed
from siteseer.interfaces import Harvester, Memory, Scope, Strategy, StrategyContext, Teacher
from siteseer.model import Action, Follow, Keep, Note, Outcome, Page, Remember, Seed, Skip, Submit, WebObject
from siteseer.navigation.economical.sitemaps import sitemaps_named
from siteseer.page.feeds import FeedItem, read_feed
from siteseer.page.iris import mint
from siteseer.page.text import text
from siteseer.page.urls import identity
from siteseer.plugins import strategy_factory

SOURCES, NEW, CHANGED, FURTHER, DUE = "sources", "new", "changed", "further pages", "due"
ROBOTS = "robots"
"""The family under which the crawl tells of a host's robots.txt."""
FEWEST_LISTED = 3
"""Links of one kind that are a list."""
KNOWN_SHARE = 0.6
"""A link is to content where this share of the links with the same path led to pages that were kept."""
MOST_LISTINGS, MOST_NAMED = 50, 20_000
NAMED = "revisit-named"
_NUMBERS = re.compile(r"\d+")


@runtime_checkable
class Archive(Protocol):
    """A memory that can also show the pages as earlier crawls kept them."""

    def earlier_page(self, url: str) -> Page | None:
        """Return the newest earlier capture of a URL."""
        ...

    def visits(self) -> Iterable[tuple[str, str, str]]:
        """Return URL, time and digest of every earlier capture, oldest first."""
        ...


class Revisit:
    """Fetches what is new or changed since the last crawl."""

    def __init__(self, scope: Scope, inner: Strategy, budget: int | None = None) -> None:
        self.scope, self.inner, self.budget = scope, inner, budget
        self._known: set[str] = set()
        self._asked: set[str] = set()
        self._archive: Archive | None = None
        self._items: dict[str, FeedItem] = {}
        self._named: set[str] = set()
        """Pages that a feed or sitemap of the site names: its content."""
        self._waiting: list[str] = []
        self._sitemaps: list[Follow] = []
        """Sitemaps that robots.txt names: asked for where the seeds are more than feeds."""
        self._is_site = False
        self._told: set[str] = set()
        """Pages that some source tells about: these need no visit of their own."""
        self._now: datetime | None = None
        """When the newest page came."""
        self._listings = 0
        self._recognised = False

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Ask for the sources: the seeds of this visit are listings, feeds and sitemaps."""
        self._known = {identity(url) for url, _ in memory.earlier_pages()}
        self._archive = memory if isinstance(memory, Archive) else None
        for action in self.inner.start([], memory):
            if isinstance(action, Remember):
                yield action
        for _, names in memory.recall(NAMED):
            self._named.update(names)
        self._waiting = [seed.url for seed in seeds]
        self._is_site = any(self._was(url) in (LISTING, SITEMAP) for url in self._waiting)
        for url in [url for url in self._waiting if self._was(url) in (FEED, SITEMAP)]:
            self._waiting.remove(url)
            yield self._source(url)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Compare a source with its earlier capture; let a content page be extracted."""
        if outcome.page is not None and outcome.kind != "not-modified":
            self._now = outcome.page.fetched_at or self._now
        if outcome.kind == "redirect":
            yield from follow_redirect(outcome, why)
            return
        if why.family == ROBOTS:
            self._hear_of_sitemaps(outcome)
            return
        role = why.state.get("as") if isinstance(why.state, dict) else None
        if outcome.page is None or outcome.kind == "not-modified":
            if outcome.kind == "not-modified":
                yield Note("not changed since the last crawl", event="unchanged")
            return
        if outcome.page.status != 200:
            if outcome.page.status in (404, 410) and identity(outcome.url) in self._known:
                yield Note(f"gone: {outcome.page.status}", event="gone", details={"page": outcome.url})
            return
        if role == SOURCES:
            yield from self._compare(outcome.page, why)
        if role is not None and source_kind(outcome.page) == LISTING:
            yield from self._extract(outcome, why)

    def refill(self, room: int) -> Iterable[Action]:
        """Ask for sitemaps, then for the listings when all have told what pages count; then for what is due."""
        if self._is_site and self._sitemaps:
            named, self._sitemaps = self._sitemaps, []
            return named
        waiting, self._waiting = self._waiting, []
        return [self._source(url) for url in waiting] or self._due()

    def _due(self) -> list[Action]:
        """Ask once for the pages that are due by their rates, of those that no source tells about."""
        budget, self.budget = self.budget, None
        if not budget or self._archive is None or self._now is None:
            return []
        left_out = self._told | self._asked
        known = {url: own for url, own in histories(self._archive.visits()).items() if identity(url) not in left_out}
        self._asked.update(map(identity, due := due_pages(known, self._now, budget)))
        return [Follow(url, "due by its rate of change", DUE, 3.0, {"as": DUE}) for url in due]

    def _source(self, url: str) -> Follow:
        self._asked.add(identity(url))
        return Follow(url, "where new pages show first", SOURCES, 10.0, {"as": SOURCES})

    def _was(self, url: str) -> str | None:
        """Return what kind of source an earlier crawl found at an address; None where it was not there."""
        page = self._archive.earlier_page(url) if self._archive else None
        return source_kind(page) if page is not None else None

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        """Let the inner strategy look again; learn the objects where the software is not known."""
        if self._recognised:
            if isinstance(self.inner, Harvester):
                yield from self.inner.harvest(pages)
            return
        for page, found in harvest_records(pages):
            yield page, Keep(found, "learned from the pages of this visit")

    def lessons(self) -> dict[str, str]:
        """Return what adaptation repaired."""
        return dict(self.inner.lessons()) if isinstance(self.inner, Teacher) else {}

    # ── sources ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _compare(self, page: Page, why: Follow | Submit) -> Iterator[Action]:
        kind, new = source_kind(page), signals(page)
        self._is_site = self._is_site or kind == LISTING
        self._told.update(new)
        earlier = self._archive.earlier_page(page.url) if self._archive else None
        old = signals(earlier) if earlier is not None else {}
        fresh = self._new(kind, new)
        altered = [name for name in changed(old, new) if name in self._known and self._counts(kind, name)]
        if kind == SITEMAP and earlier is None:
            altered = [name for name, signal in new.items() if name in self._known and self._is_newer(signal)]
        self._items |= _items_of(page) if kind == FEED else {}
        if kind in (FEED, SITEMAP):
            self._named.update(new)
            yield Remember(NAMED, page.url, list(new)[:MOST_NAMED])
        if kind == FEED and earlier is not None and _has_gap(earlier, page):
            yield Note("no item of the last visit is left: some may have been missed", event="gap")
        for family, names in ((NEW, fresh), (CHANGED, altered)):
            for name in names:
                yield from self._ask(
                    new[name].url, family, f"{kind} shows it {family}: {new[name].says[:80]}", page, why
                )
        if kind == LISTING and fresh and self._is_all_new(new, fresh):
            yield from self._older(page, why)

    def _new(self, kind: str, found: dict[str, Signal]) -> list[str]:
        """Return what is not known: all that feed or sitemap name; of a listing what is linked as content is."""
        unknown = [name for name in found if name not in self._known]
        if kind in (FEED, SITEMAP):
            return unknown
        total, known = Counter[tuple[str, ...]](), Counter[tuple[str, ...]]()
        content = self._named & self._known if self._named else self._known
        for name, signal in found.items():
            total[way_of(signal)] += 1
            known[way_of(signal)] += name in content or name in self._named
        by_shape = Counter(shape_of(name) for name in content)
        return [
            name
            for name in unknown
            if known[way_of(found[name])] >= KNOWN_SHARE * total[way_of(found[name])] or by_shape[shape_of(name)] >= 3
        ]

    def _counts(self, kind: str, name: str) -> bool:
        """Say whether a change counts: where feeds or sitemaps name the content, other pages are views of it."""
        return kind != LISTING or not self._named or name in self._named

    def _is_newer(self, signal: Signal) -> bool:
        """Say whether a page was changed after the newest day that its earlier capture shows."""
        page = self._archive.earlier_page(signal.url) if self._archive else None
        if page is None:
            return False
        shown = max((found.day.isoformat() for found in days_in_text(text(page))), default="")
        asked = page.fetched_at.isoformat() if page.fetched_at else ""
        return signal.says[:10] > shown if shown else signal.says > asked

    def _hear_of_sitemaps(self, outcome: Outcome) -> None:
        for url in sitemaps_named(outcome.page) if outcome.page is not None else ():
            if identity(url) not in self._asked:
                self._asked.add(identity(url))
                because, state = "robots.txt names this sitemap", {"as": SOURCES}
                self._sitemaps.append(Follow(url, because, SOURCES, 10.0, state, outcome.url))

    def _is_all_new(self, found: dict[str, Signal], fresh: list[str]) -> bool:
        """Say whether a list on the page shows nothing but new pages: the next page of it may show more."""
        ways = Counter(way_of(found[name]) for name in fresh)
        known = {way_of(signal) for name, signal in found.items() if name in self._known}
        return any(count >= FEWEST_LISTED and way not in known for way, count in ways.items())

    def _older(self, page: Page, why: Follow | Submit) -> Iterator[Action]:
        for name, signal in signals(page).items():
            if leads_to_older(signal) and self._listings < MOST_LISTINGS:
                self._listings += 1
                if identity(signal.url) not in self._asked:
                    self._asked.add(name)
                    state = {"as": SOURCES}
                    yield Follow(
                        signal.url, "all of the page before was new", SOURCES, 9.0, state, page.url, why.depth + 1
                    )
                return

    # ── content ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _ask(self, url: str, family: str, because: str, page: Page, why: Follow | Submit) -> Iterator[Action]:
        name = identity(url)
        if name in self._asked:
            return
        self._asked.add(name)
        verdict = self.scope.verdict(url, why.depth + 1)
        if not verdict.allowed:
            yield Skip(url, verdict.because, verdict.rule)
            return
        yield Follow(url, because, family, 5.0 if family == NEW else 4.0, {"as": family}, page.url, why.depth + 1)

    def _extract(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Hand a page to the aware strategy; of its links only the page's own continuations are followed."""
        page = outcome.page
        assert page is not None
        is_source = isinstance(why.state, dict) and why.state.get("as") == SOURCES
        for action in self.inner.decide(outcome, Follow(why.url, why.because, referrer=why.referrer, depth=why.depth)):
            if isinstance(action, Keep | Remember):
                yield action
            elif isinstance(action, Note):
                self._recognised = self._recognised or bool(action.recognition and action.recognition.application)
                yield action
        if is_source:
            return
        item = self._items.get(identity(page.url))
        if item is not None and (found := sigfeed(page, item, self._items.values())):
            yield Keep(_article(page, item, found.text, found.signifiers), "the words of the feed item (SIGFEED)")
            self._recognised = True
        for name, signal in signals(page).items():
            if name not in self._known and continues(signal.url, page.url):
                yield from self._ask(signal.url, FURTHER, "continues a page that is new or changed", page, why)
        known = [s.url for n, s in signals(page).items() if n in self._known and continues(s.url, page.url)]
        if known:
            last = max(known, key=lambda url: [int(number) for number in _NUMBERS.findall(url)])
            yield from self._ask(last, FURTHER, "the last page of one that changed", page, why)


def _has_gap(earlier: Page, page: Page) -> bool:
    old, new = read_feed(earlier), read_feed(page)
    return old is not None and new is not None and has_gap(old, new)


def _items_of(page: Page) -> dict[str, FeedItem]:
    feed = read_feed(page)
    return {identity(item.link): item for item in feed.items if item.link} if feed else {}


def _article(page: Page, item: FeedItem, words: str, signifiers: str) -> WebObject:
    return WebObject(
        "article", mint("article", permalink=page.url), page.url, page.url, item.title or None, item.author or None,
        None, item.when, item.modified, words, tags=item.tags, media=item.media, because=f"SIGFEED by {signifiers}",
        confidence=0.9 if signifiers == "3-grams" else 0.6,
    )  # fmt: skip


def make(context: StrategyContext) -> Revisit:
    """Return the strategy for one visit."""
    return Revisit(context.scope, strategy_factory("aware")(context), context.options.limit)
