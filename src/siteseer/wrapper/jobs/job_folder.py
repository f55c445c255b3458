"""Manages the jobs of a folder: submit, list, watch, stop and delete them. An `Executor` runs them.

Everything is on disk in `FOLDER/.jobs`: any number of processes may read it and submit jobs, one at a time runs them.
"""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siteseer.errors import NotFoundError, UsageError
from siteseer.model import JSON
from siteseer.schedule.due_times import Schedule, next_due
from siteseer.wrapper.jobs.job import Job, Task, check_tasks
from siteseer.wrapper.jobs.job_database import Database
from siteseer.wrapper.jobs.job_ledger import queue
from siteseer.wrapper.jobs.stored_records import load
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record

FOLDER = ".jobs"
OVER = ("finished", "failed", "stopped")
MOST_JOBS = 1_000
_FIGURES = """
SELECT count(*) AS tasks, sum(phase = 'done') AS done, sum(phase = 'failed') AS failed,
  sum(phase = 'running') AS running, sum(phase = 'waiting') AS waiting, sum(pages) AS pages,
  sum(records) AS records, max(memory) AS memory
FROM tasks WHERE run = ?"""
_RUN = ("number", "phase", "because", "wrapper", "began", "ended", "seconds", "error", "note")
_TASK = (
    "number", "start", "phase", "attempts", "pages", "records", "seconds", "memory", "error", "step", "url",
)  # fmt: skip


class Jobs:
    """Jobs and their runs.

    >>> import tempfile
    >>> from siteseer.wrapper.jobs.job import make_job
    >>> jobs = Jobs(Path(tempfile.mkdtemp()))
    >>> jobs.submit(make_job("titles", "doc('http://e.org/')//h2:<title=string(.)>"))["phase"]
    'waiting'
    >>> [one["name"] for one in jobs.all()]
    ['titles']
    """

    def __init__(self, library: Path) -> None:
        self.library = library
        self.folder = library / FOLDER
        self.database = Database(self.folder)

    # ── asking for something ──────────────────────────────────────────────────────────────────────────────────────

    def submit(self, job: Job, start: bool = True) -> JSON:
        """Add a job and, by default, request its first run."""
        with self.database.transaction() as db:
            if db.execute("SELECT 1 FROM jobs WHERE name = ?", (job.name,)).fetchone():
                raise UsageError(f"there is a job {job.name} already: delete it first, or choose another name")
            if db.execute("SELECT count(*) FROM jobs").fetchone()[0] >= MOST_JOBS:
                raise UsageError(f"there are {MOST_JOBS:,} jobs; delete some first")
            made = _now().isoformat(timespec="seconds")
            db.execute(
                "INSERT INTO jobs VALUES (?, ?, ?, ?)", (job.name, json.dumps(job.as_json()), made, _due(job.schedule))
            )
            if start:
                queue(db, job, "submitted")
        return self.get(job.name)

    def run(self, name: str) -> JSON:
        """Request another run; return it."""
        with self.database.transaction() as db:
            job = self.job(name)
            if db.execute("SELECT 1 FROM runs WHERE job = ? AND phase IN ('waiting', 'running')", (name,)).fetchone():
                raise UsageError(f"{name} is being run already: wait for it, or stop it")
            number = queue(db, job, "asked for")
        return self.get_run(name, number)

    def stop(self, name: str) -> JSON:
        """Request the end of the waiting or running run; its records so far are kept."""
        with self.database.transaction() as db:
            self.job(name)
            asked = db.execute(
                "UPDATE runs SET stop = 1 WHERE job = ? AND phase IN ('waiting', 'running')", (name,)
            ).rowcount
            if not asked:
                raise UsageError(f"{name} is not being run")
            left_out = """UPDATE tasks SET phase = 'left out' WHERE phase = 'waiting'
              AND run IN (SELECT id FROM runs WHERE job = ? AND phase = 'waiting')"""
            db.execute(left_out, (name,))
            waiting = "UPDATE runs SET phase = 'stopped', ended = ? WHERE job = ? AND phase = 'waiting'"
            db.execute(waiting, (_now().isoformat(timespec="seconds"), name))
        return self.get(name)

    def delete(self, name: str) -> None:
        """Delete a job with its runs, records and screenshots."""
        with self.database.transaction() as db:
            self.job(name)
            if db.execute("SELECT 1 FROM runs WHERE job = ? AND phase = 'running'", (name,)).fetchone():
                raise UsageError(f"{name} is being run: stop it first")
            runs = [row[0] for row in db.execute("SELECT id FROM runs WHERE job = ?", (name,))]
            for run in runs:
                db.execute("DELETE FROM tasks WHERE run = ?", (run,))
                db.execute("DELETE FROM records WHERE run = ?", (run,))
            db.execute("DELETE FROM runs WHERE job = ?", (name,))
            db.execute("DELETE FROM alerts WHERE job = ?", (name,))
            db.execute("DELETE FROM jobs WHERE name = ?", (name,))
        for run in runs:
            shutil.rmtree(self.folder / str(run), ignore_errors=True)

    def reschedule(self, name: str, schedule: Schedule | None) -> JSON:
        """Give a job another schedule, or none."""
        self._change(name, schedule=schedule)
        with self.database.transaction() as db:
            db.execute("UPDATE jobs SET due = ? WHERE name = ?", (_due(schedule), name))
        return self.get(name)

    def rewrite(self, name: str, wrapper: str) -> JSON:
        """Give a job another wrapper with the same variables; it is used from the next run on."""
        check_tasks(parse(wrapper), self.job(name).tasks)
        self._change(name, wrapper=wrapper)
        return self.get(name)

    def _change(self, name: str, **values: Any) -> None:
        with self.database.transaction() as db:
            job = replace(self.job(name), **values)
            db.execute("UPDATE jobs SET job = ? WHERE name = ?", (json.dumps(job.as_json()), name))

    # ── looking ───────────────────────────────────────────────────────────────────────────────────────────────────

    def all(self) -> list[JSON]:
        """Return every job with its newest run, the newest job first."""
        names = self.database.rows("SELECT name FROM jobs ORDER BY made DESC, name")
        return [self.get(row["name"]) for row in names]

    def job(self, name: str) -> Job:
        """Return a job as it was submitted."""
        rows = self.database.rows("SELECT job FROM jobs WHERE name = ?", name)
        if not rows:
            raise NotFoundError(f"there is no job {name[:100]!r} here")
        return Job.stored(json.loads(rows[0]["job"]))

    def get(self, name: str) -> JSON:
        """Return an overview of a job: phase and figures of its newest run, when it is due again, open alerts."""
        job = self.job(name)
        due = self.database.rows("SELECT due FROM jobs WHERE name = ?", name)[0]["due"]
        runs = self.runs(name, 1)
        alerts = self.database.rows("SELECT count(*) AS n FROM alerts WHERE job = ? AND state = 'open'", name)
        return {
            "name": name,
            "wrapper": job.wrapper,
            "tasks": len(job.tasks),
            "phase": runs[0]["phase"] if runs else "waiting" if due else "idle",
            "schedule": job.schedule.as_json() if job.schedule else None,
            "due": datetime.fromtimestamp(due, UTC).isoformat(timespec="seconds") if due else None,
            "collection": job.collection,
            "alerts": alerts[0]["n"],
            **({"run": runs[0]} if runs else {}),
        }

    def runs(self, name: str, most: int = 100) -> list[JSON]:
        """Return the runs of a job, the newest first."""
        rows = self.database.rows("SELECT * FROM runs WHERE job = ? ORDER BY number DESC LIMIT ?", name, most)
        if not rows:
            self.job(name)
        return [self._told(row) for row in rows]

    def get_run(self, name: str, number: int | None = None) -> JSON:
        """Return one run, the newest where no number is given."""
        return self._told(self._row(name, number))

    def tasks(self, name: str, number: int | None = None, most: int = 1_000, offset: int = 0) -> list[JSON]:
        """Return the tasks of a run: the outcome of each start URL and set of variables."""
        run = self._row(name, number)["id"]
        rows = self.database.rows(
            "SELECT * FROM tasks WHERE run = ? ORDER BY number LIMIT ? OFFSET ?", run, most, offset
        )
        return [_task(row) for row in rows]

    def records(self, name: str, number: int | None = None) -> Iterator[Record]:
        """Return the records of a run, task by task."""
        run, after = self._row(name, number)["id"], (-1, 0)
        query = "SELECT * FROM records WHERE run = ? AND (task, row) > (?, ?) ORDER BY task, row LIMIT 500"
        while rows := self.database.rows(query, run, *after):
            yield from (load(row["record"]) for row in rows)
            after = rows[-1]["task"], rows[-1]["row"]

    def screenshot(self, name: str, number: int | None, task: int) -> bytes:
        """Return the screenshot of the page on which a task failed."""
        run = int(self._row(name, number)["id"])
        rows = self.database.rows("SELECT screenshot FROM tasks WHERE run = ? AND number = ?", run, task)
        if not rows or not rows[0]["screenshot"]:
            raise NotFoundError(f"there is no picture of task {task}")
        return (self.folder / str(run) / str(rows[0]["screenshot"])).read_bytes()

    def _row(self, name: str, number: int | None) -> sqlite3.Row:
        query = "SELECT * FROM runs WHERE job = ? AND (? IS NULL OR number = ?) ORDER BY number DESC LIMIT 1"
        rows = self.database.rows(query, name, number, number)
        if not rows:
            self.job(name)
            raise NotFoundError(f"{name} has no run{'' if number is None else f' {number}'}")
        return rows[0]

    def _told(self, row: sqlite3.Row) -> JSON:
        figures = self.database.rows(_FIGURES, row["id"])[0]
        told = {key: row[key] for key in _RUN if row[key] is not None}
        pages, records = figures["pages"] or 0, figures["records"] or 0
        return {
            "job": row["job"],
            **told,
            **{key: figures[key] or 0 for key in figures.keys()},  # noqa: SIM118 - a row of the database
            "records_per_page": round(records / pages, 3) if pages else None,
            "attributes": self._attributes(row["id"]),
            "stopping": bool(row["stop"]) and row["phase"] not in OVER,
        }

    def _attributes(self, run: int) -> JSON:
        counts: dict[str, int] = {}
        for row in self.database.rows("SELECT counts FROM tasks WHERE run = ? AND counts IS NOT NULL", run):
            for name, count in json.loads(row["counts"])["filled"].items():
                counts[name] = counts.get(name, 0) + count
        return counts

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def _task(row: sqlite3.Row) -> JSON:
    told = {key: row[key] for key in _TASK if row[key] is not None}
    task = Task(row["start"], json.loads(row["variables"]))
    warnings = json.loads(row["warnings"] or "[]")
    return {**told, "variables": dict(task.variables), "warnings": warnings, "screenshot": bool(row["screenshot"])}


def _due(schedule: Schedule | None) -> float | None:
    return next_due(schedule, _now()).timestamp() if schedule else None


def _now() -> datetime:
    return datetime.now(UTC)
