"""A collection is crawled again, with the same seed, another one, or both: what is said, what is fetched."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import siteseer
from siteseer.collection.exit_codes import exit_code
from siteseer.crawler.run import crawl
from siteseer.errors import UsageError
from siteseer.model import JSON
from siteseer.settings import CrawlOptions
from tests.conftest import QUICK
from tests.crawler.small_site import SmallSite, pages

BOARD = {"/": '<a href="/1">one</a> <a href="/2">two</a>', "/1": "<p>first page</p>", "/2": "<p>second page</p>"}
SHELF = {"/": '<a href="/a">a</a>', "/a": "<p>another site says other things</p>"}


class Watched:
    """Crawls into one folder, and keeps what was said."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.said: list[str] = []

    def crawl(self, *seeds: str, **options: Any) -> JSON:
        self.said.clear()
        usual: dict[str, Any] = {"strategy": "blind", "delay": 0.0, "assets": "none", "limits": QUICK}
        return crawl(CrawlOptions(seeds, self.folder, **(usual | options)), tell=self.said.append)

    def history(self) -> list[JSON]:
        return siteseer.open(self.folder).history()


@pytest.fixture
def watched(tmp_path: Path) -> Watched:
    return Watched(tmp_path / "collection")


def test_another_seed_is_crawled_as_a_further_crawl(watched: Watched) -> None:
    with SmallSite(pages(BOARD)) as board, SmallSite(pages(SHELF)) as shelf:
        first = watched.crawl(board.url)
        assert not watched.said and first["crawl"] == 1
        asked = len(board.seen)
        second = watched.crawl(shelf.url)
        assert len(board.seen) == asked, "the first site is left alone"
        assert watched.said == [f"{shelf.url} is new to this collection: it is crawled now, as crawl 2."]
        assert (second["crawl"], second["pages"], second["total"]["pages"]) == (2, 2, 5)
        assert second["total"]["seeds"] == [board.url, shelf.url]
        both = watched.crawl(board.url, shelf.url + "/a")
        assert "as crawl 3. Crawl 1 of " in watched.said[0] and len(board.seen) == asked
        assert both["crawl"] == 3
    assert [(one["crawl"], one["kind"], one["new_pages"]) for one in watched.history()] == [
        (1, "crawl", 3), (2, "crawl", 2), (3, "crawl", 0)
    ]  # fmt: skip


def test_a_seed_that_fails_now_is_the_result_of_now(watched: Watched) -> None:
    with SmallSite(pages(BOARD)) as board, SmallSite(pages({})) as empty:
        assert exit_code(watched.crawl(board.url)) == 0
        result = watched.crawl(f"{empty.url}/nothing")
    assert exit_code(result) == 1 and result["problems"][0]["reason"] == "seed-missing"
    assert result["total"]["pages"] == 3, "what was there stays"


def test_another_seed_joins_a_crawl_that_is_not_finished(watched: Watched) -> None:
    with SmallSite(pages(BOARD)) as board, SmallSite(pages(SHELF)) as shelf:
        assert watched.crawl(board.url, limit=2)["stopped_by"] == "limit"
        result = watched.crawl(shelf.url, limit=20)
        assert "it joins crawl 1 of " in watched.said[0] and "not finished, which goes on now." in watched.said[0]
        assert {f"{board.url}/2", f"{shelf.url}/a"} <= {one["url"] for one in _pages(watched.folder)}
    assert (result["crawl"], result["finished"], result["total"]["crawls"]) == (1, True, 1)


def test_a_limit_that_is_used_up_does_not_keep_a_further_seed_out(watched: Watched) -> None:
    with SmallSite(pages({**BOARD, **{f"/{n}": "x" for n in range(3, 9)}})) as board, SmallSite(pages(SHELF)) as shelf:
        watched.crawl(board.url, limit=2)
        result = watched.crawl(shelf.url, limit=6)
        assert len(shelf.seen) >= 2
    assert result["requests"] <= 8


def test_a_finished_crawl_says_when_and_with_what_result(watched: Watched) -> None:
    with SmallSite(pages(BOARD)) as board:
        first = watched.crawl(board.url)
        asked = len(board.seen)
        assert watched.crawl(f"{board.url}/") == first
        assert len(board.seen) == asked
    (sentence,) = watched.said
    assert f"Crawl 1 of {board.url} finished on " in sentence and "3 pages and 0 objects (exit code 0)" in sentence
    assert "Nothing was fetched" in sentence and "--recrawl" in sentence and "siteseer revisit " in sentence


def test_where_a_seed_led_is_no_new_seed(watched: Watched) -> None:
    def answer(path: str, headers: dict[str, str]) -> Any:
        return (301, {"Location": "/home"}, b"") if path == "/" else pages({"/home": "<p>home</p>"})(path, headers)

    with SmallSite(answer) as site:
        watched.crawl(site.url)
        watched.crawl(f"{site.url}/home")
    assert "finished on" in watched.said[0] and len(watched.history()) == 1


def test_what_failed_is_asked_again_and_said(watched: Watched) -> None:
    with SmallSite(pages({**BOARD, "/2": (500, {}, b"oops")})) as board:
        assert exit_code(watched.crawl(board.url)) == 9
        board.answer = pages(BOARD)
        result = watched.crawl(board.url)
    assert "1 address that failed then may come now." in watched.said[0]
    assert (result["crawl"], exit_code(result), result["total"]["problems"]) == (1, 0, [])


def test_a_crawl_goes_on_although_the_collection_was_revisited(watched: Watched) -> None:
    with SmallSite(pages(BOARD)) as board:
        watched.crawl(board.url, limit=2)
        siteseer.revisit(watched.folder, delay=0.0, limits=QUICK)
        result = watched.crawl(board.url)
        assert (result["crawl"], result["finished"]) == (1, True)
        with pytest.raises(UsageError, match="begun with --strategy blind"):
            watched.crawl(board.url, strategy="learned")


def test_each_revisit_has_its_own_budget(watched: Watched) -> None:
    links = "".join(f'<a href="/{n}">page {n}</a>' for n in range(30))
    with SmallSite(pages({"/": links, **{f"/{n}": f"<p>words of page {n}</p>" for n in range(30)}})) as board:
        watched.crawl(board.url)
        for number in (2, 3):
            asked = len(board.seen)
            board.answer = pages({"/": f'<a href="/new{number}">new</a>{links}', f"/new{number}": "<p>new</p>"})
            result = siteseer.revisit(watched.folder, budget=3, delay=0.0, limits=QUICK)
            assert result["crawl"] == number and len(board.seen) > asked


def test_the_command_prints_one_json_object_and_the_sentence_beside(serve: Callable, tmp_path: Path) -> None:
    server, other = serve("blog", seed=1, size=4), serve("blog", seed=2, size=4)
    first, again, further = (_command(url, tmp_path / "c") for url in (server.url, server.url, other.url))
    assert json.loads(first.stdout) == json.loads(again.stdout)
    assert "finished on" in again.stderr and "--recrawl" in again.stderr and again.returncode == 0
    assert "as crawl 2." in further.stderr and json.loads(further.stdout)["crawl"] == 2


def _command(url: str, folder: Path) -> subprocess.CompletedProcess[str]:
    options = ("--strategy", "blind", "--delay", "0", "--assets", "none", "--json")
    command = [sys.executable, "-m", "siteseer", "crawl", url, "-o", str(folder), *options]
    return subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)


def _pages(folder: Path) -> list[JSON]:
    return [json.loads(line) for line in (folder / "pages" / "pages.jsonl").read_text().splitlines()[1:]]
