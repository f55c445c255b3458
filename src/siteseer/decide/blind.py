"""The blind strategy: everything in scope, breadth first, but for what never ends. Clever ones are compared with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from siteseer.decide.chains import Chain, in_own_session
from siteseer.decide.common import follow_redirect
from siteseer.interfaces import Memory, StrategyContext
from siteseer.model import Action, Follow, Outcome, Seed, Skip, Submit
from siteseer.page.links import targets

MOST_REMEMBERED = 30_000


class Blind:
    """Follows every link.

    >>> [action.url for action in Blind().start([Seed("http://e.org/")], None)]
    ['http://e.org/']
    """

    def __init__(self) -> None:
        self._just_followed: set[str] = set()

    def start(self, seeds: Sequence[Seed], memory: Memory | None) -> Iterator[Action]:
        """Ask for the seeds."""
        for seed in seeds:
            yield Follow(seed.url, "seed")

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Follow every link of a page, and every redirect."""
        if outcome.kind == "redirect":
            yield from follow_redirect(outcome, why)
        elif outcome.page is not None and outcome.page.status < 400:
            depth, chain = why.depth + 1, Chain(outcome.page, why)
            for url in in_own_session(outcome.url, targets(outcome.page)):
                if url not in self._just_followed:  # menus repeat on every page: the frontier knows those already
                    self._just_followed.add(url)
                    if (verdict := chain.verdict(url)).allowed:
                        yield Follow(url, "link", "links", -depth, chain.told(url), outcome.url, depth)
                    else:
                        yield Skip(url, verdict.because, verdict.rule)
            if len(self._just_followed) > MOST_REMEMBERED:
                self._just_followed.clear()

    def refill(self, room: int) -> Iterable[Action]:
        """Have nothing more to ask for: what was found is in the frontier."""
        return ()


def make(context: StrategyContext) -> Blind:
    """Return the blind strategy."""
    return Blind()
