"""The view Compare: any collections side by side, the first one chosen being the reference."""

from __future__ import annotations

from nicegui import ui

from siteseer.errors import UsageError
from siteseer.measure.compare import compare_collections
from siteseer.model import JSON
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.curves import curves
from siteseer.web.ui.page_frame import frame, names_of
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import bar, errors_shown, headline, in_thread, panel, table, tag


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/compare")
    async def compare() -> None:
        names = await names_of(app_context)
        with frame(app_context, "compare", names):
            headline(texts.COMPARE_TITLE, texts.COMPARE_SAID)
            _Comparing(app_context, names)


class _Comparing:
    """The choice of collections, and what came of comparing them."""

    def __init__(self, app_context: AppContext, names: list[str]) -> None:
        self.app_context = app_context
        with panel(), bar():
            self.chosen = ui.select(names, multiple=True, label=texts.COMPARE_CHOOSE, value=[])
            self.chosen.props("outlined use-chips options-dense").classes("grow")
            ui.button(texts.COMPARE, icon="compare_arrows", on_click=errors_shown(self.compare)).props("unelevated")
        self.box = ui.element("div").classes("list")

    async def compare(self) -> None:
        """Read the collections and show them side by side."""
        names = list(self.chosen.value)
        if len(names) < 2:
            raise UsageError(texts.COMPARE_TWO)
        self.box.clear()
        with self.box, bar():
            ui.spinner(size="md")
            tag("span", texts.COMPARING, "soft")
        try:
            found = await in_thread(_compared, self.app_context, names)
        finally:
            self.box.clear()
        with self.box:
            _show(found)


def _compared(app_context: AppContext, names: list[str]) -> JSON:
    return compare_collections([app_context.library.open(name).path for name in names]).as_json()


def _show(found: JSON) -> None:
    rows = [
        (
            f"{name} · {texts.REFERENCE}" if name == found["reference"] else name,
            one["requests"],
            one["two_grams"],
            float(one["coverage"]),
            float(one["covered_by"].get(found["reference"], 1.0)),
            one["external_links"],
            float(one["external_coverage"]),
            f"{one['content_per_request']:,.0f}",
        )
        for name, one in found["strategies"].items()
    ]
    with panel():
        table(texts.COMPARE_COLUMNS, rows, numeric=range(1, 8))
    with panel(texts.CURVE):
        lines = {name: one["curve"] for name, one in found["strategies"].items()}
        last = {found["reference"]: lines.pop(found["reference"])}  # what is compared has the strong colour, as in Live
        ui.echart(curves({**lines, **last})).classes("chart")
