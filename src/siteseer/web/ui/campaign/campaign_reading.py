"""Shows the analysis of a campaign: a button that runs it, figures, terms over time, and changes."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import quote

from nicegui import ui

from siteseer.errors import NotFoundError
from siteseer.model import JSON
from siteseer.web.service import campaign_results as offline
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.campaign.campaign_changes import Changes
from siteseer.web.ui.curves import bars
from siteseer.web.ui.texts import texts_campaign as texts
from siteseer.web.ui.widgets import Handler, bar, empty, errors_shown, in_thread, own_link, panel, tag, tiles


class Report:
    """The report on a campaign."""

    def __init__(self, app_context: AppContext, name: str, started: Handler) -> None:
        self.app_context, self.name, self.started = app_context, name, started
        self.folder = app_context.campaigns.folder(name)
        tag("p", texts.ANALYSE_SAID, "soft")
        with bar():
            self.analyse = ui.button(texts.ANALYSE, icon="insights", on_click=errors_shown(self._analyse)).props(
                "unelevated"
            )
            others = {"": "–", **{other: other for other in app_context.campaigns.names() if other != name}}
            self.before = ui.select(others, value="", label=texts.COMPARED_WITH).props("outlined dense options-dense")
            self.before.classes("compared").set_visibility(len(others) > 1)
        self.box = ui.element("div").classes("list")

    def allow(self, is_allowed: bool) -> None:
        """Enable or disable the button that starts the analysis."""
        self.analyse.set_enabled(is_allowed)

    async def draw(self, has_pages: bool) -> None:
        """Show the report as it is now."""
        try:
            found = await in_thread(offline.report, self.folder)
        except NotFoundError:
            found = None
        self.analyse.text = texts.ANALYSE_AGAIN if found else texts.ANALYSE
        self.box.clear()
        with self.box:
            if found is None:
                empty(texts.NO_REPORT if has_pages else texts.NOT_RUN)
                return
            with bar("apart"):
                tag("span", texts.REPORT_MADE.format(when=str(found["made"]).replace("T", " ")[:16]), "soft")
                where = self.app_context.campaign_report(self.name)
                tag("a", texts.WHOLE_REPORT, href=where, target="_blank", rel="noopener noreferrer")
            tiles((said, int(found["totals"].get(key, 0))) for key, said in texts.TOTALS.items())
            _terms(found["terms"])
            await Changes(self.folder, found["crawls"]).draw()
            self._files(found["files"])

    def _files(self, names: list[str]) -> None:
        with panel(texts.TABLES):
            tag("p", texts.TABLES_SAID, "soft")
            with bar():
                for file in names:
                    own_link(file, f"/api/campaigns/{quote(self.name, safe='')}/report/{quote(file, safe='')}")

    async def _analyse(self) -> None:
        await in_thread(self.app_context.campaigns.analyse, self.name, before=self.before.value or "")
        await self.started()


def _terms(found: list[JSON]) -> None:
    """Put the curves of terms; the first that is one is shown."""
    trends = {one["clock"]: one for one in found}
    with panel(texts.TERMS_OVER_TIME):
        chosen = next((clock for clock, one in trends.items() if len(one["times"]) > 1), next(iter(trends), ""))
        choice = ui.toggle({clock: texts.CLOCKS[clock] for clock in trends}, value=chosen)
        choice.props("dense unelevated no-caps")
        choice.props["aria-label"] = texts.TERMS_OVER_TIME
        box = ui.element("div").classes("list")
        choice.on_value_change(_drawing(box, trends, lambda: str(choice.value)))
        _drawing(box, trends, lambda: chosen)()


def _drawing(box: ui.element, trends: dict[str, JSON], chosen: Callable[[], str]) -> Callable[[], None]:
    def draw() -> None:
        one = trends.get(chosen())
        box.clear()
        with box:
            if one is None or len(one["times"]) < 2:
                tag("p", texts.NO_CURVE.format(step=one["step"] if one else ""), "soft")
                return
            tag("p", texts.OBJECTS_WITH.format(step=one["step"]), "soft small")
            ui.echart(bars(one["times"], one["terms"])).classes("chart terms-chart")
            if one["undated"]:
                tag("p", texts.UNDATED.format(count=one["undated"]), "soft small")

    return draw
