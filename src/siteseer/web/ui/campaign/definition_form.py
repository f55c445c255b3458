"""The form of a definition: shows errors beside their fields; writes only what was changed."""

from __future__ import annotations

from typing import Any

from nicegui import ui

from siteseer.campaigns.relevance.definition_toml import definition_toml
from siteseer.campaigns.relevance.edit_definition import edit_values, values_of
from siteseer.campaigns.relevance.parse_definition import definition_errors
from siteseer.errors import SiteseerError, UsageError
from siteseer.web.ui.app_context import AppContext
from siteseer.web.ui.campaign.definition_fields import FIELDS, Field
from siteseer.web.ui.texts import texts_campaign as texts
from siteseer.web.ui.widgets import bar, errors_shown, in_thread, panel, show_error, show_message, tag

_COLUMNS = ("topic", "where"), ("when", "cost", "how", "kept")
_TOPIC = ("name", "seeds", "keywords", "examples", "languages", "entities")


class DefinitionForm:
    """The definition of a campaign, or of one to be made."""

    def __init__(self, app_context: AppContext, name: str, text: str) -> None:
        self.app_context, self.name, self.text = app_context, name, text
        self.fields: dict[tuple[str, str], tuple[Field, Any]] = {}
        self.first: dict[tuple[str, str], Any] = {}
        with ui.element("div").classes("columns"):
            for sections in _COLUMNS:
                with ui.element("div").classes("list"):
                    for section in sections:
                        self._section(section)
        self.wrong = tag("p", "", "bad wrap", role="status")
        with bar():
            done = (texts.SAVE, errors_shown(self.save)) if name else (texts.CREATE, errors_shown(self.create))
            ui.button(done[0], icon="save", on_click=done[1]).props("unelevated")
            ui.button(texts.CHECK, icon="rule", on_click=errors_shown(self.check)).props("outline")
        self.show(text)

    def show(self, text: str) -> None:
        """Show another text's values."""
        self.text, values = text, values_of(text)
        for place, ((table, key, kind, usual), widget) in self.fields.items():
            value = (values.get(table) or {} if table else values).get(key)
            widget.value = kind.shown(usual if value is None else value)
            self.first[place] = widget.value
        self._tell([])

    def changes(self) -> dict[str, Any]:
        """Return the values that differ from what was shown first."""
        found: dict[str, Any] = {}
        for place, ((table, key, kind, _), widget) in self.fields.items():
            if widget.value != self.first[place]:
                (found.setdefault(table, {}) if table else found)[key] = kind.read(widget.value)
        return found

    async def check(self) -> None:
        """Say whether the definition can be run."""
        if await self._checked(self._written()) is not None:
            show_message(texts.RIGHT)

    async def save(self) -> None:
        """Write what was changed."""
        text = await self._checked(self._written())
        if text is None:
            return
        if text == self.text:
            show_message(texts.UNCHANGED)
            return
        await in_thread(self.app_context.campaigns.write, self.name, text)
        self.show(text)
        show_message(texts.SAVED)

    async def create(self) -> None:
        """Make the campaign."""
        text = await self._checked(self._written())
        if text is None:
            return
        name = (self.folder.value or "").strip()
        try:
            await in_thread(self.app_context.campaigns.create, name, text)
        except UsageError as error:
            self.folder.error = str(error)
            return
        ui.navigate.to(f"/campaigns/{name}")

    def _section(self, section: str) -> None:
        with panel(texts.SECTIONS[section]):
            if section == "topic" and not self.name:
                self.folder = ui.input(texts.FOLDER, placeholder=texts.FOLDER_HINT).props("outlined dense")
            for field in FIELDS[section]:
                table, key, kind, _ = field
                self.fields[table, key] = field, kind.put(key)

    def _written(self) -> str:
        """Return the text with what was changed."""
        changes = self.changes()
        if self.name:
            return edit_values(self.text, changes)
        return edit_values(definition_toml({key: changes[key] for key in _TOPIC if key in changes}), changes)

    async def _checked(self, text: str) -> str | None:
        """Return a text that can be run; tell what is wrong with another."""
        try:
            found = await in_thread(lambda: definition_errors(values_of(text)))
        except SiteseerError as error:
            show_error(str(error))
            return None
        self._tell(found)
        return None if found else text

    def _tell(self, found: list[tuple[str, str, str]]) -> None:
        """Tell each complaint beside its field, and those that have none below the form."""
        places = {self._place(table, key): said for table, key, said in found}
        for place, (_, widget) in self.fields.items():
            if hasattr(widget, "error"):
                widget.error = places.get(place)
        shown = texts.WRONG_ONE if len(found) == 1 else texts.WRONG.format(count=len(found)) if found else ""
        others = [said for place, said in places.items() if place not in self.fields]
        self.wrong.text = " ".join((shown, *others)).strip()
        self.wrong.set_visibility(bool(found))

    @staticmethod
    def _place(table: str, key: str) -> tuple[str, str]:
        return ("", "entities") if table == "entities" else (table, key)
