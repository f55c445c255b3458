"""One try of a task: the order that a worker gets, what it tells on the way, and what is written down in the end."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict
from typing import Any

from siteseer.jobs.crew import STOPPED, Worker
from siteseer.jobs.jobs import Jobs
from siteseer.jobs.ledger import Ledger, OpenRun, OpenTask

BATCH = 200
"""Records that are written together, at most."""


def attempt(jobs: Jobs, run: OpenRun, task: OpenTask, worker: Worker, stopped: Callable[[], bool]) -> dict[str, Any]:
    """Let a worker carry out a task; records are written as they come. Returns its last word."""
    ledger, waiting, page, told = Ledger(jobs.database), list[str](), 0, 0
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


def write_down(ledger: Ledger, run: OpenRun, task: OpenTask, said: dict[str, Any], now: float) -> None:
    """Write what became of a try: done, failed, left out where the run was ended, or waiting for another try."""
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
