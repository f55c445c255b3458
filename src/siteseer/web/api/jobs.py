"""`/api/jobs`: submit wrappers as jobs, watch, stop, schedule and delete them, read their records and alerts."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Iterator
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Path, Query
from fastapi.responses import Response, StreamingResponse
from pydantic import BaseModel, ConfigDict, Field

from siteseer.errors import UsageError
from siteseer.schedule.due_times import Schedule, read
from siteseer.settings import JobOptions
from siteseer.web.api.auth import needs_token
from siteseer.web.api.dependencies import Answer, OnShelf
from siteseer.web.api.option_models import option_model
from siteseer.wrapper.jobs.job import make_job
from siteseer.wrapper.jobs.job_folder import OVER
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.language.result_schema import result_schema
from siteseer.wrapper.oxpath.language.syntax_error import MAX_LENGTH
from siteseer.wrapper.oxpath.output.record_formats import output

router = APIRouter(prefix="/jobs", tags=["jobs"])
Token = Depends(needs_token)
JobName = Annotated[str, Path(max_length=100, description="The name of a job.")]
Number = Annotated[int, Path(ge=1, le=10**9, description="The number of a run.")]
Short = Annotated[str, Field(max_length=8_000)]
Text = Annotated[str, Field(min_length=1, max_length=MAX_LENGTH + 1)]
TYPES = {"json": "application/json", "jsonl": "application/x-ndjson", "xml": "application/xml", "csv": "text/csv",
         "ttl": "text/turtle"}  # fmt: skip
EVENT_SECONDS = 0.5


class When(BaseModel):
    """A schedule: an interval (`30m`, `6h`, `1d`) or times of the day on days of the week; nothing takes it away."""

    model_config = ConfigDict(extra="forbid")
    every: Annotated[str, Field(max_length=20)] = ""
    at: Annotated[list[Annotated[str, Field(max_length=10)]], Field(max_length=100)] = []
    days: Annotated[list[Annotated[str, Field(max_length=10)]], Field(max_length=7)] = []

    def schedule(self) -> Schedule | None:
        """Return it, checked."""
        return read(self.every, self.at, self.days)


class Wrapper(BaseModel):
    """The text of a wrapper."""

    wrapper: Text


class NewJob(option_model("JobRequest", JobOptions, "wrapper submit")):  # type: ignore[misc]
    """A wrapper, what it is run on, by which rules and when."""

    wrapper: Text
    name: Annotated[str, Field(max_length=100)]
    starts: Annotated[list[Short], Field(max_length=10_000, default=[])]
    sets: Annotated[
        list[Annotated[dict[Annotated[str, Field(max_length=100)], Short], Field(max_length=100)]],
        Field(max_length=10_000, default=[], description="Values of the wrapper's variables; each set is a task."),
    ]
    schedule: When | None = None
    run: Annotated[bool, Field(description="Whether it is run now, besides its schedule.")] = True
    collection: Annotated[str, Field(max_length=100)] = ""


NOT_RULES = {"name", "wrapper", "starts", "sets", "schedule", "run", "collection"}


@router.get("")
def jobs(on: OnShelf) -> Any:
    """List the jobs, the newest first, each with its newest run."""
    return Answer(on.jobs.jobs.all() if on.jobs.exists() else [])


@router.post("", status_code=201, dependencies=[Token])
def submit(wanted: NewJob, on: OnShelf) -> Any:
    """Add a job; it is run now, on its schedule, or both."""
    if wanted.allow_private and not on.allow_private:
        raise UsageError("this service was not started with leave to reach private networks")
    if wanted.collection:
        on.library.place(wanted.collection)
    rules = wanted.model_dump(exclude=NOT_RULES, exclude_unset=True)
    schedule = wanted.schedule.schedule() if wanted.schedule else None
    more = {**rules, "schedule": schedule, "collection": wanted.collection}
    made = on.jobs.jobs.submit(make_job(wanted.name, wanted.wrapper, wanted.starts, wanted.sets, **more), wanted.run)
    on.jobs.start()
    return Answer(made, 201)


@router.get("/{job}")
def job(job: JobName, on: OnShelf) -> Any:
    """Tell of one job and its newest run."""
    return Answer(on.jobs.jobs.get(job))


@router.delete("/{job}", dependencies=[Token])
def delete(job: JobName, on: OnShelf) -> Any:
    """Forget a job with its runs and records; one that is being run has to be stopped first."""
    on.jobs.jobs.delete(job)
    return Answer({"deleted": job})


@router.post("/{job}/run", status_code=202, dependencies=[Token])
def run(job: JobName, on: OnShelf) -> Any:
    """Run a job now."""
    made = on.jobs.jobs.run(job)
    on.jobs.start()
    return Answer(made, 202)


@router.post("/{job}/stop", dependencies=[Token])
def stop(job: JobName, on: OnShelf) -> Any:
    """End the run that waits or goes on; its records so far are kept."""
    return Answer(on.jobs.jobs.stop(job))


@router.put("/{job}/schedule", dependencies=[Token])
def schedule(job: JobName, wanted: When, on: OnShelf) -> Any:
    """Give a job another schedule, or none."""
    made = on.jobs.jobs.reschedule(job, wanted.schedule())
    on.jobs.start()
    return Answer(made)


@router.put("/{job}/wrapper", dependencies=[Token])
def rewrite(job: JobName, wanted: Wrapper, on: OnShelf) -> Any:
    """Give a job another wrapper, from its next run on."""
    return Answer(on.jobs.jobs.rewrite(job, wanted.wrapper))


@router.get("/{job}/runs")
def runs(job: JobName, on: OnShelf, limit: Annotated[int, Query(ge=1, le=100)] = 20) -> Any:
    """List the runs of a job, the newest first: pages, records, attributes, time, memory, errors."""
    return Answer(on.jobs.jobs.runs(job, limit))


@router.get("/{job}/runs/{number}")
def one_run(job: JobName, number: Number, on: OnShelf) -> Any:
    """Tell of one run."""
    return Answer(on.jobs.jobs.get_run(job, number))


@router.get("/{job}/runs/{number}/tasks", dependencies=[Token])
def tasks(
    job: JobName,
    number: Number,
    on: OnShelf,
    limit: Annotated[int, Query(ge=1, le=1_000)] = 100,
    offset: Annotated[int, Query(ge=0, le=10**6)] = 0,
) -> Any:
    """Tell what became of each task: figures, error, failing step, and its variables, which may be secrets."""
    return Answer(on.jobs.jobs.tasks(job, number, limit, offset))


@router.get("/{job}/runs/{number}/records", response_class=StreamingResponse)
def records(
    job: JobName,
    number: Number,
    on: OnShelf,
    format: Annotated[Literal["json", "jsonl", "xml", "csv", "ttl"], Query()] = "jsonl",
) -> StreamingResponse:
    """Return the records of a run."""
    found = on.jobs.jobs
    out = output(format, result_schema(parse(found.get_run(job, number)["wrapper"])))

    def pieces() -> Iterator[bytes]:
        yield out.begin().encode("utf-8", "replace")
        for one in found.records(job, number):
            yield out.record(one).encode("utf-8", "replace")
        yield out.end().encode("utf-8", "replace")

    headers = {"content-disposition": f'attachment; filename="records-{number}.{format}"'}
    return StreamingResponse(pieces(), media_type=f"{TYPES[format]}; charset=utf-8", headers=headers)


@router.get("/{job}/runs/{number}/screenshots/{task}", response_class=Response)
def screenshot(job: JobName, number: Number, task: Annotated[int, Path(ge=1, le=10**6)], on: OnShelf) -> Response:
    """Return the picture of the page on which a task failed."""
    return Response(on.jobs.jobs.screenshot(job, number, task), media_type="image/png")


@router.get("/{job}/alerts")
def alerts(job: JobName, on: OnShelf) -> Any:
    """List where runs were unlike those before them, each with a proposed repair where one was found."""
    return Answer(on.jobs.alerts.of(job))


@router.post("/{job}/alerts/accept", dependencies=[Token])
def accept(job: JobName, on: OnShelf) -> Any:
    """Take the repaired wrapper of the newest open alert."""
    return Answer(on.jobs.alerts.accept(job))


@router.post("/{job}/alerts/dismiss", dependencies=[Token])
def dismiss(job: JobName, on: OnShelf) -> Any:
    """Say that what the newest open alert tells of is right: history begins with its run."""
    return Answer(on.jobs.alerts.dismiss(job))


@router.get("/{job}/events", response_class=StreamingResponse)
def events(job: JobName, on: OnShelf) -> StreamingResponse:
    """Tell of a job as server-sent events, until its run is over."""
    found = on.jobs.jobs
    found.get_run(job)

    async def told() -> AsyncIterator[bytes]:
        last = None
        while True:
            now = found.get_run(job)
            if now != last:
                last = now
                yield f"event: {now['phase']}\ndata: {json.dumps(now)}\n\n".encode()
            if now["phase"] in OVER:
                return
            await asyncio.sleep(EVENT_SECONDS)

    return StreamingResponse(told(), media_type="text/event-stream", headers={"cache-control": "no-store"})
