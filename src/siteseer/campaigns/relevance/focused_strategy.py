"""Guides any strategy towards a campaign's topic (focused crawling): scores pages and links for relevance.

The strategy inside finds URLs. Every page is scored with its objects and blocks, and every link gets a score from each
source; the crawl joins the scores of all sources into its priority. The outcome of one link changes the scores of its
neighbours. Links to other sites are remembered for the campaign, which hands them to the crawl of that site.

Reference: the online analysis of ARCOMEM (Faheem's thesis, section 4.2.1): preprocessing, analysis of the parts, scores
joined into a priority.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.relevance.link_scoring import INHERITED, PASSED_ON, LinkScore, score_links
from siteseer.campaigns.relevance.parse_definition import read_definition
from siteseer.campaigns.relevance.relevance import RelevanceScorer
from siteseer.campaigns.relevance.term_learner import TermLearner
from siteseer.errors import UsageError
from siteseer.interfaces import Expectation, Expects, Harvester, LearningStrategy, Memory, Strategy, StrategyContext
from siteseer.model import (
    JSON,
    Action,
    Appraise,
    Follow,
    Keep,
    Outcome,
    Page,
    Rank,
    Remember,
    Seed,
    Skip,
    Submit,
    Vote,
    WebObject,
    Weigh,
)  # fmt: skip
from siteseer.page.text_hash import hash_of
from siteseer.page.tree import is_html
from siteseer.page.urls import host_of
from siteseer.plugins import strategy_factory

OUTBOX = "outbox"
"""What is remembered for the crawls of other sites: links, and what links of theirs brought."""
_RECENT = 20_000
_STEPS = 5
"""A source may speak up again for a URL when it promises a fifth more."""


class FocusedStrategy:
    """Scores pages and links; everything else is left to the strategy inside."""

    def __init__(
        self,
        inside: Strategy,
        definition: Definition,
        host: str,
        term_learner: TermLearner | None = None,
        origin: Mapping[str, JSON] = MappingProxyType({"inherited": 1.0}),
    ) -> None:
        self.inside, self.definition, self.host = inside, definition, host
        self.scorer = RelevanceScorer(definition, term_learner)
        self.origin = origin
        """What the first page inherits, and the group of the link that brought it."""
        self._named = {host_of(seed) for seed in definition.all_seeds}
        self._handed: set[str] = set()
        self._said: dict[str, LinkScore] = {}
        """What pages said last of URLs."""

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Start the strategy inside; seeds of the definition are taken to be relevant."""
        yield from self._wrapped(self.inside.start(seeds, memory), self.origin)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Score a page and its links, and return them with the actions of the strategy inside."""
        state = why.state if isinstance(why.state, dict) and "inside" in why.state else {"inside": why.state}
        inherited, asked = float(state.get("inherited", 1.0)), replace(why, state=state["inside"])
        page = outcome.page
        if outcome.kind not in ("page", "not-modified") or page is None or page.status >= 400 or not is_html(page):
            yield from self._redirected(self.inside.decide(outcome, asked), why, state)
            return
        weighed = self.scorer.score(page)
        yield Weigh(weighed.degree, weighed.because)
        if group := int(state.get("group", 0)):
            yield Appraise(group, weighed.degree, weighed.because)
            if state.get("arrived"):
                yield Remember(OUTBOX, format(hash_of(f"{group} {page.url}"), "x"), [group, weighed.degree])
        for one in score_links(page.url, weighed, self.scorer, inherited, why.priority):
            self._said[one.url] = one
            yield from self._vote(one, page)
        yield from self._led(self.inside.decide(outcome, asked), PASSED_ON * max(weighed.degree, inherited))
        if len(self._said) > _RECENT:
            self._said.clear()

    def refill(self, room: int) -> Iterator[Action]:
        """Ask the strategy inside for more actions."""
        yield from self._wrapped(self.inside.refill(room), {"inherited": 0.0})

    def expected(self) -> Expectation:
        """Return what the strategy inside expects."""
        return self.inside.expected() if isinstance(self.inside, Expects) else Expectation()

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        """Let the strategy inside extract objects from the pages at the end, and score them."""
        if isinstance(self.inside, Harvester):
            for page, action in self.inside.harvest(pages):
                yield page, self._weighed(action) if isinstance(action, Keep) else action

    def lessons(self) -> dict[str, str]:
        """Return what the strategy inside learned."""
        return dict(self.inside.lessons()) if isinstance(self.inside, LearningStrategy) else {}

    # ── links ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _vote(self, one: LinkScore, page: Page) -> Iterator[Action]:
        host = host_of(one.url)
        if host == self.host:
            yield Vote(one.url, one.score, one.because, one.source, one.group)
        elif self._is_handed(host):
            key = f"{one.source} {one.url} {int(one.score * _STEPS)}"
            if key not in self._handed:
                if len(self._handed) > _RECENT:
                    self._handed.clear()
                self._handed.add(key)
                yield Remember(
                    OUTBOX, format(hash_of(key), "x"),
                    [one.url, one.score, one.because, one.source, one.inherited, page.url, one.group * one.from_hub],
                )  # fmt: skip

    def _is_handed(self, host: str) -> bool:
        """Say whether links to a host are for another crawl of the campaign."""
        return host != self.host and (self.definition.sites.follow == "linked" or host in self._named)

    def _is_first(self, why: Follow | Submit) -> bool:
        """Say whether a URL is a seed, or what one redirects to: where that leads, the seed leads."""
        return why.url in self.definition.all_seeds or (self.host not in self._named and why.depth == 0)

    def _led(self, actions: Iterable[Action], passed: float) -> Iterator[Action]:
        """Give what the strategy inside wants to follow the promises of the page, or those of pages before it."""
        for action in actions:
            match action:
                case Rank():
                    continue  # the order is ours
                case Keep():
                    yield self._weighed(action)
                case Follow() | Skip() if self._is_handed(host_of(action.url)):
                    continue  # another crawl of the campaign has it
                case Follow() if (one := self._said.get(action.url)) is not None:
                    state = {"inside": action.state, "inherited": one.inherited, "group": one.group}
                    yield replace(action, priority=one.score, because=f"{action.because}: {one.because}", state=state)
                case Follow() | Submit():
                    state = {"inside": action.state, "inherited": round(passed, 4)}
                    yield replace(action, priority=INHERITED * passed, state=state)
                case _:
                    yield action

    def _redirected(self, actions: Iterable[Action], why: Follow | Submit, state: JSON) -> Iterator[Action]:
        """Give URLs that follow from something else than a page (a redirect) the score of that."""
        for action in actions:
            host = host_of(action.url) if isinstance(action, Follow) else self.host
            has_moved = host != self.host and self._is_first(why)
            if isinstance(action, Follow) and (has_moved or self._is_handed(host)):
                inherited = float(state.get("inherited", 1.0))
                group = int(state.get("group", 0))
                row = [action.url, why.priority, action.because, host_of(why.url), inherited, why.url, group, has_moved]
                yield Remember(OUTBOX, format(hash_of(f"redirect {action.url}"), "x"), row)
            elif isinstance(action, Follow | Submit):
                yield replace(action, priority=why.priority, state={**state, "inside": action.state})
            elif not isinstance(action, Rank):
                yield action

    @staticmethod
    def _wrapped(actions: Iterable[Action], origin: Mapping[str, JSON]) -> Iterator[Action]:
        for action in actions:
            if isinstance(action, Follow | Submit):
                yield replace(action, priority=origin["inherited"], state={**origin, "inside": action.state})
            elif not isinstance(action, Rank):
                yield action

    def _weighed(self, action: Keep) -> Keep:
        """Write the degree of an object, and why, among its further attributes."""
        one: WebObject = action.object
        degree, because = self.scorer.score_text(" ".join(filter(None, (one.title, one.text, " ".join(one.tags)))))
        fields = {**one.fields, "relevance": f"{degree:.4f}", "relevant because": because or "nothing of the topic"}
        return replace(action, object=replace(one, fields=fields))


def make(context: StrategyContext) -> FocusedStrategy:
    """Return the strategy that the definition names, guided by the definition."""
    if not context.options.definition:
        raise UsageError("the strategy focused belongs to campaigns: see siteseer campaign --help")
    definition = read_definition(context.options.definition)
    inside = strategy_factory(definition.strategy)(context)
    return FocusedStrategy(inside, definition, host_of(context.options.seeds[0]))
