"""A tracker whose list goes on behind `@sort=`: everything is found, with few requests beside."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

from siteseer.model import JSON
from tests.real.replays import needs_captures, replayed, score


@needs_captures
def test_a_tracker_sorted_by_activity(run_crawl: Callable[..., JSON], tmp_path: Path) -> None:
    log = tmp_path / "log"
    with replayed("roundup", log) as url:
        summary = run_crawl(f"{url}/", strategy="auto", assets="all")
        time.sleep(1)
    found = score("roundup", tmp_path / "collection", log)
    assert found["content"] >= 0.98
    assert found["vs_oracle"] <= 1.35
    assert summary["finished"]
