"""The blind strategy: everything in scope, breadth first, but for what never ends. Clever ones are compared with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from siteseer.decide.chains import Chain, in_own_session
from siteseer.decide.common import follow_redirect
from siteseer.decide.lists_ahead import ListsAhead
from siteseer.decide.soft404 import PROBE, Soft404, left
from siteseer.interfaces import Expectation, Memory, Scope, StrategyContext
from siteseer.model import Action, Follow, Outcome, Page, Seed, Skip, Submit
from siteseer.page.links import targets

MOST_REMEMBERED = 30_000


class Blind:
    """Follows every link.

    >>> [action.url for action in Blind().start([Seed("http://e.org/")], None)]
    ['http://e.org/']
    """

    def __init__(self, random_seed: int = 0, scope: Scope | None = None) -> None:
        self.scope = scope
        self._just_followed: set[str] = set()
        self._soft = Soft404(random_seed)
        self._lists = ListsAhead()

    def start(self, seeds: Sequence[Seed], memory: Memory | None) -> Iterator[Action]:
        """Ask for the seeds, and take up what was remembered."""
        self._soft.restore(memory)
        for seed in seeds:
            yield Follow(seed.url, "seed")

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Follow every link of a page, and every redirect."""
        self._lists.fetched(outcome.url)
        if why.family == PROBE:
            yield from self._soft.hear(outcome, why)
        elif outcome.kind == "redirect":
            yield from follow_redirect(outcome, why)
        elif outcome.page is not None and outcome.page.status < 400:
            is_soft_404, said = self._soft.look(outcome.page, why)
            yield from said
            if is_soft_404:
                yield from left(outcome.page, self.scope, why.depth + 1)
            else:
                yield from self._links(outcome.page, why)

    def _links(self, page: Page, why: Follow | Submit) -> Iterator[Action]:
        depth, chain, found = why.depth + 1, Chain(page, why), list[str]()
        for url in in_own_session(page.url, targets(page)):
            if url in self._just_followed:  # menus repeat on every page: the frontier knows those already
                continue
            if not (verdict := self._soft.verdict(url)).allowed:
                yield Skip(url, verdict.because, verdict.rule)
                continue
            self._just_followed.add(url)
            if (verdict := chain.verdict(url)).allowed:
                found.append(url)
                yield Follow(url, "link", "links", -depth, chain.told(url), page.url, depth)
            else:
                yield Skip(url, verdict.because, verdict.rule)
        if len(self._just_followed) > MOST_REMEMBERED:
            self._just_followed.clear()
        self._lists.hear(page, found)

    def refill(self, room: int) -> Iterable[Action]:
        """Have nothing more to ask for: what was found is in the frontier."""
        return ()

    def expected(self) -> Expectation:
        """Return what lists announce: everything else waits in the frontier."""
        return Expectation(announced=self._lists.announced(int))


def make(context: StrategyContext) -> Blind:
    """Return the blind strategy."""
    return Blind(context.options.random_seed, context.scope)
