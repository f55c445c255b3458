"""A crawl of the service has a process of its own: what happens to one of them does not take the other along."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import siteseer
from siteseer.collection.lock import is_held
from siteseer.collection.read_only_state import ReadOnlyState
from siteseer.demo import Server, make_site
from siteseer.web.service.crawl_library import CrawlLibrary
from siteseer.web.service.library import Library

QUICK = {"strategy": "blind", "delay": 0.05, "concurrency": 1, "robots": "ignore", "assets": "none"}
SERVICE = """
import os, sys, time
from pathlib import Path
from siteseer.web.service.crawl_library import CrawlLibrary
from siteseer.web.service.library import Library
crawls = CrawlLibrary(Library(Path(sys.argv[1])))
running = crawls.start(crawls.options("left", [sys.argv[2]], strategy="blind", delay=0.05, robots="ignore"))
while running.snapshot is None or running.snapshot.requests < 4:
    time.sleep(0.02)
os.kill(os.getpid(), 9)
"""


@pytest.fixture(scope="module")
def site() -> Iterator[str]:
    with Server(make_site("forum", 1)) as server:
        yield server.url


def until(claim: Callable[[], object], seconds: float = 60.0) -> None:
    end = time.monotonic() + seconds
    while not claim():
        assert time.monotonic() < end, "waited too long"
        time.sleep(0.02)


def crawling() -> list[int]:
    """The processes of crawls that this process has started."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes().split(b"\0")
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except OSError:
            continue
        if parent == os.getpid() and b"siteseer.web.service.separate_crawl" in words:
            found.append(int(entry.name))
    return found


def test_a_crawl_whose_process_is_killed_is_said_and_gone_on_with(site: str, tmp_path: Path) -> None:
    crawls = CrawlLibrary(Library(tmp_path))
    running = crawls.start(crawls.options("killed", [site], **QUICK))
    until(lambda: running.snapshot is not None and running.snapshot.requests > 3)
    (process,) = crawling()
    os.kill(process, signal.SIGKILL)
    until(lambda: running.is_over)
    assert running.phase == "failed" and "resume" in running.error
    again = crawls.resume("killed", delay=0.0)
    until(lambda: again.is_over)
    assert again.phase == "finished" and crawling() == []
    assert not siteseer.verify(tmp_path / "killed")["problems"]


def test_a_crawl_ends_and_is_saved_when_its_service_is_gone(site: str, tmp_path: Path) -> None:
    subprocess.run([sys.executable, "-P", "-c", SERVICE, str(tmp_path), site], timeout=60, check=False)
    until(lambda: not is_held(tmp_path / "left"))
    (crawl,) = ReadOnlyState(tmp_path / "left").crawls()
    assert crawl.stopped_by == "interrupt" and crawl.counts["requests"] >= 4
    assert not siteseer.verify(tmp_path / "left")["problems"]


def test_what_is_refused_and_what_is_our_fault_are_said(site: str, tmp_path: Path) -> None:
    crawls = CrawlLibrary(Library(tmp_path))
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "siteseer").write_text("a file where a folder has to be")
    running = crawls.start(crawls.options("taken", [site], **QUICK))
    until(lambda: running.is_over)
    assert running.phase == "failed" and running.error and "Traceback" not in running.error
