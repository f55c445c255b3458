"""CPU per page of an aware crawl, objects and RDF included, beside a blind crawl of the same captured site.

    python bench/aware.py [CAPTURE ...]

The captures lie in `shared/sites` beside the project and are served by its `replay.py` in a process of its own. The
blind crawl is limited to as many requests as the aware one needed. CPU is what the kernel charged to the crawler's
process, start-up included, so the server does not count. Both crawl in turn, and the least of each counts: what else
runs on the machine only adds.
"""

from __future__ import annotations

import json
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from crawl import measured
from harness import Names, run

SITES = Path(__file__).parents[1].parent / "shared" / "sites"
CAPTURES = ("phpbb-prosilver", "wordpress-2021")
ROUNDS = 4


@contextmanager
def served(name: str) -> Iterator[str]:
    """Serve a capture on a free port; yield its URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(SITES / "replay.py"), name, "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    try:
        for _ in range(600):
            with socket.socket() as client:
                if client.connect_ex(("127.0.0.1", port)) == 0:
                    break
            time.sleep(0.1)
        yield f"http://127.0.0.1:{port}/"
    finally:
        server.terminate()
        server.wait()


def crawl(url: str, folder: Path, strategy: str, *more: str) -> tuple[float, int, int]:
    """Return CPU milliseconds per page, requests and objects of one crawl."""
    command = [
        *(sys.executable, "-m", "siteseer", "crawl", url, "--strategy", strategy, "--delay", "0"),
        *("--concurrency", "8", "--robots", "ignore", "--assets", "none", "--allow-private"),
        *("-o", str(folder / strategy), "--json", *more),
    ]
    cpu, _, out = measured(command, folder)
    summary = json.loads(out)
    return cpu * 1000 / summary["pages"], summary["requests"], sum(summary["objects"].values())


def compare(name: str) -> tuple[list[float], list[float], int, int]:
    """Return milliseconds of the aware and of the blind crawls, requests and objects."""
    aware, blind = [], []
    with served(name) as url:
        for _ in range(ROUNDS):
            with tempfile.TemporaryDirectory() as folder:
                cpu, requests, objects = crawl(url, Path(folder), "aware")
                aware.append(cpu)
                blind.append(crawl(url, Path(folder), "blind", "--limit", str(requests))[0])
    return aware, blind, requests, objects


def main(names: Names = CAPTURES, /) -> None:
    print(f"{'CPU ms/page, wanted 1.50':24}{'aware':>10}{'blind':>10}{'ratio':>10}{'requests':>10}{'objects':>10}")
    for name in names:
        aware, blind, requests, objects = compare(name)
        least = min(aware), min(blind)
        print(f"{name:24}{least[0]:10.2f}{least[1]:10.2f}{least[0] / least[1]:10.2f}{requests:10}{objects:10}", end="")
        print("   rounds:", *(f"{one:.1f}/{other:.1f}" for one, other in zip(aware, blind, strict=True)))


if __name__ == "__main__":
    run(main)
