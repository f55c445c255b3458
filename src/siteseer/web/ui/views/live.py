"""The view Live: growing curves, what is fetched, what is skipped and why; pause, stop, limits and exclusions."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from siteseer.crawler.progress_words import forecast_sentence, left_words, objects_words
from siteseer.model import JSON
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.campaign.confirm import ask_confirmation
from siteseer.web.ui.curves import curves
from siteseer.web.ui.page_frame import address, frame, names_of
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import (
    bar,
    empty,
    errors_shown,
    headline,
    in_thread,
    number,
    own_link,
    panel,
    short,
    show_message,
    tag,
)

EVERY_SECONDS = 0.7
SHOWN = ("requests", "pages", "objects", "two_grams", "skipped", "left")
OVER = ("stopped", "finished", "failed")


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/live")
    async def live() -> None:
        with frame(app_context, "live", await names_of(app_context)):
            headline(texts.LIVE_TITLE, texts.LIVE_SAID)
            crawls = [running.as_json() for running in app_context.crawls.all()]
            if not crawls:
                empty(texts.NO_CRAWL)
                return
            with panel(texts.CURVE):
                chart = ui.echart(curves(_lines(crawls))).classes("chart")
            with ui.element("div").classes("columns"):
                boxes = [_Box(app_context, now) for now in sorted(crawls, key=_turn)]
            ui.timer(EVERY_SECONDS, lambda: _refresh(app_context, chart, boxes))


def _turn(now: JSON) -> int:
    """Return where a crawl stands among the others: what runs, what waits, what is over."""
    return 2 if now["phase"] in OVER else int(now["phase"] == "waiting")


def _lines(crawls: list[JSON]) -> dict[str, Any]:
    return {now["name"]: now["curve"] for now in reversed(crawls)}


def _refresh(app_context: AppContext, chart: ui.echart, boxes: list[_Box]) -> None:
    """Bring the page up to date where something changed."""
    found = [running.as_json() for running in app_context.crawls.all()]
    if any(box.is_behind(now) for box in boxes for now in found if now["name"] == box.name):
        chart.options.update(curves(_lines(found)))
        chart.update()
    for box in boxes:
        for now in found:
            if now["name"] == box.name:
                box.show(now)


class _Box:
    """One crawl."""

    def __init__(self, app_context: AppContext, now: JSON) -> None:
        self.app_context, self.name = app_context, now["name"]
        self.requests = -1
        self.phase = ""
        with panel() as self.panel:
            with bar("apart"):
                own_link(self.name, address("result", self.name)).classes("wrap")
                self.state = tag("span", "", "pill")
            tag("div", " ".join(now["seeds"])[:300], "soft small wrap")
            with ui.element("div").classes("tiles"):
                self.figures = {name: _tile(texts.FIGURES[name]) for name in SHOWN}
            self.forecast = tag("p", "", "soft small")
            self.error = tag("p", "", "bad wrap")
            tag("h3", texts.FETCHING)
            self.fetching = tag("div", "", "fetching")
            tag("h3", texts.SKIPPING)
            self.skipped = ui.element("div").classes("rows")
            with bar():
                self.buttons = {
                    "pause": self._button(texts.PAUSE, "pause", self.pause),
                    "resume": self._button(texts.RESUME, "play_arrow", self.resume),
                    "stop": self._button(texts.STOP, "stop", self.stop),
                    "dismiss": self._button(texts.DISMISS, "close", self.dismiss),
                    "delete": self._button(texts.DELETE_CRAWL, "delete", self.delete),
                }
                self.done = own_link(texts.TO_RESULT, address("result", self.name))
            with ui.expansion(texts.EXCLUSION).classes("full-width") as self.steering:
                self._steering(now)
        self.show(now)

    def _button(self, said: str, icon: str, handler: Any) -> ui.button:
        return ui.button(said, icon=icon, on_click=errors_shown(handler)).props("outline dense padding='4px 12px'")

    def _steering(self, now: JSON) -> None:
        tag("p", texts.EXCLUSION_SAID, "soft small")
        with bar():
            self.expression = (
                ui.input(texts.EXPRESSION, placeholder=texts.EXPRESSION_HINT).props("outlined dense").classes("grow")
            )
            ui.button(texts.PREVIEW, on_click=errors_shown(self.preview)).props("outline")
            ui.button(texts.ADD, on_click=errors_shown(self.exclude)).props("unelevated")
        self.hits = ui.element("div").classes("list")
        with bar():
            self.limit = ui.number(texts.CHANGE_LIMIT, value=now["limit"], min=1, precision=0).props("outlined dense")
            ui.button(texts.CHANGE, on_click=errors_shown(self.change)).props("outline")

    def is_behind(self, now: JSON) -> bool:
        """Say whether the curve has grown since it was drawn."""
        return bool(now.get("requests", 0) != self.requests or now["phase"] != self.phase)

    def show(self, now: JSON) -> None:
        """Show how far the crawl is."""
        if not self.is_behind(now) and now["phase"] in OVER:
            return
        self.requests, self.phase = now.get("requests", 0), now["phase"]
        self.state.text = texts.RUN_STATES.get(self.phase, self.phase)
        self.state.classes(replace={"failed": "pill bad", "finished": "pill strong"}.get(self.phase, "pill second"))
        for name, element in self.figures.items():
            element.text = _figure(name, now)
        self.forecast.text = forecast_sentence(now["forecast"]) if "left" in now else ""
        self.error.text = str(now.get("error", ""))
        self.error.set_visibility(bool(now.get("error")))
        self.fetching.text = " · ".join(map(str, now["fetching"][:4])) or str(now.get("url") or "–")
        self._show_skips(now["skipped_by"])
        running = self.phase not in OVER
        self.buttons["pause"].set_visibility(self.phase == "running")
        self.buttons["resume"].set_visibility(self.phase in ("paused", "stopped"))
        self.buttons["stop"].set_visibility(running and self.phase != "stopping")
        for name in ("dismiss", "delete"):
            self.buttons[name].set_visibility(not running)
        self.done.set_visibility(not running)
        self.steering.set_visibility(running)

    def _show_skips(self, rules: dict[str, int]) -> None:
        self.skipped.clear()
        with self.skipped:
            for rule, count in rules.items():
                with ui.element("div").classes("line"):
                    tag("span", short(rule, 120), "grow wrap")
                    tag("span", f"{count:,}", "soft")
            if not rules:
                tag("span", texts.NOTHING_SKIPPED, "soft small")

    async def pause(self) -> None:
        """Pause the crawl."""
        self.app_context.crawls.pause(self.name)

    async def resume(self) -> None:
        """Resume the crawl."""
        await in_thread(self.app_context.crawls.resume, self.name)

    async def stop(self) -> None:
        """End the crawl; it can be resumed."""
        self.app_context.crawls.stop(self.name)

    async def dismiss(self) -> None:
        """Take the crawl from the page; its collection stays."""
        await in_thread(self.app_context.crawls.dismiss, self.name)
        self.panel.set_visibility(False)
        show_message(texts.DISMISSED.format(name=self.name))

    async def delete(self) -> None:
        """Delete the crawl with its collection, once the person has said so."""
        if await ask_confirmation(
            texts.DELETE_QUESTION.format(name=self.name), texts.DELETE_YES.format(name=self.name)
        ):
            await in_thread(self.app_context.crawls.dismiss, self.name, True)
            self.panel.set_visibility(False)
            show_message(texts.DELETED.format(name=self.name))

    async def change(self) -> None:
        """Change the limit of requests."""
        self.app_context.crawls.change(self.name, limit=int(self.limit.value) if self.limit.value else None)
        show_message(texts.CHANGED)

    async def preview(self) -> None:
        """Show what an exclusion would hit."""
        found = await in_thread(self.app_context.crawls.preview, self.name, self.expression.value or "")
        self.hits.clear()
        with self.hits:
            tag("p", texts.HITS.format(count=found["hits"]) if found["hits"] else texts.NO_HITS)
            for url in found["examples"][:10]:
                tag("div", url, "mono small wrap soft")

    async def exclude(self) -> None:
        """Leave the addresses out."""
        found = await in_thread(self.app_context.crawls.preview, self.name, self.expression.value or "", 0)
        await in_thread(self.app_context.crawls.exclude, self.name, self.expression.value or "")
        show_message(texts.ADDED.format(count=found["hits"]))


def _figure(name: str, now: JSON) -> str:
    """Return what a tile shows; what is estimated says so."""
    if name == "left":
        return left_words(now["left"]["low"], now["left"]["high"]) if "left" in now else number(None)
    if name == "objects" and (summary := now.get("summary")):
        return number(sum(summary["objects"].values()))  # what was learned last is only in the summary
    if name == "objects":
        return objects_words(int(now.get("objects") or 0), int(now.get("provisional_objects") or 0))
    return number(int(now.get(name) or 0))


def _tile(name: str) -> Any:
    with ui.element("div").classes("tile"):
        figure = tag("div", "0", "number")
        tag("div", name, "name")
    return figure
