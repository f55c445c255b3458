"""Shows the runs of jobs: their figures, failures with a screenshot, alerts with the proposed repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from urllib.parse import quote

from nicegui import ui

from siteseer.model import JSON
from siteseer.web.ui.texts import texts_designer as texts
from siteseer.web.ui.widgets import Handler, bar, errors_shown, out_link, panel, short, size, tag

MOST_ERRORS = 10


def run_rows(runs: Sequence[JSON]) -> Iterator[list[object]]:
    """Yield a row for each run."""
    for one in runs:
        filled = ", ".join(f"{name.rpartition('/')[2]} {count:,}" for name, count in one["attributes"].items())
        yield [
            one["number"], texts.PHASES.get(one["phase"], one["phase"]), one["pages"], one["records"], filled,
            texts.SECONDS.format(one.get("seconds") or 0), size(one["memory"] or 0), one["failed"],
            str(one.get("began") or "").replace("T", " ")[:16],
        ]  # fmt: skip


def failure_card(name: str, runs: Sequence[JSON], tasks: Sequence[JSON]) -> None:
    """Put what went wrong in the newest run: the address, the step, the reason, the page as it looked."""
    if not runs or not (tasks or runs[0].get("error")):
        return
    with panel(texts.ERRORS):
        if runs[0].get("error") and all(runs[0]["error"] != one["error"] for one in tasks):
            tag("p", runs[0]["error"], "bad wrap")
        for one in tasks[:MOST_ERRORS]:
            with ui.element("div").classes("part"):
                out_link(one.get("url") or one.get("start") or "", one.get("url") or one.get("start"), "wrap small")
                tag("p", one["error"], "bad wrap")
                if one.get("step"):
                    tag("p", texts.STEP_FAILED, "soft small")
                    tag("code", short(one["step"], 400), "mono wrap")
                if one.get("screenshot"):
                    where = f"/api/jobs/{quote(name, safe='')}/runs/{runs[0]['number']}/screenshots/{one['number']}"
                    tag("img", "", "screenshot", src=where, alt=texts.SCREENSHOT, loading="lazy")


def alerts_panel(alerts: Sequence[JSON], accept: Handler, dismiss: Handler) -> None:
    """Put the newest open alert: what differs, and the wrapper that would repair it."""
    found = next((one for one in alerts if one["state"] == "open"), None)
    if found is None:
        return
    with panel(texts.ALERT, "alert"):
        for sentence in found["sentences"]:
            tag("p", sentence, "wrap")
        if found.get("repair"):
            tag("h3", texts.REPAIR)
            tag("pre", found["repair"], "mono wrap")
        else:
            tag("p", texts.NO_REPAIR.format(why=found.get("why") or "–"), "soft")
        with bar("tight"):
            if found.get("repair"):
                ui.button(texts.ACCEPT, icon="build", on_click=errors_shown(accept)).props("unelevated")
            ui.button(texts.DISMISS, on_click=errors_shown(dismiss)).props("outline")


def scheduled(job: JSON) -> str:
    """Return when a job is run, in one sentence.

    >>> scheduled({"schedule": {"every": 7200.0}, "due": "2024-05-06T06:00:00+00:00"})
    'Every 2 hours; next 2024-05-06 06:00.'
    """
    schedule, due = job["schedule"], str(job["due"] or "").replace("T", " ")[:16]
    if not schedule:
        return texts.SCHEDULE_SAID[None]
    if schedule.get("every"):
        return texts.SCHEDULE_EVERY.format(hours=schedule["every"] / 3600, due=due)
    days = ", ".join(texts.DAYS[day] for day in schedule.get("days") or ()) or texts.EVERY_DAY
    return texts.SCHEDULE_AT.format(times=", ".join(schedule["at"]), days=days, due=due)
