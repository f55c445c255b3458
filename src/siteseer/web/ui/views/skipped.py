"""The view Skipped: what was not fetched, by which rule, how often and why; lift a rule and resume the crawl."""

from __future__ import annotations

from nicegui import ui

from siteseer.collection.read_only_state import Decisions
from siteseer.model import JSON
from siteseer.verbs.opened_collection import Collection
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.open_collection import opened
from siteseer.web.ui.page_frame import address, frame, names_of
from siteseer.web.ui.texts import texts
from siteseer.web.ui.widgets import (
    bar,
    empty,
    errors_shown,
    headline,
    in_thread,
    out_link,
    panel,
    show_message,
    table,
    tag,
    text_button,
)

NOT_OURS = ("scope", "robots", "unreachable", "depth", "redirect loop")
"""Rules that are not the strategy's: lifting them would break a promise or an option."""
ALL = 200


def register(app_context: AppContext) -> None:
    """Add the view."""

    @ui.page("/c/{name}/skipped")
    async def skipped(name: str) -> None:
        with frame(app_context, "skipped", await names_of(app_context), name):
            collection = await opened(app_context, name)
            if collection is None:
                return
            headline(texts.SKIPPED_TITLE, texts.SKIPPED_SAID)
            await _Rules(app_context, collection).refresh()


class _Rules:
    """The rules of one collection."""

    def __init__(self, app_context: AppContext, collection: Collection) -> None:
        self.app_context, self.collection = app_context, collection
        self.waiting = ui.element("div").classes("note bar apart")
        self.box = ui.element("div").classes("list")

    async def refresh(self) -> None:
        """Show the rules as they are now."""
        rules = await in_thread(self.collection.skipped)
        waiting, _ = await in_thread(self.collection.decisions, Decisions(status="waiting", limit=0))
        self.waiting.clear()
        self.waiting.set_visibility(waiting > 0)
        with self.waiting:
            tag("span", texts.WAITING_NOW.format(count=waiting))
            go_on = ui.button(texts.GO_ON, icon="play_arrow", on_click=errors_shown(self.go_on))
            go_on.props("unelevated dense padding='4px 12px'")
        self.box.clear()
        with self.box:
            for rule in rules:
                self._rule(rule)
            if not rules:
                empty(texts.NOTHING_SKIPPED_AT_ALL)

    async def go_on(self) -> None:
        """Fetch what waits."""
        await in_thread(self.app_context.crawls.resume, self.collection.name, limit=None)
        show_message(texts.WENT_ON)
        ui.navigate.to(address("live"))

    def _rule(self, rule: JSON) -> None:
        async def lift() -> None:
            lifted = await in_thread(self.app_context.crawls.lift, self.collection.name, rule["rule"])
            show_message(texts.LIFTED.format(count=rule["count"] if lifted is None else lifted))
            await self.refresh()

        async def show_all() -> None:
            wanted = Decisions(rule=rule["rule"], limit=ALL)
            _, found = await in_thread(self.collection.decisions, wanted)
            with ui.dialog() as dialog, panel(texts.RULE_ADDRESSES.format(rule=rule["rule"])):
                table(texts.ADDRESS_COLUMNS, [(one["url"], one["because"], one["from"]) for one in found])
                ui.button(texts.CLOSE, on_click=dialog.close).props("flat")
            dialog.props("maximized").open()

        with panel():
            with bar("apart"):
                tag("h2", rule["rule"] or texts.NO_RULE, "wrap grow")
                tag("span", texts.SKIPPED_COUNT.format(count=rule["count"]), "pill")
            if rule["because"] and rule["because"] != rule["rule"]:
                tag("p", rule["because"], "soft wrap")
            for url in rule["examples"]:
                out_link(url, url, "small mono wrap")
            with bar():
                if rule["rule"] not in NOT_OURS:
                    ui.button(texts.LIFT, icon="undo", on_click=errors_shown(lift)).props(
                        "outline dense padding='4px 12px'"
                    )
                text_button(texts.SHOW_ALL, errors_shown(show_all))
