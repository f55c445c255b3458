"""The probe strategy: the search forms of the seeds are sent as their plans say, and the records they list are kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from siteseer.decide.common import follow_redirect
from siteseer.decide.searched import searches_made, unused_values
from siteseer.decide.searches import Searches
from siteseer.interfaces import Expectation, Memory, StrategyContext
from siteseer.model import Action, Follow, Note, Outcome, Recognition, Seed, Submit
from siteseer.page.urls import identity

RECORDS = "records"


class Probe:
    """Sends search forms, and nothing else."""

    def __init__(self, context: StrategyContext, post: bool = True) -> None:
        self.searches = Searches(context, post)
        self._records: set[str] = set()
        self._has_ended = self._has_named_unused = False

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Ask for the pages with forms, or take up what was remembered."""
        self.searches.recall(memory)
        for seed in seeds:
            yield Follow(seed.url, "seed", "seed", 3.0)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Make plans from pages with forms, and hear answers."""
        if self.searches.is_answer(why):
            yield from self._answer(outcome, why)
        elif outcome.kind == "redirect":
            yield from follow_redirect(outcome, why)
        elif why.family == RECORDS:
            yield Note("listed by a search form", Recognition(level="record", terminal=True))
            if outcome.page is not None and outcome.page.status < 400 and isinstance(why.state, dict):
                yield from self.searches.learn_record(why.state["record"], outcome.page)
        elif why.family == "seed" and outcome.page is not None and outcome.page.status < 400:
            yield from self.searches.offer(outcome.page)

    def refill(self, room: int) -> Iterable[Action]:
        """Send what the answers heard so far make worth sending; at the end, count searches, and name unused values."""
        said = [action for number in range(len(self.searches.searched)) for action in self.searches.send(number)]
        if said or self._has_ended or self.searches.is_waiting():
            self._has_ended = self._has_ended and not said
            return said
        self._has_ended = True
        searched = self.searches.searched
        unused = [] if self._has_named_unused else list(unused_values(self.searches.given, searched))
        self._has_named_unused = True
        return [*searches_made(searched), *unused]

    def expected(self) -> Expectation:
        """Return that nobody can tell what forms will answer, as long as they are asked."""
        return Expectation(announced=0 if self._has_ended else None)

    def _answer(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        answer, said = self.searches.hear(outcome, why)
        yield from said
        if answer is None or outcome.page is None:
            return
        yield Note("the answer to a search form", Recognition(level="answer"))
        number = why.state["form"]
        records = self.searches.records(number, answer)
        if not records and "page" not in why.state:
            yield from self.searches.offer(outcome.page)
        for url in records:
            if identity(url) not in self._records:
                self._records.add(identity(url))
                yield Follow(
                    url, "listed by a search form", RECORDS, 0.0, {"record": number}, answer.url, why.depth + 1
                )


def make(context: StrategyContext) -> Probe:
    """Return the probe strategy."""
    return Probe(context)


def make_get_only(context: StrategyContext) -> Probe:
    """Return the probe strategy that posts nothing."""
    return Probe(context, post=False)
