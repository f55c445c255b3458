"""Chooses the strategy page by page (`auto`): known software is crawled by knowledge, unknown sites are learned.

A page of known software goes to the aware strategy, and with it everything that it leads to; the rest goes to the
learned strategy, which tries everything where there is too little to learn from. So a forum beside a home-made front
page is crawled as a forum. Every choice is noted with its reason.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from siteseer.interfaces import (
    Expectation,
    Expects,
    Harvester,
    LearningStrategy,
    Memory,
    ObjectCounter,
    PagesBySite,
    Strategy,
    StrategyContext,
)
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import FullRecognition, recognise_in_full
from siteseer.model import JSON, Action, Follow, Note, Outcome, Page, Remember, Seed, Submit
from siteseer.page.tree import is_html
from siteseer.page.urls import origin_of, site_of
from siteseer.plugins import strategy_factory
from siteseer.strategies.aware.crawl_policies import options_of
from siteseer.strategies.redirects_and_assets import follow_redirect

AWARE, LEARNED = "aware", "learned"
MEMORY = "auto"
_ROBOTS = "robots"


class AutoStrategy:
    """Gives every page to the strategy that fits it."""

    def __init__(self, context: StrategyContext, knowledge: KnowledgeBase) -> None:
        self.context, self.knowledge = context, knowledge
        self._parts: dict[str, Strategy] = {}
        self._known: set[str] = set()
        self._learned: set[str] = set()
        """The sites of which pages were left to the learned strategy."""
        self._robots: dict[str, Outcome] = {}
        self._memory: Memory | None = None

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Request the seeds; after an interruption restore the choices that were made."""
        self._memory = memory
        for name, row in memory.recall(MEMORY):
            if name in (AWARE, LEARNED):
                self._begin(name, [Seed(url) for url in row["seeds"]])
            else:
                self._known.add(name)
        self._learned.update(site for site, _ in memory.recall(f"{MEMORY}-{LEARNED}"))
        for origin, row in memory.recall(f"{MEMORY}-{_ROBOTS}"):
            page = Page(row["url"], 200, (("Content-Type", "text/plain"),), row["body"].encode("utf-8", "replace"))
            self._robots[origin] = Outcome(row["url"], "page", page=page)
        for seed in seeds:
            yield Follow(seed.url, "seed", state={"by": None, "state": None})

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Give the outcome to the strategy that requested it, or choose one where none has."""
        if why.family == _ROBOTS:
            yield from self._hear_robots(outcome, why)
            return
        by, state = _unwrapped(why.state)
        asked = replace(why, state=state)
        if by is None and outcome.kind == "redirect":
            yield from follow_redirect(outcome, why)
            return
        name, reason = self._choose(outcome, by)
        if name == LEARNED and outcome.page is not None and (site := site_of(outcome.url)) not in self._learned:
            self._learned.add(site)
            yield Remember(f"{MEMORY}-{LEARNED}", site, {})
        if name != by:
            yield from self._change(name, by, reason, outcome, asked)
        else:
            yield from self._wrapped(name, self._parts[name].decide(outcome, asked))

    def refill(self, room: int) -> Iterator[Action]:
        """Ask the running strategies for more."""
        for name, part in self._parts.items():
            yield from self._wrapped(name, part.refill(room))

    def expected(self) -> Expectation:
        """Return what the running strategies expect together."""
        parts = (part.expected() for part in self._parts.values() if isinstance(part, Expects))
        return sum(parts, Expectation())

    def count_on(self) -> bool:
        """Let the strategies that find their objects at the end count a little further."""
        return any(part.count_on() for part in self._parts.values() if isinstance(part, ObjectCounter))

    def objects_so_far(self) -> int:
        """Return about how many objects are found only at the end, of the pages so far."""
        return sum(part.objects_so_far() for part in self._parts.values() if isinstance(part, ObjectCounter))

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        """Let each strategy extract objects from its own pages."""
        for name, part in self._parts.items():
            if isinstance(part, Harvester):
                yield from part.harvest(self._own_pages(name, pages))

    def lessons(self) -> dict[str, str]:
        """Return what the strategies learned."""
        found: dict[str, str] = {}
        for part in self._parts.values():
            if isinstance(part, LearningStrategy):
                found.update(part.lessons())
        return found

    def _own_pages(self, name: str, pages: Callable[[], Iterable[Page]]) -> Callable[[], Iterable[Page]]:
        """Return the pages of one strategy, site by site where they are given so."""
        if len(self._parts) == 1:
            return pages
        wanted = partial(self._is_own, name)
        return OwnPages(pages, wanted) if isinstance(pages, PagesBySite) else lambda: filter(wanted, pages())

    def _is_own(self, name: str, page: Page) -> bool:
        """Say whether a page is one of that strategy; of a site that was never learned, none is to be learned."""
        is_known = self._is_known(recognise_in_full(page, self.knowledge))
        return is_known if name == AWARE else not is_known and site_of(page.url) in self._learned

    # ── choosing ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _choose(self, outcome: Outcome, by: str | None) -> tuple[str, str]:
        """Return the strategy for a page, and why."""
        page = outcome.page
        if by == AWARE:
            return AWARE, ""
        if page is None or page.status >= 400 or not is_html(page):
            return by or LEARNED, "there is no page to recognise"
        seen = recognise_in_full(page, self.knowledge)
        if self._is_known(seen) and seen.application is not None:
            return AWARE, f"this is {seen.application.name or seen.application.id}"
        if by is None and origin_of(page.url) in self._known:
            return AWARE, "the site's software is known"
        return LEARNED, "no knowledge file describes this software"

    @staticmethod
    def _is_known(seen: FullRecognition) -> bool:
        return seen.application is not None and not seen.application.is_generic

    def _change(
        self, name: str, by: str | None, reason: str, outcome: Outcome, asked: Follow | Submit
    ) -> Iterator[Action]:
        """Begin with a strategy, or hand a page over from one to another."""
        origin = origin_of(outcome.url)
        event = "chosen_strategy" if by is None else "changed_strategy"
        if by is None or origin not in self._known:
            yield Note(f"{name}: {reason}", event=event, details={"strategy": name, "origin": origin})
        if name == AWARE and origin not in self._known:
            self._known.add(origin)
            yield Remember(MEMORY, origin, {"strategy": name}, reason)
        if by is not None:  # the one that asked for it must not wait for it any longer
            told = Outcome(outcome.url, "refused", f"left to the {name} strategy")
            yield from self._wrapped(by, self._parts[by].decide(told, asked))
        is_seed = by is None
        first = self._begin(name, [Seed(asked.url)] if is_seed else [])
        if first is not None:
            yield Remember(MEMORY, name, {"seeds": [asked.url] if is_seed else []}, reason)
            for action in first:
                if isinstance(action, Follow) and action.url == asked.url:
                    asked = action
                else:
                    yield from self._wrapped(name, [action])
            for heard in self._robots.values():
                yield from self._wrapped(name, self._parts[name].decide(heard, Follow(heard.url, "", _ROBOTS)))
        elif is_seed:
            asked = replace(asked, state=None)
        yield from self._wrapped(name, self._parts[name].decide(outcome, asked))

    def _begin(self, name: str, seeds: Sequence[Seed]) -> list[Action] | None:
        """Make a strategy when it is first needed; return what it wants to begin with."""
        if name in self._parts:
            return None
        assert self._memory is not None
        self._parts[name] = strategy_factory(name)(self.context)
        return list(self._parts[name].start(seeds, self._memory))

    def _hear_robots(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        self._robots[origin_of(outcome.url)] = outcome
        if outcome.page is not None:
            body = outcome.page.body[:100_000].decode("utf-8", "replace")
            yield Remember(f"{MEMORY}-{_ROBOTS}", origin_of(outcome.url), {"url": outcome.url, "body": body})
        for name, part in self._parts.items():
            yield from self._wrapped(name, part.decide(outcome, why))

    @staticmethod
    def _wrapped(name: str, actions: Iterable[Action]) -> Iterator[Action]:
        """Mark what a strategy asks for, so that it hears of the outcome."""
        for action in actions:
            if isinstance(action, Follow | Submit):
                yield replace(action, state={"by": name, "state": action.state})
            else:
                yield action


@dataclass(frozen=True, slots=True)
class OwnPages:
    """The kept pages that belong to one strategy."""

    pages: PagesBySite
    wanted: Callable[[Page], bool]

    def __call__(self) -> Iterator[Page]:
        """Yield all of them."""
        return filter(self.wanted, self.pages())

    def sites(self) -> Mapping[str, int]:
        """Return how many pages were kept of each site, also those that are not to be looked at."""
        return self.pages.sites()

    def of_sites(self, names: Collection[str]) -> Iterator[Page]:
        """Yield those of some sites."""
        return filter(self.wanted, self.pages.of_sites(names))


def _unwrapped(state: JSON) -> tuple[str | None, JSON]:
    return (state["by"], state["state"]) if isinstance(state, dict) else (None, None)


def make(context: StrategyContext) -> AutoStrategy:
    """Return the strategy that chooses."""
    options_of(context)  # a policy that nobody knows is refused at once
    return AutoStrategy(context, context.knowledge())
