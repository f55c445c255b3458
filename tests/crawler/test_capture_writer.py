"""What was written to the WARC stands in the database and the index, whatever goes wrong afterwards."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import hostile
import pytest

from siteseer.collection.state import State
from siteseer.collection.url_status import DONE, FAILED
from siteseer.crawler.run import crawl
from siteseer.interfaces import Strategy, StrategyContext
from siteseer.model import Action, Follow, Note, Outcome, Submit
from siteseer.settings import CrawlOptions
from siteseer.strategies.blind_strategy import BlindStrategy
from tests.crawler.small_site import QUICK, Answer, SmallSite


class Careless(BlindStrategy):
    """A strategy of somebody else, which says of one page what nobody can write down."""

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterable[Action]:
        said = list(super().decide(outcome, why))
        return [Note("odd", recognition="none")] if outcome.url.endswith("/odd") else said  # type: ignore[arg-type]


def careless(context: StrategyContext) -> Strategy:
    return Careless()


@pytest.mark.parametrize("concurrency", [1, 4])
@pytest.mark.parametrize("is_repeated", [False, True])
def test_an_error_after_an_answer_was_written_orphans_nothing(
    tmp_path: Path, concurrency: int, is_repeated: bool
) -> None:
    """Pages that repeat each other are held back, as a wall may have sent them, and decided at the end."""

    def answer(path: str, headers: dict[str, str]) -> Answer:
        words = "Some words" if is_repeated else f"The words of {path}"
        page = f"<title>{words}</title><p>{words}</p><a href=/odd>odd</a> <a href=/after>after</a>"
        return 200, {}, page.encode()

    with SmallSite(answer) as site:
        options = CrawlOptions((site.url,), tmp_path / "c", "blind", delay=0, concurrency=concurrency, limits=QUICK)
        crawl(options, factory=careless)
    state = State(tmp_path / "c", create=False)
    outcomes = {url.rpartition("/")[2]: row for url, *row in state.rows("SELECT url, status, rule, capture FROM urls")}
    state.close()
    status, reason, capture = outcomes["odd"]
    assert status == FAILED and reason.startswith("could not be processed: AttributeError") and capture is not None
    assert outcomes["after"][0] == DONE
    assert hostile.orphans(tmp_path / "c") == set()
