"""Executes the jobs of a folder: waiting and due runs, within their rules, on worker processes.

One executor works in a folder at a time. It keeps nothing in memory that matters: killed at any moment, the next one
goes on with the tasks that were not done.
"""

from __future__ import annotations

import fcntl
import json
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import asdict
from threading import Event, Lock, Thread
from typing import IO, Any

from siteseer.errors import SiteseerError
from siteseer.wrapper.jobs.job_folder import Jobs
from siteseer.wrapper.jobs.job_ledger import JobLedger, OpenRun, OpenTask
from siteseer.wrapper.jobs.run_check import close_run
from siteseer.wrapper.jobs.worker_pool import STOPPED, Worker, WorkerEnded, WorkerPool
from siteseer.wrapper.jobs.worker_processes import kill_and_clean

MOST_WORKERS = 4
"""Tasks of all jobs together that are run at once: a browser takes half a gigabyte."""
STEP_SECONDS = 0.2
IDLE_SECONDS = 1.0
KEEP_SECONDS = 10.0
"""How long workers wait for the next task before they are sent home."""
REPAIR_SECONDS = 120.0
Clock = Callable[[], float]
BATCH = 200
"""Records that are written together, at most."""


class Executor:
    """Executes the runs of a folder's jobs."""

    def __init__(self, jobs: Jobs, most: int = MOST_WORKERS, clock: Clock = time.time) -> None:
        self.jobs, self.most, self.clock = jobs, most, clock
        self.ledger = JobLedger(jobs.database)
        self._crew = WorkerPool()
        self._lock_file: IO[str] | None = None
        self._going: dict[tuple[int, int], tuple[Thread, OpenTask]] = {}
        self._closing: set[int] = set()
        self._stopping: set[int] = set()
        self._free_at: dict[str, float] = {}
        self._state = Lock()
        self._wake, self._over = Event(), Event()
        self._worked = 0.0
        self._thread: Thread | None = None

    # ── life ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def take(self) -> bool:
        """Lock the folder's jobs for this process and recover what a killed one left; False where another process has
        the lock.
        """
        if self._lock_file is None:
            file = (self.jobs.folder / "lock").open("w")
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                file.close()
                return False
            self._lock_file = file
            self.ledger.recover(kill_and_clean)
        return True

    def start(self) -> None:
        """Run waiting and due jobs in a thread, until `close`."""
        self._thread = Thread(target=self._stay, name="jobs", daemon=True)
        self._thread.start()

    def _stay(self) -> None:
        while not self._over.is_set():
            busy = False
            with suppress(SiteseerError):  # a full disk or a locked database may pass; what was asked for waits
                busy = self.take() and self.step()
            self._wake.wait(STEP_SECONDS if busy else IDLE_SECONDS)
            self._wake.clear()

    def until_idle(self, watch: Callable[[], None] = lambda: None) -> None:
        """Run everything that waits or is due, then return."""
        while self.step():
            watch()
            self._wake.wait(STEP_SECONDS)
            self._wake.clear()

    def close(self) -> None:
        """End running tasks at once: unfinished ones wait for the next executor. No process is left."""
        self._over.set()
        self._wake.set()
        if self._thread is not None:
            self._thread.join(30)
        with self._state:
            threads = [thread for thread, _ in self._going.values()]
        for thread in threads:
            thread.join(30)
        self._crew.dismiss()
        if self._lock_file is not None:
            self._lock_file.close()
            self._lock_file = None

    # ── steps ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def step(self) -> bool:
        """Start what can be started now; say whether anything waits or runs."""
        self.ledger.queue_due(self.clock())
        runs = self.ledger.open_runs()
        for run in runs:
            self._advance(run)
        if runs:
            self._worked = time.monotonic()
        elif time.monotonic() > self._worked + KEEP_SECONDS:
            self._crew.dismiss()
        return bool(runs)

    def _advance(self, run: OpenRun) -> None:
        if run.id in self._closing:
            return
        if run.phase == "waiting":
            self.ledger.begin_run(run.id)
        going = [task for _, task in self._tasks_going() if task.run == run.id]
        error = self._reason_to_end(run)
        if run.stop or error:
            self._stopping.add(run.id)
            if not going:
                self._end(run, "stopped" if run.stop else "failed", error)
            return
        while len(going) < self._at_once(run) and len(self._tasks_going()) < self.most:
            task = self.ledger.next_task(run.id, self.clock(), self._is_free)
            if task is None:
                break
            self._begin(run, task)
            going.append(task)
        phases = self.ledger.counted(run.id)
        if phases.get("running") and not self._tasks_going():  # what became of them could not be written down
            self.ledger.recover(kill_and_clean)
        elif not going and not phases.get("waiting") and not phases.get("running"):
            self._end(run, "finished" if phases.get("done") else "failed", "" if phases.get("done") else None)

    def _at_once(self, run: OpenRun) -> int:
        return 1 if run.collection else run.rules.concurrency  # one process at a time writes to a collection

    def _reason_to_end(self, run: OpenRun) -> str:
        failures, last = self.ledger.failures_in_a_row(run.id)
        if failures < run.rules.abort_after:
            return ""
        return f"ended after {failures} tasks failed one after the other, the last because {last}"

    def _tasks_going(self) -> list[tuple[Thread, OpenTask]]:
        with self._state:
            return list(self._going.values())

    def _is_free(self, host: str) -> bool:
        busy = {one for _, task in self._tasks_going() for one in task.hosts.split()}
        return host not in busy and self._free_at.get(host, 0.0) <= time.monotonic()

    def _end(self, run: OpenRun, phase: str, error: str | None) -> None:
        """Close a run in a thread of its own: looking for a repair takes a while."""
        self._closing.add(run.id)

        def work() -> None:
            try:
                said = self.ledger.failures_in_a_row(run.id)[1] if error is None else error
                close_run(self.jobs, run, phase, said, self._repaired)
            finally:
                self._closing.discard(run.id)
                self._stopping.discard(run.id)
                with self._state:
                    self._going.pop((run.id, 0), None)
                self._wake.set()

        self._thread_for((run.id, 0), OpenTask(run.id, 0, "", {}, "", 0), work)

    def _thread_for(self, key: tuple[int, int], task: OpenTask, work: Callable[[], None]) -> None:
        thread = Thread(target=work, name=f"run {key[0]} task {key[1]}", daemon=True)
        with self._state:
            self._going[key] = (thread, task)
        thread.start()

    # ── one task ──────────────────────────────────────────────────────────────────────────────────────────────────

    def _begin(self, run: OpenRun, task: OpenTask) -> None:
        worker = self._crew.take()
        self.ledger.begin_task(task, worker.name)

        def work() -> None:
            try:
                self._perform(run, task, worker)
            except SiteseerError as error:  # a full disk: what cannot be written is tried again later
                worker.end()
                with suppress(SiteseerError):
                    self.ledger.end_task(task, "failed", error=str(error))
            finally:
                for host in task.hosts.split():
                    self._free_at[host] = time.monotonic() + run.rules.delay
                with self._state:
                    self._going.pop((run.id, task.number), None)
                self._wake.set()

        self._thread_for((run.id, task.number), task, work)

    def _perform(self, run: OpenRun, task: OpenTask, worker: Worker) -> None:
        def stopped() -> bool:
            return run.id in self._stopping or self._over.is_set()

        try:
            said = attempt(self.jobs, run, task, worker, stopped)
            self._crew.give_back(worker)
        except WorkerEnded as error:
            said = {"failed": str(error), "temporary": error.may_pass}
        if not self._over.is_set():  # else it stays as it was, for whoever goes on
            write_down(self.ledger, run, task, said, self.clock())

    def _repaired(self, order: dict[str, Any]) -> dict[str, Any]:
        """Let a worker search for a repair, within bounded time."""
        worker = self._crew.take()
        try:
            told = [one for one in worker.order({**order, "do": "repair"}, REPAIR_SECONDS, self._over.is_set) if one]
        except WorkerEnded as error:
            return {"failed": f"no repair was found: {error}"}
        self._crew.give_back(worker)
        return dict(told[-1])


def attempt(jobs: Jobs, run: OpenRun, task: OpenTask, worker: Worker, stopped: Callable[[], bool]) -> dict[str, Any]:
    """Let a worker execute a task; records are stored as they arrive. Return the worker's last message."""
    ledger, waiting, page, told = JobLedger(jobs.database), list[str](), 0, 0
    said: dict[str, Any] = {}
    for said in worker.order(_order(jobs, run, task), run.rules.time_limit, stopped):
        if said is not None and "record" in said:
            waiting.append(said["record"])
        elif said is not None and "page" in said:
            page = said["page"]
        if len(waiting) >= BATCH or (said is None and (waiting or page > told)):
            ledger.add(task, waiting, page)
            waiting, told = [], page
    ledger.add(task, waiting, page)
    return said


def _order(jobs: Jobs, run: OpenRun, task: OpenTask) -> dict[str, Any]:
    return {
        "do": "perform",
        "wrapper": run.wrapper,
        "start": task.start,
        "variables": task.variables,
        "rules": asdict(run.rules),
        "collection": str(jobs.library / run.collection) if run.collection else "",
        "task": task.number,
        "folder": str(jobs.folder / str(run.id)),
    }


def write_down(ledger: JobLedger, run: OpenRun, task: OpenTask, said: dict[str, Any], now: float) -> None:
    """Record the outcome of an attempt: done, failed, left out where the run was stopped, or waiting for another
    attempt.
    """
    kept = {name: said[name] for name in ("seconds", "memory", "step", "url", "screenshot") if said.get(name)}
    kept |= {name: json.dumps(said[name]) for name in ("counts", "warnings") if name in said}
    if "done" in said:
        ledger.end_task(task, "done", error=None, **kept)
    elif said["failed"] == STOPPED:
        ledger.end_task(task, "left out", error="the run was ended", **kept)
    elif said["temporary"] and task.attempts < run.rules.retries:
        pause = run.rules.retry_seconds * 2**task.attempts
        ledger.end_task(task, "waiting", error=said["failed"], not_before=now + pause, **kept)
    else:
        tries = f" (tried {task.attempts + 1} times)" if task.attempts else ""
        ledger.end_task(task, "failed", error=said["failed"] + tries, **kept)
