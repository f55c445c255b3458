"""The fields of a form that edits options, made from their descriptions: groups under headings, values as they are."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby
from typing import Any

from nicegui import ui

from siteseer.settings import Option, read_value
from siteseer.web.ui.widgets import tag

HINTS = {"GLOB": "*/print/* or re:/page/[0-9]+$"}
"""What stands in an empty field, by the kind of text that it takes."""


class OptionFields:
    """The fields of some options; each begins with the option's default."""

    def __init__(self, options: Sequence[Option]) -> None:
        self._fields: dict[str, tuple[Option, Any]] = {}
        for group, members in groupby(sorted(options, key=lambda one: one.group), lambda one: one.group):
            with ui.element("div").classes("list"):
                tag("h3", group.capitalize())
                for one in members:
                    self._fields[one.name] = (one, _put(one))

    def values(self) -> dict[str, Any]:
        """Return the values that are not the defaults, by name; raise UsageError where one makes no sense."""
        found = {name: _read(option, widget.value) for name, (option, widget) in self._fields.items()}
        return {name: value for name, value in found.items() if value != self._fields[name][0].default}


def _put(option: Option) -> Any:
    """Put the field of an option."""
    if option.type is bool:
        return ui.switch(option.label, value=bool(option.default)).tooltip(option.help)
    if option.choices:
        made: Any = ui.select(dict(option.choices), value=option.default, label=option.label)
    elif option.is_list:
        made = ui.textarea(option.label, placeholder=HINTS.get(option.metavar, option.metavar)).props("rows=2")
    elif option.type in (int, float) and option.unit != "bytes":
        made = ui.number(option.label, value=option.default, min=option.least, max=option.most)
    else:
        made = ui.input(option.label, value=str(option.default or ""))
    return made.props("outlined dense").tooltip(option.help)


def _read(option: Option, written: Any) -> Any:
    if option.is_list:
        return read_value(option, [line.strip() for line in (written or "").splitlines() if line.strip()], option.label)
    if option.type is int and isinstance(written, float) and written == int(written):
        written = int(written)
    if isinstance(written, str):
        written = written.strip()
    if written is None or (written == "" and (option.is_optional or option.type is not str)):
        return option.default
    return read_value(option, written, option.label)
