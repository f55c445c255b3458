"""The strategy that chooses by itself, and the objects of sites that nobody described."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.collection.state import State
from tests.crawler.small_site import SmallSite, pages

PHPBB = (
    '<body id="phpbb" class="section-{kind}"><div id="wrap"><div id="page-body">{inside}</div></div>'
    '<link rel="stylesheet" href="./styles/prosilver/theme/stylesheet.css">'
)


def notes(collection: Path) -> list[tuple[str, str]]:
    state = State(collection, create=False)
    try:
        return [(event, because) for event, because in state.rows("SELECT event, because FROM notes ORDER BY row")]  # type: ignore[misc]
    finally:
        state.close()


@pytest.mark.parametrize("kind", ["blog", "forum", "wiki"])
def test_unknown_software_is_learned(serve: Callable, run_crawl: Callable, tmp_path: Path, kind: str) -> None:
    server = serve(kind, seed=4)
    summary = run_crawl(server.url, strategy="auto")
    truth = server.site.truth
    assert summary["requests"] == len(server.log) <= 2.2 * truth.oracle_requests
    assert notes(tmp_path / "collection")[0] == (
        "chosen_strategy",
        "learned: no knowledge file describes this software",
    )
    kept = sum(count for name, count in summary["objects"].items() if name in ("post", "comment", "page"))
    long_texts = sum(len(text.text.split()) > 12 for text in truth.texts)
    assert kept >= 0.85 * long_texts


def test_known_software_is_crawled_knowingly(run_crawl: Callable, tmp_path: Path) -> None:
    table = {
        "/": PHPBB.format(
            kind="index",
            inside='<ul class="topiclist forums"><li><a class="forumtitle" href="./viewforum.php?f=1">F</a></li></ul>',
        )
    }
    with SmallSite(pages(table)) as site:
        summary = run_crawl(site.url, strategy="auto")
    assert summary["application"] == "phpbb"
    assert notes(tmp_path / "collection")[0][1].startswith("aware: this is phpBB")


def test_a_forum_beside_a_home_made_front_page(run_crawl: Callable, tmp_path: Path) -> None:
    table = {
        "/": "<h1>Our club</h1><p>We meet on Tuesdays and talk about lenses all evening long.</p>"
        '<a href="/about">About</a> <a href="/forum/index.php">Forum</a>',
        "/about": "<p>Founded long ago by people who liked lenses very much indeed.</p>",
        "/forum/index.php": PHPBB.format(kind="index", inside="welcome to the board"),
    }
    with SmallSite(pages(table)) as site:
        summary = run_crawl(site.url, strategy="auto")
        assert {"/about", "/forum/index.php"} <= set(site.paths())
    events = [event for event, _ in notes(tmp_path / "collection")]
    assert events[0] == "chosen_strategy" and "changed_strategy" in events
    assert summary["finished"]


def test_the_trap_is_left(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server = serve("trap", seed=4)
    summary = run_crawl(server.url, strategy="auto", limit=1500)
    assert summary["finished"]
    lines = (tmp_path / "collection" / "pages" / "pages.jsonl").read_text().splitlines()
    assert len(lines) > len(server.site.truth.content_paths) // 2


def test_what_was_learned_is_kept_beside_the_collection(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=4)
    run_crawl(server.url, strategy="auto")
    stored = tmp_path / "collection" / "siteseer" / "knowledge" / "patterns.jsonl"
    lines = [json.loads(line) for line in stored.read_text().splitlines()]
    assert lines
    before = len(server.log)
    run_crawl(server.url, "again", strategy="learned", patterns=stored)
    assert len(server.log) - before <= 1.3 * server.site.truth.oracle_requests
