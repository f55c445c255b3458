"""Stores alerts: a run differed from those before it. Each has sentences and, if one was found, a repaired wrapper."""

from __future__ import annotations

import json
import sqlite3
from datetime import UTC, datetime

from siteseer.errors import NotFoundError
from siteseer.model import JSON
from siteseer.wrapper.jobs.job_folder import Jobs
from siteseer.wrapper.jobs.run_history import Figures, total

COMPARED = 10
"""So many earlier runs are compared with."""


class Alerts:
    """The alerts of a folder's jobs, and the earlier runs to which new ones are compared."""

    def __init__(self, jobs: Jobs) -> None:
        self.jobs = jobs

    def of(self, name: str) -> list[JSON]:
        """Return the alerts of a job, the newest first."""
        self.jobs.job(name)
        rows = self.jobs.database.rows("SELECT * FROM alerts WHERE job = ? ORDER BY id DESC LIMIT 100", name)
        return [_told(row) for row in rows]

    def sound(self, job: str, run: int, sentences: list[str], repair: str, why: str) -> None:
        """Write an alert; an alert that a killed process wrote for the same run is replaced."""
        number = self.jobs.database.rows("SELECT number FROM runs WHERE id = ?", run)[0]["number"]
        made = datetime.now(UTC).isoformat(timespec="seconds")
        values = (job, run, number, json.dumps(sentences), repair or None, why or None, made)
        with self.jobs.database.transaction() as db:
            db.execute("DELETE FROM alerts WHERE run = ?", (run,))
            db.execute(
                "INSERT INTO alerts (job, run, number, sentences, repair, why, state, made) "
                "VALUES (?, ?, ?, ?, ?, ?, 'open', ?)",
                values,
            )

    def dismiss(self, name: str) -> JSON:
        """Accept the change behind the newest open alert: history begins with its run."""
        row = self._open(name)
        self._settle(name, row["id"], "dismissed")
        return self.jobs.get(name)

    def accept(self, name: str) -> JSON:
        """Accept the repaired wrapper of the newest open alert; it is used from the next run on."""
        row = self._open(name)
        if not row["repair"]:
            raise NotFoundError(f"no repair was found for {name}: {row['why'] or 'change the wrapper by hand'}")
        self.jobs.rewrite(name, row["repair"])
        self._settle(name, row["id"], "repaired")
        return self.jobs.get(name)

    def _open(self, name: str) -> sqlite3.Row:
        self.jobs.job(name)
        query = "SELECT * FROM alerts WHERE job = ? AND state = 'open' ORDER BY id DESC LIMIT 1"
        rows = self.jobs.database.rows(query, name)
        if not rows:
            raise NotFoundError(f"{name} has no open alert")
        return rows[0]

    def _settle(self, name: str, number: int, state: str) -> None:
        with self.jobs.database.transaction() as db:
            db.execute("UPDATE alerts SET state = 'passed' WHERE job = ? AND state = 'open'", (name,))
            db.execute("UPDATE alerts SET state = ? WHERE id = ?", (state, number))

    # ── history ───────────────────────────────────────────────────────────────────────────────────────────────────

    def good_runs(self, run: int) -> list[int]:
        """Return the successful earlier runs that extract the same labels, the newest first."""
        query = """SELECT id FROM runs WHERE job = ?1 AND id < ?2 AND phase = 'finished' AND columns = ?3
          AND id >= coalesce((SELECT max(run) FROM alerts WHERE job = ?1 AND state = 'dismissed'), 0)
          AND NOT EXISTS (SELECT 1 FROM alerts WHERE alerts.run = runs.id AND state != 'dismissed')
          ORDER BY id DESC LIMIT ?4"""
        own = self.jobs.database.rows("SELECT job, columns FROM runs WHERE id = ?", run)[0]
        return [row["id"] for row in self.jobs.database.rows(query, own["job"], run, own["columns"], COMPARED)]

    def figures(self, run: int) -> dict[str, Figures]:
        """Return the figures of each finished task of a run, by the task's key."""
        query = "SELECT key, pages, counts FROM tasks WHERE run = ? AND phase = 'done' AND counts IS NOT NULL"
        found = {}
        for row in self.jobs.database.rows(query, run):
            counts = json.loads(row["counts"])
            found[row["key"]] = Figures(row["pages"], counts["records"], counts["filled"])
        return found

    def totals(self, runs: list[int]) -> list[Figures]:
        """Return the figures of whole runs."""
        return [total(list(self.figures(run).values())) for run in runs]


def _told(row: sqlite3.Row) -> JSON:
    return {
        "run": row["number"],
        "made": row["made"],
        "state": row["state"],
        "sentences": json.loads(row["sentences"]),
        **({"repair": row["repair"]} if row["repair"] else {}),
        **({"why": row["why"]} if row["why"] else {}),
    }
