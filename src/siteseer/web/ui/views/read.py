"""The view Read: posts, comments and threads, found by words, author and day; the archived page beside them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import quote, urlencode

from nicegui import ui

from siteseer.collection.objects.object_search import KINDS, Filter
from siteseer.errors import SiteseerError
from siteseer.model import JSON
from siteseer.plugins import object_formats
from siteseer.verbs.opened_collection import Collection
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.archived_page_list import PageList
from siteseer.web.ui.object_cards import ArchivedPagePanel, card, depths
from siteseer.web.ui.object_files import write_objects
from siteseer.web.ui.open_collection import opened
from siteseer.web.ui.page_frame import address, frame, names_of
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import bar, empty, errors_shown, headline, in_thread, own_link, tag

AT_ONCE = 20
"""Objects on one page of the list."""


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/c/{name}/read")
    async def read(
        name: str, words: str = "", author: str = "", since: str = "", until: str = "", kind: str = "", order: str = "",
        page: int = 1, thread: str = "", pages: bool = False,
    ) -> None:  # fmt: skip
        with frame(app_context, "read", await names_of(app_context), name, whole=True):
            collection = await opened(app_context, name)
            if collection is None:
                return
            if thread:
                await _thread(app_context, collection, thread)
                return
            headline(texts.READ_TITLE)
            kinds = await in_thread(collection.kinds)
            given = {"words": words, "author": author, "since": since, "until": until, "kind": kind, "order": order}
            with ui.tabs().props("align=left no-caps dense") as tabs:
                ui.tab("objects", texts.OBJECTS_TAB)
                ui.tab("pages", texts.PAGES_TAB)
            with ui.tab_panels(tabs, value="pages" if pages or not kinds else "objects").classes("full-width"):
                with ui.tab_panel("objects"):
                    listed = _List(app_context, collection, kinds, given, page)
                with ui.tab_panel("pages"):
                    shown = PageList(app_context, collection)
            await listed.refresh()
            await shown.refresh()


async def _thread(app_context: AppContext, collection: Collection, identity: str) -> None:
    """Show everything that belongs to one thread, answers below what they answer."""
    try:
        things = await in_thread(collection.thread, identity)
    except SiteseerError as error:
        empty(str(error))
        return
    title = next((str(one["title"]) for one in things if one.get("title")), texts.THREAD_TITLE)
    headline(title, texts.IN_THREAD.format(count=len(things)))
    own_link(texts.BACK_TO_LIST, address("read", collection.name))
    with ui.element("div").classes("beside"):
        with ui.element("div").classes("list") as box:
            pass
        beside = ArchivedPagePanel(app_context, collection.name)
    with box:
        for thing, depth in zip(things[:500], depths(things[:500]), strict=True):
            card(app_context, collection.name, thing, beside, depth)


class _List:
    """The objects that pass the filters, a page at a time."""

    def __init__(
        self, app_context: AppContext, collection: Collection, kinds: dict[str, int], given: dict[str, str], page: int
    ) -> None:
        self.app_context, self.collection, self.page = app_context, collection, max(1, page)
        self.asked = 0
        self.fields: dict[str, Any] = {}
        with ui.element("search").classes("bar"):
            self._input("words", texts.WORDS, given, "grow").props("clearable debounce=350 type=search")
            self._input("author", texts.AUTHOR, given).props("clearable debounce=350")
            self._input("since", texts.SINCE, given).props("type=date stack-label")
            self._input("until", texts.UNTIL, given).props("type=date stack-label")
            named = {
                "": texts.ALL_KINDS,
                **{kind: f"{texts.KINDS[kind]} ({kinds[kind]:,})" for kind in KINDS if kind in kinds},
            }
            self._select("kind", texts.KIND_LABEL, named, given["kind"])
            self._select("order", texts.ORDER, texts.ORDERS, given["order"])
        with bar("apart"):
            self.count = tag("span", "", "soft", role="status")
            with bar("tight").style("width:auto"):
                tag("span", texts.DOWNLOAD_AS, "soft small")
                for form in object_formats():
                    ui.button(form.upper(), on_click=errors_shown(self._downloading(form))).props("flat dense size=sm")
        with ui.element("div").classes("beside"):
            with ui.element("div").classes("list"):
                self.box = ui.element("div").classes("list")
                with bar("apart") as self.turning:
                    self.back = ui.button(texts.PREVIOUS, on_click=errors_shown(lambda: self.turn(-1))).props(
                        "flat dense"
                    )
                    self.place = tag("span", "", "soft small")
                    self.on = ui.button(texts.NEXT, on_click=errors_shown(lambda: self.turn(1))).props("flat dense")
            self.beside = ArchivedPagePanel(app_context, collection.name)

    def _input(self, name: str, said: str, given: dict[str, str], classes: str = "") -> ui.input:
        made = ui.input(said, value=given[name]).props("outlined dense").classes(classes)
        made.on_value_change(errors_shown(self.changed))
        self.fields[name] = made
        return made

    def _select(self, name: str, said: str, choices: dict[str, str], chosen: str) -> None:
        made = ui.select(choices, label=said, value=chosen if chosen in choices else "").props(
            "outlined dense options-dense"
        )
        made.on_value_change(errors_shown(self.changed))
        self.fields[name] = made

    async def changed(self) -> None:
        """Look again from the first page."""
        self.page = 1
        await self.refresh()

    async def turn(self, step: int) -> None:
        """Go to another page of the list."""
        self.page += step
        await self.refresh()
        ui.run_javascript("window.scrollTo(0, 0)")

    async def by_author(self, name: JSON) -> None:
        """Show what one person wrote."""
        self.fields["author"].value = str(name)

    def filter(self) -> Filter:
        """Return what the fields ask for."""
        value: dict[str, Any] = {name: (field.value or "").strip() or None for name, field in self.fields.items()}
        return Filter(
            kind=value["kind"], author=value["author"], since=value["since"], until=value["until"], text=value["words"],
            order=value["order"],
        )  # fmt: skip

    async def refresh(self) -> None:
        """Show the page of objects that the fields ask for."""
        self.asked = number = self.asked + 1
        wanted = self.filter()
        count, things = await in_thread(self._found, wanted, self.page)
        if number != self.asked:
            return  # the person typed on meanwhile
        last = max(1, -(-count // AT_ONCE))
        self.count.text = texts.FOUND.format(count=count)
        self._remember()
        self.box.clear()
        with self.box:
            for thing in things:
                card(self.app_context, self.collection.name, thing, self.beside, by_author=self.by_author)
            if not things:
                empty(texts.NONE_FOUND if self.fields and count == 0 and wanted != Filter() else texts.NO_OBJECTS)
        first = (self.page - 1) * AT_ONCE
        self.place.text = texts.PAGE_OF.format(first=first + 1 if count else 0, last=first + len(things), count=count)
        self.back.set_enabled(self.page > 1)
        self.on.set_enabled(self.page < last)
        self.turning.set_visibility(last > 1)

    def _found(self, wanted: Filter, page: int) -> tuple[int, list[JSON]]:
        found = self.collection.objects(replace(wanted, limit=AT_ONCE, offset=(page - 1) * AT_ONCE))
        return self.collection.count(wanted), found

    def _remember(self) -> None:
        """Keep the filters in the address, so that it can be kept and shared."""
        asked = {name: field.value for name, field in self.fields.items() if field.value}
        asked |= {"page": str(self.page)} if self.page > 1 else {}
        where = address("read", self.collection.name)
        ui.navigate.history.replace(where + ("?" + urlencode(asked, quote_via=quote) if asked else ""))

    def _downloading(self, form: str) -> Any:
        async def download() -> None:
            path = self.app_context.scratch / f"{self.collection.name}.{form}"
            await in_thread(write_objects, self.collection, self.filter(), form, path)
            ui.download.file(path)

        return download
