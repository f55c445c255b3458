"""Shows the terms that the reference crawl proposes, to accept, reject or weigh; completes the definition."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from nicegui import ui

from siteseer.campaigns.vocabulary.reference_crawl import Proposal
from siteseer.web.service.campaign_library import Marked
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.texts import texts_campaign as texts
from siteseer.web.ui.widgets import bar, empty, errors_shown, in_thread, panel, short, show_message, tag


class Terms:
    """The table of proposals."""

    def __init__(self, app_context: AppContext, name: str, completed: Callable[[str], None]) -> None:
        self.app_context, self.name, self.completed = app_context, name, completed
        self.rows: dict[str, tuple[Proposal, Any, Any]] = {}
        tag("p", texts.TERMS_SAID, "soft")
        self.box = ui.element("div").classes("list")

    async def draw(self) -> None:
        """Show what is proposed now."""
        found = await in_thread(self.app_context.campaigns.terms, self.name)
        self.rows.clear()
        self.box.clear()
        with self.box:
            if not found:
                empty(texts.NO_TERMS)
                return
            with bar():
                ui.button(texts.TAKE, icon="done_all", on_click=errors_shown(self.take)).props("unelevated")
                ui.button(texts.ACCEPT_ALL, on_click=self.accept_all).props("outline")
            with panel(), ui.element("table").classes("plain stacked terms"):
                with ui.element("thead"), ui.element("tr"):
                    for head in texts.TERM_HEADS:
                        tag("th", head)
                with ui.element("tbody"):
                    for one in found:
                        self._row(one)

    def accept_all(self) -> None:
        """Accept what is open."""
        for _, _, mark in self.rows.values():
            if mark.value == "?":
                mark.value = "accept"

    async def take(self) -> None:
        """Write the person's words, and what is accepted into the definition."""
        words = [
            Marked(text, mark.value, None if weight is None or weight.value is None else float(weight.value))
            for text, (_, weight, mark) in self.rows.items()
        ]
        marked = await in_thread(self.app_context.campaigns.mark, self.name, words)
        said = {mark: sum(one.mark == mark for one in marked) for mark in texts.MARKS}
        show_message(texts.TAKEN.format(accepted=said["accept"], rejected=said["reject"]))
        self.completed(await in_thread(self.app_context.campaigns.text, self.name))

    def _row(self, one: Proposal) -> None:
        with ui.element("tr"):
            tag("td", one.kind, "soft")
            tag("td", short(one.text, 120), "wrap wide")
            tag("td", texts.IN_PAGES.format(relevant=one.pages, rest=one.rest), "soft small")
            with ui.element("td"):
                weight = None
                if one.kind != "site":
                    weight = ui.number(value=one.weight, min=0, max=1, step=0.05).props("outlined dense")
                    weight.props["aria-label"] = texts.WEIGHT_OF.format(term=short(one.text, 60))
            with ui.element("td"):
                mark = ui.toggle(texts.MARKS, value=one.mark).props("dense unelevated no-caps")
                mark.props["aria-label"] = texts.WORD_ON.format(term=short(one.text, 60))
        self.rows[one.text] = one, weight, mark
