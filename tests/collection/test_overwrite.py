"""Starting again deletes nothing that another process works on, and nothing half deleted is taken for sound."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siteseer.batch.describe import describe_archives
from siteseer.cli.main import run
from siteseer.collection.description import Description
from siteseer.collection.lock import hold_lock
from siteseer.collection.state import State
from siteseer.crawler.results.export_collection import export_package
from siteseer.errors import BusyError, UsageError
from siteseer.knowledge.knowledge_base import KnowledgeBase

QUICK = ("--strategy", "blind", "--delay", "0", "--assets", "none")


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "siteseer", *map(str, arguments)]


def files(folder: Path) -> dict[str, int]:
    return {str(path): path.stat().st_size for path in folder.rglob("*") if path.is_file()}


def test_overwriting_a_collection_that_is_being_crawled_is_refused(serve: Callable, tmp_path: Path) -> None:
    server, folder = serve("blog", seed=1, size=4), tmp_path / "c"
    crawling = subprocess.Popen(
        command("crawl", server.url, "-o", folder, "--strategy", "blind", "--delay", "0.2", "--concurrency", "1"),
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    try:
        until = time.monotonic() + 20
        while len(server.log) < 4 and time.monotonic() < until:
            time.sleep(0.05)
        asked = len(server.log)
        done = subprocess.run(
            command("crawl", server.url, "-o", folder, "--overwrite", *QUICK),
            capture_output=True, text=True, timeout=60, check=False,
        )  # fmt: skip
        assert asked >= 4 and crawling.poll() is None
    finally:
        crawling.send_signal(signal.SIGINT)
        crawling.communicate(timeout=60)
    assert done.returncode == 9 and f"process {crawling.pid} is writing to" in done.stderr
    assert crawling.returncode == 11
    assert run(["crawl", server.url, "-o", str(folder), *QUICK]) == 0
    assert run(["verify", str(folder)]) == 0
    assert len({line.path for line in server.log}) == len(server.log)  # nothing was fetched twice


def test_nothing_is_deleted_while_the_collection_is_held(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server, folder = serve("blog", seed=1, size=4), tmp_path / "collection"
    run_crawl(server.url, strategy="auto")
    before = files(folder)
    with hold_lock(folder):
        with pytest.raises(BusyError, match=f"process {os.getpid()} is writing"):
            run_crawl(server.url, overwrite=True)
        with pytest.raises(BusyError, match=f"process {os.getpid()} is writing"):
            describe_archives([folder], None, KnowledgeBase.shipped())
        with pytest.raises(BusyError, match=f"process {os.getpid()} is writing"):
            export_package(folder, tmp_path / "c.wacz")
    assert files(folder) == before and not (tmp_path / "c.wacz").exists()


def test_starting_again_keeps_the_lock_and_nothing_else(serve: Callable, run_crawl: Callable, tmp_path: Path) -> None:
    server, folder = serve("blog", seed=1, size=4), tmp_path / "collection"
    run_crawl(server.url)
    lock = (folder / "siteseer" / "lock").stat().st_ino
    (folder / "notes.txt").write_text("mine")
    (folder / "siteseer" / "old").mkdir()
    assert run_crawl(server.url, overwrite=True, limit=3)["requests"] == 3
    assert (folder / "siteseer" / "lock").stat().st_ino == lock
    assert (folder / "notes.txt").exists() and not (folder / "siteseer" / "old").exists()
    assert run(["verify", str(folder)]) == 0


@pytest.mark.parametrize("moves", range(9))
def test_a_deletion_that_is_killed_is_finished_by_the_next_one(
    serve: Callable, run_crawl: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    server, folder = serve("forum", seed=1), tmp_path / "collection"
    run_crawl(server.url, strategy="auto", limit=12)
    rename, left = Path.rename, [moves]

    def killed(self: Path, target: Any) -> Any:
        left[0] -= 1
        if left[0] < 0:
            raise KeyboardInterrupt
        return rename(self, target)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "rename", killed)
        patch.setattr(shutil, "rmtree", lambda path: os.kill(os.getpid(), signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            run_crawl(server.url, overwrite=True)
    with pytest.raises(UsageError, match=r"half deleted.*--overwrite"):
        run_crawl(server.url)
    with pytest.raises(UsageError, match="half deleted"):
        State(folder, create=False)
    assert run_crawl(server.url, overwrite=True, limit=5)["requests"] == 5
    assert run(["verify", str(folder)]) == 0


def test_what_people_said_of_a_form_outlives_starting_again(
    serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    server, folder = serve("blog", seed=1, size=4), tmp_path / "collection"
    run_crawl(server.url, limit=2)
    said = folder / "siteseer" / "corrections.jsonl"
    said.write_text("{}\n")
    run_crawl(server.url, limit=2, overwrite=True)
    assert said.read_text() == "{}\n"


def test_a_description_that_fails_halfway_leaves_the_one_before(
    serve: Callable, run_crawl: Callable, tmp_path: Path
) -> None:
    server, folder = serve("forum", seed=1), tmp_path / "collection"
    run_crawl(server.url, strategy="auto")
    with Description.of(folder) as description:
        before = description.kinds()

        def broken() -> Any:
            yield from ()
            raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            description.rebuild(broken())
    with Description.of(folder) as description:
        assert before and description.kinds() == before
