"""Replay on the board: the wrapper page by page, and the table that grows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from nicegui import ui

from siteseer.present.ui import texts_designer as texts
from siteseer.present.ui.pieces import bar, short, table, tag
from siteseer.wrappers.output import as_json
from siteseer.wrappers.records import Record

if TYPE_CHECKING:
    from siteseer.present.ui.designing.board import Board

ROWS = 200


def replay_step(board: Board) -> None:
    """Offer to run the wrapper before eyes."""
    board.hint.text = texts.HINT_REPLAY
    rehearsal = board.rehearsal
    if rehearsal is None:
        with bar("tight"):
            ui.button(texts.REPLAY_FIRST, icon="play_arrow", on_click=board.does(_begin, board)).props("unelevated")
            ui.button(texts.GO_ON, icon="arrow_forward", on_click=lambda: board.go_to("save")).props("flat")
        return
    shown = rehearsal.shown
    board.hint.text = texts.HINT_REPLAYED if shown.records else texts.REPLAY_NOTHING
    said = texts.REPLAY_OVER if shown.is_over else texts.REPLAYED
    tag("p", said.format(records=len(shown.records), pages=shown.pages), role="status")
    for sentence in ([shown.error] if shown.error else []) + shown.warnings[:3]:
        tag("p", sentence, "note small")
    with bar("tight"):
        if shown.is_over:
            ui.button(texts.GO_ON, icon="arrow_forward", on_click=lambda: _leave(board, "save")).props("unelevated")
            ui.button(texts.REPLAY_FIRST, icon="replay", on_click=board.does(_begin, board)).props("flat")
        else:
            ui.button(texts.REPLAY_NEXT, icon="play_arrow", on_click=board.does(_page, board)).props("unelevated")
            ui.button(texts.REPLAY_ALL, icon="fast_forward", on_click=board.does(_rest, board)).props("outline")
            ui.button(texts.REPLAY_STOP, icon="stop", on_click=lambda: _leave(board, "save")).props("flat")


async def _begin(board: Board) -> None:
    board.end_rehearsal()
    board.hint.text = texts.REPLAYING
    board.rehearsal = board.desk.browsers.rehearsal(board.bench.state.text)
    await _page(board)


async def _page(board: Board) -> None:
    if board.rehearsal is not None:
        board.desk.browsers.used(board.rehearsal)
        await board.rehearsal.page()
        draw_table(board, board.rehearsal.shown.records)


async def _rest(board: Board) -> None:
    if board.rehearsal is not None:
        board.hint.text = texts.REPLAYING
        await board.rehearsal.rest()
        draw_table(board, board.rehearsal.shown.records)


def _leave(board: Board, step: str) -> None:
    board.go_to(step)


def draw_table(board: Board, records: Sequence[Record]) -> None:
    """Show the newest records below the board."""
    board.results.clear()
    with board.results, ui.element("div").classes("panel"):
        tag("h2", texts.TABLE)
        if len(records) > ROWS:
            tag("p", texts.ROWS_SHOWN.format(count=ROWS), "soft small")
        records_table(records[-ROWS:])


def records_table(records: Sequence[Record]) -> None:
    """Put records as a table, a column for each attribute."""
    rows = [as_json(one, single=True) for one in records]
    found = [row if isinstance(row, dict) else {one.label: row} for row, one in zip(rows, records, strict=True)]
    names = list(dict.fromkeys(name for row in found for name in row))
    table(names, [[_cell(row.get(name)) for name in names] for row in found])


def _cell(value: object) -> str:
    """Return a value as one text.

    >>> _cell(["a", "b"]), _cell({"x": "1"}), _cell(None)
    ('a | b', 'x: 1', '')
    """
    if isinstance(value, list):
        return " | ".join(map(_cell, value))
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_cell(one)}" for name, one in value.items())
    return short(str(value), 300) if value is not None else ""
