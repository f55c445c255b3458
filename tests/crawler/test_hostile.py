"""The hostile site is crawled to its end: every page has an outcome with a reason, memory stays bounded."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import hostile
import pytest

from siteseer.crawler.run import crawl
from siteseer.demo import Server
from siteseer.demo.hostile.cases import hostile_cases
from siteseer.demo.hostile.documents import NO_ENCODINGS
from siteseer.page.urls import identity
from siteseer.settings import CrawlOptions

CRAWL = """
import json, sys
from pathlib import Path
from siteseer.crawler.run import crawl
from siteseer.settings import CrawlOptions, FetchLimits
limits = FetchLimits(idle_seconds=1, total_seconds=5, retries=2, retry_seconds=0.1)
options = CrawlOptions((sys.argv[1],), Path(sys.argv[2]), strategy="blind", delay=0, concurrency=4, limits=limits)
summary = crawl(options)
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({**summary, "megabytes": int(peak.split()[1]) / 1024}))
"""


def test_hostile_site(serve: Callable, tmp_path: Path) -> None:
    server = serve("hostile", seed=1)
    folder = tmp_path / "collection"
    done = subprocess.run(
        [sys.executable, "-c", CRAWL, server.url, str(folder)], capture_output=True, text=True, timeout=240, check=False
    )
    assert done.returncode == 0, done.stderr
    assert "Traceback" not in done.stderr
    summary = json.loads(done.stdout)
    assert summary["stopped_by"] is None and {one["reason"] for one in summary["problems"]} == {
        "many-failed",
        "cut-short",
        "read-in-part",
    }
    assert summary["megabytes"] < 500  # four pages of 16 MB with their trees at a time
    database = sqlite3.connect(folder / "siteseer" / "state.db")
    outcomes = {
        identity(url): (status, rule) for url, status, rule in database.execute("SELECT url, status, rule FROM urls")
    }
    for path in server.site.truth.content_paths:
        status, reason = outcomes[identity(server.url + path)]
        assert status in (2, 3, 4) and reason, path
    log = "".join(file.read_text() for file in (folder / "logs").iterdir())
    assert '"defect"' not in log
    index = (folder / "indexes" / "index.cdxj").read_text()
    for path in (path for path in server.site.truth.content_paths if path.startswith("/doc/")):
        assert f'"{server.url}{path}"' in index, path  # whatever could be made of it, its bytes are found again
    listed = {json.loads(line).get("url") for line in (folder / "pages" / "pages.jsonl").read_text().splitlines()}
    assert {f"{server.url}/doc/charset/{name}" for name in NO_ENCODINGS} <= listed
    (said,) = [problem for problem in summary["problems"] if problem["reason"] == "read-in-part"]
    assert said["count"] >= 10 and "/doc/" in said["sentence"]
    hosts = {urlsplit(url).hostname for (url,) in database.execute("SELECT url FROM captures")}
    assert hosts <= {"127.0.0.1"}


FIFTEEN = (
    "trickles", "flood of preliminary", "flood of headers", "bomb of layers", "bomb of empty-frames", "other protocols",
    "internal servers", "charsets that are none", "a million attributes", "bait: xml", "robots without end",
    "cookie per page", "forged records", "answers nobody asked for", "kinds without number",
)  # fmt: skip


@pytest.mark.parametrize("name", FIFTEEN)
def test_a_crawl_of_a_hostile_site_ends_well(name: str) -> None:
    figures = hostile.measure(hostile_cases()[name])
    assert figures.wrong == [] and figures.urls > 0


def test_there_are_hostile_sites_enough() -> None:
    cases = hostile_cases()
    assert len(cases) >= 45 and set(FIFTEEN) <= set(cases)


def test_a_crawl_that_does_not_end_well_is_told(tmp_path: Path) -> None:
    case = hostile_cases()["slow bytes"]
    figures = hostile.measure(replace(case, seconds=0.01))
    assert figures.wrong == ["took too long"]
    orphaned = tmp_path / "c"
    server = Server(case.site())
    with server:
        crawl(CrawlOptions((server.url,), orphaned, strategy="blind", delay=0, browser="never"))
    index = orphaned / "indexes" / "index.cdxj"
    index.write_text("".join(line for line in index.read_text().splitlines(True) if "/plain/2" not in line))
    found = hostile.Figures()
    hostile.look(orphaned, case, found)
    assert "1 answers in no index" in found.wrong
