"""Shows a dry run in the designer: the wrapper page by page, and the growing table of records."""

from __future__ import annotations

from collections.abc import Sequence

from nicegui import ui

from siteseer.web.ui.designer.designer_board import Board
from siteseer.web.ui.texts import texts_designer as texts
from siteseer.web.ui.widgets import bar, short, table, tag
from siteseer.wrapper.oxpath.output.record_formats import as_json
from siteseer.wrapper.oxpath.output.records import Record

ROWS = 200


def replay_step(board: Board) -> None:
    """Offer to run the wrapper before eyes."""
    board.hint.text = texts.HINT_REPLAY
    dry_run = board.dry_run
    if dry_run is None:
        with bar("tight"):
            ui.button(texts.REPLAY_FIRST, icon="play_arrow", on_click=board.does(_begin, board)).props("unelevated")
            ui.button(texts.GO_ON, icon="arrow_forward", on_click=lambda: board.go_to("save")).props("flat")
        return
    shown = dry_run.shown
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
    board.end_dry_run()
    board.hint.text = texts.REPLAYING
    board.dry_run = board.app_context.browsers.dry_run(board.bench.state.text)
    await _page(board)


async def _page(board: Board) -> None:
    if board.dry_run is not None:
        board.app_context.browsers.used(board.dry_run)
        await board.dry_run.page()
        draw_table(board, board.dry_run.shown.records)


async def _rest(board: Board) -> None:
    if board.dry_run is not None:
        board.hint.text = texts.REPLAYING
        await board.dry_run.rest()
        draw_table(board, board.dry_run.shown.records)


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
