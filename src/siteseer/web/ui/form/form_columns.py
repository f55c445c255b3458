"""Shows the columns of the answers, and the ontology's relation for each."""

from __future__ import annotations

from nicegui import ui

from siteseer.deepweb.understanding_model import Column, RelationMatch
from siteseer.web.ui.form.form_board import Board, choice, heads, verdict
from siteseer.web.ui.form.form_wording import BETWEEN, column_name, known_paths, name_of, sure
from siteseer.web.ui.texts import texts_form as texts
from siteseer.web.ui.widgets import panel, short, table, tag


def columns_panel(board: Board) -> None:
    """Put the columns."""
    tag("p", texts.COLUMNS_SAID, "soft")
    box = ui.element("div").classes("list full-width")

    def draw() -> None:
        box.clear()
        matched = {one.column: one for one in board.found.relations}
        paths = known_paths(board.found)
        with box:
            if board.found.classes:
                named = ", ".join(f"{name_of(one.cls)} ({sure(one.confidence)})" for one in board.found.classes)
                tag("p", texts.CLASSES.format(classes=named), "wrap")
            with ui.element("div").classes("panel scroll"), ui.element("table").classes("plain stacked columns-of"):
                heads(texts.COLUMN_HEADS)
                with ui.element("tbody"):
                    for column in board.found.columns:
                        _column(board, column, matched.get(column.id), paths)
            if board.found.rounds:
                with panel(texts.ROUNDS):
                    rows = [(one.submissions, one.records, one.relations, one.confidence) for one in board.found.rounds]
                    table(texts.ROUND_HEADS, rows, numeric=range(4))

    board.show(draw)


def _column(board: Board, column: Column, match: RelationMatch | None, paths: dict[str, str]) -> None:
    said = column_name(column)
    with ui.element("tr"):
        with ui.element("td"):
            tag("strong", said, "wrap")
            tag("div", f"{column.type} · {column.source}", "soft small", title=short(column.path, 300))
        tag("td", " · ".join(short(one, 40) for one in column.examples[:3]), "wrap wide")
        tag("td", sure(column.filled), "number")
        chosen = BETWEEN.join(match.relation) if match else ""
        choice(board, "relation", column.id, texts.RELATION_OF.format(name=said), paths, chosen)
        tag("td", sure(match.confidence) if match else texts.UNKNOWN, "number")
        tag("td", f"{match.support:,}" if match else texts.UNKNOWN, "number")
        if match:
            verdict(board, "relation", column.id, said, match.confirmed)
        else:
            tag("td")
