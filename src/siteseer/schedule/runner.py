"""Runs the commands of a table of schedules when they are due, on one machine (APScheduler).

Each command runs in a process of its own, the same entry never twice at a time. An entry that was missed while the
scheduler was not running is run once. When the scheduler stops, running commands are asked to stop as by Ctrl-C: they
save what they have.
"""

from __future__ import annotations

import fcntl
import json
import re
import signal
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Event, Lock
from typing import Any
from zoneinfo import ZoneInfo

from siteseer.errors import MissingExtraError, UsageError
from siteseer.schedule.schedule_table import Entry, Table, fill_placeholders, last_runs

AT_ONCE = 4
"""Commands of different entries that run at the same time."""
GRACE_SECONDS = 60.0
"""What a command may take to save what it has."""
LATE_SECONDS = 30 * 86_400
"""A run that is late is still run."""
_ODD = re.compile(r"[^\w.-]")
Tell = Callable[[str], None]


class ScheduleRunner:
    """Runs the entries of one table."""

    def __init__(self, table: Table, tell: Tell = lambda line: None) -> None:
        self.table, self.tell = table, tell
        self.folder = table.path.absolute().parent
        self._running: dict[str, subprocess.Popen[bytes]] = {}
        self._lock = Lock()
        self._over = Event()
        self._scheduler = _scheduler(table.timezone)
        runs, now = last_runs(table), datetime.now(UTC)
        for entry in table.entries:
            trigger = trigger_of(entry, table.timezone)
            due = due_first(entry, trigger, runs.get(entry.name), now)
            self._scheduler.add_job(
                self._run, trigger, [entry], id=entry.name, next_run_time=due, max_instances=1, coalesce=True,
                misfire_grace_time=LATE_SECONDS,
            )  # fmt: skip

    def due(self) -> dict[str, datetime]:
        """Return when each entry is due next."""
        return {job.id: job.next_run_time for job in self._scheduler.get_jobs()}

    def start(self) -> None:
        """Run due entries until `stop`; one process at a time runs a table."""
        self._held = self.table.path.with_suffix(".lock").open("w")
        try:
            fcntl.flock(self._held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(f"another process runs {self.table.path}: leave it to that one, or end it first") from None
        self._scheduler.start()

    def stop(self) -> None:
        """Start nothing more; running commands save what they have."""
        self._over.set()
        self._scheduler.shutdown(wait=False)
        with self._lock:
            running = list(self._running.values())
        for process in running:
            process.send_signal(signal.SIGINT)
        for process in running:
            try:
                process.wait(GRACE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _run(self, entry: Entry) -> None:
        began = datetime.now(UTC)
        command = fill_placeholders(entry.run, began.astimezone(ZoneInfo(self.table.timezone)))
        self.tell(f"{entry.name}: siteseer {' '.join(command)}")
        with self._log(entry).open("wb") as log:
            with self._lock:
                if self._over.is_set():
                    return
                process = start_command(command, self.folder, log)
                self._running[entry.name] = process
            code = process.wait()
        with self._lock:
            del self._running[entry.name]
            self._write(entry, began, code)
        self.tell(f"{entry.name}: ended with exit code {code}")

    def _log(self, entry: Entry) -> Path:
        folder = self.table.path.with_suffix(".logs")
        folder.mkdir(exist_ok=True)
        plain = _ODD.sub("_", entry.name)[:100]
        return folder / f"{plain}.txt"

    def _write(self, entry: Entry, began: datetime, code: int) -> None:
        ended = datetime.now(UTC).isoformat(timespec="milliseconds")
        told = {"name": entry.name, "began": began.isoformat(timespec="milliseconds"), "ended": ended, "exit": code}
        with self.table.history.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told, ensure_ascii=False) + "\n")


def start_command(command: list[str], folder: Path, log: Any) -> subprocess.Popen[bytes]:
    """Start a siteseer command in a folder; its output goes to a log."""
    return subprocess.Popen(
        [sys.executable, "-P", "-m", "siteseer", *command],
        cwd=folder, stdin=subprocess.DEVNULL, stdout=log, stderr=subprocess.STDOUT,
    )  # fmt: skip


def trigger_of(entry: Entry, zone: str) -> Any:
    """Return the APScheduler trigger of an entry."""
    from apscheduler.triggers.cron import CronTrigger
    from apscheduler.triggers.interval import IntervalTrigger

    if entry.cron is None:
        return IntervalTrigger(seconds=entry.every, timezone=zone)
    cron = entry.cron
    return CronTrigger(
        minute=cron.listed("minute"), hour=cron.listed("hour"), day=cron.listed("day"), month=cron.listed("month"),
        day_of_week=cron.weekdays, timezone=zone,
    )  # fmt: skip


def due_first(entry: Entry, trigger: Any, last: Any, now: datetime) -> datetime:
    """Return when an entry is run first: at once if it was missed, or never ran and has an interval."""
    if last is None:
        return now if entry.cron is None else trigger.get_next_fire_time(None, now)
    began = datetime.fromisoformat(last["began"])
    due = began + timedelta(seconds=entry.every) if entry.cron is None else trigger.get_next_fire_time(began, began)
    return max(due, now)


def _scheduler(zone: str) -> Any:
    try:
        from apscheduler.executors.pool import ThreadPoolExecutor
        from apscheduler.schedulers.background import BackgroundScheduler
    except ModuleNotFoundError as error:
        raise MissingExtraError("cluster", "schedules need APScheduler") from error
    return BackgroundScheduler(executors={"default": ThreadPoolExecutor(AT_ONCE)}, timezone=zone)
