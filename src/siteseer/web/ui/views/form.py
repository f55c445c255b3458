"""The view Form: what a search form asks for, its records, and their place in an ontology, to confirm or correct."""

from __future__ import annotations

from nicegui import ui

from siteseer.deepweb.understanding_model import Understanding
from siteseer.errors import NotFoundError
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.form.form_board import Board
from siteseer.web.ui.form.form_columns import columns_panel
from siteseer.web.ui.form.form_fields import fields_panel
from siteseer.web.ui.form.form_records import Records
from siteseer.web.ui.form.ontology_proposals import Proposals
from siteseer.web.ui.open_collection import opened
from siteseer.web.ui.page_frame import frame, names_of
from siteseer.web.ui.texts import texts_form as texts
from siteseer.web.ui.widgets import bar, empty, headline, in_thread, out_link, tag

PANELS = {"fields": fields_panel, "columns": columns_panel, "records": Records, "proposals": Proposals}


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/c/{name}/form")
    async def form(name: str) -> None:
        with frame(app_context, "form", await names_of(app_context), name, whole=True):
            collection = await opened(app_context, name)
            if collection is None:
                return
            headline(texts.TITLE, texts.SAID)
            try:
                found = await in_thread(collection.understanding)
            except NotFoundError:
                empty(texts.NONE)
                return
            _about(found)
            board = Board(app_context, collection, found)
            with ui.tabs().props("align=left no-caps dense") as tabs:
                for key, said in texts.TABS.items():
                    ui.tab(key, said)
            with ui.tab_panels(tabs, value="fields").props("keep-alive").classes("full-width"):
                for key, panel in PANELS.items():
                    with ui.tab_panel(key), ui.element("div").classes("list full-width"):
                        panel(board)


def _about(found: Understanding) -> None:
    """Put which form it is, and what came of it, in two lines."""
    with bar():
        out_link(found.url, found.url, "wrap mono small")
        tag("span", f"{found.form.get('method', '')} {found.form.get('action', '')}", "soft mono small wrap")
    counts = {
        "submissions": found.submissions,
        "records": len(found.records),
        "fields": sum(bool(one.columns) for one in found.fields),
        "relations": len(found.relations),
        "instances": len(found.instances),
        "proposals": len(found.proposals),
    }
    tag("p", " · ".join(f"{count:,} {texts.COUNTED[name]}" for name, count in counts.items()), "figures")
    if found.stopped_by:
        tag("p", texts.STOPPED.format(reason=found.stopped_by), "note")
    for one in found.shortfalls:
        tag("p", texts.NOT_READ.format(what=one), "note")
