"""Measures the service under load, on loopback only: its document, its memory, many clients beside a crawl.

    python bench/service.py [--cases 5000] [--requests 100000] [--clients 50] [--seconds 300] [--seed N]

- Its OpenAPI document: every check of schemathesis on so many right and wrong calls; wanted: no failure.
- Memory over so many cheap requests: wanted after all of them no more than 10 % above that after the first hundredth.
- So many clients, reading without a pause while a crawl runs: wanted no error, and memory in the end within 10 % of that
  after a fifth of the time.
"""

from __future__ import annotations

import json
import random
import tempfile
import threading
import time
from collections import Counter
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

from harness import run
from tests.web.chromium import Interface, interface

from siteseer.demo import Server, make_site

CHEAP = (
    "/health",
    "/api/crawls",
    "/api/tasks",
    "/metrics",
    "/api/collections",
    "/api/crawls/none",
    "/api/openapi.json",
)
READ = (
    *CHEAP,
    "/api/crawls/board",
    "/api/collections/board",
    "/api/collections/board/curve",
    "/api/collections/board/skipped",
)
MOST_GROWTH = 1.10


def resident(process: int) -> float:
    """Return the megabytes of memory that a process has now."""
    lines = Path(f"/proc/{process}/status").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("VmRSS")) / 1024


class Client:
    """Asks over one connection, and counts what is answered."""

    def __init__(self, running: Interface) -> None:
        self.port = urlsplit(running.base).port or 0
        self.token = running.token
        self.statuses: Counter[int | str] = Counter()
        self.connection = HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, path: str, method: str = "GET", body: object = None) -> int:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        try:
            self.connection.request(method, path, json.dumps(body) if body is not None else None, headers)
            answer = self.connection.getresponse()
            answer.read()
            self.statuses[answer.status] += 1
            return answer.status
        except OSError as error:
            self.statuses[type(error).__name__] += 1
            self.connection.close()
            return 0

    @property
    def errors(self) -> int:
        return sum(count for status, count in self.statuses.items() if not isinstance(status, int) or status >= 500)


def memory_over_requests(folder: Path, requests: int) -> tuple[int, float]:
    """Ask so often, one request after the other, and print how memory grows; return errors and growth."""
    with interface(folder) as running:
        client, first = Client(running), 0.0
        marks = sorted({max(1, requests * share // 100) for share in (1, 10, 50, 100)})
        began = time.monotonic()
        for number in range(1, requests + 1):
            client.ask(CHEAP[number % len(CHEAP)])
            if number in marks:
                now = resident(running.process)
                first = first or now
                print(f"{number:>9,} requests  {now:7.1f} MB  {number / (time.monotonic() - began):6.0f} a second")
    print(f"           errors: {client.errors}; grown to {now / first:.3f} of what it was after {marks[0]:,}")
    return client.errors, now / first


def clients_beside_a_crawl(folder: Path, clients: int, seconds: float) -> tuple[int, float]:
    """Let so many clients read beside a crawl; return errors and growth."""
    with Server(make_site("forum", 3, size=300)) as site, interface(folder) as running:
        body = {"name": "board", "seeds": [site.url], "delay": seconds / 300}
        assert Client(running).ask("/api/crawls", "POST", body) == 201
        until, made = time.monotonic() + seconds, [Client(running) for _ in range(clients)]

        def work(client: Client, at: int) -> None:
            while time.monotonic() < until:
                at += 1
                client.ask(READ[at % len(READ)])

        threads = [threading.Thread(target=work, args=(client, at)) for at, client in enumerate(made)]
        for thread in threads:
            thread.start()
        time.sleep(seconds / 5)
        early = resident(running.process)
        for thread in threads:
            thread.join()
        late, crawled = resident(running.process), len(site.log)
        assert _is_running(running), "the crawl was over before the clients were"
    asked, errors = sum(one.statuses.total() for one in made), sum(one.errors for one in made)
    print(
        f"{clients} clients, {seconds:.0f} s: {asked:,} requests, {errors} errors, {asked / seconds:.0f} a second; {crawled:,} of the crawl"
    )
    print(f"           {early:.1f} MB after a fifth of the time, {late:.1f} MB in the end: {late / early:.3f}")
    return errors, late / early


def _is_running(running: Interface) -> bool:
    asked = Request(running.at("/api/crawls/board"), headers={"Authorization": f"Bearer {running.token}"})
    with urlopen(asked, timeout=60) as answer:
        return bool(json.loads(answer.read())["phase"] == "running")


def document(folder: Path, cases: int, seed: int) -> bool:
    """Compare the service with its OpenAPI document; return whether it keeps to it."""
    from schemathesis import GenerationMode
    from tests.web.api.schema_cases import schema_target

    with schema_target(folder, seed) as target:
        examples = 1 + cases // (5 * len(target.operations))  # some calls are made several times
        while target.answers.total() < cases:
            for mode in (GenerationMode.POSITIVE, GenerationMode.NEGATIVE):
                for operation in target.operations:
                    target.send(operation, mode, examples)
            examples += examples
    answers = ", ".join(f"{status}: {count:,}" for status, count in sorted(target.answers.items()))
    print(
        f"{target.answers.total():,} calls of {len(target.operations)} kinds, seed {seed} ({answers}): {target.failures.total()} failures"
    )
    for failure, count in target.failures.most_common(20):
        print(f"{count:>6} x {failure}")
    return not target.failures


def is_too_much(errors: int, growth: float) -> bool:
    return errors > 0 or growth > MOST_GROWTH


def main(cases: int = 5_000, requests: int = 100_000, clients: int = 50, seconds: float = 300.0, seed: int = 0) -> int:
    seed = seed or random.SystemRandom().randrange(1, 10**6)
    missed = 0
    with tempfile.TemporaryDirectory() as root:
        for name in ("one", "two", "three"):
            (Path(root) / name).mkdir()
        missed += not (cases == 0 or document(Path(root) / "one", cases, seed))
        missed += bool(requests) and is_too_much(*memory_over_requests(Path(root) / "two", requests))
        missed += bool(clients) and is_too_much(*clients_beside_a_crawl(Path(root) / "three", clients, seconds))
    return missed


if __name__ == "__main__":
    run(main)
