"""Jobs from submission to records: real processes, a real HTTP server, pages without scripts."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from itertools import pairwise
from typing import Any

import pytest

from siteseer.errors import NotFoundError, UsageError
from siteseer.schedule.due_times import read
from siteseer.wrapper.jobs.alerts import Alerts
from siteseer.wrapper.jobs.job import make_job
from siteseer.wrapper.jobs.job_executor import Executor
from siteseer.wrapper.jobs.job_folder import Jobs
from siteseer.wrapper.jobs.worker_processes import VARIABLE, processes_of
from tests.wrapper.jobs.conftest import WRAPPER, Shop, left_behind

QUICK: dict[str, Any] = {"browser": "never", "delay": 0, "retries": 1, "retry_seconds": 0.05}


def test_one_wrapper_runs_over_many_starts(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    starts = [f"{shop.url}/{name}/1" for name in ("a", "b", "c")]
    assert jobs.submit(make_job("books", WRAPPER, starts, **QUICK))["phase"] == "waiting"
    executor.until_idle()
    told = jobs.get("books")
    run = told["run"]
    assert (told["phase"], run["done"], run["pages"], run["records"]) == ("finished", 3, 9, 72)
    assert run["attributes"] == {"book/price": 72, "book/title": 72} and run["records_per_page"] == 8
    assert run["memory"] > 10 * 2**20 and run["seconds"] > 0
    records = list(jobs.records("books"))
    assert [one.children[0].value for one in records[:2]] == ["a book 1.0", "a book 1.1"]
    assert [task["records"] for task in jobs.tasks("books")] == [24, 24, 24]


def test_a_failing_task_is_tried_again_and_names_its_step(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    closed = "http://127.0.0.1:9/"
    starts = [f"{shop.url}/a/1", f"{shop.url}/a/9", closed]
    jobs.submit(make_job("some", WRAPPER, starts, **QUICK))
    executor.until_idle()
    assert jobs.get("some")["phase"] == "finished"
    good, missing, unreachable = jobs.tasks("some")
    assert good["phase"] == "done" and missing["phase"] == unreachable["phase"] == "failed"
    assert "answered 404" in missing["error"] and missing["attempts"] == 1
    assert missing["step"] == f"doc('{starts[1]}')"
    assert unreachable["attempts"] == 2 and "(tried 2 times)" in unreachable["error"]


def test_a_run_is_ended_when_everything_fails(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    starts = [f"{shop.url}/x{number}/9" for number in range(30)]
    jobs.submit(make_job("down", WRAPPER, starts, **QUICK, abort_after=3))
    executor.until_idle()
    told = jobs.get("down")
    assert told["phase"] == "failed" and "3 tasks failed one after the other" in told["run"]["error"]
    assert told["run"]["failed"] == 3 and len(shop.seen) == 3
    assert {one["phase"] for one in jobs.tasks("down")[3:]} == {"left out"}


def test_two_tasks_never_visit_one_host_at_once(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    shop.slow = 0.05
    starts = [f"{shop.url}/{name}/3" for name in "abcd"]
    jobs.submit(make_job("one", WRAPPER, starts, **{**QUICK, "delay": 0.3}, concurrency=4))
    executor.until_idle()
    times = [at for at, _ in shop.seen]
    assert shop.most_busy == 1 and len(times) == 4
    assert min(later - earlier for earlier, later in pairwise(times)) >= 0.3


def test_limits_end_a_task(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    jobs.submit(make_job("two", WRAPPER, [f"{shop.url}/a/1"], **QUICK, page_limit=2))
    executor.until_idle()
    assert jobs.get("two")["run"]["pages"] == 2
    assert jobs.tasks("two")[0]["warnings"] == ["ended after 2 pages"]
    shop.slow = 5.0
    jobs.submit(make_job("slow", WRAPPER, [f"{shop.url}/a/1"], **QUICK, time_limit=1))
    executor.until_idle()
    assert jobs.get("slow")["run"]["error"] == "it took longer than 1 seconds"
    shop.slow = 2.0
    jobs.submit(make_job("large", WRAPPER, [f"{shop.url}/a/1"], **QUICK, memory_limit=50 * 2**20))
    executor.until_idle()
    assert "more than the 50 MB of memory" in jobs.get("large")["run"]["error"]


def test_a_run_is_stopped_and_deleted(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    shop.slow = 0.4
    jobs.submit(make_job("long", WRAPPER, [f"{shop.url}/{name}/1" for name in "abcdef"], **QUICK))
    executor.start()
    _until(lambda: jobs.get_run("long")["records"] >= 8)
    with pytest.raises(UsageError, match="stop it first"):
        jobs.delete("long")
    with pytest.raises(UsageError, match="already"):
        jobs.run("long")
    jobs.stop("long")
    _until(lambda: jobs.get_run("long")["phase"] == "stopped")
    run = jobs.get_run("long")
    assert 8 <= run["records"] < 144 and not run["running"] and not run["waiting"]
    jobs.delete("long")
    with pytest.raises(NotFoundError):
        jobs.get("long")
    executor.close()
    assert left_behind() == []


def test_due_jobs_run_again_and_miss_nothing(shop: Shop, jobs: Jobs) -> None:
    now = [time.time()]
    executor = Executor(jobs, clock=lambda: now[0])
    assert executor.take() and not Executor(jobs).take()
    jobs.submit(make_job("daily", WRAPPER, [f"{shop.url}/a/3"], **QUICK, schedule=read("1d")), start=False)
    assert jobs.get("daily")["phase"] == "waiting"
    executor.until_idle()
    assert jobs.runs("daily") == []
    now[0] += 10 * 86400  # nothing ran for ten days: it is run once, not ten times
    executor.until_idle()
    executor.until_idle()
    assert [run["because"] for run in jobs.runs("daily")] == ["due"]
    now[0] += 86401
    executor.until_idle()
    assert len(jobs.runs("daily")) == 2
    jobs.reschedule("daily", None)
    now[0] += 10 * 86400
    executor.until_idle()
    executor.close()
    assert len(jobs.runs("daily")) == 2 and jobs.get("daily")["due"] is None


def test_another_template_alerts_and_is_repaired(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    alerts = Alerts(jobs)
    jobs.submit(make_job("books", WRAPPER, [f"{shop.url}/a/1"], **QUICK))
    executor.until_idle()
    _again(jobs, executor)
    assert alerts.of("books") == []
    shop.template = "new"
    _again(jobs, executor)
    (alert,) = alerts.of("books")
    assert alert["sentences"][0].startswith("0 book on 3 pages") and "24 of the last good records" in alert["why"]
    assert jobs.get("books")["alerts"] == 1
    alerts.accept("books")
    _again(jobs, executor)
    told = jobs.get("books")
    assert told["alerts"] == 0 and told["run"]["records"] == 24
    assert told["run"]["attributes"] == {"book/price": 24, "book/title": 24}
    assert [one.children[0].value for one in jobs.records("books", 1)] == [
        one.children[0].value for one in jobs.records("books")
    ]


def test_an_attribute_that_becomes_empty_alerts(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    alerts = Alerts(jobs)
    jobs.submit(make_job("books", WRAPPER, [f"{shop.url}/a/1"], **QUICK))
    executor.until_idle()
    shop.template = "priceless"
    _again(jobs, executor)
    (alert,) = alerts.of("books")
    assert alert["sentences"] == ["book/price is empty in 24 of 24 records; earlier runs had it in 100 %"]
    assert "small" in alert["repair"] or "amount" in alert["repair"]
    alerts.dismiss("books")
    _again(jobs, executor)
    assert len(alerts.of("books")) == 1  # what was said to be right is right from then on


def test_where_content_is_gone_no_repair_is_made_up(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    jobs.submit(make_job("books", WRAPPER, [f"{shop.url}/a/1"], **QUICK))
    executor.until_idle()
    shop.template = "empty"
    _again(jobs, executor)
    (alert,) = Alerts(jobs).of("books")
    assert "repair" not in alert and "mark new examples" in alert["why"]
    with pytest.raises(NotFoundError, match="no repair"):
        Alerts(jobs).accept("books")


def test_pages_and_records_go_into_a_collection(shop: Shop, jobs: Jobs, executor: Executor) -> None:
    import siteseer

    starts = [f"{shop.url}/a/1", f"{shop.url}/b/1"]
    jobs.submit(make_job("books", WRAPPER, starts, **QUICK, collection="shelf", concurrency=4))
    executor.until_idle()
    assert jobs.get("books")["phase"] == "finished", jobs.tasks("books")
    assert len(siteseer.open(jobs.library / "shelf").objects()) == 48


def _again(jobs: Jobs, executor: Executor) -> None:
    jobs.run("books")
    executor.until_idle()


def _until(holds: Any, seconds: float = 600.0) -> None:
    until = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.05)


def test_processes_are_known_by_the_name_they_carry() -> None:
    own = {**os.environ, VARIABLE: "abc"}
    process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env=own)
    try:
        _until(lambda: list(processes_of("abc")) == [process.pid])
        assert list(processes_of("ab")) == []
    finally:
        process.kill()
        process.communicate()
