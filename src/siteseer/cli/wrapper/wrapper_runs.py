"""`siteseer wrapper list` and related commands: show the runs of jobs; stop, schedule and run jobs."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.output.plain_table import print_table
from siteseer.cli.terminal import answer, plain, print_message
from siteseer.cli.wrapper.wrapper import wrapper_app
from siteseer.cli.wrapper.wrapper_jobs import (
    STOPPED,
    AsJson,
    At,
    Days,
    Every,
    In,
    Progress,
    open_jobs,
    read_when,
    report_outcome,
)

Name = Annotated[str, typer.Argument(metavar="NAME", help="The name of the job.")]
RunNumber = Annotated[int | None, typer.Option("--run", min=1, help="The number of the run; else the newest.")]


def register(app: typer.Typer) -> None:
    """Add nothing more: the commands stand below `wrapper`."""


@wrapper_app.command("list")
def list_jobs(
    name: Annotated[str, typer.Argument(metavar="[NAME]", help="List the runs of this job.")] = "",
    folder: In = Path(),
    as_json: AsJson = False,
) -> None:
    """List the jobs of a folder, or the runs of one of them."""
    jobs = open_jobs(folder)
    found = list(jobs.runs(name) if name else jobs.all())
    if as_json:
        for one in found:
            answer(one)
    elif name:
        heads = ("run", "phase", "began", "pages", "records", "seconds", "memory", "error")
        print_table(heads, [_run_row(one) for one in found])
    else:
        print_table(("job", "phase", "records", "tasks", "next run", "alert"), [_job_row(one) for one in found], 0)


def _job_row(one: dict[str, Any]) -> tuple[Any, ...]:
    records = one.get("run", {}).get("records", 0)
    return one["name"], one["phase"], records, one["tasks"], one["due"] or "", "ALERT" if one["alerts"] else ""


def _run_row(one: dict[str, Any]) -> tuple[Any, ...]:
    cost = (one["pages"], one["records"], float(one.get("seconds") or 0), f"{one['memory'] / 2**20:.0f} MB")
    return one["number"], one["phase"], str(one.get("began", ""))[:16].replace("T", " "), *cost, one.get("error", "")


@wrapper_app.command("watch")
def watch(name: Name, folder: In = Path(), as_json: AsJson = False) -> int:
    """Follow the run of a job until it is over."""
    from siteseer.wrapper.jobs.job_folder import OVER

    jobs = open_jobs(folder)
    seen = Progress(jobs, name)
    while jobs.get_run(name)["phase"] not in OVER:
        seen.tell()
        time.sleep(0.5)
    return report_outcome(jobs, name, as_json)


@wrapper_app.command("stop")
def stop(name: Name, folder: In = Path()) -> None:
    """End the run of a job; its records so far are kept."""
    open_jobs(folder).stop(name)
    print_message(f"{name} is being stopped")


@wrapper_app.command("delete")
def delete(name: Name, folder: In = Path()) -> None:
    """Forget a job with its runs and records."""
    open_jobs(folder).delete(name)
    print_message(f"{name} is deleted")


@wrapper_app.command("schedule")
def schedule(
    name: Name,
    every: Every = "",
    at: At = None,
    days: Days = "",
    never: Annotated[bool, typer.Option("--never", help="Take the schedule away.")] = False,
    folder: In = Path(),
) -> None:
    """Run a job every so often, or at times of the day: while siteseer ui runs, or by wrapper run-due."""
    from siteseer.errors import UsageError

    made = read_when(every, at, days)
    if (made is None) != never:
        raise UsageError("say when: --every 6h, or --at 06:00, or --never")
    told = open_jobs(folder).reschedule(name, made)
    print_message(f"{name} is due {told['due']}" if told["due"] else f"{name} has no schedule")


@wrapper_app.command("run-due")
def run_due(
    names: Annotated[list[str] | None, typer.Argument(metavar="[NAME...]", help="Run these now, due or not.")] = None,
    stay: Annotated[bool, typer.Option("--stay", help="Go on, and run what becomes due, until Ctrl-C.")] = False,
    folder: In = Path(),
    as_json: AsJson = False,
) -> int:
    """Run the jobs that wait or are due, then end; what was interrupted is gone on with."""
    from siteseer.errors import UsageError
    from siteseer.wrapper.jobs.job_executor import Executor
    from siteseer.wrapper.jobs.job_folder import OVER

    jobs = open_jobs(folder)
    executor = Executor(jobs)
    if not executor.take():
        raise UsageError(f"another process runs the jobs of {folder}: leave it to that one, or end it first")
    before = {one["name"]: one["run"]["number"] for one in jobs.all() if one["phase"] in OVER}
    try:
        for name in names or []:
            jobs.run(name)
        executor.until_idle()
        while stay:
            executor.step()
            time.sleep(0.5)
    except KeyboardInterrupt:
        print_message("Interrupted: what was done is saved; the same command goes on with the rest.")
        return STOPPED
    finally:
        executor.close()
    ran = [one["name"] for one in jobs.all() if "run" in one and one["run"]["number"] != before.get(one["name"])]
    return max((report_outcome(jobs, name, as_json) for name in ran), default=0)


@wrapper_app.command("records")
def records(
    name: Name,
    number: RunNumber = None,
    form: Annotated[str, typer.Option("--format", help="json, jsonl, xml, csv or ttl.")] = "jsonl",
    folder: In = Path(),
) -> None:
    """Print the records of a run."""
    from siteseer.wrapper.oxpath.language.parser import parse
    from siteseer.wrapper.oxpath.language.result_schema import result_schema
    from siteseer.wrapper.oxpath.output.record_formats import output

    jobs = open_jobs(folder)
    out = output(form, result_schema(parse(jobs.get_run(name, number)["wrapper"])))
    sys.stdout.write(out.begin())
    for one in jobs.records(name, number):
        sys.stdout.write(out.record(one))
    sys.stdout.write(out.end())


@wrapper_app.command("alerts")
def alerts(
    name: Name,
    accept: Annotated[bool, typer.Option("--accept", help="Take the repaired wrapper of the newest alert.")] = False,
    dismiss: Annotated[bool, typer.Option("--dismiss", help="The newest alert is no fault: expect this now.")] = False,
    folder: In = Path(),
    as_json: AsJson = False,
) -> None:
    """Tell where runs were unlike those before them, and what would repair the wrapper."""
    from siteseer.wrapper.jobs.alerts import Alerts

    found = Alerts(open_jobs(folder))
    if accept:
        print_message(f"{name} has the wrapper {found.accept(name)['wrapper']}")
    if dismiss:
        found.dismiss(name)
    for one in found.of(name):
        if as_json:
            answer(one)
            continue
        print(plain(f"run {one['run']} ({one['state']}): {'; '.join(one['sentences'])}"))
        print(plain(f"    {one.get('why', '')}\n    {one.get('repair', '')}".rstrip()))
