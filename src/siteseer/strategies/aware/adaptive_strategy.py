"""The aware strategy with adaptation: where known actions fail, it explores a little, repairs them, and remembers.

Known actions come first and are only watched (`action_monitor.py`). Where a level is not recognised or a list leads
nowhere, a few links of each kind are tried instead of all (`strategies/aware/adaptation/navigation/exploration.py`);
where objects are missing, extraction is repaired from the pages themselves or from what the last crawl stored
(`site_repairs.py`). Repairs are used for this site at once, and the pages that came before are read again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from siteseer.interfaces import Expectation, Memory, Scope, StrategyContext
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import load_trusted
from siteseer.knowledge.recognise import recognise_in_full
from siteseer.knowledge.save import to_xml
from siteseer.knowledge.types import Application
from siteseer.model import Action, Follow, Keep, Outcome, Page, Remember, Seed, Skip, Submit
from siteseer.page.tree import is_html
from siteseer.page.urls import identity, origin_of
from siteseer.strategies.aware.action_monitor import ActionMonitor
from siteseer.strategies.aware.adaptation.navigation.exploration_order import MOST_CLASSES_TRIED
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.aware.aware_strategy import make as make_aware
from siteseer.strategies.aware.crawl_policies import AwareOptions, options_of
from siteseer.strategies.aware.site_repairs import LEARNED, NOT_WORTHWHILE, SiteRepairs
from siteseer.strategies.resume_by_replay import HEARD, MOST_HEARD, LoggedOutcome, logged_outcome, outcomes_so_far

LOOKED = "adapting-look"
PAGES_TRIED = 4
"""About so many pages of a kind of link are tried."""


class AdaptiveStrategy:
    """Follows what the knowledge base says, and repairs it where it fails."""

    def __init__(self, knowledge: KnowledgeBase, scope: Scope, options: AwareOptions | None = None) -> None:
        self.aware = AwareStrategy(knowledge, scope, options)
        self.oversight = self.aware.monitor = ActionMonitor(knowledge, self.aware)
        self.repairs = SiteRepairs(knowledge, self.oversight)
        self._outstanding: set[str] = set()
        """What was asked for and not heard of yet: nothing is tried before the answers are in."""
        self._has_heard = True
        self._number = 0
        """How many things were heard."""

    # ── beginning, and beginning again ────────────────────────────────────────────────────────────────────────────

    def start(self, seeds: Sequence[Seed], memory: Memory | None) -> Iterator[Action]:
        """Request the seeds; after an interruption restore what was known, and use the knowledge of the last crawl."""
        if memory is None:
            yield from self.aware.start(seeds, None)
            return
        self.oversight.recall(memory)
        events = outcomes_so_far(memory)
        if events is None:
            yield from self._recall(seeds, memory)
            return
        yield from self._noting(self.aware.start(seeds, None))
        for event in events:
            self._hear_again(event)

    def _hear_again(self, event: LoggedOutcome) -> None:
        """Think again what was thought before; what came of it was carried out then."""
        if event.outcome is not None and event.why is not None:
            for _ in self.decide(event.outcome, event.why):
                pass
        else:
            self._outstanding.clear()
            for _ in self.refill(event.room):
                pass

    def _recall(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Recall what was learned and which links wait, after so long a crawl that not all can be thought again."""
        self._number = sum(1 for _ in memory.recall(HEARD))
        for origin, text in memory.recall(LEARNED):
            self.repairs.by_origin[origin] = load_trusted(str(text).encode(), f"learned of {origin}")
        self.repairs.use_learned()
        yield from self.aware.start(seeds, memory)
        for url, row in memory.recall(LOOKED):
            if site := self.oversight.sites.get(origin_of(url)) or self.oversight.site_of(url):
                site.explorer.recall(url, row)

    # ── the strategy ──────────────────────────────────────────────────────────────────────────────────────────────

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Let the aware strategy decide, then repair what failed."""
        page = outcome.page
        if page is not None and page.fetched_at:
            self.repairs.now = max(self.repairs.now or page.fetched_at, page.fetched_at)
        self._has_heard = True
        self._outstanding.discard(identity(why.url))
        yield from self._noting(self._decide(outcome, why))
        yield from self._remembering(logged_outcome(outcome, why))

    def _noting(self, actions: Iterable[Action]) -> Iterator[Action]:
        """Note what is asked for."""
        for action in actions:
            if isinstance(action, Follow):
                self._outstanding.add(identity(action.url))
            yield action

    def _remembering(self, event: LoggedOutcome) -> Iterator[Action]:
        self._number += 1
        if self._number <= MOST_HEARD:
            yield event.row(self._number)

    def _decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        page = outcome.page
        yield from self.aware.decide(outcome, why)
        if page is not None and is_html(page):
            yield from self.repairs.repair_due()
            yield from self.oversight.notes
            self.oversight.notes.clear()
            site = self.oversight.sites.get(origin_of(page.url))
            if site is not None:
                site.allowance.earn()
                if (found := site.explorer.looks.get(identity(page.url))) is not None:
                    yield Remember(LOOKED, page.url, site.explorer.row(found))
                if site.ways.has_news() and (site.explorer.has_content or self.oversight.earlier):
                    yield from self.repairs.explore(site)

    def refill(self, room: int) -> Iterator[Action]:
        """Try links while no content is known; then list the URLs that were not followed."""
        if not self._has_heard:
            self._outstanding.clear()  # asked twice and nothing heard in between: what is outstanding never comes
        self._has_heard = False
        has_asked = False
        for action in self._noting(self._refill(room)):
            has_asked = True
            yield action
        if has_asked:
            yield from self._remembering(LoggedOutcome(room))

    def _refill(self, room: int) -> Iterator[Action]:
        for site in list(self.oversight.sites.values()):
            if not self._outstanding:
                self.oversight.unreached(site)
            repairs = self.repairs
            for actions in (
                repairs.explore(site),
                repairs.try_links(site, max(room, 2)),
                repairs.settle(site),
                repairs.explore(site),
            ):
                if self._outstanding:
                    return
                yield from actions

    def expected(self) -> Expectation:
        """Return what the lists announce, and what is to be tried where known actions fail."""
        exploring = (site.explorer for site in self.oversight.sites.values() if not site.explorer.has_content)
        tried = (min(MOST_CLASSES_TRIED, sum(one.is_open for one in explorer.classes)) for explorer in exploring)
        return self.aware.expected() + Expectation(doubtful=PAGES_TRIED * sum(tried))

    # ── the end ───────────────────────────────────────────────────────────────────────────────────────────────────

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        """Apply late repairs to the pages that came before."""
        for site in self.oversight.sites.values():
            for name in list(site.watched):
                level = site.application.level(name)
                if level is None or site.watched[name].is_settled or not site.watched[name].pages:
                    continue
                if failing := site.failing(level):
                    example = site.watched[name].pages[0][0]
                    for action in self.repairs.repair(site, name, failing):
                        yield example, action
        for origin, site in self.oversight.sites.items():
            yield from self.repairs.unrepaired(origin, site)
        if not self.repairs.by_origin:
            return
        for page in pages():
            if page.status >= 400 or not is_html(page) or origin_of(page.url) not in self.repairs.by_origin:
                continue
            seen = recognise_in_full(page, self.aware.knowledge, self.aware.application_at(page.url))
            if seen.level is not None and seen.level.extractions:
                for action in self.aware.objects(page, seen, self.repairs.incomplete(page, seen.level.id)):
                    yield page, action
            elif seen.level is None and (beside := self.repairs.beside(page)) is not None:
                yield page, Keep(beside, beside.because)
        for site in self.oversight.sites.values():
            for url, because in self.repairs.left(site):
                yield Page(url), Skip(url, because, NOT_WORTHWHILE)

    def learned(self) -> list[Application]:
        """Return what was learned, in this crawl and before it, as applications to be saved beside the collection."""
        return self.repairs.learned()

    def lessons(self) -> Mapping[str, str]:
        """Return the repairs as knowledge files: name to text."""
        return {f"{one.id}.xml": to_xml(one).decode() for one in self.learned()}


def make(context: StrategyContext) -> AdaptiveStrategy | AwareStrategy:
    """Return the aware strategy with adaptation, or without it where the user turns adaptation off."""
    if not context.options.adapt:
        return make_aware(context)
    return AdaptiveStrategy(context.knowledge(), context.scope, options_of(context))
