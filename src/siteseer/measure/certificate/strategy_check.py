"""Replays the crawl's own strategy on pages that the crawl skipped: which links it would follow; nothing is fetched."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache

from siteseer.collection.history.crawl_history import crawl_rows, whole_crawls
from siteseer.collection.history.saved_options import saved_options
from siteseer.collection.layout import learned_folder
from siteseer.collection.state import State
from siteseer.collection.url_status import DONE
from siteseer.crawler.build import knowledge_of
from siteseer.crawler.frontier import LIFTED
from siteseer.crawler.strategy_memory import CollectionMemory
from siteseer.crawler.validate_options import seeds_and_scope
from siteseer.errors import SiteseerError
from siteseer.interfaces import Scope, Strategy, StrategyContext
from siteseer.model import Action, Follow, Keep, Note, Outcome, Page, Recognition, Skip, Submit
from siteseer.page.urls import host_of, identity
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions

ROOM, MOST_REFILLS = 500, 40
"""The strategy is asked for so many URLs at a time, so often."""
MISSING = "soft_404"


@dataclass(slots=True)
class StrategyAnswer:
    """The strategy's actions on a page."""

    follows: list[str] = field(default_factory=list)
    recognition: Recognition | None = None
    has_objects: bool = False
    is_missing: bool = False
    """Whether the strategy takes it for the site's answer to an address that does not exist."""

    @property
    def is_list(self) -> bool:
        """Whether the page is of a known kind that leads to content and holds none itself."""
        seen = self.recognition
        return seen is not None and seen.level is not None and not seen.terminal and not self.has_objects


class StrategyCheck:
    """A strategy with the crawl's memory, which is asked what it would follow."""

    def __init__(self, state: State, crawl: int, options: CrawlOptions, lifted: set[str] | None = None) -> None:
        seeds, scope = seeds_and_scope(options)
        context = StrategyContext(
            options, scope, cache(lambda: knowledge_of(options)), learned_folder(options.collection)
        )
        self._strategy: Strategy | None = None
        self._asked: set[str] = set()
        self._skipped: dict[str, str] = {}
        self.lifted = lifted if lifted is not None else set()
        """Rules that lost content: what they would skip again is lost, too."""
        with suppress(SiteseerError):  # a strategy that cannot be made again says nothing
            strategy = strategy_factory(options.strategy)(context)
            for _ in strategy.start(seeds, CollectionMemory(state, crawl)):
                pass  # it recalls; its seeds were fetched long ago
            self._strategy = strategy

    def show(self, page: Page, referrer: str, depth: int) -> StrategyAnswer:
        """Show the strategy a page, as if it had requested it."""
        why = Follow(page.url, "looked at by an audit", LIFTED, referrer=referrer, depth=depth)
        heard = StrategyAnswer()
        for action in self._decide(Outcome(page.url, "page", page=page), why):
            if isinstance(action, Follow | Submit):
                heard.follows.append(action.url)
            elif isinstance(action, Keep):
                heard.has_objects = True
            elif isinstance(action, Note):
                heard.recognition = action.recognition or heard.recognition
                heard.is_missing = heard.is_missing or action.event == MISSING
        return heard

    def settle(self) -> None:
        """Let the strategy request what it would request now."""
        for _ in range(MOST_REFILLS if self._strategy is not None else 0):
            try:
                wanted = list(self._strategy.refill(ROOM)) if self._strategy is not None else []
            except Exception:  # as in a crawl, a strategy that fails ends nothing
                return
            if not any(isinstance(action, Follow | Submit) for action in self._take(wanted)):
                return

    def would_follow(self, url: str) -> bool:
        """Say whether the strategy would request a URL, were it not for the rules that lost content."""
        name = identity(url)
        return name in self._asked or self._skipped.get(name) in self.lifted

    def _decide(self, outcome: Outcome, why: Follow | Submit) -> list[Action]:
        if self._strategy is None:
            return []
        try:
            return self._take(list(self._strategy.decide(outcome, why)))
        except Exception:  # as in a crawl, one bad page ends nothing
            return []

    def _take(self, actions: Iterable[Action]) -> list[Action]:
        """Record what is requested and skipped; tell the strategy that no answer will come, so that it never waits."""
        taken = list(actions)
        for action in taken:
            if isinstance(action, Follow | Submit) and identity(action.url) not in self._asked:
                self._asked.add(identity(action.url))
                self._decide(Outcome(action.url, "refused", "not fetched by an audit"), action)
            elif isinstance(action, Skip):
                self._skipped[identity(action.url)] = action.rule or action.because
        return taken


class StrategyChecks:
    """The strategies of a collection's crawls: each is asked about the hosts that its crawl was the last to visit."""

    def __init__(self, state: State, options: CrawlOptions) -> None:
        self.scope: Scope = seeds_and_scope(options)[1]
        self.lifted: set[str] = set()
        """Rules that lost content, whichever crawl has them."""
        crawls = whole_crawls(crawl_rows(state))
        numbers = ", ".join(str(one.number) for one in crawls)
        visited = state.rows(
            f"SELECT host, max(crawl) FROM urls WHERE status = {DONE} AND crawl IN ({numbers}) GROUP BY host"
        )
        self._crawls: dict[str, int] = dict(visited)
        asked = {*self._crawls.values(), crawls[-1].number}
        self._checks = {
            one.number: StrategyCheck(state, one.number, saved_options(state.collection, one), self.lifted)
            for one in crawls
            if one.number in asked
        }
        self._newest = self._checks[crawls[-1].number]

    def show(self, page: Page, referrer: str, depth: int) -> StrategyAnswer:
        """Show a page to the strategy of its host, as if that had asked for it."""
        return self._of(page.url).show(page, referrer, depth)

    def settle(self) -> None:
        """Let the strategies ask for whatever they would ask for now."""
        for check in self._checks.values():
            check.settle()

    def would_follow(self, url: str) -> bool:
        """Say whether the strategy of a URL's host would ask for it."""
        return self._of(url).would_follow(url)

    def _of(self, url: str) -> StrategyCheck:
        number = self._crawls.get(host_of(url))
        return self._newest if number is None else self._checks[number]
