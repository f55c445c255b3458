"""The hostile site is crawled to its end: every page has an outcome with a reason, memory stays bounded."""

import json
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from urllib.parse import urlsplit

from siteseer.page.urls import identity

CRAWL = """
import json, sys
from pathlib import Path
from siteseer.crawl.run import crawl
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
    assert summary["finished"]
    assert summary["megabytes"] < 400
    database = sqlite3.connect(folder / "siteseer" / "state.db")
    outcomes = {
        identity(url): (status, rule) for url, status, rule in database.execute("SELECT url, status, rule FROM urls")
    }
    for path in server.site.truth.content_paths:
        status, reason = outcomes[identity(server.url + path)]
        assert status in (2, 3, 4) and reason, path
    log = "".join(file.read_text() for file in (folder / "logs").iterdir())
    assert '"defect"' not in log
    hosts = {urlsplit(url).hostname for (url,) in database.execute("SELECT url FROM captures")}
    assert hosts <= {"127.0.0.1"}
