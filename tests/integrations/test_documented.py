"""The examples of the manuals run: spider, exported rules, the files of a collection."""

from __future__ import annotations

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from lxml import etree

from siteseer.demo import Server, make_site
from tests.integrations.scrapy_run import DEMO, SOURCE

DOCS = Path(__file__).parents[2] / "docs"
ENVIRONMENT = {**os.environ, "PYTHONPATH": str(SOURCE)}


def blocks(name: str, language: str) -> list[str]:
    """Return the examples of a page in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", (DOCS / name).read_text(encoding="utf-8"), re.M | re.S)


def run(*command: str, folder: Path) -> str:
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def export(form: str, folder: Path) -> str:
    command = (sys.executable, "-m", "siteseer", "kb", "export", "demo-forum", "--format", form)
    return run(*command, "--knowledge", str(DEMO), folder=folder)


def test_the_whole_spider_of_the_manual(tmp_path: Path) -> None:
    pytest.importorskip("scrapy", reason="the extra `scrapy` is not installed")
    site = make_site("forum", seed=11, size=4)
    with Server(site) as server:
        text = next(block for block in blocks("other-crawlers.md", "python") if "class Board" in block)
        text = text.replace("http://forum.example/", server.url + "/").replace("forum.example", "127.0.0.1")
        (tmp_path / "board.py").write_text(text)
        known = ("-s", f"SITESEER_KNOWLEDGE={DEMO}", "-s", "DOWNLOAD_DELAY=0")
        command = next(block for block in blocks("other-crawlers.md", "sh") if "runspider" in block).split()
        run(sys.executable, "-m", *command, *known, folder=tmp_path)
    posts = [json.loads(line) for line in (tmp_path / "posts.jsonl").read_text().splitlines()]
    assert len(posts) == len(site.truth.texts)
    assert {post["kind"] for post in posts} == {"post"}


@pytest.mark.skipif(not shutil.which("wget"), reason="wget is not installed")
def test_wget_leaves_out_what_the_rules_name(tmp_path: Path) -> None:
    (tmp_path / "rules").write_text(export("wget", tmp_path))
    command = next(line for line in "".join(blocks("other-crawlers.md", "sh")).splitlines() if "eval wget" in line)
    site = make_site("forum", seed=11, size=4)
    with Server(site) as server:
        quick = command.replace("--wait=1", "--wait=0 -e robots=off").replace("http://forum.example", server.url)
        subprocess.run(["sh", "-c", quick], cwd=tmp_path, env=ENVIRONMENT, capture_output=True, timeout=60, check=False)
    asked = {request.path for request in server.log}
    assert site.truth.content_paths <= asked
    assert not [path for path in asked if path.startswith(("/members/", "/post/", "/login/")) or "order=" in path]
    assert (tmp_path / "board.warc.gz").stat().st_size > 0


def test_rules_for_heritrix_and_browsertrix_can_be_read_by_them(tmp_path: Path) -> None:
    bean = etree.fromstring(export("heritrix", tmp_path).encode())
    rules = [re.compile(value.text or "") for value in bean.iter("value")]
    assert any(rule.fullmatch("http://f.example/members/3-ann/") for rule in rules)
    assert not any(rule.fullmatch("http://f.example/thread/3-knots/page-2/") for rule in rules)
    yaml = pytest.importorskip("yaml", reason="PyYAML comes with pywb")
    settings: dict[str, Any] = yaml.safe_load(export("browsertrix", tmp_path))
    assert any(re.search(rule, "http://f.example/members/3-ann/") for rule in settings["exclude"])
    assert "div.topic-title > a->href" in settings["selectLinks"]


def test_the_files_of_a_collection_are_those_of_the_manual(run_crawl: Callable[..., Any], tmp_path: Path) -> None:
    with Server(make_site("forum", seed=11, size=3)) as server:
        run_crawl(server.url + "/", "DIR", strategy="aware", knowledge=(str(DEMO),))
    collection = tmp_path / "DIR"
    table = re.findall(r"^\| (`.*?) \|", (DOCS / "collections.md").read_text(encoding="utf-8"), re.M)
    named = {name.rstrip("/") for cell in table for name in re.findall(r"`([^`]+)`", cell)}
    found = {path.relative_to(collection).as_posix() for path in collection.rglob("*") if path.is_file()}
    patterns = [re.sub(r"TIME|NUMBER|HOST|\bN\b", r"[\\w.-]+", re.escape(name)) for name in named]
    unknown = [
        file for file in found if not any(re.match(pattern + r"(-wal|-shm|/.*)?$", file) for pattern in patterns)
    ]
    assert unknown == []
    optional = {"siteseer/knowledge", "siteseer/objects/rdf", "siteseer/objects/rdf.lock"}
    optional |= {"reports/adaptation.html", "reports/audit.json", "siteseer/stores.json", "siteseer/push.lock"}
    optional |= {"siteseer/set-aside", "siteseer/*.damaged-*.db"}
    missing = [
        name for name, pattern in zip(named, patterns, strict=True) if not any(re.match(pattern, f) for f in found)
    ]
    assert set(missing) <= optional
    reader = next(block for block in blocks("collections.md", "python") if "ArchiveIterator" in block)
    printed = run(sys.executable, "-c", reader, folder=tmp_path).splitlines()
    assert any(line.startswith(server.url + "/thread/") for line in printed)
    query = re.search(r'state\.db "(SELECT .*?)"', (DOCS / "collections.md").read_text(encoding="utf-8"))
    assert query is not None
    with sqlite3.connect(f"file:{collection}/siteseer/state.db?mode=ro", uri=True) as db:
        assert dict(db.execute(query[1]).fetchall())["profiles of members"] > 0
