"""The view Jobs: scheduled wrappers, each run with its figures and failures, alerts and their repairs."""

from __future__ import annotations

from itertools import islice
from urllib.parse import quote

from nicegui import ui

from siteseer.errors import SiteseerError
from siteseer.model import JSON
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.designer.replay_wrapper import records_table
from siteseer.web.ui.designer.save_wrapper import Timing
from siteseer.web.ui.page_frame import frame, names_of
from siteseer.web.ui.run_cards import alerts_panel, failure_card, run_rows, scheduled
from siteseer.web.ui.texts import texts_designer as texts
from siteseer.web.ui.widgets import (
    bar,
    empty,
    errors_shown,
    headline,
    in_thread,
    own_link,
    panel,
    show_message,
    table,
    tag,
)
from siteseer.wrapper.jobs.job_folder import OVER

LOOK_SECONDS = 1.0
SHOWN_RECORDS = 50
SHOWN_RUNS = 20
PILLS = {"finished": "strong", "failed": "bad", "running": "second"}


def register(app_context: AppContext) -> None:
    """Add the views."""

    @ui.page("/jobs")
    async def jobs() -> None:
        names = await names_of(app_context)
        with frame(app_context, "jobs", names):
            headline(texts.JOBS_TITLE, texts.JOBS_SAID)
            _Jobs(app_context)

    @ui.page("/jobs/{name}")
    async def job(name: str) -> None:
        names = await names_of(app_context)
        with frame(app_context, "jobs", names):
            await in_thread(app_context.jobs.jobs.get, name)
            headline(name)
            _Job(app_context, name)


class _Jobs:
    """The list; it follows what happens."""

    def __init__(self, app_context: AppContext) -> None:
        self.app_context = app_context
        self.last: object = None
        with bar():
            own_link(texts.NEW_JOB, "/designer")
        self.box = ui.element("div").classes("list")
        ui.timer(LOOK_SECONDS, errors_shown(self.look))

    async def look(self) -> None:
        """Show what changed."""
        found = await in_thread(lambda: self.app_context.jobs.jobs.all() if self.app_context.jobs.exists() else [])
        if found == self.last:
            return
        self.last = found
        self.box.clear()
        with self.box:
            if not found:
                empty(texts.NO_JOBS)
                return
            with panel(), ui.element("div").classes("scroll"), ui.element("table").classes("plain"):
                with ui.element("thead"), ui.element("tr"):
                    for name in texts.JOB_COLUMNS:
                        tag("th", name)
                with ui.element("tbody"):
                    for one in found:
                        _line(one)


def _line(one: JSON) -> None:
    run = one.get("run") or {}
    with ui.element("tr"):
        with ui.element("td"):
            own_link(one["name"], f"/jobs/{quote(one['name'], safe='')}")
        with ui.element("td"):
            _pill(one["phase"])
        tag("td", run.get("records", "–"))
        tag("td", run.get("pages", "–"))
        tag("td", _when(run.get("began")))
        tag("td", _when(one["due"]) if one["due"] else texts.NEVER)
        alerts = texts.ALERTS.get(one["alerts"], texts.ALERTS_MANY.format(count=one["alerts"]))
        tag("td", alerts, "bad")


def _pill(phase: str) -> None:
    tag("span", texts.PHASES.get(phase, phase), f"pill {PILLS.get(phase, '')}", role="status")


def _when(moment: object) -> str:
    return str(moment or "–").replace("T", " ")[:16]


class _Job:
    """One job: run, stop, schedule, delete; its runs, records, errors and alerts."""

    def __init__(self, app_context: AppContext, name: str) -> None:
        self.app_context, self.name = app_context, name
        self.last: object = None
        with bar():
            self.state = ui.element("span")
            self.run = ui.button(texts.RUN_AGAIN, icon="play_arrow", on_click=errors_shown(self._run)).props(
                "unelevated dense"
            )
            self.stop = ui.button(texts.STOP, icon="stop", on_click=errors_shown(self._stop)).props("outline dense")
            ui.button(texts.DELETE, icon="delete", on_click=errors_shown(self._delete)).props("flat dense")
            ui.space()
            own_link(texts.ALL_JOBS, "/jobs")
        self.box = ui.element("div").classes("list")
        with panel(texts.SCHEDULE):
            self.due = tag("p", "", "soft")
            self.timing = Timing()
            ui.button(texts.CHANGE_SCHEDULE, on_click=errors_shown(self._schedule)).props("outline dense")
        ui.timer(LOOK_SECONDS, errors_shown(self.look))

    async def look(self) -> None:
        """Show what changed."""
        try:
            found = await in_thread(self._look)
        except SiteseerError:
            return  # it was deleted
        if found == self.last:
            return
        self.last = found
        job, runs, alerts, tasks = found
        self.state.clear()
        with self.state:
            _pill(job["phase"])
        is_over = not runs or runs[0]["phase"] in OVER
        self.run.set_enabled(is_over)
        self.stop.set_enabled(not is_over)
        self.due.text = scheduled(job)
        rows = await in_thread(
            lambda: list(islice(self.app_context.jobs.jobs.records(self.name), SHOWN_RECORDS)) if runs else []
        )
        self.box.clear()
        with self.box:
            alerts_panel(alerts, self._accept, self._dismiss)
            with panel(texts.RUNS):
                if runs:
                    table(texts.RUN_COLUMNS, run_rows(runs), numeric=(0, 2, 3, 5, 6, 7))
                else:
                    empty(texts.NO_RUNS)
            failure_card(self.name, runs, tasks)
            with panel(texts.RECORDS):
                records_table(rows) if rows else empty(texts.NO_RECORDS)
                if rows:
                    self._downloads(runs[0]["number"])
            with panel(texts.WRAPPER_NOW):
                tag("pre", job["wrapper"], "mono wrap")

    def _look(self) -> tuple[JSON, list[JSON], list[JSON], list[JSON]]:
        jobs = self.app_context.jobs.jobs
        runs = jobs.runs(self.name, SHOWN_RUNS)
        tasks = [one for one in jobs.tasks(self.name, None, 200) if one.get("error")] if runs else []
        return jobs.get(self.name), runs, self.app_context.jobs.alerts.of(self.name), tasks

    def _downloads(self, number: int) -> None:
        with bar("tight"):
            for form in ("csv", "json", "ttl"):
                where = f"/api/jobs/{quote(self.name, safe='')}/runs/{number}/records?format={form}"
                own_link(form.upper(), where)

    async def _run(self) -> None:
        await in_thread(self.app_context.jobs.jobs.run, self.name)
        self.app_context.jobs.start()
        show_message(texts.RUN_STARTED)
        await self.look()

    async def _stop(self) -> None:
        await in_thread(self.app_context.jobs.jobs.stop, self.name)
        show_message(texts.STOPPING)
        await self.look()

    async def _delete(self) -> None:
        with ui.dialog() as dialog, ui.card().classes("asked"):
            tag("p", texts.DELETE_ASKED.format(name=self.name))
            with bar():
                ui.button(texts.DELETE, on_click=lambda: dialog.submit(True)).props("unelevated color=negative")
                ui.button(texts.CANCEL, on_click=lambda: dialog.submit(False)).props("flat")
        if await dialog:
            await in_thread(self.app_context.jobs.jobs.delete, self.name)
            show_message(texts.DELETED.format(name=self.name))
            ui.navigate.to("/jobs")

    async def _schedule(self) -> None:
        await in_thread(self.app_context.jobs.jobs.reschedule, self.name, self.timing.schedule())
        self.app_context.jobs.start()
        show_message(texts.SCHEDULE_CHANGED)
        await self.look()

    async def _accept(self) -> None:
        await in_thread(self.app_context.jobs.alerts.accept, self.name)
        show_message(texts.ACCEPTED)
        await self.look()

    async def _dismiss(self) -> None:
        await in_thread(self.app_context.jobs.alerts.dismiss, self.name)
        show_message(texts.DISMISSED)
        await self.look()
