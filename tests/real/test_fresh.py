"""What a new user gets from real software: a core install, plain defaults, every capture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fresh.core_install import CoreInstall, core_install
from tests.real.replays import needs_captures, replayed, score

OLDER = (
    "wordpress-2021 phpbb-prosilver smf fluxbb dokuwiki serendipity-2k11 serendipity-bulletproof textpattern"
).split()
"""Captures that hold no style sheets and pictures."""
WITH_ASSETS = "roundup mhonarc nikola mkdocs".split()


@pytest.fixture(scope="module")
def core() -> CoreInstall:
    return core_install()


def crawl(core: CoreInstall, name: str, folder: Path, *options: object) -> float:
    """Crawl a capture; return the share of its content that was kept."""
    log = folder / "requests.jsonl"
    with replayed(name, log) as url:
        done = core.run("crawl", f"{url}/", "-o", folder / "c", "--json", *options)
        found = score(name, folder / "c", log)
    assert "Traceback" not in done.stderr, done.stderr
    summary = json.loads(done.stdout)
    assert (done.returncode, summary["finished"]) == (0, True), (summary["problems"], summary["stopped_by"])
    assert summary["pages"] > 0
    return found["content"]


@needs_captures
@pytest.mark.parametrize("name", [*WITH_ASSETS, *OLDER])
def test_a_capture_is_archived_whole_by_a_core_install(name: str, core: CoreInstall, tmp_path: Path) -> None:
    assert crawl(core, name, tmp_path, "--delay", 0, *(["--assets", "none"] if name in OLDER else [])) >= 0.98


@needs_captures
@pytest.mark.large
def test_a_capture_is_archived_whole_with_the_usual_pause(core: CoreInstall, tmp_path: Path) -> None:
    assert crawl(core, "mkdocs", tmp_path) >= 0.98
