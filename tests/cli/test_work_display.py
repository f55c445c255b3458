"""How far long work is: shown on a terminal after two seconds, with what is left; told by the commands."""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import siteseer
from siteseer.alignment import Fact, Settings, align
from siteseer.cli.output.work_display import work_display
from siteseer.cli.terminal import set_verbosity
from siteseer.collection.stores.store_config import choose_stores
from siteseer.collection.stores.upload import push
from siteseer.work_progress import listening, tell_progress


class Terminal(io.StringIO):
    """Text that is shown on a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.fixture(autouse=True)
def usual() -> Iterator[None]:
    set_verbosity(0)
    yield
    set_verbosity(0)


def shown(seconds: float, to: io.StringIO, *told: tuple[float, float]) -> str:
    """Return what work shows that tells so much after so many seconds."""
    times = iter([0.0, *[seconds] * 10])
    with work_display(to, lambda: next(times)):
        for done, total in told:
            tell_progress("reading archives", done, total)
    return re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", to.getvalue())


def test_long_work_shows_how_much_is_done_and_left() -> None:
    text = shown(2.5, Terminal(), (250, 1000))
    assert "reading archives" in text and "25%" in text and "left" in text
    assert shown(2.5, Terminal(), (1000, 1000)) == "", "done: nothing more to say"


def test_short_work_shows_nothing_nor_does_work_that_nobody_watches() -> None:
    assert shown(1.9, Terminal(), (250, 1000)) == ""
    assert shown(9.0, io.StringIO(), (250, 1000)) == "", "no terminal"
    set_verbosity(-1)
    assert shown(9.0, Terminal(), (250, 1000)) == ""
    set_verbosity(0, is_json=True)
    assert shown(9.0, Terminal(), (250, 1000)) == ""


def heard(work: Any) -> dict[str, list[tuple[float, float]]]:
    """Return what work tells, by task."""
    told: dict[str, list[tuple[float, float]]] = {}
    with listening(lambda task, done, total: told.setdefault(task, []).append((done, total))):
        work()
    return told


def is_honest(told: list[tuple[float, float]]) -> bool:
    """Say whether the figures grow and end at what there is."""
    done = [one for one, _ in told]
    return done == sorted(done) and done[0] > 0 and told[-1][0] <= told[-1][1] and len({all for _, all in told}) == 1


def test_commands_tell_how_far_they_are(tmp_path: Path, serve: Any, run_crawl: Any) -> None:
    run_crawl(serve("blog").url, "blog", limit=30)
    place, archives = tmp_path / "blog", tmp_path / "blog" / "archive"
    told = heard(lambda: siteseer.describe(archives, tmp_path / "again"))
    assert is_honest(told["reading archives"]) and len(told["reading archives"]) > 10
    told = heard(lambda: siteseer.export(place, tmp_path / "blog.wacz"))
    assert is_honest(told["packing"]) and told["packing"][-1][0] == told["packing"][-1][1]
    assert is_honest(told["checking"])
    choose_stores(place, str(tmp_path / "shelf"), "", "")
    told = heard(lambda: push(place))
    assert is_honest(told["copying"]) and told["copying"][-1][0] == told["copying"][-1][1]


def test_alignment_tells_its_rounds() -> None:
    facts = [Fact(f"http://e.org/{one}", "name", f"{one} of the hill", True) for one in ("kite", "gate", "lane")]
    told = heard(lambda: align(facts, facts, Settings(rounds=4)))
    assert next(iter(told)) == "round 1 of at most 4" and told["round 1 of at most 4"] == [(1, 4)]
