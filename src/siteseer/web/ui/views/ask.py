"""The view Ask: prepared questions and SPARQL; answers as table, chart and files."""

from __future__ import annotations

import time
from typing import Any

from nicegui import ui

from siteseer.collection.description import Answer
from siteseer.collection.objects.object_search import Filter
from siteseer.errors import SiteseerError
from siteseer.model import JSON
from siteseer.verbs.opened_collection import Collection
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.curves import bars
from siteseer.web.ui.object_cards import ArchivedPagePanel
from siteseer.web.ui.object_files import ANSWER_FORMATS, plain, write_answer
from siteseer.web.ui.open_collection import opened
from siteseer.web.ui.page_frame import frame, names_of
from siteseer.web.ui.questions import prepared
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import bar, empty, errors_shown, headline, in_thread, panel, short, tag, text_button

AT_ONCE = 50
CHART_ROWS = 200


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/c/{name}/ask")
    async def ask(name: str) -> None:
        with frame(app_context, "ask", await names_of(app_context), name, whole=True):
            collection = await opened(app_context, name)
            if collection is None:
                return
            headline(texts.ASK_TITLE, texts.ASK_SAID)
            if not await in_thread(collection.kinds):
                empty(texts.NO_OBJECTS_TO_ASK)
                return
            some = await in_thread(collection.objects, Filter(limit=1))
            asking = _Questions(app_context, collection, prepared(some[0]))
            ui.timer(0.05, errors_shown(asking.ask), once=True)


class _Questions:
    """The questions, the editor and the answer."""

    def __init__(self, app_context: AppContext, collection: Collection, questions: dict[str, str]) -> None:
        self.app_context, self.collection, self.questions = app_context, collection, questions
        self.answer: Answer | None = None
        self.page = 1
        self.asked = 0
        with panel():
            with bar("tight") as choices:
                for name in questions:
                    text_button(name, errors_shown(self._choosing(name)), "question")
            choices.props["aria-label"] = texts.QUESTIONS
            self.editor = ui.codemirror(next(iter(questions.values())), language="SPARQL", line_wrapping=True)
            self.editor.classes("editor").on("keydown.ctrl.enter.capture.prevent", errors_shown(self.ask))
            self.editor.props["aria-label"] = texts.SPARQL
            with bar():
                ui.button(texts.RUN_QUERY, icon="play_arrow", on_click=errors_shown(self.ask)).props("unelevated")
                tag("span", texts.RUN_HINT, "soft small")
                self.count = tag("span", "", "soft", role="status")
        with ui.element("div").classes("beside"):
            self.box = ui.element("div").classes("list")
            self.beside = ArchivedPagePanel(app_context, collection.name, later=True)

    def _choosing(self, name: str) -> Any:
        async def choose() -> None:
            self.editor.value = self.questions[name]
            await self.ask()

        return choose

    async def ask(self) -> None:
        """Answer what stands in the editor."""
        self.asked = number = self.asked + 1
        self.count.text = texts.ASKING
        began = time.monotonic()
        try:
            answer = await in_thread(self.collection.query, self.editor.value)
        except SiteseerError:
            self.count.text = ""
            raise
        if number != self.asked:
            return  # something else was asked meanwhile
        self.answer = answer
        result = self.answer.result
        self.count.text = texts.ROWS_FOUND.format(count=len(result.rows), seconds=time.monotonic() - began)
        if result.truncated:
            self.count.text = texts.TRUNCATED.format(count=len(result.rows))
        self.page = 1
        self._show()

    def _show(self) -> None:
        self.box.clear()
        if self.answer is None:
            return
        result = self.answer.result
        with self.box:
            if result.kind == "ask":
                tag("p", texts.ANSWER_YES if result.truth else texts.ANSWER_NO, "panel")
            elif result.kind == "graph":
                tag("pre", result.turtle, "panel mono small wrap")
            elif not result.rows:
                empty(texts.NO_ROWS)
            else:
                self._rows()

    def _rows(self) -> None:
        with panel():
            with bar("apart"):
                with ui.tabs().props("dense no-caps align=left") as tabs:
                    ui.tab("table", texts.TABLE_TAB)
                    ui.tab("chart", texts.CHART_TAB)
                with bar("tight").style("width:auto"):
                    tag("span", texts.DOWNLOAD, "soft small")
                    for form in ANSWER_FORMATS:
                        ui.button(form.upper(), on_click=errors_shown(self._downloading(form))).props(
                            "flat dense size=sm"
                        )
            with ui.tab_panels(tabs, value="table").classes("full-width"):
                with ui.tab_panel("table").classes("q-pa-none"):
                    self.table = ui.element("div").classes("answer")
                    with bar("apart") as self.turning:
                        self.back = ui.button(texts.PREVIOUS, on_click=lambda: self._turn(-1)).props("flat dense")
                        self.place = tag("span", "", "soft small")
                        self.on = ui.button(texts.NEXT, on_click=lambda: self._turn(1)).props("flat dense")
                with ui.tab_panel("chart").classes("q-pa-none"):
                    self._chart()
        self._turn(0)

    def _turn(self, step: int) -> None:
        """Show another page of the rows."""
        if self.answer is None:
            return
        self.page += step
        rows, first = self.answer.result.rows, (self.page - 1) * AT_ONCE
        shown = rows[first : first + AT_ONCE]
        self.table.clear()
        with self.table, ui.element("table"):
            with ui.element("thead"), ui.element("tr"):
                for name in (*self.answer.result.variables, ""):
                    tag("th", name)
            with ui.element("tbody"):
                for row in shown:
                    self._row(row)
        self.place.text = texts.PAGE_OF.format(first=first + 1, last=first + len(shown), count=len(rows))
        self.back.set_enabled(self.page > 1)
        self.on.set_enabled(first + len(shown) < len(rows))
        self.turning.set_visibility(len(rows) > AT_ONCE)

    def _row(self, row: Any) -> None:
        named = next((term.value for term in row if term and term.value in self.answer.captures), None)  # type: ignore[union-attr]

        async def show() -> None:
            thing = await in_thread(self.collection.object, named)
            self.beside.mark(line)
            self.beside.show(thing["url"], thing, str((thing.get("capture") or {}).get("time") or ""))

        with ui.element("tr") as line:
            for term in row:
                tag("td", short(term.value if term else "", 300))
            with ui.element("td"):
                if named:  # what is pressed here is heard by the row
                    tag("button", texts.OPEN_ROW, "plain-link", type="button")
            if named:
                line.style("cursor:pointer").on("click", errors_shown(show))

    def _chart(self) -> None:
        chart = _charted(self.answer) if self.answer else None
        if chart is None:
            tag("p", texts.NO_CHART, "soft")
        else:
            ui.echart(chart).classes("chart")

    def _downloading(self, form: str) -> Any:
        async def download() -> None:
            path = self.app_context.scratch / f"{self.collection.name}-answer.{form}"
            await in_thread(write_answer, self.answer, form, path)
            ui.download.file(path)

        return download


def _charted(answer: Answer) -> dict[str, Any] | None:
    """Return a chart of the columns that are numbers, labelled by the first other column; None where none is."""
    rows = [[plain(term) for term in row] for row in answer.result.rows[:CHART_ROWS]]
    columns: dict[str, list[JSON]] = {
        name: [row[at] for row in rows] for at, name in enumerate(answer.result.variables)
    }
    numbers = {name: values for name, values in columns.items() if _is_numeric(values)}
    label = next((values for name, values in columns.items() if name not in numbers), None)
    if not numbers:
        return None
    names = [short(value, 40) for value in label] if label else [str(at + 1) for at in range(len(rows))]
    return bars(names, numbers)


def _is_numeric(values: list[JSON]) -> bool:
    known = [value for value in values if value is not None]
    return bool(known) and all(isinstance(value, int | float) for value in known)
