"""Crawls hostile sites one by one, each in a process of its own, and says what each crawl cost and whether it ended well.

A crawl ended well where it ended within its time, its process held less than 400 MB, every URL has an outcome, `verify`
finds nothing, every answer in the WARC files stands in the index, the ordinary pages of the site are kept, and nothing
was asked of other servers of this machine.

    python bench/hostile.py
    python bench/hostile.py --only "bomb of gzip,trickles" --strategy learned
"""

from __future__ import annotations

import json
import resource
import socketserver
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

from harness import Names, Table, choose, run

import siteseer
from siteseer.archive.warc_reader import Archive
from siteseer.archive.warc_sources import warc_files
from siteseer.collection.state import State
from siteseer.collection.url_status import DONE, FAILED, SKIPPED, WAITING
from siteseer.demo.hostile.cases import PLAIN, REQUESTS, HostileCase, hostile_cases
from siteseer.demo.server import Server

MOST_MEGABYTES = 400
MOST_SECONDS = 300
"""By the clock, for each crawl, however busy the machine is; the limit of a site is seconds of the processor."""
CRAWL = """
import json, sys
from pathlib import Path
from siteseer.crawler.run import crawl
from siteseer.settings import CrawlOptions, FetchLimits
url, folder, strategy, seconds, requests = sys.argv[1:]
limits = FetchLimits(connect_seconds=10, head_seconds=12, idle_seconds=10, total_seconds=15, retries=3, retry_seconds=0.1)
crawl(CrawlOptions(
    (url,), Path(folder), strategy=strategy, delay=0, concurrency=4, limits=limits, browser="never",
    time_limit=float(seconds), limit=int(requests) or None))
peak = next(line for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(json.dumps({"megabytes": int(peak.split()[1]) / 1024}))
"""


@dataclass
class Figures:
    """What the crawl of one hostile site cost, and what was wrong with it."""

    seconds: float = 0.0
    cpu: float = 0.0
    megabytes: float = 0.0
    urls: int = 0
    ended: str = ""
    wrong: list[str] = field(default_factory=list)


def main(
    only: Annotated[Names, "names of sites; all where none is given"] = (),
    strategy: Annotated[str, "how they are crawled"] = "auto",
) -> int:
    """Crawl the hostile sites; return how many crawls did not end well."""
    cases = hostile_cases()
    names = choose(only, cases) or list(cases)
    table = Table(
        "site:<26", "seconds:>8.1f", "CPU s:>7.1f", "limit:>6.0f", "MB:>6.0f", "URLs:>6", "  ended:<12", "wrong:<60"
    )
    missed = 0
    for name in names:
        figures = measure(cases[name], strategy)
        missed += bool(figures.wrong)
        table.row(
            name, figures.seconds, figures.cpu, cases[name].seconds, figures.megabytes, figures.urls,
            f"  {figures.ended}", "; ".join(figures.wrong) or "-",
        )  # fmt: skip
    print(f"{len(names)} sites, {missed} not as they should be")
    return missed


def measure(case: HostileCase, strategy: str = "auto") -> Figures:
    """Crawl one hostile site in a process of its own, and look at what it left."""
    figures = Figures()
    with tempfile.TemporaryDirectory() as folder, decoy() as (port, strangers), Server(case.site(port)) as server:
        collection = Path(folder) / "collection"
        most = str(REQUESTS if case.is_endless else 0)
        command = [sys.executable, "-c", CRAWL, f"http://{case.host}:{server.port}/", str(collection)]
        _run([*command, strategy, str(MOST_SECONDS - 30), most], case, figures)
        if strangers:
            figures.wrong.append(f"{len(strangers)} requests to another server of this machine")
        if (collection / "siteseer" / "state.db").exists():
            look(collection, case, figures)
        elif not figures.wrong:
            figures.wrong.append("there is no collection")
    return figures


def _run(command: list[str], case: HostileCase, figures: Figures) -> None:
    """Run a crawl, and stop it where it does not end."""
    before, began = _children_seconds(), time.monotonic()
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=2 * MOST_SECONDS, check=False)
    except subprocess.TimeoutExpired:
        figures.wrong.append("did not end")
        done = None
    figures.seconds, figures.cpu = time.monotonic() - began, _children_seconds() - before
    if figures.seconds > MOST_SECONDS or figures.cpu > case.seconds:
        figures.wrong.append("took too long")
    if done is not None and done.returncode:
        figures.wrong.append(f"exit {done.returncode}: {done.stderr.strip().splitlines()[-1:]}")
    elif done is not None:
        figures.megabytes = json.loads(done.stdout)["megabytes"]
        if figures.megabytes >= MOST_MEGABYTES:
            figures.wrong.append("too much memory")


def look(collection: Path, case: HostileCase, figures: Figures) -> None:
    """Find what a crawl left undone, orphaned or unexplained."""
    state = State(collection, create=False)
    try:
        rows = list(state.rows("SELECT url, status, because, rule FROM urls"))
        figures.ended = next(iter(state.rows("SELECT stopped_by FROM crawls")))[0] or "finished"
        errors = list(state.rows("SELECT url, because FROM notes WHERE event = 'own_error'"))
    finally:
        state.close()
    figures.urls = len(rows)
    ends = (DONE, FAILED, SKIPPED) if figures.ended == "finished" else (DONE, FAILED, SKIPPED, WAITING)
    open_ends = [
        url
        for url, status, because, rule in rows
        if status not in ends or not (because or rule or status in (DONE, WAITING))
    ]
    if open_ends:
        figures.wrong.append(f"{len(open_ends)} URLs without an outcome: {open_ends[0][:60]}")
    if errors:
        figures.wrong.append(f"{len(errors)} errors of ours: {errors[0][0][-40:]} {errors[0][1][:100]}")
    done = {url.partition("?")[0].partition("//")[2].partition("/")[2] for url, status, *_ in rows if status == DONE}
    if not case.is_endless and (lost := [path for path in PLAIN if path[1:] not in done]):
        figures.wrong.append(f"ordinary pages lost: {', '.join(lost)}")
    figures.wrong += [f"verify: {problem}" for problem in siteseer.verify(collection)["problems"][:1]]
    if not (collection / "indexes" / "index.cdxj").exists():
        figures.wrong.append("there is no index")
    elif lost_records := orphans(collection):
        figures.wrong.append(f"{len(lost_records)} answers in no index")


def orphans(collection: Path) -> set[tuple[str, int]]:
    """Return file and offset of the answers that are in a WARC file and not in the index."""
    lines = (collection / "indexes" / "index.cdxj").read_text().splitlines()
    listed = [json.loads(line.split(" ", 2)[2]) for line in lines]
    held = {
        (file.name, record.offset)
        for file in warc_files(collection)
        for record in Archive(file)
        if record.kind in ("response", "revisit")
    }
    return held - {(entry["filename"], int(entry["offset"])) for entry in listed}


@contextmanager
def decoy() -> Iterator[tuple[int, list[bytes]]]:
    """Listen where no crawl should come; yield the port, and what came."""
    heard: list[bytes] = []

    class Listener(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            heard.append(self.request.recv(1000))

    with socketserver.TCPServer(("127.0.0.1", 0), Listener) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server.server_address[1], heard
        finally:
            server.shutdown()


def _children_seconds() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


if __name__ == "__main__":
    run(main)
