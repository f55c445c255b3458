"""The view Get data: the designer, in which a person marks on a page the data to extract."""

from __future__ import annotations

from nicegui import ui

from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.designer.design_steps import STEPS
from siteseer.web.ui.designer.designer_board import Board
from siteseer.web.ui.page_frame import frame, names_of
from siteseer.web.ui.texts import texts_designer as texts
from siteseer.web.ui.widgets import headline


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/designer")
    async def designer(url: str = "") -> None:
        names = await names_of(app_context)
        with frame(app_context, "designer", names, whole=True):
            headline(texts.TITLE, texts.SAID)
            Board(app_context, url[:8_000], STEPS)
