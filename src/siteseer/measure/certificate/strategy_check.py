"""The crawl's own strategy on trial: shown pages that the crawl skipped, it says what it would do; nothing is done."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache

from siteseer.crawl.check import checked
from siteseer.crawl.equipment import knowledge_of
from siteseer.crawl.frontier import LIFTED
from siteseer.crawl.memory import CollectionMemory
from siteseer.crawl.state import State
from siteseer.errors import SiteseerError
from siteseer.interfaces import Strategy, StrategyContext
from siteseer.model import Action, Follow, Keep, Note, Outcome, Page, Recognition, Skip, Submit
from siteseer.page.urls import identity
from siteseer.plugins import strategy_factory
from siteseer.settings import CrawlOptions

ROOM, MOST_REFILLS = 500, 40
"""The strategy is asked for so many URLs at a time, so often."""
MISSING = "soft_404"


@dataclass(slots=True)
class Heard:
    """What the strategy says of a page."""

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


class Trial:
    """A strategy that knows what the crawl knew, and is asked what it would follow."""

    def __init__(self, state: State, crawl: int, options: CrawlOptions) -> None:
        seeds, self.scope = checked(options)
        context = StrategyContext(options, self.scope, cache(lambda: knowledge_of(options)))
        self._strategy: Strategy | None = None
        self._asked: set[str] = set()
        self._skipped: dict[str, str] = {}
        self.lifted: set[str] = set()
        """Rules that lost content: what they would skip again is lost, too."""
        with suppress(SiteseerError):  # a strategy that cannot be made again says nothing
            strategy = strategy_factory(options.strategy)(context)
            for _ in strategy.start(seeds, CollectionMemory(state, crawl)):
                pass  # it recalls; its seeds were fetched long ago
            self._strategy = strategy

    def show(self, page: Page, referrer: str, depth: int) -> Heard:
        """Show the strategy a page, as if it had asked for it."""
        why = Follow(page.url, "looked at by an audit", LIFTED, referrer=referrer, depth=depth)
        heard = Heard()
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
        """Let the strategy ask for whatever it would ask for now."""
        for _ in range(MOST_REFILLS if self._strategy is not None else 0):
            try:
                wanted = list(self._strategy.refill(ROOM)) if self._strategy is not None else []
            except Exception:  # as in a crawl, a strategy that fails ends nothing
                return
            if not any(isinstance(action, Follow | Submit) for action in self._take(wanted)):
                return

    def would_follow(self, url: str) -> bool:
        """Say whether the strategy would ask for a URL, were it not for the rules that lost content."""
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
        """Note what is asked for and skipped; tell the strategy that nothing will come, so that it does not wait."""
        taken = list(actions)
        for action in taken:
            if isinstance(action, Follow | Submit) and identity(action.url) not in self._asked:
                self._asked.add(identity(action.url))
                self._decide(Outcome(action.url, "refused", "not fetched by an audit"), action)
            elif isinstance(action, Skip):
                self._skipped[identity(action.url)] = action.rule or action.because
        return taken
