"""The last known outcome of every URL over the crawls of a collection; reports of each crawl and of the whole."""

from __future__ import annotations

import json
from collections.abc import Callable
from itertools import groupby
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import siteseer
from siteseer.collection.history.url_history import urls_table
from siteseer.collection.layout import PAGES, SUMMARY, report_of
from siteseer.collection.layout import SKIPPED as SKIPPED_LIST
from siteseer.collection.read_only_state import Decisions
from siteseer.collection.state import State
from siteseer.collection.url_status import DONE, FAILED, IN_FLIGHT, SKIPPED, WAITING
from siteseer.model import JSON
from tests.conftest import QUICK
from tests.crawler.small_site import SmallSite, pages

Row = tuple[int, int, str | None]
"""Crawl, status and rule of a URL."""
RULES = ("scope", "depth", "--exclude */x/*", "robots", "/post/0/: nothing new")


def last_known(rows: list[Row]) -> Row:
    """Say the plain way which row counts, as `url_history` promises it."""
    was_fetched = any(status == DONE for _, status, _ in rows)

    def standing(row: Row) -> int:
        _, status, rule = row
        if status == SKIPPED and was_fetched:
            return 3
        if status == SKIPPED and (rule in ("scope", "depth") or str(rule).startswith("--exclude")):
            return 2
        return 1 if status in (WAITING, IN_FLIGHT) else 0

    best = min(map(standing, rows))
    return max(row for row in rows if standing(row) == best)


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> State:
    made = State(tmp_path_factory.mktemp("history"))
    for _ in range(4):
        made.new_crawl("blind", {})
    return made


OUTCOMES = st.tuples(st.integers(1, 4), st.sampled_from((WAITING, IN_FLIGHT, DONE, FAILED)), st.none())
SKIPS = st.tuples(st.integers(1, 4), st.just(SKIPPED), st.sampled_from(RULES))
HISTORIES = st.lists(st.tuples(st.integers(0, 5), OUTCOMES | SKIPS), unique_by=lambda one: (one[0], one[1][0]))


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(HISTORIES)
def test_the_table_is_what_the_plain_rule_says(state: State, histories: list[tuple[int, Row]]) -> None:
    state.db.execute("DELETE FROM urls")
    for url, (crawl, status, rule) in histories:
        state.db.execute(
            "INSERT INTO urls (crawl, key, url, status, rule) VALUES (?, ?, ?, ?, ?)",
            (crawl, bytes([url]), str(url), status, rule),
        )
    found = {int(url): row for url, *row in state.rows(f"SELECT url, crawl, status, rule FROM {urls_table(state)}")}
    by_url = groupby(sorted(histories, key=lambda one: one[0]), key=lambda one: one[0])
    assert found == {url: list(last_known([row for _, row in rows])) for url, rows in by_url}


# ── crawls of a site ──────────────────────────────────────────────────────────────────────────────────────────────────


def lines(path: Path) -> list[JSON]:
    return [json.loads(line) for line in path.read_text().splitlines()]


def test_a_revisit_leaves_what_the_crawl_skipped(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    url, folder = serve("forum", seed=3, size=8).url, tmp_path / "collection"
    run_crawl(url, strategy="auto")
    before = lines(folder / "reports" / "skipped.jsonl")
    assert len(before) > 50
    result = siteseer.revisit(folder, delay=0.0, limits=QUICK)
    skipped = lines(folder / "reports" / "skipped.jsonl")
    assert {one["url"] for one in before} == {one["url"] for one in skipped}
    assert len(lines(report_of(folder, SKIPPED_LIST, 1))) == len(before)
    assert len(lines(report_of(folder, SKIPPED_LIST, 2))) == sum(result["skipped"].values()) < 10
    assert sum(result["total"]["skipped"].values()) == len(skipped)
    collection = siteseer.open(folder)
    assert collection.decisions(Decisions(status="skipped"))[0] == len(skipped)
    assert sum(rule["count"] for rule in collection.skipped()) == len(skipped)


def test_summaries_tell_the_newest_crawl_and_the_whole(run_crawl: Callable, tmp_path: Path) -> None:
    folder = tmp_path / "collection"
    with SmallSite(pages({"/": '<a href="/1">one</a>', "/1": "<p>one</p>"})) as site:
        first = run_crawl(site.url)
        site.answer = pages({"/": '<a href="/1">one</a><a href="/2">two</a>', "/1": "<p>one</p>", "/2": "<p>two</p>"})
        second = run_crawl(site.url, recrawl=True)
    assert json.loads((folder / "reports" / "summary.json").read_text()) == second
    for one in (first, second):
        kept = json.loads(report_of(folder, SUMMARY, one["crawl"]).read_text())
        assert kept == {name: value for name, value in one.items() if name != "total"}
    assert (first["total"]["pages"], second["pages"], second["total"]["pages"]) == (2, 3, 3)
    assert second["total"]["requests"] == first["requests"] + second["requests"]
    old, new = siteseer.open(folder).history()
    assert (old["kind"], old["new_pages"], old["changed_pages"]) == ("crawl", 2, 0)
    assert (new["kind"], new["new_pages"], new["changed_pages"]) == ("recrawl", 1, 1)
    assert len(lines(report_of(folder, PAGES, 1))) == 3 and len(lines(folder / "pages" / "pages.jsonl")) == 4


def test_what_fails_now_failed_last_and_what_comes_now_fails_no_more(run_crawl: Callable, tmp_path: Path) -> None:
    failed = tmp_path / "collection" / "reports" / "failed.jsonl"
    site_of = {"/": '<a href="/1">one</a><a href="/2">two</a>', "/1": "<p>one</p>", "/2": (404, {}, b"gone")}
    with SmallSite(pages(site_of)) as site:
        run_crawl(site.url)
        assert [(one["url"], one["crawl"]) for one in lines(failed)][-1] == (f"{site.url}/2", 1)
        site.answer = pages({**site_of, "/1": (410, {}, b"gone"), "/2": "<p>two</p>"})
        summary = run_crawl(site.url, recrawl=True)
        (gone,) = [one for one in lines(failed) if one["url"].endswith(("/1", "/2"))]
        told = siteseer.open(tmp_path / "collection").url_history(f"{site.url}/1")
    assert (gone["url"], gone["crawl"], gone["status"]) == (f"{site.url}/1", 2, 410)
    assert summary["total"]["errors"] == len(lines(failed))
    assert [(one["crawl"], one["status"]) for one in told] == [(1, "done"), (2, "failed")]
    assert all(one["when"].startswith("20") for one in told)


def test_the_scope_of_one_crawl_hides_nothing_of_another(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    board, skipped = serve("forum", seed=3, size=6).url, tmp_path / "collection" / "reports" / "skipped.jsonl"
    run_crawl(board, strategy="auto")
    ours = {one["url"]: one["rule"] for one in lines(skipped) if one["rule"] != "scope"}
    links = "".join(f'<a href="{url}">elsewhere</a>' for url in ours)
    with SmallSite(pages({"/": f"<p>a page that links there</p>{links}"})) as other:
        run_crawl(other.url)
    assert ours and ours.items() <= {one["url"]: one["rule"] for one in lines(skipped)}.items()
