"""A crawl that is killed while it adapts goes on as if nothing had happened."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from siteseer.collection.state import State
from tests.crawler.small_site import Answer, SmallSite
from tests.strategies.aware.adaptation.small_blog import KNOWLEDGE, ORIGIN, pages

KILLED_AT = (9, 9, 12, 20, 12)
"""After how many answers each process is killed."""


class Blog:
    """The blog in its new template; kills its visitor with the answer that is due."""

    def __init__(self) -> None:
        self.bodies = {page.url.removeprefix(ORIGIN): page.body for page in pages("new").values()}
        self.left = 0
        self.visitor: subprocess.Popen[str] | None = None

    def answer(self, path: str, headers: dict[str, str]) -> Answer:
        self.left -= 1
        if self.left == 0 and self.visitor is not None:
            os.kill(self.visitor.pid, signal.SIGKILL)
        return (200, {}, self.bodies[path]) if path in self.bodies else (404, {}, b"nothing here")

    def visited(self, url: str, folder: Path, knowledge: Path, kill_at: int = 0) -> dict[str, Any] | None:
        """Crawl the blog with the command that people use; return the summary, or None where it was killed."""
        command = [
            sys.executable,
            "-m",
            "siteseer",
            "crawl",
            f"{url}/",
            "-o",
            str(folder),
            "--strategy",
            "aware",
            "--json",
        ]
        command += ["--knowledge", "none", "--knowledge", str(knowledge), "--delay", "0", "--concurrency", "1"]
        self.left = kill_at
        self.visitor = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        out, _ = self.visitor.communicate(timeout=120)
        return json.loads(out) if self.visitor.returncode == 0 else None


def truth_of(folder: Path) -> dict[str, Any]:
    state = State(folder, create=False)
    try:
        return {
            "asked": sorted(state.rows("SELECT url, status, level FROM captures")),
            "objects": sorted(state.rows("SELECT id, kind, object FROM objects")),
        }
    finally:
        state.close()


def objects_with_captures(folder: Path) -> list[tuple[str, str]]:
    state = State(folder, create=False)
    try:
        query = "SELECT c.url, o.object FROM objects o LEFT JOIN captures c ON c.id = o.capture"
        return [(url, one) for url, one in state.rows(query)]
    finally:
        state.close()


@pytest.mark.slow
@pytest.mark.large
def test_killed_while_it_adapts(tmp_path: Path) -> None:
    blog, knowledge = Blog(), tmp_path / "weblog.xml"
    knowledge.write_bytes(KNOWLEDGE)
    with SmallSite(blog.answer) as site:
        whole = blog.visited(site.url, tmp_path / "whole", knowledge)
        kills = 0
        for place in KILLED_AT:
            kills += blog.visited(site.url, tmp_path / "broken", knowledge, place) is None
        resumed = blog.visited(site.url, tmp_path / "broken", knowledge)
    assert whole is not None and resumed is not None and kills >= 3
    assert resumed["finished"] and whole["adapted_actions"] > 5
    assert truth_of(tmp_path / "broken") == truth_of(tmp_path / "whole")
    for figure in ("objects", "adapted_actions", "failed_actions", "skipped", "responses"):
        assert resumed[figure] == whole[figure], figure
    for url, one in objects_with_captures(tmp_path / "broken"):
        assert json.loads(one)["url"] == url
    learned = [(tmp_path / name / "siteseer" / "knowledge" / "weblog.xml").read_text() for name in ("whole", "broken")]
    assert _without_times(learned[0]) == _without_times(learned[1])


def _without_times(text: str) -> str:
    return "\n".join(part for part in text.split('"') if not part.startswith("20"))


def test_a_collection_tells_what_knowledge_no_longer_reads(tmp_path: Path) -> None:
    blog, knowledge = Blog(), tmp_path / "weblog.xml"
    knowledge.write_bytes(KNOWLEDGE)
    folder = tmp_path / "collection"
    with SmallSite(blog.answer) as site:
        assert blog.visited(site.url, folder, knowledge) is not None
    tested = [sys.executable, "-m", "siteseer", "kb", "test", "weblog", "--against", str(folder), "--knowledge"]
    learned = folder / "siteseer" / "knowledge" / "weblog.xml"
    old = subprocess.run([*tested, str(knowledge)], capture_output=True, text=True, timeout=60)
    assert old.returncode == 1 and "0 of 24 pages" in old.stderr and "not found any more" in old.stdout
    new = subprocess.run(
        [*tested, str(knowledge), "--knowledge", str(learned)], capture_output=True, text=True, timeout=60
    )
    assert new.returncode == 0 and "24 of 24 pages" in new.stderr
