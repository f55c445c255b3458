"""The probe strategy: sends the search forms of the seeds as their query plans say, and keeps the listed records."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from siteseer.interfaces import Expectation, Memory, StrategyContext
from siteseer.model import Action, Follow, Keep, Note, Outcome, Page, Recognition, Seed, Submit
from siteseer.page.urls import identity
from siteseer.strategies.form_search.search_queue import SearchQueue
from siteseer.strategies.form_search.sent_searches import searches_made, unused_values
from siteseer.strategies.learned.record_extraction import harvest_sites
from siteseer.strategies.redirects_and_assets import follow_redirect

RECORDS = "records"


class ProbeStrategy:
    """Sends search forms, and nothing else."""

    def __init__(self, context: StrategyContext, post: bool = True) -> None:
        self.searches, self.seed = SearchQueue(context, post), context.options.random_seed
        self._records: set[str] = set()
        self._has_ended = self._has_named_unused = False

    def start(self, seeds: Sequence[Seed], memory: Memory) -> Iterator[Action]:
        """Request the pages with forms, or restore what was stored."""
        self.searches.recall(memory)
        for seed in seeds:
            yield Follow(seed.url, "seed", "seed", 3.0)

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        """Plan the queries of a page's forms, and evaluate answers."""
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
        """Send the queries that the answers so far suggest; at the end, count searches, and name unused values."""
        said = [action for number in range(len(self.searches.searched)) for action in self.searches.send(number)]
        if said or self._has_ended or self.searches.is_waiting():
            self._has_ended = self._has_ended and not said
            return said
        self._has_ended = True
        searched = self.searches.searched
        unused = [] if self._has_named_unused else list(unused_values(self.searches.given, searched))
        self._has_named_unused = True
        return [*searches_made(searched), *unused]

    def harvest(self, pages: Callable[[], Iterable[Page]]) -> Iterator[tuple[Page, Action]]:
        """Learn the records of the kept pages, and keep them as objects."""
        for page, one in harvest_sites(pages, self.seed):
            yield page, Keep(one, one.because)

    def expected(self) -> Expectation:
        """Return no estimate while forms are queried: their answers cannot be estimated."""
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


def make(context: StrategyContext) -> ProbeStrategy:
    """Return the probe strategy."""
    return ProbeStrategy(context)


def make_get_only(context: StrategyContext) -> ProbeStrategy:
    """Return the probe strategy that posts nothing."""
    return ProbeStrategy(context, post=False)
