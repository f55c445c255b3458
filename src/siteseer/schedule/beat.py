"""Runs a table of schedules on many machines: Celery beat sends the commands, workers run them.

Beat is one process; there may be any number of workers. A message is JSON and names a command that may be scheduled; it
is acknowledged when it is taken, so that the work of a killed worker waits until the entry is due again: every command
continues where it stopped.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from siteseer.errors import UsageError
from siteseer.schedule.runner import start_command
from siteseer.schedule.schedule_table import Entry, Table, checked_command, fill_placeholders
from siteseer.workers.broker import check, connect, make_app

QUEUE = "siteseer-commands"
TASK = "siteseer.command"
Tell = Callable[[str], None]


def beat_schedule(table: Table) -> dict[str, Any]:
    """Return a table as Celery beat reads it."""
    return {
        entry.name: {
            "task": TASK,
            "schedule": _when(entry),
            "args": [entry.name, list(entry.run)],
            "options": {"queue": QUEUE, **({"expires": entry.every} if entry.every else {})},
        }
        for entry in table.entries
    }


def _when(entry: Entry) -> Any:
    from celery.schedules import crontab

    if entry.cron is None:
        return timedelta(seconds=entry.every)
    cron = entry.cron
    return crontab(
        minute=cron.listed("minute"), hour=cron.listed("hour"), day_of_month=cron.listed("day"),
        month_of_year=cron.listed("month"), day_of_week=cron.listed("weekday"),
    )  # fmt: skip


def run_beat(table: Table, broker: str, tell: Tell) -> None:
    """Send the commands of a table when they are due, until SIGTERM or Ctrl-C."""
    app = _app(broker, table.timezone)
    app.conf.beat_schedule = beat_schedule(table)
    tell(f"{len(table.entries)} schedules; commands go to the queue {QUEUE}")
    app.Beat(schedule=str(table.path.with_suffix(".beat")), loglevel="WARNING", quiet=True, max_interval=5).run()


def run_commands(broker: str, folder: Path, name: str, tell: Tell) -> None:
    """Run the commands that beat sends, one at a time, in a folder, until SIGTERM or Ctrl-C."""
    app = _app(broker, "UTC")

    @app.task(name=TASK, acks_late=False)  # type: ignore[untyped-decorator]
    def command(entry: str, words: list[str]) -> None:
        try:
            wanted = fill_placeholders(checked_command(words), datetime.now(UTC))
        except (UsageError, TypeError) as error:
            tell(f"a message was left: {error}")
            return
        tell(f"{str(entry)[:100]}: siteseer {' '.join(wanted)}")
        process: subprocess.Popen[bytes] = start_command(wanted, folder, sys.stderr)
        tell(f"{str(entry)[:100]}: ended with exit code {process.wait()}")

    tell(f"runs commands of the queue {QUEUE} in {folder}")
    arguments = ["worker", "--pool", "solo", "--concurrency", "1", "--queues", QUEUE, "--loglevel", "WARNING"]
    app.worker_main([*arguments, "--without-gossip", "--without-mingle", *(["-n", name] if name else [])])


def _app(broker: str, zone: str) -> Any:
    check(connect(broker), broker)
    app = make_app(broker)
    app.conf.update(timezone=zone, task_default_queue=QUEUE)
    return app
