"""The example strategy: finds all pages of a site that are built like one or a few sample pages.

The site is explored by link classes as in the `learned` strategy, but only pages of the wanted kind count as content:
the links that lead to them are followed, the rest is left. In the end every page is classified again with everything
that is known then.

Reference: Vidal et al., Structure-based crawling in the hidden Web, Algorithm 1. Differs: there the whole site is
searched breadth first.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np
from xxhash import xxh3_64_intdigest

from siteseer.errors import ConfigurationError, UsageError
from siteseer.interfaces import Expectation, Memory, Strategy, StrategyContext
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Recognition, Seed, Submit
from siteseer.page.links import canonical
from siteseer.page.similarity.page_signature import hashed, signature
from siteseer.page.slot_values import read_row, slot_values
from siteseer.page.tree import is_html
from siteseer.page.two_grams import Grams
from siteseer.page.urls import identity
from siteseer.strategies.event_log import EventLog
from siteseer.strategies.example.feeds_and_searches import FeedsAndSearches
from siteseer.strategies.example.known_patterns import KnownPatternsStrategy
from siteseer.strategies.example.link_paths import LinkPlaces
from siteseer.strategies.example.navigation_patterns import NavigationPattern, SavedPatterns, read_saved_patterns
from siteseer.strategies.example.page_groups import PART, TARGET, GroupedPage, PageGroups
from siteseer.strategies.example.same_target import Target
from siteseer.strategies.example.sample_pages import as_list_of_links, links_of, sample_url, texts_of
from siteseer.strategies.example.target_map import navigation_patterns
from siteseer.strategies.example.target_map_pages import map_pages
from siteseer.strategies.example.url_patterns import is_coded
from siteseer.strategies.form_search.sent_searches import as_page, unused_values
from siteseer.strategies.learned.learned_strategy import LearnedStrategy
from siteseer.strategies.learned.online_learner.prose import pack, unpack
from siteseer.strategies.learned.online_learner.sitemap_urls import GUESSED_SITEMAP
from siteseer.strategies.learned.online_learner.url_words import Words, suspicious_words

MEMORY = "example"
LESSON = "example.jsonl"
"""The file of navigation patterns among what a collection learned."""
NO_PAGES = ("robots", "sitemap", GUESSED_SITEMAP, "probe")
"""Families whose answers are not for people."""
WORTH = 100
"""2-grams that a wanted page counts for, whatever it says: the tenth record is worth as much as the first."""
_NOTHING: Grams = np.empty(0, np.uint64)


class ExampleStrategy:
    """Finds the pages that are built like the samples."""

    def __init__(self, context: StrategyContext) -> None:
        self.context = context
        self.samples = [sample_url(text) for text in context.options.examples]
        if not self.samples:
            raise UsageError("the strategy example needs a sample page: give one with --example URL")
        own = frozenset(word for url in self.samples for word in suspicious_words(url))
        self.learned = LearnedStrategy(context, Words(cleared=own), content=self._content)
        self.learned.further = self._further
        self.judge = PageGroups()
        self.ways = FeedsAndSearches(context, lambda: self._levels.count(TARGET))
        self.patterns: list[NavigationPattern] = []
        self._entry = identity(sample_url(context.options.seeds[0]))
        self._moved: dict[str, str] = {}
        self._unheard = set(self.samples)
        self._held: list[Follow] = []
        """The seeds, until it is known what is looked for."""
        self._places = LinkPlaces()
        self.learned.learner.other_names = self._places.name
        self._levels: list[str | None] = []
        """What each page was taken for when it came."""
        self._journal = EventLog(MEMORY, self._take)
        self._is_wanted = False
        self._is_heard = True
        """Whether an outcome came since answers to forms were last waited for."""

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Request the samples, or restore what was stored."""
        self._journal.recall(memory)
        self.ways.recall(memory)
        first = dict.fromkeys((*self.samples, *(seed.url for seed in seeds)))
        for number, url in enumerate(first):
            if url not in self.samples:
                self._held.append(Follow(url, "seed", "seed", 1.0, number))
        for action in self.learned.start([Seed(url) for url in first], memory):
            if not isinstance(action, Follow):
                yield action
            elif action.url in self.samples:
                yield replace(action, because="sample page", priority=2.0)
        yield from self._release("")

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Classify a page, then let the learner continue from it."""
        self._is_heard, self._is_wanted = True, False
        if self.ways.searches.is_answer(why):
            yield from self._answer(outcome, why)
            return
        page = outcome.page
        if page is not None and outcome.kind in ("page", "not-modified") and page.status < 400:
            page = as_list_of_links(page)
            if page is not outcome.page:
                yield self.ways.keep_list(page)
            outcome = replace(outcome, page=page)
            if is_html(page) and why.family not in NO_PAGES:
                yield from self._judge(page, why)
        if outcome.kind == "redirect" and outcome.target:
            yield self._journal.write(["moved", identity(why.url), identity(outcome.target)])
        yield from self.learned.decide(outcome, why)
        if self._places.is_named and (all(map(is_coded, self.samples)) or not self.judge.kind.relations_tell()):
            yield self._journal.write(["renamed"])
            yield self.learned.rename()
        if why.url in self._unheard:
            moved = outcome.target if outcome.kind == "redirect" else None
            yield self._journal.write(["heard", why.url, moved])
            yield from self._release(outcome.reason)

    def refill(self, room: int) -> Iterable[Action]:
        """Return the most promising requests, once the answers to forms have come."""
        if self._held:
            return ()
        if self.ways.searches.is_waiting():
            if self._is_heard:
                self._is_heard = False
                return ()
            self.ways.searches.give_up()  # whoever drives this strategy sends no forms
        return self.learned.refill(room)

    def expected(self) -> Expectation:
        """Return the learner's estimate; the answers to forms cannot be estimated."""
        told = Expectation(len(self._held), None if self.ways.searches.is_waiting() else 0)
        return told + self.learned.expected()

    def _further(self) -> list[Action]:
        """Return what can be tried when links lead no further: a feed, then the submissions of a form."""
        if (url := self.ways.next_feed()) is not None:
            return [self.ways.ask_feed(url), *self.learned.ask(url, "a feed may list further pages")]
        return self.ways.search()

    def _answer(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Classify the answer to a form: a target, a page with another form, or a list of links."""
        page = outcome.page
        if page is not None and outcome.kind in ("page", "not-modified") and page.status < 400 and is_html(page):
            page = as_page(page, why)
            outcome = replace(outcome, page=page)
            yield from self._judge(page, why)
            yield self.ways.keep_list(page)
        answer, said = self.ways.searches.hear(outcome, why)
        yield from said
        if answer is not None:
            yield from self.learned.offer(self.ways.searches.records(why.state["form"], answer))

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        """Classify all pages again with everything that is known, and draw the map of the targets."""
        levels = self.judge.levels()
        for seen, before, level in zip(self.judge.pages, self._levels, levels, strict=True):
            if level != before:
                yield Page(seen.target.url), self._note(seen.signature, level)
        self.patterns = self._draw(
            pages(),
            {seen.target.url for seen, level in zip(self.judge.pages, levels, strict=True) if level in (TARGET, PART)},
        )
        for note in unused_values(self.ways.searches.given, self.ways.searches.searched):
            yield Page(self._entry), note
        for number, pattern in enumerate(self.patterns, 1):
            details = {"number": number, "targets": pattern.targets, "hubs": pattern.hubs}
            yield Page(self._entry), Note(str(pattern), event="navigation_pattern", details=details)

    def lessons(self) -> dict[str, str]:
        """Return the navigation patterns and the samples, for later crawls of this site."""
        if not self.patterns:
            return {}
        lesson = SavedPatterns(tuple(self.patterns), tuple(self.judge.kind.samples), round(self.judge.kind.border, 4))
        return {LESSON: lesson.lines()}

    # ── judging ───────────────────────────────────────────────────────────────────────────────────────────────────

    def _judge(self, page: Page, why: Follow | Submit) -> Iterator[Action]:
        built = hashed(signature(page))
        is_sample = why.url in self._unheard
        like = any(self._places.is_related(identity(page.url), identity(url)) for url in self.samples)
        named = canonical(page)
        texts = [pack(one) for one in texts_of(page)]
        links = [(url, place) for url, place in links_of(page) if not self._places.is_known(url)]
        facts = [pack(tuple(sorted(built))), texts, named and identity(named)]
        placed = self._places.new(links)
        yield self._journal.write(["page", page.url, *facts, is_sample, like, placed, slot_values(page).row()])
        self._is_wanted = self._levels[-1] in (TARGET, PART)
        yield self._note(built, self._levels[-1])
        if is_sample or why.family == "seed":
            yield self.ways.searches.learn_terms(page)
        yield from self.ways.meet(page, [url for url, _ in links])

    def _note(self, built: frozenset[int], level: str | None) -> Note:
        kind = self.judge.kind
        because = f"{kind.similarity(built):.2f} like the samples, where {kind.border:.2f} is enough"
        return Note(because, Recognition(level=level, terminal=level == TARGET))

    def _content(self, page: Page) -> Grams:
        if not self._is_wanted:
            return _NOTHING
        name = xxh3_64_intdigest(identity(page.url).encode("utf-8", "replace"))
        return np.unique(np.random.default_rng(name).integers(0, 2**63, WORTH, dtype=np.uint64))

    def _release(self, reason: str) -> Iterator[Follow]:
        """Ask for the seeds when all samples are known."""
        if self._unheard:
            return
        if not self.judge.kind.samples:
            raise UsageError(f"no sample page could be had ({reason}): give another one with --example URL")
        yield from self._held
        self._held = []

    def _draw(self, pages: Iterable[Page], targets: set[str]) -> list[NavigationPattern]:
        """Return the navigation patterns that follow from the pages that were kept."""
        found = map_pages(self.ways, pages, targets, self._moved)
        entry = self._moved.get(self._entry, self._entry)
        return navigation_patterns(found, entry) if entry in found else []

    # ── memory ────────────────────────────────────────────────────────────────────────────────────────────────────

    def _take(self, row: JSON) -> None:
        if row[0] == "heard":
            self._unheard.discard(row[1])
            if row[2] is not None:
                self._unheard.add(row[2])
                self.samples.append(row[2])
            return
        if row[0] == "moved":
            self._moved[row[1]] = row[2]
            return
        if row[0] == "renamed":
            self._places.is_named = False
            self.judge.kind.forget_relations()
            return
        _, url, built, texts, named, is_sample, like, placed, *values = row
        self._places.add(placed)
        target = Target(
            identity(url), tuple(tuple(unpack(one).tolist()) for one in texts), named or "", *map(read_row, values)
        )
        self.judge.take(GroupedPage(frozenset(unpack(built).tolist()), target, like), is_sample, like)
        self._levels.append(self.judge.level(-1))


def make(context: StrategyContext) -> Strategy:
    """Return the example strategy: along stored patterns where there are any, else with a map of its own."""
    options = context.options
    path = options.patterns
    if path is None and options.recrawl and not options.examples and context.learned is not None:
        path = context.learned / LESSON if (context.learned / LESSON).is_file() else None
    if path is None:
        return ExampleStrategy(context)
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path}: the patterns cannot be read: {error}") from error
    return KnownPatternsStrategy(read_saved_patterns(lines, str(path)), str(path), context)
