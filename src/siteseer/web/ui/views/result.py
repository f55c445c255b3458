"""Result: the figures of a crawl, its curve, broken links, failed and adapted actions, the coverage certificate."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from siteseer.measure.audit import audit
from siteseer.model import JSON
from siteseer.present.progress_words import forecast_sentence
from siteseer.present.service.collection import Collection
from siteseer.present.ui import texts
from siteseer.present.ui.curves import curves
from siteseer.present.ui.desk import Desk
from siteseer.present.ui.frame import address, frame, names_of
from siteseer.present.ui.opened import opened
from siteseer.present.ui.pieces import (
    bar,
    headline,
    in_thread,
    panel,
    say,
    short,
    size,
    table,
    tag,
    tiles,
    told,
)

MOST_ROWS = 200
SAMPLE = 100


def register(desk: Desk) -> None:
    """Add the view."""

    @ui.page("/c/{name}/result")
    async def result(name: str) -> None:
        with frame(desk, "result", await names_of(desk), name):
            collection = await opened(desk, name)
            if collection is None:
                return
            found = await in_thread(_everything, collection)
            headline(texts.RESULT_TITLE, " ".join(found["figures"].get("seeds") or [])[:300])
            _problems(found["figures"]["problems"])
            _unfinished(desk, name, found["figures"])
            _figures(found["figures"])
            with panel(texts.CURVE):
                ui.echart(curves({name: found["curve"]})).classes("chart")
            with ui.element("div").classes("columns"):
                _counts(found["figures"])
                _certificate(desk, collection, found["certificate"])
            _broken(found["broken"])
            _actions(found["adaptations"], desk.report(name) if found["report"] else "")


def _everything(collection: Collection) -> JSON:
    return {
        "figures": collection.figures(),
        "curve": collection.curve(),
        "broken": collection.broken(),
        "adaptations": collection.adaptations(),
        "report": collection.adaptation_report(),
        "certificate": collection.certificate(),
    }


def _problems(problems: list[JSON]) -> None:
    """Say first what is missing, and what to do."""
    for problem in problems:
        with ui.element("div").classes("note"):
            tag("p", problem["sentence"])
            if problem["next"]:
                tag("p", problem["next"], "soft small")


def _unfinished(desk: Desk, name: str, figures: JSON) -> None:
    if figures["finished"]:
        return

    async def go_on() -> None:
        await in_thread(desk.crawls.resume, name, **({"limit": None} if figures["stopped_by"] == "limit" else {}))
        say(texts.WENT_ON)
        ui.navigate.to(address("live"))

    with ui.element("div").classes("note bar apart"):
        if figures["stopped_by"] is None and figures["problems"]:
            said = texts.NOT_COMPLETE
        else:
            reason = figures["stopped_by"] or texts.RUN_STATES["running"]
            said = f"{texts.NOT_FINISHED.format(reason=reason)} {forecast_sentence(figures['forecast'])}"
        tag("span", said, "grow")
        ui.button(texts.GO_ON, icon="play_arrow", on_click=told(go_on)).props("unelevated dense padding='4px 12px'")


def _figures(figures: JSON) -> None:
    shown: list[tuple[str, Any]] = [
        (texts.SOFTWARE, " ".join(filter(None, (figures["application"] or texts.UNKNOWN, figures.get("version"))))),
        (texts.FIGURES["requests"], figures["requests"]),
        (texts.FIGURES["pages"], figures["pages"]),
        (texts.FIGURES["objects"], sum(figures["objects"].values())),
        (texts.FIGURES["two_grams"], figures["two_grams"]),
        (texts.FIGURES["gain"], f"{figures['content_per_request']:,.0f}"),
        (texts.FIGURES["bytes"], size(figures["bytes"])),
        (texts.FIGURES["skipped"], sum(figures["skipped"].values())),
        (texts.FIGURES["duplicates"], figures["duplicates"]),
        (texts.FIGURES["broken"], figures["broken_links"]),
        (texts.FIGURES["failed_actions"], figures["failed_actions"]),
        (texts.FIGURES["adapted_actions"], figures["adapted_actions"]),
        (texts.FIGURES["seconds"], f"{figures['seconds']:,.0f}"),
    ]
    tiles(shown)


def _counts(figures: JSON) -> None:
    with panel(texts.OBJECTS_KEPT):
        table((texts.KIND, texts.COUNT), figures["objects"].items(), numeric=(1,))
        tag("h2", texts.RESPONSES)
        table((texts.STATUS, texts.COUNT), figures["responses"].items(), numeric=(1,))


def _certificate(desk: Desk, collection: Collection, found: JSON | None) -> None:
    async def certify() -> None:
        button.disable()
        with box:
            ui.spinner(size="lg")
            tag("p", texts.CERTIFYING, role="status")
        try:
            await in_thread(audit, collection.path, SAMPLE)
        finally:
            box.clear()
            button.enable()
        say(texts.CERTIFIED)
        ui.navigate.reload()

    with panel(texts.CERTIFICATE):
        if found is None:
            tag("p", texts.NO_CERTIFICATE, "soft")
        else:
            for sentence in found.get("sentences", ()):
                tag("p", sentence)
            table(texts.CERTIFICATE_COLUMNS, map(_rule, found["rules"]), numeric=(1, 2, 3, 4))
        with bar():
            button = ui.button(texts.CERTIFY, icon="fact_check", on_click=told(certify)).props("outline")
            box = bar().style("width:auto")


def _rule(rule: JSON) -> tuple[Any, ...]:
    """Return the row of a rule; certificates of earlier versions count other things and are made again."""
    share = rule["missed_share"]
    missing = texts.NOT_LOOKED_AT if share is None else f"{share:.1%}"
    return short(rule["rule"], 80), rule["skipped_urls"], rule["sampled"], rule.get("with_content", 0), missing


def _broken(found: list[JSON]) -> None:
    with panel(texts.BROKEN_LINKS):
        if not found:
            tag("p", texts.NO_BROKEN, "soft")
            return
        table(texts.BROKEN_COLUMNS, [(one["url"], one["because"], one["from"]) for one in found[:MOST_ROWS]])


def _actions(found: list[JSON], report: str) -> None:
    with panel(texts.ACTIONS):
        if not found:
            tag("p", texts.NO_ACTIONS, "soft")
            return
        if report:
            tag("a", texts.REPORT, href=report, target="_blank", rel="noopener noreferrer")
        rows = [(texts.EVENTS.get(one["event"], one["event"]), _page_of(one), one["because"]) for one in found]
        table(texts.ACTION_COLUMNS, list(dict.fromkeys(rows))[:MOST_ROWS])


def _page_of(one: JSON) -> str:
    """Return the page on which something happened, or an example of such pages."""
    return str(one["url"] or (one["details"] or {}).get("example", ""))
