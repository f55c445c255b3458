"""Records the progress of runs: when runs begin and end, attempts at tasks, records as they arrive.

A task that was running when the process was killed loses its records and waits again; finished tasks stay finished.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from siteseer.model import JSON
from siteseer.schedule.due_times import next_due
from siteseer.settings import JobOptions
from siteseer.wrapper.jobs.job import Job, hosts
from siteseer.wrapper.jobs.job_database import Database
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.result_schema import result_schema

KEPT_RUNS = 50
"""Runs of a job that are remembered; older ones go when a new one ends."""
MOST_INTERRUPTIONS = 5
"""A task that was under way so often when everything was killed may be what kills: it is not tried again."""


@dataclass(frozen=True, slots=True)
class OpenRun:
    """A run that waits or is running."""

    id: int
    job: str
    wrapper: str
    phase: str
    stop: bool
    rules: JobOptions
    collection: str
    columns: JSON


@dataclass(frozen=True, slots=True)
class OpenTask:
    """A task that waits or is running."""

    run: int
    number: int
    start: str
    variables: dict[str, str]
    hosts: str
    attempts: int


def queue(db: sqlite3.Connection, job: Job, because: str) -> int:
    """Add a waiting run of a job; return its number."""
    wrapper = parse(job.wrapper)
    number = (db.execute("SELECT max(number) FROM runs WHERE job = ?", (job.name,)).fetchone()[0] or 0) + 1
    columns = {label: one.columns() for label, one in result_schema(wrapper).below.items()}
    run = db.execute(
        "INSERT INTO runs (job, number, phase, because, wrapper, columns) VALUES (?, ?, 'waiting', ?, ?, ?)",
        (job.name, number, because, job.wrapper, json.dumps(columns)),
    ).lastrowid
    db.executemany(
        "INSERT INTO tasks (run, number, key, start, variables, hosts, phase) VALUES (?, ?, ?, ?, ?, ?, 'waiting')",
        (
            (run, at, one.key, one.start, json.dumps(dict(one.variables)), hosts(wrapper, one))
            for at, one in enumerate(job.tasks, 1)
        ),
    )
    return number


class JobLedger:
    """The executor's side of the database."""

    def __init__(self, database: Database) -> None:
        self.database = database

    def recover(self, sweep: Callable[[str], None]) -> None:
        """Recover from a killed process: `sweep` ends the processes of a worker of that name."""
        for row in self.database.rows("SELECT DISTINCT worker FROM tasks WHERE phase = 'running'"):
            if row["worker"]:
                sweep(row["worker"])
        with self.database.transaction() as db:
            rows = db.execute("SELECT run, number, attempts FROM tasks WHERE phase = 'running'").fetchall()
            for run, number, attempts in rows:
                _clear(db, run, number)
                again = attempts < MOST_INTERRUPTIONS
                error = None if again else f"it was being run {attempts} times when everything was killed"
                db.execute(
                    "UPDATE tasks SET phase = ?, not_before = 0, worker = NULL, error = ?, ended = ? "
                    "WHERE run = ? AND number = ?",
                    ("waiting" if again else "failed", error, time.time(), run, number),
                )
                db.execute("UPDATE runs SET note = ? WHERE id = ?", (f"interrupted and resumed at {_stamp()}", run))

    # ── runs ──────────────────────────────────────────────────────────────────────────────────────────────────────

    def queue_due(self, now: float) -> None:
        """Add a run for every job that is due and not running."""
        if not self.database.rows("SELECT 1 FROM jobs WHERE due <= ? LIMIT 1", now):
            return
        with self.database.transaction() as db:
            query = """SELECT job FROM jobs WHERE due <= ? AND NOT EXISTS (
              SELECT 1 FROM runs WHERE runs.job = jobs.name AND phase IN ('waiting', 'running'))"""
            for (found,) in db.execute(query, (now,)).fetchall():
                job = Job.stored(json.loads(found))
                assert job.schedule is not None
                queue(db, job, "due")
                due = next_due(job.schedule, datetime.fromtimestamp(now, UTC)).timestamp()
                db.execute("UPDATE jobs SET due = ? WHERE name = ?", (due, job.name))

    def open_runs(self) -> list[OpenRun]:
        """Return the runs that wait or are running, the oldest first."""
        query = """SELECT runs.*, jobs.job AS asked FROM runs JOIN jobs ON jobs.name = runs.job
          WHERE phase IN ('waiting', 'running') ORDER BY id"""
        return [_open_run(row) for row in self.database.rows(query)]

    def begin_run(self, run: int) -> None:
        """Record that a run has started."""
        with self.database.transaction() as db:
            db.execute("UPDATE runs SET phase = 'running', began = ? WHERE id = ?", (_stamp(), run))

    def end_run(self, run: int, phase: str, error: str = "") -> list[int]:
        """Record how a run ended; return the runs that were deleted to make room."""
        with self.database.transaction() as db:
            db.execute("UPDATE tasks SET phase = 'left out' WHERE run = ? AND phase = 'waiting'", (run,))
            job, number, began = db.execute("SELECT job, number, began FROM runs WHERE id = ?", (run,)).fetchone()
            took = (datetime.now(UTC) - datetime.fromisoformat(began)).total_seconds() if began else 0.0
            values = (phase, _stamp(), round(took, 1), error or None, run)
            db.execute("UPDATE runs SET phase = ?, ended = ?, seconds = ?, error = ? WHERE id = ?", values)
            old = "SELECT id FROM runs WHERE job = ? AND number <= ?"
            gone = [row[0] for row in db.execute(old, (job, number - KEPT_RUNS))]
            for one in gone:
                for table, column in (("records", "run"), ("tasks", "run"), ("alerts", "run"), ("runs", "id")):
                    db.execute(f"DELETE FROM {table} WHERE {column} = ?", (one,))
        return gone

    def failures_in_a_row(self, run: int) -> tuple[int, str]:
        """Return how many tasks failed since the last that was done, and the last failure's sentence."""
        query = """SELECT count(*) AS n FROM tasks WHERE run = ?1 AND phase = 'failed'
          AND ended > (SELECT coalesce(max(ended), 0) FROM tasks WHERE run = ?1 AND phase = 'done')"""
        last = "SELECT error FROM tasks WHERE run = ? AND phase = 'failed' ORDER BY ended DESC LIMIT 1"
        rows = self.database.rows(last, run)
        return self.database.rows(query, run)[0]["n"], rows[0]["error"] if rows else ""

    def counted(self, run: int) -> dict[str, int]:
        """Return how many tasks are in each phase."""
        rows = self.database.rows("SELECT phase, count(*) AS n FROM tasks WHERE run = ? GROUP BY phase", run)
        return {row["phase"]: row["n"] for row in rows}

    # ── tasks ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def next_task(self, run: int, now: float, is_free: Callable[[str], bool]) -> OpenTask | None:
        """Return the first waiting task whose hosts are all free."""
        ready = "SELECT DISTINCT hosts FROM tasks WHERE run = ? AND phase = 'waiting' AND not_before <= ?"
        for row in self.database.rows(ready, run, now):
            if all(map(is_free, row["hosts"].split())):
                query = """SELECT * FROM tasks WHERE run = ? AND phase = 'waiting' AND hosts = ? AND not_before <= ?
                  ORDER BY number LIMIT 1"""
                found = self.database.rows(query, run, row["hosts"], now)[0]
                values = json.loads(found["variables"])
                return OpenTask(run, found["number"], found["start"], values, found["hosts"], found["attempts"])
        return None

    def begin_task(self, task: OpenTask, worker: str) -> None:
        """Record an attempt at a task by a worker; the records of an earlier attempt are deleted."""
        with self.database.transaction() as db:
            _clear(db, task.run, task.number)
            db.execute(
                "UPDATE tasks SET phase = 'running', attempts = attempts + 1, worker = ? WHERE run = ? AND number = ?",
                (worker, task.run, task.number),
            )

    def add(self, task: OpenTask, records: Iterable[str], pages: int) -> None:
        """Store records as they arrive, and how many pages have been loaded."""
        rows = [(task.run, task.number, text) for text in records]
        with self.database.transaction() as db:
            db.executemany("INSERT INTO records (run, task, record) VALUES (?, ?, ?)", rows)
            db.execute(
                "UPDATE tasks SET pages = ?, records = records + ? WHERE run = ? AND number = ?",
                (pages, len(rows), task.run, task.number),
            )

    def end_task(self, task: OpenTask, phase: str, **figures: Any) -> None:
        """Record the outcome of an attempt: `done`, `failed`, or `waiting` for another."""
        values = {**figures, "phase": phase, "worker": None, "ended": time.time()}
        names = ", ".join(f"{name} = ?" for name in values)
        with self.database.transaction() as db:
            db.execute(
                f"UPDATE tasks SET {names} WHERE run = ? AND number = ?", (*values.values(), task.run, task.number)
            )


def _clear(db: sqlite3.Connection, run: int, number: int) -> None:
    db.execute("DELETE FROM records WHERE run = ? AND task = ?", (run, number))
    fresh = "pages = 0, records = 0, counts = NULL, error = NULL, step = NULL, url = NULL, warnings = NULL"
    db.execute(f"UPDATE tasks SET {fresh} WHERE run = ? AND number = ?", (run, number))


def _open_run(row: sqlite3.Row) -> OpenRun:
    job = Job.stored(json.loads(row["asked"]))
    return OpenRun(
        row["id"], row["job"], row["wrapper"], row["phase"], bool(row["stop"]), job.rules, job.collection,
        json.loads(row["columns"]),
    )  # fmt: skip


def _stamp() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
