"""Shows a long list one page at a time."""

from __future__ import annotations

from nicegui import ui

from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import Handler, bar, errors_shown, tag

AT_ONCE = 50


class Pager:
    """Which part of a list is shown, and the buttons that turn to another one."""

    def __init__(self, refresh: Handler) -> None:
        self.refresh, self.first = refresh, 0
        with bar("apart") as self.box:
            self.back = ui.button(texts.PREVIOUS, on_click=errors_shown(lambda: self.turn(-AT_ONCE))).props(
                "flat dense"
            )
            self.place = tag("span", "", "soft small")
            self.on = ui.button(texts.NEXT, on_click=errors_shown(lambda: self.turn(AT_ONCE))).props("flat dense")
        self.box.set_visibility(False)

    async def turn(self, step: int) -> None:
        """Show another part."""
        self.first = max(0, self.first + step)
        await self.refresh()

    async def again(self) -> None:
        """Show the first part of another list."""
        self.first = 0
        await self.refresh()

    def show(self, count: int, shown: int) -> None:
        """Show where in the list this is."""
        last = self.first + shown
        self.place.text = texts.PAGE_OF.format(first=self.first + 1 if count else 0, last=last, count=count)
        self.back.set_enabled(self.first > 0)
        self.on.set_enabled(last < count)
        self.box.set_visibility(count > AT_ONCE)
