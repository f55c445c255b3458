"""The revisit strategy: reads listings, feeds and sitemaps first, then fetches only pages that are new or changed.

Two captures of a source are compared (`change/change_signals`): a page that the collection does not know is new where
known content is linked in the same way; a known page has changed where the source says something else of it (a date, a
comment count, a newer remark). Every request is conditional, so what did not change costs no transfer. Where the seeds
are nothing but feeds only their items count, and no sitemap is requested. A page of known software goes to the aware
strategy, which extracts it and repairs what a new template broke; of unknown software the objects are learned when all
pages are in. With a budget, what is left of it goes to pages that most likely changed without any source showing it
(`change/revisit_choice`): edits are found that way, also of pages that were captured once. A page that turns out
changed makes its kind and the pages beside it likelier for the next.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import datetime

from siteseer.change.change_rates import DAY
from siteseer.change.change_signals import FEED, LISTING, SITEMAP, Signal, is_sitemap_index, signals, source_kind
from siteseer.change.diff import compare
from siteseer.change.feed_statistics import has_gap
from siteseer.change.link_context import continues
from siteseer.change.revisit_choice import History, RevisitChooser, histories
from siteseer.extract.article.sigfeed import sigfeed
from siteseer.extract.timestamps.sitemap_dates import sitemap_entries
from siteseer.interfaces import Expectation, Harvester, LearningStrategy, Memory, Scope, Strategy, StrategyContext
from siteseer.model import Action, Follow, Keep, Note, Outcome, Page, Remember, Seed, Skip, Submit, WebObject
from siteseer.page.feeds import FeedItem, read_feed
from siteseer.page.object_iris import object_iri
from siteseer.page.urls import identity
from siteseer.plugins import strategy_factory
from siteseer.strategies.learned.online_learner.sitemap_urls import sitemaps_named
from siteseer.strategies.learned.record_extraction import harvest_sites
from siteseer.strategies.redirects_and_assets import follow_redirect
from siteseer.strategies.revisit.change_evidence import RevisitEvidence
from siteseer.strategies.revisit.listing_sources import CaptureMemory, Sources

SOURCES, NEW, CHANGED, FURTHER, DUE = "sources", "new", "changed", "further pages", "due"
ROBOTS = "robots"
"""The family under which the crawl tells of a host's robots.txt."""
MOST_LISTINGS, MOST_NAMED = 50, 20_000
NAMED = "revisit-named"
UNCHANGED = ("same", "noise", "template", "script")
"""Verdicts on a page that says what it said."""
FOR_LISTS = 0.33
"""Share of the budget that may go to lists which no source covers."""
GROUPS = 20
"""Pages that are due are asked for in about so many groups: each learns from those before."""


class RevisitStrategy:
    """Fetches what is new or changed since the last crawl."""

    def __init__(self, scope: Scope, inner: Strategy, budget: int | None = None) -> None:
        self.scope, self.inner, self.budget = scope, inner, budget
        self._sources = Sources(set(), None)
        self._asked: set[str] = set()
        self._items: dict[str, FeedItem] = {}
        self._waiting: list[Follow] = []
        """Listings: they are compared when feeds and sitemaps have told what pages count."""
        self._sitemaps: list[Follow] = []
        """Sitemaps that robots.txt names: asked for where the seeds are more than feeds."""
        self._is_site = False
        self._evidence = RevisitEvidence({}, lambda _: None)
        self._schedule: RevisitChooser | None = None
        self._spent = 0
        """Requests of this visit, those for due pages when they are asked for."""
        self._now: datetime | None = None
        """When the newest page came."""
        self._listings = 0
        self._recognised = False
        self._lists_asked = 0
        self._out: set[str] = set()
        """What was asked for and is not answered yet."""
        self._heard = False
        """Whether an answer came since the last time that more was asked for."""

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Start with the sources."""
        return self._tracked(self._start(seeds, memory))

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Compare a source with its earlier capture; let a content page be extracted."""
        self._out.discard(identity(why.url))
        self._heard = True
        return self._tracked(self._decide(outcome, why))

    def refill(self, room: int) -> Iterable[Action]:
        """Request sitemaps, then listings once all sources have shown what pages count; then pages that are due.

        Each step needs the results of the one before: as long as answers are pending, nothing is requested. If no
        answer has come since the last call, none is pending.
        """
        waits, self._heard = bool(self._out) and self._heard, False
        return () if waits else self._tracked(self._refill())

    def _tracked(self, actions: Iterable[Action]) -> Iterator[Action]:
        for action in actions:
            if isinstance(action, Follow):
                self._out.add(identity(action.url))
            yield action

    def _start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Ask for the sources: the seeds of this visit are listings, feeds and sitemaps."""
        levels = {identity(url): level for url, level in memory.earlier_pages()}
        self._sources = Sources(set(levels), memory if isinstance(memory, CaptureMemory) else None)
        self._evidence = RevisitEvidence(levels, self._sources.earlier)
        for action in self.inner.start([], memory):
            if isinstance(action, Remember):
                yield action
        for _, names in memory.recall(NAMED):
            self._sources.name(names)
        self._asked.update(identity(seed.url) for seed in seeds)
        for seed in seeds:
            kind = self._sources.was(seed.url)
            self._is_site = self._is_site or kind in (LISTING, SITEMAP)
            asked = Follow(seed.url, "where new pages show first", SOURCES, 10.0, {"as": SOURCES})
            if kind in (FEED, SITEMAP):
                yield asked
            else:
                self._waiting.append(asked)

    def _decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        self._spent += why.family != DUE
        if outcome.page is not None and outcome.kind != "not-modified":
            self._now = outcome.page.fetched_at or self._now
        if outcome.kind == "redirect":
            yield from follow_redirect(outcome, why)
            return
        if why.family == ROBOTS:
            self._hear_of_sitemaps(outcome)
            return
        role = why.state.get("as") if isinstance(why.state, dict) else None
        self._learn(outcome, role)
        if outcome.page is None or outcome.kind == "not-modified":
            if outcome.kind == "not-modified":
                yield Note("not changed since the last crawl", event="unchanged")
                if role == SOURCES and (earlier := self._sources.earlier(outcome.url)) is not None:
                    yield from self._further(earlier, why)
            return
        if outcome.page.status != 200:
            if outcome.page.status in (404, 410) and identity(outcome.url) in self._sources.known:
                yield Note(f"gone: {outcome.page.status}", event="gone", details={"page": outcome.url})
            return
        if role == SOURCES:
            yield from self._compare(outcome.page, why)
        elif role == DUE and source_kind(outcome.page) == LISTING:
            yield from self._ask_all(self._sources.new(outcome.page), NEW, outcome.page, why)
            if self._evidence.is_list(outcome.url):
                yield from self._ask_all(self._sources.altered(outcome.page), CHANGED, outcome.page, why)
        if role is not None and source_kind(outcome.page) == LISTING:
            yield from self._extract(outcome, why)

    def _refill(self) -> Iterable[Action]:
        if self._is_site and self._sitemaps:
            named, self._sitemaps = self._sitemaps, []
            return named
        waiting, self._waiting = self._waiting, []
        return waiting or self._due()

    def expected(self) -> Expectation:
        """Return the sources that were not requested yet, and at most so many pages that are due."""
        return Expectation(len(self._waiting) + len(self._sitemaps), 0, self.budget or 0)

    # ── what is due ───────────────────────────────────────────────────────────────────────────────────────────────

    def _due(self) -> list[Action]:
        """Ask for the next few pages that most likely changed, of those that no source has led to."""
        left = (self.budget or 0) - self._spent
        if left <= 0 or self._sources.archive is None:
            return []
        if self._schedule is None:
            known, now = self._known(self._sources.archive)
            if lists := self._uncovered_lists(list(known), left):
                return lists
            self._schedule = RevisitChooser(known, now, self._evidence.of(list(known), self._asked, now))
        chosen: list[Action] = []
        while not chosen and (urls := self._schedule.choose(min(left, max(2, (self.budget or 0) // GROUPS)))):
            chosen = [
                Follow(url, "most likely changed, by its kind and its captures", DUE, 3.0, {"as": DUE})
                for url in urls
                if identity(url) not in self._asked and self.scope.verdict(url).allowed
            ]
            self._asked.update(map(identity, urls))
        self._spent += len(chosen)
        return chosen

    def _known(self, archive: CaptureMemory) -> tuple[Mapping[str, History], datetime]:
        """Return the captures, and the time; where no answer told it, a day has passed since the last capture."""
        known = histories(archive.visits())
        newest = max((history[-1][0] for history in known.values()), default=None)
        return known, self._now or (newest + DAY if newest else datetime.min)

    def _uncovered_lists(self, known: Sequence[str], left: int) -> list[Action]:
        """Ask for lists whose pages no source names: what is new among those shows nowhere else."""
        room = min(left, int(FOR_LISTS * (self.budget or 0)) - self._lists_asked)
        if room <= 0:
            return []
        self._evidence.read(known, self._asked)
        lists = [url for url in self._evidence.uncovered_lists(self._asked) if self.scope.verdict(url).allowed]
        self._lists_asked += len(lists[:room])
        self._asked.update(map(identity, lists[:room]))
        because, state = "a list of pages that no source names", {"as": SOURCES}
        return [Follow(url, because, SOURCES, 9.0, state, depth=1) for url in lists[:room]]

    def _learn(self, outcome: Outcome, role: object) -> None:
        """Tell the schedule whether a page that was due, or that a source led to, had changed."""
        if self._schedule is None or role not in (DUE, CHANGED):
            return
        if outcome.kind == "not-modified":
            self._schedule.learn(outcome.url, False)
        elif outcome.page is not None and outcome.page.status == 200:
            earlier = self._sources.earlier(outcome.url)
            if self._evidence.is_list(outcome.url):
                self._schedule.learn(outcome.url, self._bears_news(outcome.page))
            elif earlier is not None:
                self._schedule.learn(outcome.url, compare(earlier, outcome.page).verdict not in UNCHANGED)
        elif outcome.page is not None and outcome.page.status in (404, 410):
            self._schedule.learn(outcome.url, True)

    def _bears_news(self, page: Page) -> bool:
        """Say whether a list leads to something that was not asked for yet: that old entries moved down is no news."""
        news = {*self._sources.new(page), *self._sources.altered(page)} - self._asked
        return any(not continues(name, identity(page.url)) for name in news)

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        """Let the inner strategy finish; learn the objects where the software is not known."""
        if self._recognised:
            if isinstance(self.inner, Harvester):
                yield from self.inner.harvest(pages)
            return
        for page, found in harvest_sites(pages):
            yield page, Keep(found, "learned from the pages of this visit")

    def lessons(self) -> dict[str, str]:
        """Return what adaptation repaired."""
        return dict(self.inner.lessons()) if isinstance(self.inner, LearningStrategy) else {}

    # ── sources ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _compare(self, page: Page, why: Follow | Submit) -> Iterator[Action]:
        kind, new, own = source_kind(page), signals(page), self._sources
        self._is_site = self._is_site or kind == LISTING
        self._hear(page, new)
        if kind == FEED:
            self._items |= _items_of(page)
            if (earlier := own.earlier(page.url)) is not None and _has_gap(earlier, page):
                yield Note("no item of the last visit is left: some may have been missed", event="gap")
        if is_sitemap_index(page):
            for name in new:
                yield from self._ask(new[name].url, FURTHER, "a part of the sitemap", page, why, is_source=True)
            return
        if kind in (FEED, SITEMAP):
            own.name(new)
            own.has_map = own.has_map or kind == SITEMAP
            yield Remember(NAMED, page.url, list(new)[:MOST_NAMED])
        fresh, altered = own.new(page), own.altered(page)
        self._evidence.hear_of_changes(own.changes_of(page, altered))
        for family, names in ((NEW, fresh), (CHANGED, altered)):
            yield from self._ask_all(names, family, page, why)
        if kind == LISTING and own.is_all_new(page, fresh, altered):
            yield from self._older(page, why)
        yield from self._further(page, why)

    def _ask_all(self, names: Iterable[str], family: str, page: Page, why: Follow | Submit) -> Iterator[Action]:
        new = signals(page)
        for name in names:
            because = f"{source_kind(page)} shows it {family}: {new[name].says[:80]}"
            is_source = self._sources.is_list(new[name].url)
            yield from self._ask(new[name].url, family, because, page, why, is_source=is_source)

    def _hear(self, page: Page, new: Mapping[str, Signal]) -> None:
        """Keep what a source tells of the pages that it names, for those that are due."""
        self._evidence.hear_list(new)
        if source_kind(page) == SITEMAP:
            self._evidence.hear_sitemap(sitemap_entries(page))
        elif source_kind(page) == FEED:
            self._evidence.hear_feed(new)

    def _further(self, page: Page, why: Follow | Submit) -> Iterator[Action]:
        """Ask for what a seed names that tells what is new; also where the seed itself did not change."""
        if source_kind(page) == LISTING and why.depth == 0:
            for url in self._sources.further(page):
                yield from self._ask(url, FURTHER, "tells what is new on the site", page, why, is_source=True)

    def _hear_of_sitemaps(self, outcome: Outcome) -> None:
        for url in sitemaps_named(outcome.page) if outcome.page is not None else ():
            if identity(url) not in self._asked:
                self._asked.add(identity(url))
                because, state = "robots.txt names this sitemap", {"as": SOURCES}
                self._sitemaps.append(Follow(url, because, SOURCES, 10.0, state, outcome.url))

    def _older(self, page: Page, why: Follow | Submit) -> Iterator[Action]:
        url = self._sources.older(page)
        if url is not None and self._listings < MOST_LISTINGS:
            self._listings += 1
            yield from self._ask(url, FURTHER, "all of the page before was new", page, why, is_source=True)

    # ── content ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _ask(
        self, url: str, family: str, because: str, page: Page, why: Follow | Submit, is_source: bool = False
    ) -> Iterator[Action]:
        name = identity(url)
        if name in self._asked:
            return
        self._asked.add(name)
        verdict = self.scope.verdict(url, why.depth + 1)
        if not verdict.allowed:
            yield Skip(url, verdict.because, verdict.rule)
            return
        if is_source:
            follow = Follow(url, because, SOURCES, 9.0, {"as": SOURCES}, page.url, why.depth + 1)
            if family == FURTHER:
                yield follow
            else:
                self._waiting.append(follow)
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
            if name not in self._sources.known and continues(name, identity(page.url)):
                yield from self._ask(signal.url, FURTHER, "continues a page that is new or changed", page, why)
        for last in self._sources.further_pages(page)[-1:]:
            yield from self._ask(last, FURTHER, "the last page of one that changed", page, why)


def _has_gap(earlier: Page, page: Page) -> bool:
    old, new = read_feed(earlier), read_feed(page)
    return old is not None and new is not None and has_gap(old, new)


def _items_of(page: Page) -> dict[str, FeedItem]:
    feed = read_feed(page)
    return {identity(item.link): item for item in feed.items if item.link} if feed else {}


def _article(page: Page, item: FeedItem, words: str, signifiers: str) -> WebObject:
    return WebObject(
        "article", object_iri("article", permalink=page.url), page.url, page.url, item.title or None,
        item.author or None, None, item.when, item.modified, words, tags=item.tags, media=item.media,
        because=f"SIGFEED by {signifiers}",
        confidence=0.9 if signifiers == "3-grams" else 0.6,
    )  # fmt: skip


def make(context: StrategyContext) -> RevisitStrategy:
    """Return the strategy for one visit."""
    return RevisitStrategy(context.scope, strategy_factory("aware")(context), context.options.limit)
