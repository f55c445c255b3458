"""A crawl by example of a captured blog, killed again and again, ends with the same pages."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
from pathlib import Path

import pytest

from siteseer.crawler.run import crawl
from siteseer.settings import CrawlOptions
from tests.real.captures import capture
from tests.real.replays import needs_captures, replayed

NAME = "textpattern"


def targets(folder: Path) -> list[str]:
    rows = map(json.loads, (folder / "pages" / "pages.jsonl").read_text().splitlines()[1:])
    return sorted(row["url"] for row in rows if row.get("level") == "target")


@needs_captures
@pytest.mark.large
def test_killed_and_resumed(tmp_path: Path) -> None:
    truth = capture(NAME).truth
    posts = sorted({text["page"] for text in truth["texts"] if text["kind"] == "post"})
    chance = random.Random(4)
    with replayed(NAME, tmp_path / "log") as url:
        sample = url + chance.choice(posts)

        def options(folder: str) -> CrawlOptions:
            where = (url + truth["entry"],)
            return CrawlOptions(where, tmp_path / folder, "example", delay=0.0, assets="none", examples=(sample,))

        started = time.monotonic()
        crawl(options("whole"))
        duration = time.monotonic() - started
        kills = 0
        for _ in range(6):
            process = multiprocessing.get_context("fork").Process(target=crawl, args=(options("broken"),))
            process.start()
            process.join(duration * (0.05 + 0.15 * chance.random()))
            if process.exitcode is not None:
                break
            os.kill(process.pid or 0, signal.SIGKILL)
            process.join()
            kills += 1
        crawl(options("broken"))
    assert kills > 1
    assert targets(tmp_path / "broken") == targets(tmp_path / "whole")
    assert len(targets(tmp_path / "whole")) == len(posts)
    lessons = (tmp_path / "broken" / "siteseer" / "knowledge" / "example.jsonl").read_text()
    assert any("steps" in line for line in lessons.splitlines())
