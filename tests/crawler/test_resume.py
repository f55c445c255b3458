"""Resuming equals never having stopped, even after the power was cut."""

from __future__ import annotations

import gzip
import multiprocessing
import os
import random
import resource
import signal
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siteseer.archive.archived_pages import pages as archived_pages
from siteseer.collection.state import State
from siteseer.collection.verify import verify
from siteseer.crawler.results.derived_files import capture_rows
from siteseer.crawler.run import crawl
from siteseer.errors import ArchiveError, DiskFullError, UsageError
from siteseer.settings import CrawlOptions
from tests.crawler.small_site import SmallSite, pages

KILLS = 25
STRATEGIES = [
    "blind",
    "aware",
    "learned",
    *(pytest.param(name, marks=pytest.mark.large) for name in ("acebot", "auto", "example")),
]


def options(url: str, folder: Path, **more: Any) -> CrawlOptions:
    usual: dict[str, Any] = {"strategy": "blind", "delay": 0.0, "concurrency": 1, "assets": "none"}
    return CrawlOptions((url,), folder, **(usual | more))


def truth_of(folder: Path) -> dict[str, Any]:
    """What a collection holds: captures, decisions and counts, without times and places."""
    state = State(folder, create=False)
    try:
        captures = Counter(state.rows("SELECT url, status, digest, level, length(grams) FROM captures"))
        urls = set(state.rows("SELECT url, status, because, rule, depth, hops, referrer, priority FROM urls"))
        objects = Counter(state.rows("SELECT id, kind, object FROM objects"))
        memory = {(kind, key): value for kind, key, value in state.rows("SELECT kind, key, value FROM memory")}
        counts = dict(state.last_crawl()[3])  # type: ignore[index]
        counts.pop("milliseconds")
        assert verify(folder, capture_rows(state)).is_sound
    finally:
        state.close()
    archived = Counter((page.url, page.status, page.body) for page, _ in archived_pages(folder / "archive"))
    return {
        "captures": captures,
        "urls": urls,
        "objects": objects,
        "memory": memory,
        "counts": counts,
        "warc": archived,
    }


@pytest.mark.parametrize("strategy", STRATEGIES)
def test_killed_25_times_and_resumed(serve: Callable, tmp_path: Path, strategy: str) -> None:
    server = serve("blog", seed=3, size=12)
    post = next(text.page for text in server.site.truth.texts if text.kind == "post")
    more = {"strategy": strategy, "examples": (server.url.rstrip("/") + post,) if strategy == "example" else ()}
    whole = tmp_path / "whole"
    started = time.monotonic()
    crawl(options(server.url, whole, **more))
    duration = time.monotonic() - started
    broken, moments, kills = tmp_path / "broken", random.Random(7), 0
    while kills < KILLS:
        process = multiprocessing.get_context("fork").Process(target=crawl, args=(options(server.url, broken, **more),))
        process.start()
        process.join(0.03 + moments.random() * duration / 6)
        if process.exitcode is not None:
            assert process.exitcode == 0
            break
        os.kill(process.pid or 0, signal.SIGKILL)
        process.join()
        kills += 1
    summary = crawl(options(server.url, broken, **more))
    assert summary["finished"] and kills >= 5
    assert truth_of(broken) == truth_of(whole)


def test_a_torn_last_gzip_member_is_cut_away(serve: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=3, size=6)
    crawl(options(server.url, tmp_path / "whole"))
    folder = tmp_path / "torn"
    crawl(options(server.url, folder, limit=20))
    newest = max((folder / "archive").iterdir())
    with newest.open("ab") as file:
        file.write(gzip.compress(b"WARC/1.1\r\nWARC-Type: response\r\n" + os.urandom(5000))[:3000])
    crawl(options(server.url, folder))
    assert truth_of(folder) == truth_of(tmp_path / "whole")


def test_a_full_disk_loses_nothing(serve: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=3, size=6)
    crawl(options(server.url, tmp_path / "whole"))
    folder = tmp_path / "full"

    def with_little_room(bytes_left: int) -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, bytes_left))
        try:
            crawl(options(server.url, folder))
        except DiskFullError:
            os._exit(3)
        os._exit(0)

    codes = []
    for room in (120_000, 250_000, 500_000):
        process = multiprocessing.get_context("fork").Process(target=with_little_room, args=(room,))
        process.start()
        process.join(60)
        codes.append(process.exitcode)
    assert codes[0] == codes[1] == 3
    crawl(options(server.url, folder))
    assert truth_of(folder) == truth_of(tmp_path / "whole")


def test_first_interrupt_finishes_what_is_in_flight(serve: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=3, size=12)
    folder = tmp_path / "collection"
    process = multiprocessing.get_context("fork").Process(target=crawl, args=(options(server.url, folder, delay=0.05),))
    process.start()
    time.sleep(1.0)
    os.kill(process.pid or 0, signal.SIGINT)
    process.join(20)
    assert process.exitcode == 0
    state = State(folder, create=False)
    (stopped_by, finished), *_ = state.rows("SELECT stopped_by, finished FROM crawls")
    in_flight = [url for (url,) in state.rows("SELECT url FROM urls WHERE status = 1")]
    state.close()
    assert stopped_by == "interrupt" and finished is None and in_flight == []


def test_a_finished_crawl_asks_for_nothing_again(serve: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=3, size=4)
    first = crawl(options(server.url, tmp_path / "c"))
    asked = len(server.log)
    assert crawl(options(server.url, tmp_path / "c")) == first
    assert len(server.log) == asked


def test_limits_stop_and_larger_limits_go_on(tmp_path: Path) -> None:
    table = {
        "/": "".join(f'<a href="/{n}">x</a>' for n in range(20)),
        **{f"/{n}": f"page number {n}" for n in range(20)},
    }
    with SmallSite(pages(table)) as site:
        first = crawl(options(site.url, tmp_path / "c", limit=7))
        assert (first["requests"], first["stopped_by"], first["finished"]) == (7, "limit", False)
        second = crawl(options(site.url, tmp_path / "c"))
    assert second["requests"] == len(site.seen) == 22 and second["finished"]
    assert len(set(site.paths())) == 22


def test_recrawl_adds_captures_and_asks_conditionally(tmp_path: Path) -> None:
    def answer(path: str, headers: dict[str, str]) -> tuple[int, dict[str, str], bytes]:
        if path == "/":
            return 200, {}, b'<a href="/same">s</a><a href="/old">o</a>' + b"x" * 2000
        if path == "/same":
            fresh = headers.get("if-none-match") != '"v1"'
            return (200, {"ETag": '"v1"', "Last-Modified": "x"}, b"same " * 500) if fresh else (304, {}, b"")
        if path == "/old":
            since = headers.get("if-modified-since")
            day = "Tue, 01 Jan 2019 00:00:00 GMT"
            return (304, {}, b"") if since == day else (200, {"Last-Modified": day}, b"old")
        return 404, {}, b""

    with SmallSite(answer) as site:
        crawl(options(site.url, tmp_path / "c"))
        second = crawl(options(site.url, tmp_path / "c", recrawl=True))
    assert second["responses"] == {"200": 1, "304": 2, "404": 1}
    assert second["duplicates"] == 1
    found = [(page.url.rpartition("/")[2], len(page.body)) for page, _ in archived_pages(tmp_path / "c" / "archive")]
    assert found.count(("same", 2500)) == 2
    state = State(tmp_path / "c", create=False)
    assert verify(tmp_path / "c", capture_rows(state)).is_sound
    state.close()


def test_two_processes_do_not_write_one_collection(tmp_path: Path) -> None:
    from siteseer.collection.lock import hold_lock

    (tmp_path / "c").mkdir()
    with hold_lock(tmp_path / "c"), pytest.raises(UsageError, match=f"process {os.getpid()} is writing"):
        crawl(options("http://127.0.0.1:9/", tmp_path / "c"))


def test_an_archive_without_its_database_is_not_touched(serve: Callable, tmp_path: Path) -> None:
    server = serve("blog", seed=3, size=3)
    folder = tmp_path / "c"
    crawl(options(server.url, folder, limit=5))
    (folder / "siteseer" / "state.db").unlink()
    before = sorted((file.name, file.stat().st_size) for file in (folder / "archive").iterdir())
    with pytest.raises(ArchiveError):
        crawl(options(server.url, folder))
    assert sorted((file.name, file.stat().st_size) for file in (folder / "archive").iterdir()) == before
