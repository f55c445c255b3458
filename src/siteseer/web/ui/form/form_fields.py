"""Shows the fields of the form: what each asks for, and how the source searches."""

from __future__ import annotations

from dataclasses import asdict

from nicegui import ui

from siteseer.deepweb.understanding_model import FieldMeaning
from siteseer.web.ui.form.form_board import Board, choice, heads, verdict
from siteseer.web.ui.form.form_wording import column_name, path_words, sure
from siteseer.web.ui.texts import texts_form as texts
from siteseer.web.ui.widgets import panel, short, table, tag

MOST_VALUES = 200
"""Rows of a dependency that are shown."""


def fields_panel(board: Board) -> None:
    """Put the fields, then what depends on what, then the habits of the source."""
    tag("p", texts.FIELDS_SAID, "soft")
    box = ui.element("div").classes("list full-width")

    def draw() -> None:
        box.clear()
        with box:
            with ui.element("div").classes("panel scroll"), ui.element("table").classes("plain stacked fields"):
                heads(texts.FIELD_HEADS)
                with ui.element("tbody"):
                    for one in board.found.fields:
                        _field(board, one)
            _dependencies(board)
            _habits(board)

    board.show(draw)


def _field(board: Board, one: FieldMeaning) -> None:
    said = one.label or one.name
    columns = {column.id: column_name(column) for column in board.found.columns}
    with ui.element("tr"):
        with ui.element("td"):
            tag("strong", said, "wrap")
            tag("div", f"{one.name} · {one.type}", "soft small mono wrap")
        with ui.element("td").classes("wide"):
            tag("div", texts.ROLES.get(one.role, one.role))
            tag("div", one.because, "soft small wrap")
        choice(board, "field", one.name, texts.COMES_BACK.format(name=said), columns, (*one.columns, "")[0])
        with ui.element("td").classes("wide"):
            tag("div", path_words(one.relation), "mono wrap", title=" / ".join(one.relation))
            if one.samples:
                tag("div", texts.SAMPLES.format(samples=short(", ".join(one.samples), 60)), "soft small wrap")
        tag("td", sure(one.confidence), "number")
        verdict(board, "field", one.name, said, one.confirmed)


def _dependencies(board: Board) -> None:
    for one in board.found.dependencies:
        with panel(texts.DEPENDENCIES):
            tag("p", texts.DEPENDS.format(field=one.field, on=one.on, because=one.because), "wrap")
            rows = [(value, short(", ".join(values), 300)) for value, values in one.values.items()]
            table((one.on, one.field), rows[:MOST_VALUES])


def _habits(board: Board) -> None:
    known = {name: value for name, value in asdict(board.found.habits).items() if value}
    if known:
        with panel(texts.HABITS):
            table(("", ""), [(texts.HABIT_NAMES.get(name, name), value) for name, value in known.items()])
