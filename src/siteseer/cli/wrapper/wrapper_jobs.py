"""`siteseer wrapper submit` and related commands: run wrappers as jobs, now, later, or on a schedule."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.terminal import answer, print_error, print_message
from siteseer.cli.wrapper.wrapper import Source, wrapper_app
from siteseer.settings import JobOptions
from siteseer.wrapper.wrapper_text import wrapper_text

if TYPE_CHECKING:
    from siteseer.schedule.due_times import Schedule
    from siteseer.wrapper.jobs.job_folder import Jobs

In = Annotated[Path, typer.Option("--in", metavar="DIR", help="The folder of the jobs, as for siteseer ui.")]
Every = Annotated[str, typer.Option(metavar="SPAN", help="Run it again and again: 30m, 6h, 1d.")]
At = Annotated[list[str] | None, typer.Option(metavar="HH:MM", help="Run it at this time of the day; repeatable.")]
Days = Annotated[str, typer.Option(metavar="mon,tue...", help="Only on these days of the week.")]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on stdout.")]
STOPPED, UNREACHED, FAILED = 11, 9, 1


def register(app: typer.Typer) -> None:
    """Add nothing more: the commands stand below `wrapper`."""


@wrapper_app.command("submit")
@takes(JobOptions, "wrapper submit")
def submit(
    given: dict[str, Any],
    source: Source,
    name: Annotated[str, typer.Option(help="What the job is called; for a file its name.")] = "",
    start: Annotated[list[str] | None, typer.Option(metavar="URL", help="A page to run it on; repeatable.")] = None,
    starts: Annotated[Path | None, typer.Option(metavar="FILE", help="Pages to run it on, one a line.")] = None,
    var: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="The value of $NAME.")] = None,
    sets: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Sets of variables: CSV with a head, or JSON lines.")
    ] = None,
    every: Every = "",
    at: At = None,
    days: Days = "",
    later: Annotated[bool, typer.Option("--later", help="Leave it to siteseer ui or wrapper run-due.")] = False,
    collection: Annotated[
        str, typer.Option(metavar="NAME", help="Archive the pages and keep the records in this collection.")
    ] = "",
    folder: In = Path(),
    as_json: AsJson = False,
) -> int:
    """Make a job of a wrapper: run it on many pages or sets of values, now, later, or on a schedule."""
    from siteseer.cli.wrapper.wrapper import _values
    from siteseer.wrapper.jobs.job import make_job
    from siteseer.wrapper.jobs.job_folder import Jobs
    from siteseer.wrapper.jobs.task_files import read_sets, read_starts

    common = _values(var or [])
    job = make_job(
        name or _name(source),
        wrapper_text(source),
        [*(start or []), *(read_starts(starts) if starts else [])],
        [{**common, **one} for one in read_sets(sets)] if sets else [common] if common else [],
        schedule=read_when(every, at, days),
        collection=collection,
        **given,
    )
    if job.rules.browser != "never" and not later:
        from siteseer.fetch.browser.lifecycle import WHO
        from siteseer.fetch.browser.playwright_library import require_browser

        require_browser(WHO)
    jobs = Jobs(folder)
    told = jobs.submit(job, start=not later)
    if later:
        print_message(
            f"{job.name} waits for siteseer ui or siteseer wrapper run-due; due: {told['due'] or 'no schedule'}"
        )
        if as_json:
            answer(told)
        return 0
    return _work(jobs, job.name, as_json)


def _name(source: str) -> str:
    from siteseer.errors import UsageError
    from siteseer.wrapper.wrapper_text import is_file

    if not is_file(source):
        raise UsageError("name the job with --name: the wrapper is not in a file")
    return Path(source).stem


def read_when(every: str, at: list[str] | None, days: str) -> Schedule | None:
    """Return the schedule that the options say; None where they say none."""
    from siteseer.schedule.due_times import read

    return read(every, at or (), [one for one in days.split(",") if one.strip()])


def open_jobs(folder: Path) -> Jobs:
    """Open the jobs of a folder."""
    from siteseer.errors import NotFoundError
    from siteseer.wrapper.jobs.job_folder import FOLDER, Jobs

    if not (folder / FOLDER).is_dir():
        raise NotFoundError(f"there are no jobs in {folder}; name their folder with --in DIR")
    return Jobs(folder)


def _work(jobs: Jobs, name: str, as_json: bool) -> int:
    """Run what waits, as long as this job's run is not over; or watch the process that does."""
    from siteseer.wrapper.jobs.job_executor import Executor
    from siteseer.wrapper.jobs.job_folder import OVER

    executor, seen = Executor(jobs), Progress(jobs, name)
    try:
        if not executor.take():
            print_message("another process runs the jobs of this folder: it has been handed over, and is watched here")
        while jobs.get_run(name)["phase"] not in OVER:
            if executor.take():
                executor.step()
            seen.tell()
            time.sleep(0.2)
    except KeyboardInterrupt:
        print_message("Interrupted: what was done is saved, and siteseer ui or wrapper run-due goes on with the rest.")
        return STOPPED
    finally:
        executor.close()
    return report_outcome(jobs, name, as_json)


def report_outcome(jobs: Jobs, name: str, as_json: bool) -> int:
    """Say how the newest run of a job ended; return the exit code for it."""
    told = jobs.get(name)
    run = told["run"]
    if as_json:
        answer(told)
    _complain_of(jobs, name)
    print_message(f"{name}: run {run['number']} {run['phase']}, {run['records']} records from {run['pages']} pages")
    if run["phase"] == "finished":
        return 0
    return STOPPED if run["phase"] == "stopped" else FAILED if run["pages"] else UNREACHED


def _complain_of(jobs: Jobs, name: str) -> None:
    from siteseer.wrapper.jobs.alerts import Alerts

    for task in [one for one in jobs.tasks(name) if one["phase"] == "failed"][:10]:
        where = task["start"] or " ".join(f"{key}={value}" for key, value in task["variables"].items())
        step = f" at {task['step']}" if task.get("step") else ""
        named = f" ({where[:200]})" if where else ""
        print_error(f"task {task['number']}{named} failed{step}: {task['error']}")
    for alert in [one for one in Alerts(jobs).of(name) if one["state"] == "open"][:1]:
        for text in alert["sentences"]:
            print_error(f"run {alert['run']} is unlike those before it: {text}")
        if "repair" in alert:
            print_message(f"a repaired wrapper was found; see it with: siteseer wrapper alerts {name}")


class Progress:
    """Says how far a run is, when something changed."""

    def __init__(self, jobs: Jobs, name: str) -> None:
        self.jobs, self.name, self.last = jobs, name, ""

    def tell(self) -> None:
        """Say it."""
        run = self.jobs.get_run(self.name)
        done = f"{run['done']} of {run['tasks']} tasks done, {run['failed']} failed"
        now = f"{self.name}: {done}, {run['pages']} pages, {run['records']} records"
        if now != self.last:
            self.last = now
            print_message(now)
