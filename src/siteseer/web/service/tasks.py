"""Runs tasks that take longer than a request may, and keeps their results for a while."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock, Thread
from typing import Literal

from siteseer.errors import NotFoundError, SiteseerError, UsageError
from siteseer.model import JSON

MOST_RUNNING = 4
KEPT = 100
"""Finished tasks whose results are remembered."""


@dataclass(slots=True)
class Task:
    """One piece of work."""

    id: str
    kind: str
    phase: Literal["running", "finished", "failed"] = "running"
    progress: str = ""
    result: JSON = None
    error: str = ""

    def as_json(self) -> JSON:
        """Return how far it is, and its result when there is one."""
        said = {"progress": self.progress, "result": self.result, "error": self.error}
        return {"id": self.id, "kind": self.kind, "phase": self.phase, **{k: v for k, v in said.items() if v}}


Work = Callable[[Callable[[str], None]], JSON]
"""Gets a function to tell its progress with, and returns its result."""


class Tasks:
    """Runs work in threads.

    >>> tasks = Tasks()
    >>> task = tasks.start("sum", lambda tell: 1 + 1)
    >>> tasks.wait(task.id).result
    2
    """

    def __init__(self) -> None:
        self._tasks: dict[str, Task] = {}
        self._threads: dict[str, Thread] = {}
        self._lock = Lock()

    def start(self, kind: str, work: Work) -> Task:
        """Begin; returns at once."""
        with self._lock:
            if sum(task.phase == "running" for task in self._tasks.values()) >= MOST_RUNNING:
                raise UsageError(f"{MOST_RUNNING} tasks are running; wait for one of them")
            while len(self._tasks) >= KEPT:
                oldest = next(name for name, task in self._tasks.items() if task.phase != "running")
                del self._tasks[oldest], self._threads[oldest]
            task = Task(secrets.token_hex(8), kind)
            self._tasks[task.id] = task
            self._threads[task.id] = Thread(target=self._run, args=(task, work), name=f"task {kind}", daemon=True)
        self._threads[task.id].start()
        return task

    def all(self) -> list[Task]:
        """Return what runs and what was done lately, the newest first."""
        return list(reversed(self._tasks.values()))

    def get(self, name: str) -> Task:
        """Return one task; raise NotFoundError where there is none of that id."""
        if name not in self._tasks:
            raise NotFoundError(f"there is no task {name[:60]!r}; results are kept for the last {KEPT} tasks")
        return self._tasks[name]

    def wait(self, name: str, seconds: float | None = None) -> Task:
        """Return the task when it is done."""
        task = self.get(name)
        self._threads[name].join(seconds)
        return task

    @staticmethod
    def _run(task: Task, work: Work) -> None:
        def tell(text: str) -> None:
            task.progress = text

        try:
            task.result = work(tell)
        except SiteseerError as error:
            task.phase, task.error = "failed", str(error)
        except Exception as error:  # a defect of ours: said, and the service lives on
            task.phase, task.error = "failed", f"{type(error).__name__}: {error}"[:300]
            raise
        else:
            task.phase = "finished"
