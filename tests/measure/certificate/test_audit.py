"""The certificate on a real crawl with a rule that is deliberately too broad."""

import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import typer

import siteseer
from siteseer.cli.audit import audit as command
from siteseer.crawler.frontier import LIFTED
from siteseer.errors import UnreachableError
from siteseer.interfaces import StrategyContext
from siteseer.measure.certificate.audit import audit
from siteseer.model import Action, Follow, Outcome, Skip, Submit
from siteseer.strategies.blind_strategy import BlindStrategy


class TooBroad(BlindStrategy):
    """Follows everything but what it calls archives, which hold the posts."""

    def decide(self, outcome: Outcome, why: Follow | Submit) -> Iterator[Action]:
        for action in super().decide(outcome, why):
            if isinstance(action, Follow) and why.family != LIFTED and _is_avoided(action.url):
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


def test_nothing_is_certified_of_what_cannot_be_reached(
    too_broad: None, serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    server = serve("blog", seed=2, size=6)
    run_crawl(server.url, strategy="broad")
    assert audit(tmp_path / "collection", sample=2)["unreachable"] == 0
    server.stop()
    with pytest.raises(typer.Exit) as ended:
        command(tmp_path / "collection", sample=2)
    assert ended.value.exit_code == UnreachableError.exit_code
    found = json.loads((tmp_path / "collection" / "reports" / "audit.json").read_text())
    assert (found["sampled"], found["missed_share"], found["high"], found["unreachable"]) == (0, None, None, 2)
    assert "There is no certificate" in found["sentences"][0]


KNOWLEDGE = """<application id="broad-blog" category="blog" name="Broad">
  <detect priority="90"><pattern decisive="yes">body</pattern></detect>
  <avoid><url path="^/20[0-9][0-9]/[0-9]+/[a-z0-9-]+/$" because="archives are not needed"/></avoid>
  <level id="list" kind="intermediate">
    <detect priority="1"><pattern>body</pattern></detect>
    <follow role="child" priority="1">a/@href</follow>
  </level>
</application>
"""


def test_the_command_lifts_a_rule_of_a_knowledge_file(serve: Callable, tmp_path: Path) -> None:
    """From crawl to mended crawl as people run it: two commands and a knowledge file that avoids the posts."""
    server = serve("blog", seed=2, size=12)
    (tmp_path / "broad.xml").write_text(KNOWLEDGE)
    posts = {text.page for text in server.site.truth.texts if text.kind == "post"}

    def siteseer(*words: str) -> dict[str, Any]:
        command = [sys.executable, "-m", "siteseer", *words, "--json"]
        return dict(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))

    options = ("--strategy", "aware", "--delay", "0", "--assets", "none", "--knowledge")
    first = siteseer("crawl", server.url, "-o", str(tmp_path / "c"), *options, str(tmp_path / "broad.xml"))
    assert first["application"] == "broad-blog" and first["finished"]
    assert not posts & {request.path for request in server.log}
    found = siteseer("audit", str(tmp_path / "c"), "--sample", "200")
    (lost,) = (rule for rule in found["rules"] if rule["missed_share"])
    assert lost["low"] <= lost["missed_share"] <= lost["high"] and "crawl" not in found
    mended = siteseer("audit", str(tmp_path / "c"), "--sample", "200", "--fix")
    assert mended["lifted"] == [lost["rule"]]
    assert mended["crawl"]["finished"] and mended["crawl"]["two_grams"] > 2 * first["two_grams"]
    assert posts <= {request.path for request in server.log}
    again = siteseer("audit", str(tmp_path / "c"), "--sample", "200")
    assert (again["missed_share"] or 0) < found["missed_share"]


def test_nothing_missed_where_everything_was_fetched(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=2, size=6)
    run_crawl(server.url, strategy="blind")
    found = audit(tmp_path / "collection")
    assert (found["skipped_urls"], found["sampled"], found["missed_share"]) == (0, 0, None)
    assert found["sentences"][0].endswith("there is no certificate.")


def test_a_revisit_changes_nothing_about_what_the_crawl_skipped(
    too_broad: None, serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    server, folder = serve("blog", seed=2, size=20), tmp_path / "collection"
    run_crawl(server.url, strategy="broad")
    before = audit(folder, sample=60)
    siteseer.revisit(folder, budget=4, delay=0.0)
    after = audit(folder, sample=60)
    assert before["skipped_urls"] > 15 and after["skipped_urls"] <= before["skipped_urls"]
    assert after["skipped_urls"] > 0.8 * before["skipped_urls"], "a revisit may have fetched a few of them"
    assert 0.8 * before["missed_passages"] < after["missed_passages"] <= before["missed_passages"]
    mended = audit(folder, sample=60, fix=True)
    assert mended["lifted"] == ["too broad"] and mended["crawl"]["crawl"] == 1
    assert mended["fix"]["pages"] > 10 and mended["crawl"]["stopped_by"] is None


def test_each_site_is_judged_by_the_crawl_that_visited_it(
    too_broad: None, serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    blog, other, folder = serve("blog", seed=2, size=20), serve("blog", seed=5, size=20), tmp_path / "collection"
    one = run_crawl(blog.url, strategy="broad")
    run_crawl(other.url, strategy="broad")
    found = audit(folder, sample=200)
    skipped = one["skipped"]["too broad"]
    assert found["skipped_urls"] > skipped > 15
    sites = {example.split("/")[2] for rule in found["rules"] for example in rule["examples"]}
    mended = audit(folder, sample=200, fix=True)
    assert mended["lifted"] == ["too broad"] and sites <= {one.url.split("/")[2] for one in (blog, other)}
    pages = {line["crawl"] for line in siteseer.open(folder).history() if line["new_pages"] > skipped}
    assert pages == {1, 2}, "the crawl of each site went on with what it had skipped"
