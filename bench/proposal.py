"""A large campaign's proposal: made, looked through, marked and counted; processor time, and the memory of the service.

    python bench/proposal.py [--pages 100000] [--sites 200]

The campaign is made without crawling: its catalogue, and a database of captures for each site. `choose`, which selects for the
command line, is the slow twin of the tally: it follows the way to each page by questions to the catalogue.
"""

from __future__ import annotations

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from harness import run

from siteseer.campaigns.analysis.campaign_index import CampaignIndex, page_key
from siteseer.campaigns.run_campaign import COPY, load_definition
from siteseer.campaigns.selection.proposal import FILE, propose, write_proposal
from siteseer.campaigns.selection.proposal_marks import read_lines
from siteseer.campaigns.selection.select_records import choose
from siteseer.campaigns.selection.threshold_counts import count_thresholds
from siteseer.collection.state import State

DEFINITION = (
    'name = "Large"\nseeds = ["http://s0.example/"]\nkeywords = ["kelp"]\n[[entities]]\nname = "Harbour Board"\n'
)


def row(name: str, wanted: str, measured: str) -> None:
    """Print one line of the table."""
    print(f"{name:66} {wanted:>12} {measured:>24}", flush=True)


def make(folder: Path, sites: int, pages: int) -> None:
    """Write a campaign with so many pages."""
    picks = random.Random(1)
    folder.mkdir(parents=True)
    (folder / COPY).write_text(DEFINITION, encoding="utf-8")
    with CampaignIndex.of(folder) as catalogue:
        for host in (f"s{site}.example" for site in range(sites)):
            state = State(folder / "sites" / host)
            with catalogue.transaction() as db:
                for page in range(pages // sites):
                    url, before = (f"http://{host}/forum/topic-{number}.html" for number in (page, page // 5))
                    db.execute(
                        "INSERT INTO page (key, site, host, url, title, capture, time, digest, relevance, because, referrer, "
                        "words) VALUES (?, ?, ?, ?, ?, ?, '2026-01-01T00:00:00Z', ?, ?, 'kelp (3), Harbour Board', ?, ?)",
                        (page_key(url), host, host, url, f"Topic {page} of the kelp harvest", page + 1, url,
                         round(picks.random(), 3), page_key(before) if page else None, page_key(url) if page % 3 else None),
                    )  # fmt: skip
                    state.db.execute(
                        "INSERT INTO captures (id, crawl, url, key, file, offset, length, status, title) "
                        "VALUES (?, 1, ?, ?, 'a.warc.gz', ?, 9000, 200, 'Topic')",
                        (page + 1, url, url.encode(), 10_000 * page),
                    )
            state.commit()
            state.close()


def timed(work: Callable[[], Any]) -> tuple[float, Any]:
    """Return the processor time of something, and its result."""
    began = time.process_time()
    result = work()
    return time.process_time() - began, result


def proposing(folder: Path) -> float:
    """Return the processor time of a proposal."""
    definition, _ = load_definition(folder / COPY)
    with CampaignIndex.of(folder) as catalogue:
        return timed(lambda: write_proposal(folder / FILE, propose(catalogue, definition)))[0]


def counting(folder: Path) -> None:
    """Hold the tally against its slow twin."""
    fast, counted = timed(lambda: count_thresholds(folder, folder / FILE))
    with CampaignIndex.of(folder) as catalogue:
        slow, chosen = timed(lambda: choose(catalogue, read_lines(folder / FILE), 0.5))
    roles = Counter(one.role for one in chosen)
    now = counted.at(0.5)
    assert (now["pages"], now["on_the_way"]) == (roles["page"], roles["way"]), "the tally counts what is chosen"
    row("pages and bytes that every threshold takes, s", "", f"{fast:.1f}")
    row("… for one threshold by the slow twin, s", "", f"{slow:.1f}")


class Service:
    """`siteseer ui` on a library, in a process of its own."""

    def __init__(self, library: Path) -> None:
        command = [sys.executable, "-m", "siteseer", "ui", str(library), "--port", "0"]
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.base, _, self.token = self.process.stdout.readline().strip().partition("/?token=")

    def call(self, method: str, path: str, body: Any = None) -> tuple[float, Any]:
        """Return the processor time that an answer took, and the answer."""
        before = self._cpu()
        connection = HTTPConnection("127.0.0.1", urlsplit(self.base).port or 0, timeout=600)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request(method, f"/api/campaigns/large{path}", json.dumps(body) if body else None, headers)
        answer = connection.getresponse()
        found = json.loads(answer.read())
        assert answer.status == 200, found
        return self._cpu() - before, found

    def _cpu(self) -> float:
        fields = Path(f"/proc/{self.process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def peak(self) -> int:
        """Return the most memory that it has had, in MB."""
        lines = Path(f"/proc/{self.process.pid}/status").read_text().splitlines()
        return int(next(line.split()[1] for line in lines if line.startswith("VmHWM"))) // 1024


def serving(library: Path) -> None:
    """Look through and mark the proposal as the web interface does."""
    service = Service(library)
    try:
        service.call("GET", "/proposal?kind=site&limit=1")
        first = service.peak()
        sites, _ = service.call("GET", "/proposal?kind=site&limit=50")
        words, _ = service.call("GET", "/proposal?kind=page&words=topic-77&limit=50&offset=100")
        marking, _ = service.call("PATCH", "/proposal", {"marks": [{"address": "s7.example", "mark": "accept"}]})
        many, _ = service.call("POST", "/proposal/mark", {"mark": "reject", "words": "topic-3"})
        row("a page of the list: sites · pages with a word, s", "", f"{sites:.1f} · {words:.1f}")
        row("marking a site · all pages with a word, s", "", f"{marking:.1f} · {many:.1f}")
        listed = service.peak()
        service.call("GET", "/proposal/tally?threshold=0.5")
        row(
            "memory of the service: first · after these · after counting",
            "flat",
            f"{first} · {listed} · {service.peak()} MB",
        )
    finally:
        service.process.terminate()
        service.process.wait()


def main(pages: int = 100_000, sites: int = 200) -> None:
    """Print the table."""
    with tempfile.TemporaryDirectory() as name:
        small, large = Path(name) / "small", Path(name) / "library" / "large"
        make(small, sites, pages // 5)
        make(large, sites, pages)
        fifth, whole = proposing(small), proposing(large)
        row(f"proposal of {pages:,} pages on {sites} sites, s", "", f"{whole:.1f}")
        row("… times that of a fifth of them", "5", f"{whole / fifth:.1f}")
        counting(large)
        serving(large.parent)


if __name__ == "__main__":
    run(main)
