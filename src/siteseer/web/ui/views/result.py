"""Shows the result of a collection: figures, crawls, curve, broken links, failed actions, the certificate."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from siteseer.crawler.progress_words import forecast_sentence
from siteseer.measure.certificate.audit import audit
from siteseer.model import JSON
from siteseer.verbs.opened_collection import Collection
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.crawl_list import brought, crawl_list, day
from siteseer.web.ui.curves import curves
from siteseer.web.ui.open_collection import opened
from siteseer.web.ui.page_frame import address, frame, names_of
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import (
    bar,
    errors_shown,
    headline,
    in_thread,
    panel,
    short,
    show_message,
    size,
    table,
    tag,
    tiles,
)

MOST_ROWS = 200
SAMPLE = 100


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/c/{name}/result")
    async def result(name: str) -> None:
        with frame(app_context, "result", await names_of(app_context), name):
            collection = await opened(app_context, name)
            if collection is None:
                return
            found = await in_thread(_everything, collection)
            figures, total = found["figures"], found["figures"]["total"]
            headline(texts.RESULT_TITLE, " ".join(total["seeds"])[:300])
            _problems([*figures["problems"], *total["problems"]])
            _unfinished(app_context, name, figures, found["history"])
            _figures(figures, total, found["history"])
            crawl_list(found["history"])
            with panel(texts.CURVE):
                ui.echart(curves({name: found["curve"]})).classes("chart")
            with ui.element("div").classes("columns"):
                _counts(total)
                _certificate(app_context, collection, found["certificate"])
            _broken(found["broken"])
            _actions(found["adaptations"], app_context.report(name) if found["report"] else "")


def _everything(collection: Collection) -> JSON:
    return {
        "figures": collection.figures(),
        "history": collection.history(),
        "curve": collection.curve(),
        "broken": collection.broken(),
        "adaptations": collection.adaptations(),
        "report": collection.adaptation_report(),
        "certificate": collection.certificate(),
    }


def _problems(problems: list[JSON]) -> None:
    """Say first what is missing, and what to do."""
    for problem in {one["sentence"]: one for one in problems}.values():
        with ui.element("div").classes("note"):
            tag("p", problem["sentence"])
            if problem["next"]:
                tag("p", problem["next"], "soft small")


def _unfinished(app_context: AppContext, name: str, figures: JSON, history: list[JSON]) -> None:
    """Offer to go on where a crawl is not finished, or where the newest failed in part."""
    if figures["total"]["finished"]:
        return
    going_on = figures["total"]["unfinished"]
    crawl = next((one for one in history if one["crawl"] in going_on[-1:]), None)

    async def go_on() -> None:
        more = {"limit": None} if crawl is not None and crawl["stopped_by"] == "limit" else {}
        await in_thread(app_context.crawls.resume, name, **more)
        show_message(texts.WENT_ON)
        ui.navigate.to(address("live"))

    with ui.element("div").classes("note bar apart"):
        tag("span", _unfinished_sentence(figures, crawl), "grow")
        ui.button(texts.GO_ON, icon="play_arrow", on_click=errors_shown(go_on)).props(
            "unelevated dense padding='4px 12px'"
        )


def _unfinished_sentence(figures: JSON, crawl: JSON | None) -> str:
    if crawl is None:
        return texts.NOT_COMPLETE
    reason = crawl["stopped_by"] or texts.RUN_STATES["running"]
    if crawl["crawl"] != figures["crawl"]:
        return texts.OTHER_NOT_FINISHED.format(number=crawl["crawl"], reason=reason)
    return f"{texts.NOT_FINISHED.format(reason=reason)} {forecast_sentence(figures['forecast'])}"


def _figures(figures: JSON, total: JSON, history: list[JSON]) -> None:
    """Put the figures: of all crawls together and, where there were several, of the newest beside them."""
    if total["crawls"] > 1:
        tag("h2", texts.TOTAL_SAID)
        tiles(_shared_figures(total))
        newest = {"number": figures["crawl"], "kind": figures["kind"], "day": day(figures["started"])}
        tag("h2", texts.NEWEST_SAID.format(**newest))
        tag("p", brought(history[-1]))
    tiles([*_shared_figures(figures), *_own_figures(figures)])


def _shared_figures(figures: JSON) -> list[tuple[str, Any]]:
    return [
        (texts.SOFTWARE, " ".join(filter(None, (figures["application"] or texts.UNKNOWN, figures.get("version"))))),
        (texts.FIGURES["requests"], figures["requests"]),
        (texts.FIGURES["pages"], figures["pages"]),
        (texts.FIGURES["objects"], sum(figures["objects"].values())),
        (texts.FIGURES["bytes"], size(figures["bytes"])),
        (texts.FIGURES["skipped"], sum(figures["skipped"].values())),
        (texts.FIGURES["broken"], figures["broken_links"]),
    ]


def _own_figures(figures: JSON) -> list[tuple[str, Any]]:
    return [
        (texts.FIGURES["two_grams"], figures["two_grams"]),
        (texts.FIGURES["gain"], f"{figures['content_per_request']:,.0f}"),
        (texts.FIGURES["duplicates"], figures["duplicates"]),
        (texts.FIGURES["failed_actions"], figures["failed_actions"]),
        (texts.FIGURES["adapted_actions"], figures["adapted_actions"]),
        (texts.FIGURES["seconds"], f"{figures['seconds']:,.0f}"),
    ]


def _counts(figures: JSON) -> None:
    with panel(texts.OBJECTS_KEPT):
        table((texts.KIND, texts.COUNT), figures["objects"].items(), numeric=(1,))
        tag("h2", texts.RESPONSES)
        table((texts.STATUS, texts.COUNT), figures["responses"].items(), numeric=(1,))


def _certificate(app_context: AppContext, collection: Collection, found: JSON | None) -> None:
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
        show_message(texts.CERTIFIED)
        ui.navigate.reload()

    with panel(texts.CERTIFICATE):
        if found is None:
            tag("p", texts.NO_CERTIFICATE, "soft")
        else:
            for sentence in found.get("sentences", ()):
                tag("p", sentence)
            table(texts.CERTIFICATE_COLUMNS, map(_rule, found["rules"]), numeric=(1, 2, 3, 4))
        with bar():
            button = ui.button(texts.CERTIFY, icon="fact_check", on_click=errors_shown(certify)).props("outline")
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
