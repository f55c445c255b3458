"""Lists the archived pages, for baseline crawls and for people who want the page rather than the post."""

from __future__ import annotations

from nicegui import ui

from siteseer.model import JSON
from siteseer.verbs.opened_collection import Collection
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.object_cards import ArchivedPagePanel
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import bar, empty, errors_shown, in_thread, tag, text_button

AT_ONCE = 50


class PageList:
    """The pages of a collection, a page of the list at a time."""

    def __init__(self, app_context: AppContext, collection: Collection) -> None:
        self.app_context, self.collection, self.page = app_context, collection, 1
        with bar():
            self.words = (
                ui.input(texts.PAGE_WORDS).props("outlined dense clearable debounce=350 type=search").classes("grow")
            )
            self.words.on_value_change(errors_shown(self.changed))
            self.count = tag("span", "", "soft", role="status")
        with ui.element("div").classes("beside"):
            with ui.element("div").classes("list"):
                self.box = ui.element("div").classes("panel rows")
                with bar("apart") as self.turning:
                    self.back = ui.button(texts.PREVIOUS, on_click=errors_shown(lambda: self.turn(-1))).props(
                        "flat dense"
                    )
                    self.on = ui.button(texts.NEXT, on_click=errors_shown(lambda: self.turn(1))).props("flat dense")
            self.beside = ArchivedPagePanel(app_context, collection.name)

    async def changed(self) -> None:
        """Look again from the first page."""
        self.page = 1
        await self.refresh()

    async def turn(self, step: int) -> None:
        """Go to another page of the list."""
        self.page += step
        await self.refresh()

    async def refresh(self) -> None:
        """Show the pages whose title or address holds the words."""
        offset = (self.page - 1) * AT_ONCE
        count, found = await in_thread(self.collection.pages, self.words.value or "", AT_ONCE, offset)
        self.count.text = texts.FOUND.format(count=count)
        self.box.clear()
        with self.box:
            for one in found:
                self._line(one)
            if not found:
                empty(texts.NO_PAGES)
        self.back.set_enabled(self.page > 1)
        self.on.set_enabled(offset + len(found) < count)
        self.turning.set_visibility(count > AT_ONCE)

    def _line(self, one: JSON) -> None:
        async def show() -> None:
            self.beside.show(one["url"], None, one["time"])

        with ui.element("div").classes("line"), ui.element("div").classes("grow"):
            text_button(one["title"] or one["url"], errors_shown(show), "plain-link wrap")
            tag("div", one["url"], "soft small wrap")
