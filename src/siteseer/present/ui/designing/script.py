"""The text of the wrapper on the board: it grows with the clicks, may be changed, and says at once what is wrong."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from nicegui import ui

from siteseer.present.ui import texts_designer as texts
from siteseer.present.ui.pieces import bar, tag, told

if TYPE_CHECKING:
    from siteseer.present.ui.designing.board import Board

PAUSE_SECONDS = 0.6
"""Somebody who types is let alone for so long."""


class Script:
    """The editor and what is said about its text."""

    def __init__(self, board: Board) -> None:
        self.board, self._typed = board, 0
        with ui.element("div").classes("bar apart"):
            tag("h2", texts.TEXT)
            self.count = tag("span", "", "soft small", role="status")
        tag("p", texts.TEXT_SAID, "soft small")
        self.editor = ui.codemirror("", language="XQuery", line_wrapping=True, on_change=told(self._changed))
        self.editor.classes("editor text").props["aria-label"] = texts.TEXT
        self.error = tag("pre", "", "wrong", role="alert")
        with bar("tight") as self.by_hand:
            tag("span", texts.BY_HAND, "soft small")
            ui.button(texts.FORGET_TEXT, on_click=board.does(board.bench.forget_text)).props("flat dense")

    def draw(self) -> None:
        """Show the text and what it finds."""
        bench = self.board.bench
        if self.editor.value != bench.state.text:
            self.editor.value = bench.state.text
        self._tell()

    def _tell(self) -> None:
        bench = self.board.bench
        self.error.text = bench.found.error
        self.error.set_visibility(bool(bench.found.error))
        self.by_hand.set_visibility(bench.state.by_hand is not None)
        if bench.found.hits is not None:
            self.count.text = texts.FOUND_HERE.format(count=len(bench.found.records))
        else:
            self.count.text = texts.NOT_HERE if bench.state.by_hand and not bench.found.error else ""

    async def _changed(self) -> None:
        """Take what was typed, once the person pauses."""
        bench = self.board.bench
        if self.editor.value == bench.state.text:
            return
        self._typed += 1
        typed = self._typed
        await asyncio.sleep(PAUSE_SECONDS)
        if typed != self._typed or self.editor.value == bench.state.text:
            return
        await bench.write(self.editor.value)
        self._tell()
        if bench.view is not None:
            self.board.highlight()
