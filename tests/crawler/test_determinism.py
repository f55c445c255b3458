"""Two crawls of one site, one request at a time, give the same captures and objects in the same order."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.collection.state import State
from tests.real.replays import needs_captures, replayed

CRAWL = """
import sys
from pathlib import Path
from siteseer.crawler.run import crawl
from siteseer.settings import CrawlOptions
crawl(CrawlOptions((sys.argv[1],), Path(sys.argv[2]), strategy=sys.argv[3], delay=0, concurrency=1, browser="never"))
"""
TABLES = {
    "captures": "SELECT url, status, digest, level FROM captures ORDER BY id",
    "objects": "SELECT capture, object FROM objects ORDER BY row",
    "URLs": "SELECT url, status, because, rule FROM urls ORDER BY id",
    "notes": "SELECT url, event, because, details FROM notes ORDER BY row",
}


def crawled(url: str, folder: Path, strategy: str, seed: str) -> dict[str, list[tuple[object, ...]]]:
    """What a crawl leaves, in a process in which sets have an order of their own."""
    environment = {**os.environ, "PYTHONHASHSEED": seed}
    command = [sys.executable, "-c", CRAWL, url, str(folder), strategy]
    subprocess.run(command, env=environment, check=True, capture_output=True, timeout=300)
    state = State(folder, create=False)
    try:
        return {name: list(state.rows(query)) for name, query in TABLES.items()}
    finally:
        state.close()


def assert_equal(first: dict[str, list[tuple[object, ...]]], second: dict[str, list[tuple[object, ...]]]) -> None:
    for name in TABLES:
        assert first[name] == second[name], name


@pytest.mark.parametrize(
    ("kind", "strategy"), [("blog", "learned"), ("forum", "learned"), ("blog", "acebot"), ("wiki", "auto")]
)
def test_two_crawls_are_one(serve: Callable, tmp_path: Path, kind: str, strategy: str) -> None:
    server = serve(kind, seed=5, size=12)
    first, second = (crawled(f"{server.url}/", tmp_path / seed, strategy, seed) for seed in ("1", "2"))
    assert_equal(first, second)
    assert len(first["captures"]) > 12 and (first["objects"] or strategy == "acebot")


@needs_captures
@pytest.mark.parametrize("name", ["nikola", "serendipity-2k11"])
def test_two_learned_crawls_of_a_capture_are_one(tmp_path: Path, name: str) -> None:
    with replayed(name, tmp_path / "log") as url:
        first, second = (crawled(f"{url}/", tmp_path / seed, "learned", seed) for seed in ("1", "2"))
    for name in ("URLs", "notes"):  # pages name other hosts, too, which are asked beside: in which order is up to them
        first[name], second[name] = sorted(first[name], key=str), sorted(second[name], key=str)
    assert_equal(first, second)
    assert len(first["captures"]) > 100 and first["objects"]
