"""The end of the interface: whatever it started ends with it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from tests.web.chromium import interface


def is_running(process: int) -> bool:
    try:
        return ") Z " not in Path(f"/proc/{process}/stat").read_text()
    except OSError:
        return False


@pytest.mark.skipif(not Path("/proc/self/task").exists(), reason="needs Linux's list of processes")
def test_replay_ends_with_the_interface(page, running, crawled, tmp_path: Path) -> None:
    pytest.importorskip("pywb", reason="replay needs pywb")
    with interface(crawled, SITESEER_KNOWLEDGE=str(tmp_path)) as own:
        page.goto(own.link)
        page.goto(own.at("/c/auto/read"))
        with page.context.expect_page():
            page.locator(".thing").first.get_by_role("button", name="Replay").click()
        started = [
            int(one.name)
            for one in Path("/proc").iterdir()
            if one.name.isdigit() and parent(int(one.name)) == own.process
        ]
        assert started
        page.goto("about:blank")
    for _ in range(100):
        if not any(map(is_running, started)):
            break
        time.sleep(0.1)
    assert not any(map(is_running, started))
    assert not is_running(own.process)


def parent(process: int) -> int:
    try:
        return int(Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[1])
    except (OSError, IndexError):
        return 0
