"""Manages worker processes: gives them orders, reads their reports, and kills those that exceed their time."""

from __future__ import annotations

import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress

from siteseer.model import JSON
from siteseer.wrapper.jobs.worker_processes import VARIABLE, kill_and_clean, new_name, scratch_folder

LISTEN_SECONDS = 0.25
LONGEST_LINE = 64 * 2**20
_PIECE = 1 << 16


STOPPED = "stopped"


class WorkerEnded(Exception):
    """A worker ended; the text says why, and `may_pass` whether another attempt may succeed."""

    def __init__(self, why: str, may_pass: bool) -> None:
        super().__init__(why)
        self.may_pass = may_pass


class Worker:
    """One process of `siteseer.wrapper.jobs.job_worker`."""

    def __init__(self) -> None:
        self.name = new_name()
        place = scratch_folder(self.name)
        place.mkdir(mode=0o700)
        environment = {**os.environ, VARIABLE: self.name, "TMPDIR": str(place)}
        self._process = subprocess.Popen(
            [sys.executable, "-P", "-m", "siteseer.wrapper.jobs.job_worker"],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environment,
            start_new_session=True,
        )  # fmt: skip
        self._heard = b""

    def order(self, order: JSON, seconds: float, stopped: Callable[[], bool]) -> Iterator[JSON]:
        """Give an order; yield the worker's messages, and None when it is silent for a moment, up to the last message.

        Raises WorkerEnded where the worker dies, takes longer than `seconds`, or `stopped` is true.
        """
        until = time.monotonic() + seconds
        try:
            assert self._process.stdin is not None
            self._process.stdin.write((json.dumps(order) + "\n").encode())
            self._process.stdin.flush()
        except OSError as error:
            raise self._ended("the process that runs the wrapper could not be started") from error
        while True:
            for line in self._lines():
                said = json.loads(line)
                yield said
                if "done" in said or "failed" in said:
                    return
            yield None
            if stopped():
                raise self._ended(STOPPED, False)
            if time.monotonic() > until:
                raise self._ended(f"it took longer than {seconds:,.0f} seconds", False)

    def _lines(self) -> list[bytes]:
        """Return the whole lines that came by now; waits a moment for the first."""
        assert self._process.stdout is not None
        there = self._process.stdout.fileno()
        if not select.select([there], [], [], LISTEN_SECONDS)[0]:
            return []
        piece = os.read(there, _PIECE)
        if not piece:
            raise self._ended(f"the process that runs the wrapper ended ({self._status()})")
        *lines, self._heard = (self._heard + piece).split(b"\n")
        if len(self._heard) > LONGEST_LINE:
            raise self._ended("a record is too long", False)
        return lines

    def _status(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            code = self._process.wait(5)
            return f"signal {-code}" if code < 0 else f"exit code {code}"
        return "it hung up"

    def _ended(self, why: str, may_pass: bool = True) -> WorkerEnded:
        self.end()
        return WorkerEnded(why, may_pass)

    def is_alive(self) -> bool:
        """Say whether the worker can take orders."""
        return self._process.poll() is None

    def end(self) -> None:
        """Kill the worker with its browser, and delete its files."""
        if self.is_alive():
            self._process.kill()
        self._process.wait()
        kill_and_clean(self.name)
        for pipe in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                if pipe is not None:
                    pipe.close()


class WorkerPool:
    """Idle workers, kept so that not every task starts a process."""

    def __init__(self) -> None:
        self._idle: list[Worker] = []

    def take(self) -> Worker:
        """Return a living worker."""
        while self._idle:
            worker = self._idle.pop()
            if worker.is_alive():
                return worker
            worker.end()
        return Worker()

    def give_back(self, worker: Worker) -> None:
        """Keep a worker for the next order."""
        self._idle.append(worker)

    def dismiss(self) -> None:
        """End the idle workers."""
        while self._idle:
            self._idle.pop().end()
