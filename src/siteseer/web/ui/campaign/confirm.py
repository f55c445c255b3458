"""Asks for confirmation before an action that is hard to undo."""

from __future__ import annotations

from nicegui import ui

from siteseer.web.ui.texts import texts_campaign as texts
from siteseer.web.ui.widgets import bar, tag


async def ask_confirmation(question: str, yes: str, looks: str = "unelevated") -> bool:
    """Ask a person; return whether the answer is yes."""
    with ui.dialog() as dialog, ui.card().classes("asked"):
        tag("p", question, "wrap")
        with bar():
            ui.button(yes, on_click=lambda: dialog.submit(True)).props(looks)
            ui.button(texts.CANCEL, on_click=lambda: dialog.submit(False)).props("flat")
    is_wanted = bool(await dialog)
    dialog.delete()
    return is_wanted
