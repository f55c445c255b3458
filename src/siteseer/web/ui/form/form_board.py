"""The state that the panels of an understood form share: the understanding and a person's corrections."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Literal

from nicegui import ui

from siteseer.deepweb.corrections import Correction, Subject
from siteseer.deepweb.understanding_model import Understanding
from siteseer.verbs.opened_collection import Collection
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.texts import texts_form as texts
from siteseer.web.ui.widgets import Handler, bar, errors_shown, in_thread, show_message, tag

DECISIONS: tuple[tuple[Literal["confirm", "reject"], str, str], ...] = (
    ("confirm", texts.CONFIRM, "check"),
    ("reject", texts.REJECT, "close"),
)
PILLS = {True: "pill strong", False: "pill bad"}


@dataclass(slots=True)
class Board:
    """The understanding of a form, and the panels that show it."""

    app_context: AppContext
    collection: Collection
    found: Understanding
    panels: list[Callable[[], None]] = field(default_factory=list)
    """Each draws itself anew."""

    def show(self, panel: Callable[[], None]) -> None:
        """Draw a panel, and again whenever something was corrected."""
        self.panels.append(panel)
        panel()

    async def correct(self, correction: Correction) -> None:
        """Keep a person's word, and show what is thought now."""
        self.found = await in_thread(self.collection.correct, correction)
        for panel in self.panels:
            panel()
        show_message(texts.KEPT)


def verdict(board: Board, what: Subject, name: str, said: str, confirmed: bool | None) -> None:
    """Put what the person has said of one row so far, and the buttons to say it."""
    with ui.element("td"), bar("tight verdict"):
        if confirmed is not None:
            tag("span", texts.VERDICTS[confirmed], PILLS[confirmed])
        for decision, label, icon in DECISIONS:
            button = ui.button(icon=icon, on_click=errors_shown(_saying(board, Correction(what, name, decision))))
            button.props("flat dense round size=sm")
            button.props["aria-label"] = f"{label} {said}"


def choice(board: Board, what: Subject, name: str, label: str, options: dict[str, str], chosen: str) -> None:
    """Put a list from which a person chooses what is right; a relation can also be typed."""
    typed: dict[str, Any] = {"with_input": True, "new_value_mode": "add-unique", "key_generator": str}
    with ui.element("td"):
        listed = {**options, chosen: options.get(chosen, chosen or texts.NOTHING[what])}
        made = ui.select(listed, value=chosen, **(typed if what == "relation" else {}))
        made.props("outlined dense options-dense").classes("correction")
        made.props["aria-label"] = label

        async def correct() -> None:
            await board.correct(Correction(what, name, "set", str(made.value or "")))

        made.on_value_change(errors_shown(correct))


def _saying(board: Board, correction: Correction) -> Handler:
    async def speak() -> None:
        await board.correct(correction)

    return speak


def heads(names: tuple[str, ...]) -> None:
    """Put the heads of a table."""
    with ui.element("thead"), ui.element("tr"):
        for name in names:
            tag("th", name)
