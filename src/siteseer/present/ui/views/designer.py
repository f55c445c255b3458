"""Get data: the designer, in which a person shows on a page what they want to have of it."""

from __future__ import annotations

from nicegui import ui

from siteseer.present.ui import texts_designer as texts
from siteseer.present.ui.designing.board import Board
from siteseer.present.ui.desk import Desk
from siteseer.present.ui.frame import frame, names_of
from siteseer.present.ui.pieces import headline


def register(desk: Desk) -> None:
    """Add the view."""

    @ui.page("/designer")
    async def designer(url: str = "") -> None:
        names = await names_of(desk)
        with frame(desk, "designer", names, whole=True):
            headline(texts.TITLE, texts.SAID)
            Board(desk, url[:8_000])
