"""The example strategy on a site with known navigation patterns: requests only the URLs that they select."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from siteseer.errors import ConfigurationError
from siteseer.interfaces import Memory, StrategyContext
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Recognition, Remember, Seed, Submit
from siteseer.page.links import canonical, links
from siteseer.page.similarity.page_signature import hashed, signature
from siteseer.page.slot_values import read_row, slot_values
from siteseer.page.tree import is_html
from siteseer.page.urls import identity
from siteseer.strategies.example.navigation_patterns import SavedPatterns
from siteseer.strategies.example.page_groups import TARGET, GroupedPage, PageGroups
from siteseer.strategies.example.pattern_crawl import PatternCrawl
from siteseer.strategies.example.same_target import Target
from siteseer.strategies.example.sample_pages import as_list_of_links, links_of, texts_of
from siteseer.strategies.form_search.search_queue import SearchQueue
from siteseer.strategies.form_search.sent_searches import as_page, unused_values
from siteseer.strategies.learned.online_learner.prose import pack, unpack
from siteseer.strategies.redirects_and_assets import follow_redirect

MEMORY = "example along"


class KnownPatternsStrategy:
    """Follows stored navigation patterns from the entry points."""

    def __init__(self, lesson: SavedPatterns, where: str, context: StrategyContext) -> None:
        if not lesson.patterns or not lesson.samples:
            raise ConfigurationError(f"{where} holds no navigation patterns of the strategy example")
        self.judge = PageGroups(lesson.samples)
        self.follower = PatternCrawl(lesson.patterns)
        self.searches = SearchQueue(context)
        self._forms = self.follower.forms()
        self._levels: list[str | None] = []
        self._rows = 0
        self._has_ended = False

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Request the entry points, or restore what was stored."""
        self.follower.begin(identity(seed.url) for seed in seeds)
        for _, row in memory.recall(MEMORY):
            self._take(row)
        self.searches.recall(memory)
        if not self._rows:
            yield from (Follow(seed.url, "entry point", "entry", 1.0) for seed in seeds)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Classify a page, and continue along the patterns."""
        if self.searches.is_answer(why):
            yield from self._answer(outcome, why)
        elif outcome.kind == "redirect" and outcome.target:
            yield self._remember(["moved", identity(why.url), identity(outcome.target)])[0]
            yield from follow_redirect(outcome, why)
        elif outcome.page is not None and outcome.page.status < 400 and why.family != "robots":
            page = as_list_of_links(outcome.page)
            if is_html(page):
                yield from self._page(page, why)

    def refill(self, room: int) -> Iterable[Action]:
        """Send the forms of the patterns; at the end, say so where the patterns led nowhere."""
        said = [action for number in range(len(self.searches.searched)) for action in self.searches.send(number)]
        if said or self.searches.is_waiting() or self._has_ended:
            return said
        self._has_ended = True
        notes = list(unused_values(self.searches.given, self.searches.searched))
        if self._rows and TARGET not in self._levels:
            text = "the stored patterns lead to no page of the kind any more: give a sample page with --example URL"
            notes.append(Note(text, event="failed_action"))
        return notes

    def harvest(self, pages: object) -> Iterator[tuple[Page, Action]]:
        """Classify all pages again with everything that is known."""
        for seen, before, level in zip(self.judge.pages, self._levels, self.judge.levels(), strict=True):
            if level != before:
                yield Page(seen.target.url), self._note(seen, level)

    def _answer(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Take the answer to a form, as a page that is reached where the patterns send that form."""
        page = outcome.page
        if page is not None and outcome.kind != "redirect" and page.status < 400 and is_html(page):
            page = as_page(page, why)
            outcome = replace(outcome, page=page)
            action = self.searches.searched[why.state["form"]].form.action.partition("?")[0]
            yield from self._page(page, why, action)
        yield from self.searches.hear(outcome, why)[1]

    def _page(self, page: Page, why: Follow | Submit, action: str = "") -> Iterator[Action]:
        """Take a page; `action` is the address of the form that it answers."""
        named = canonical(page)
        built = pack(tuple(sorted(hashed(signature(page)))))
        found = [(url, place) for url, place in links_of(page) if self.follower.leads_on(url)]
        row = ["page", page.url, built, [pack(one) for one in texts_of(page)], named and identity(named), found, action]
        row.append(slot_values(page).row())
        remembered, onward = self._remember(row)
        yield remembered
        yield self._note(self.judge.pages[-1], self._levels[-1])
        if self._forms:
            yield from self.searches.offer(page, self._forms)
        spelled = {identity(link.url): link.url for link in reversed(links(page))}
        for url in onward:
            yield Follow(
                spelled.get(url, url), "a navigation pattern leads there", "pattern", 0.0, None, page.url, why.depth + 1
            )

    def _note(self, seen: GroupedPage, level: str | None) -> Note:
        kind = self.judge.kind
        because = f"{kind.similarity(seen.signature):.2f} like the samples, where {kind.border:.2f} is enough"
        return Note(because, Recognition(level=level, terminal=level == TARGET))

    def _remember(self, row: JSON) -> tuple[Remember, list[str]]:
        key = str(self._rows)
        return Remember(MEMORY, key, row), self._take(row)

    def _take(self, row: JSON) -> list[str]:
        self._rows += 1
        if row[0] == "moved":
            self.follower.moved(row[1], row[2])
            return []
        _, url, built, texts, named, found, action, *values = row
        if action:
            self.follower.answered(identity(url), action)
        target = Target(
            identity(url), tuple(tuple(unpack(one).tolist()) for one in texts), named or "", *map(read_row, values)
        )
        is_related = self.follower.is_wanted(identity(url))
        self.judge.take(GroupedPage(frozenset(unpack(built).tolist()), target), is_related=is_related)
        self._levels.append(self.judge.level(-1))
        return list(self.follower.page(identity(url), [(one, place) for one, place in found]))
