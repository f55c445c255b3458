"""`siteseer schedule`: runs commands on a schedule, on one machine or many."""

from __future__ import annotations

import signal
from pathlib import Path
from threading import Event
from typing import TYPE_CHECKING, Annotated

import typer

from siteseer.cli.terminal import answer, print_message
from siteseer.errors import ConfigurationError, UsageError

if TYPE_CHECKING:
    from siteseer.schedule.schedule_table import Table

BROKER = "SITESEER_BROKER"
STOPPED = 11
schedule_app = typer.Typer(help="Run commands again and again, by a table of schedules.", no_args_is_help=True)

File = Annotated[Path, typer.Argument(metavar="SCHEDULES.toml", help="The table of schedules.")]
Broker = Annotated[str, typer.Option(envvar=BROKER, help="redis://HOST:6379/0.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.add_typer(schedule_app, name="schedule")


@schedule_app.command("list")
def list_(
    file: File, as_json: Annotated[bool, typer.Option("--json", help="Print a line of JSON for each.")] = False
) -> None:
    """Check a table, and tell when each command is due and how it went the last time."""
    from siteseer.schedule.runner import ScheduleRunner
    from siteseer.schedule.schedule_table import last_runs

    table = _table(file)
    due, runs = ScheduleRunner(table).due(), last_runs(table)
    for entry in table.entries:
        last = runs.get(entry.name)
        told = {
            "name": entry.name,
            "run": list(entry.run),
            "due": due[entry.name].isoformat(timespec="seconds"),
            **({"last": last["began"], "exit": last["exit"]} if last else {}),
        }
        if as_json:
            answer(told)
        else:
            went = f"last {last['began'][:19]}, exit code {last['exit']}" if last else "never run"
            print(f"{entry.name}: {' '.join(entry.run)}; due {told['due']}; {went}")


@schedule_app.command("run")
def run(file: File) -> int:
    """Run the commands of a table when they are due, on this machine, until SIGTERM or Ctrl-C."""
    from siteseer.schedule.runner import ScheduleRunner

    keeper, over = ScheduleRunner(_table(file), print_message), Event()
    for sign in (signal.SIGTERM, signal.SIGINT):
        signal.signal(sign, lambda *_: over.set())
    keeper.start()
    while not over.wait(1.0):
        pass
    keeper.stop()
    return STOPPED


@schedule_app.command("beat")
def beat(file: File, broker: Broker = "") -> None:
    """Send the commands of a table to workers when they are due (Celery beat), until SIGTERM or Ctrl-C."""
    from siteseer.schedule.beat import run_beat

    run_beat(_table(file), _named(broker), print_message)


@schedule_app.command("worker")
def worker(
    folder: Annotated[Path, typer.Option("--in", metavar="DIR", help="Where the collections lie.")] = Path(),
    broker: Broker = "",
    name: Annotated[str, typer.Option(help="What this worker is called.")] = "",
) -> None:
    """Run the commands that `schedule beat` sends, one at a time, until SIGTERM or Ctrl-C."""
    from siteseer.schedule.beat import run_commands

    if not folder.is_dir():
        raise UsageError(f"there is no directory {folder}")
    run_commands(_named(broker), folder, name, print_message)


def _table(file: Path) -> Table:
    """Read a table, and let our own command line look at each command."""
    from siteseer.cli.main import understand
    from siteseer.schedule.schedule_table import load_table

    table = load_table(file)
    for entry in table.entries:
        try:
            understand(entry.run)
        except UsageError as error:
            raise ConfigurationError(f"{file}, [{entry.name}]: {error}") from error
    return table


def _named(broker: str) -> str:
    if not broker:
        raise UsageError(f"name the broker: --broker redis://HOST:6379/0, or {BROKER} in the environment")
    return broker
