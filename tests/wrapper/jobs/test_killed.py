"""Killed at any moment: nothing that was done is lost or done twice, and no process is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from siteseer.wrapper.jobs.job import make_job
from siteseer.wrapper.jobs.job_executor import Executor
from siteseer.wrapper.jobs.job_folder import Jobs
from siteseer.wrapper.jobs.job_ledger import MOST_INTERRUPTIONS, JobLedger
from siteseer.wrapper.jobs.worker_processes import processes_of
from tests.wrapper.jobs.conftest import WRAPPER, Shop, left_behind

QUICK: dict[str, Any] = {"browser": "never", "delay": 0, "retries": 2, "retry_seconds": 0.05}


def _until(holds: Any, seconds: float = 600.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def _command(library: Path) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-m", "siteseer", "wrapper", "run-due", "--in", str(library)],
        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip


def test_a_run_whose_executor_was_killed_is_gone_on_with(shop: Shop, jobs: Jobs) -> None:
    shop.slow = 0.15
    jobs.submit(make_job("books", WRAPPER, [f"{shop.url}/{name}/1" for name in "abcde"], **QUICK))
    for wanted in (30, 60):
        process = _command(jobs.library)
        _until(lambda wanted=wanted: jobs.get_run("books")["records"] >= wanted)
        process.send_signal(signal.SIGKILL)
        process.wait()
        _until(lambda: left_behind() == [], 30)
    assert jobs.get("books")["phase"] == "running"
    done = [one["number"] for one in jobs.tasks("books") if one["phase"] == "done"]
    shop.slow, before = 0.0, len(shop.seen)
    assert _command(jobs.library).wait(120) == 0
    told = jobs.get("books")
    assert told["phase"] == "finished" and "interrupted and resumed" in told["run"]["note"]
    values = [one.children[0].value for one in jobs.records("books")]
    assert values == [f"{name} book {page}.{at}" for name in "abcde" for page in (1, 2, 3) for at in range(8)]
    assert done and len(shop.seen) - before == 3 * (5 - len(done))  # what was done is not fetched again
    assert left_behind() == []


def test_a_worker_that_is_killed_costs_only_its_try(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    shop.slow = 0.5
    jobs.submit(make_job("books", WRAPPER, [f"{shop.url}/a/1"], **QUICK))
    executor.start()
    _until(lambda: jobs.get_run("books")["records"] >= 8)
    worker = jobs.database.rows("SELECT worker FROM tasks")[0]["worker"]
    for process in processes_of(worker):
        os.kill(process, signal.SIGKILL)
    shop.slow = 0.0
    _until(lambda: jobs.get_run("books")["phase"] == "finished")
    assert jobs.get_run("books")["records"] == 24 and jobs.tasks("books")[0]["attempts"] == 2


def test_what_kills_everything_is_not_tried_for_ever(shop: Shop, jobs: Jobs) -> None:
    jobs.submit(make_job("books", WRAPPER, [f"{shop.url}/a/1"], **QUICK))
    with jobs.database.transaction() as db:
        db.execute("UPDATE tasks SET phase = 'running', attempts = ?", (MOST_INTERRUPTIONS,))
        db.execute("UPDATE runs SET phase = 'running'")
    JobLedger(jobs.database).recover(lambda worker: None)
    executor = Executor(jobs)
    executor.until_idle()
    executor.close()
    assert jobs.get("books")["phase"] == "failed" and shop.seen == []
    assert "5 times when everything was killed" in jobs.get("books")["run"]["error"]
