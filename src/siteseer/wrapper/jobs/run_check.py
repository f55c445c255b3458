"""Ends a run: compares it with the runs before it, and writes an alert where it differs."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

from siteseer.wrapper.jobs.alerts import Alerts
from siteseer.wrapper.jobs.job_folder import Jobs
from siteseer.wrapper.jobs.job_ledger import JobLedger, OpenRun
from siteseer.wrapper.jobs.run_history import Figures, differences, gone, total

Repairer = Callable[[dict[str, Any]], dict[str, Any]]
SHOWN = 3
SAMPLE_TASKS = 6
"""Tasks whose pages are looked at for a repair."""
SAMPLE_RECORDS = 200


def close_run(jobs: Jobs, run: OpenRun, phase: str, error: str, repairer: Repairer) -> None:
    """Write the alert if there is one, then how the run ended, and remove what only a repair needs."""
    try:
        if phase != "stopped":
            _compare(jobs, run, phase, error, repairer)
    finally:
        for one in JobLedger(jobs.database).end_run(run.id, phase, error):
            shutil.rmtree(jobs.folder / str(one), ignore_errors=True)
        for page in (jobs.folder / str(run.id)).glob("*.html"):
            page.unlink(missing_ok=True)


def _compare(jobs: Jobs, run: OpenRun, phase: str, error: str, repairer: Repairer) -> None:
    alerts = Alerts(jobs)
    good = alerts.good_runs(run.id)
    if not good:
        return
    now = alerts.figures(run.id)
    sentences, odd = _differences(now, good, alerts)
    if phase == "failed":
        sentences = [f"the run failed, which earlier ones did not: {error}"]
    if sentences:
        repair, why = _repair(jobs, run, good[0], odd, repairer)
        alerts.sound(run.job, run.id, sentences, repair, why)


def _differences(now: dict[str, Figures], good: list[int], alerts: Alerts) -> tuple[list[str], list[str]]:
    """Return what is said of the run as a whole and of single tasks; and the keys of those tasks."""
    past = [alerts.figures(run) for run in good]
    sentences = differences(total(list(now.values())), [total(list(one.values())) for one in past]) if now else []
    odd = [key for key, one in now.items() if gone(one, [run[key] for run in past if key in run])]
    if odd and not sentences:
        names = "; ".join(_name(key) for key in odd[:SHOWN])
        more = f" and {len(odd) - SHOWN} more" if len(odd) > SHOWN else ""
        sentences = [f"{len(odd)} of {len(now)} tasks no longer bring what they brought: {names}{more}"]
    return sentences, odd


def _name(key: str) -> str:
    start, variables = json.loads(key)
    return (
        " ".join([*([start] if start else []), *(f"{name}={value}" for name, value in variables)])[:200] or "the page"
    )


def _repair(jobs: Jobs, run: OpenRun, good: int, odd: list[str], repairer: Repairer) -> tuple[str, str]:
    """Return a repaired wrapper, or why there is none: its pages now, and what they gave in the last good run."""
    rows = jobs.database.rows("SELECT number, key FROM tasks WHERE run = ? ORDER BY number", run.id)
    chosen = [row for row in rows if row["key"] in odd] or list(rows)
    samples: list[dict[str, Any]] = []
    for row in chosen[:SAMPLE_TASKS]:
        samples += _sample(jobs, run, good, row["number"], row["key"])
    if not samples:
        return "", "no page of this run was seen before"
    told = repairer({"wrapper": run.wrapper, "samples": samples})
    return (str(told.get("repair", "")), str(told.get("why", ""))) if "done" in told else ("", str(told["failed"]))


def _sample(jobs: Jobs, run: OpenRun, good: int, number: int, key: str) -> list[dict[str, Any]]:
    query = """SELECT record FROM records JOIN tasks ON tasks.run = records.run AND tasks.number = records.task
      WHERE records.run = ? AND tasks.key = ? ORDER BY row LIMIT ?"""
    records = [row["record"] for row in jobs.database.rows(query, good, key, SAMPLE_RECORDS)]
    pages = sorted((jobs.folder / str(run.id)).glob(f"{number}-*.html"))
    return [{"page": str(Path(page)), "records": records} for page in pages] if records else []
