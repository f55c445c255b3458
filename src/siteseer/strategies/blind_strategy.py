"""The blind strategy: follows every link in scope, breadth first, except endless lists; the baseline of comparisons."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from siteseer.interfaces import Expectation, Memory, Scope, StrategyContext
from siteseer.model import Action, Follow, Outcome, Page, Seed, Skip, Submit
from siteseer.page.links import targets
from siteseer.strategies.learned.lists_ahead import ListsAhead
from siteseer.strategies.redirects_and_assets import follow_redirect
from siteseer.strategies.traps.soft404 import PROBE, Soft404, skip_links
from siteseer.strategies.traps.url_chains import Chain, in_own_session

MOST_REMEMBERED = 30_000


class BlindStrategy:
    """Follows every link.

    >>> [action.url for action in BlindStrategy().start([Seed("http://e.org/")], None)]
    ['http://e.org/']
    """

    def __init__(self, random_seed: int = 0, scope: Scope | None = None) -> None:
        self.scope = scope
        self._just_followed: set[str] = set()
        self._soft = Soft404(random_seed)
        self._lists = ListsAhead()

    def start(self, seeds: Sequence[Seed], memory: Memory | None) -> Iterator[Action]:
        """Request the seeds, and restore what was stored."""
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
                yield from skip_links(outcome.page, self.scope, why.depth + 1)
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
                yield Follow(url, "link", "links", -depth, chain.state_for(url), page.url, depth)
            else:
                yield Skip(url, verdict.because, verdict.rule)
        if len(self._just_followed) > MOST_REMEMBERED:
            self._just_followed.clear()
        self._lists.hear(page, found)

    def refill(self, room: int) -> Iterable[Action]:
        """Return no more actions: all links are in the frontier."""
        return ()

    def expected(self) -> Expectation:
        """Return the URLs that lists announce: everything else waits in the frontier."""
        return Expectation(announced=self._lists.announced(int))


def make(context: StrategyContext) -> BlindStrategy:
    """Return the blind strategy."""
    return BlindStrategy(context.options.random_seed, context.scope)
