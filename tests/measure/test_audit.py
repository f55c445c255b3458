"""The certificate on a real crawl with a rule that is deliberately too broad."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from siteseer.decide.blind import Blind
from siteseer.interfaces import StrategyContext
from siteseer.measure.audit import audit
from siteseer.model import Action, Follow, Outcome, Skip, Submit


class TooBroad(Blind):
    """Follows everything but what it calls archives, which hold the posts."""

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        for action in super().decide(outcome, why):
            if isinstance(action, Follow) and why.family != "lifted by audit" and _is_avoided(action.url):
                yield Skip(action.url, "archives are not needed", "too broad")
            else:
                yield action


def _is_avoided(url: str) -> bool:
    return re.search(r"/20\d\d/\d\d/[a-z]", url) is not None


def make(context: StrategyContext) -> TooBroad:
    return TooBroad()


@pytest.fixture
def too_broad(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("siteseer.plugins").plugins.STRATEGIES, "broad", f"{__name__}:make")


def test_what_a_rule_lost_is_found_and_mended(
    too_broad: None, serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    server = serve("blog", seed=2, size=20)
    first = run_crawl(server.url, strategy="broad")
    whole = run_crawl(server.url, "whole", strategy="blind")
    found = audit(tmp_path / "collection", sample=60)
    assert first["two_grams"] < whole["two_grams"]
    assert found["missed_share"] > 0 and found["low"] <= found["missed_share"] <= found["high"]
    assert [rule["rule"] for rule in found["rules"]] == ["too broad"]
    mended = audit(tmp_path / "collection", sample=60, fix=True)
    assert mended["lifted"] == ["too broad"]
    assert mended["crawl"]["two_grams"] == whole["two_grams"]


def test_nothing_missed_where_everything_was_fetched(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=2, size=6)
    run_crawl(server.url, strategy="blind")
    found = audit(tmp_path / "collection")
    assert (found["skipped_urls"], found["missed_share"]) == (0, 0.0)
