"""The fields of a definition's form: each shows a value of the definition and returns the edited one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from nicegui import ui

from siteseer.campaigns.relevance.definition_toml import entity_of
from siteseer.settings import Option, Politeness, options_of
from siteseer.web.ui.texts import texts_campaign as texts

POLITE = {one.name: one for one in options_of(Politeness)}
OPTIONAL = None
"""What an empty field stands for: the key is left out."""


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of field: how it is put, how a value is shown in it, and how it is read."""

    put: Callable[[str], Any]
    shown: Callable[[Any], Any]
    read: Callable[[Any], Any]


def _label(key: str) -> str:
    return POLITE[key].label if key in POLITE else texts.LABELS[key]


def _line(key: str) -> Any:
    return ui.input(_label(key), placeholder=texts.HINTS.get(key, "")).props("outlined dense")


def _area(key: str) -> Any:
    return ui.textarea(_label(key), placeholder=texts.HINTS.get(key, "")).props("outlined dense autogrow rows=3")


def _choice(key: str) -> Any:
    choices = POLITE[key].choices if key in POLITE else texts.CHOICES[key]
    return ui.select(dict(choices or {}), label=_label(key)).props("outlined dense options-dense")


def _number(key: str) -> Any:
    return ui.number(_label(key), min=0).props("outlined dense")


def _split(text: str | None, by: str) -> list[str] | None:
    return [one.strip() for one in (text or "").split(by) if one.strip()] or OPTIONAL


def _entity(one: dict[str, Any]) -> str:
    return str(one["name"]) + (f" = {', '.join(one['aliases'])}" if one["aliases"] else "")


def _whole(value: float | None) -> Any:
    return OPTIONAL if value is None else int(value) if value == int(value) else value


LINE = Kind(_line, lambda value: "" if value is None else str(value), lambda text: (text or "").strip() or OPTIONAL)
LINES = Kind(_area, lambda value: "\n".join(map(str, value or ())), lambda text: _split(text, "\n"))
COMMAS = Kind(_line, lambda value: ", ".join(map(str, value or ())), lambda text: _split(text, ","))
ENTITIES = Kind(
    _area,
    lambda value: "\n".join(_entity(one) for one in value or ()),
    lambda text: [entity_of(one) for one in _split(text, "\n") or ()] or OPTIONAL,
)
NUMBER = Kind(_number, lambda value: value if isinstance(value, int | float) else None, _whole)
CHOICE = Kind(_choice, lambda value: value, lambda value: value or OPTIONAL)
SWITCH = Kind(lambda key: ui.switch(_label(key)), bool, lambda value: value or OPTIONAL)


def _kind(option: Option) -> Kind:
    """Return the kind of field that edits an option."""
    if option.choices:
        return CHOICE
    return {bool: SWITCH, int: NUMBER, float: NUMBER}.get(option.type, LINES if option.is_list else LINE)


Field = tuple[str, str, Kind, Any]
FIELDS: dict[str, tuple[Field, ...]] = {
    "topic": (
        ("", "name", LINE, None), ("", "seeds", LINES, None), ("", "keywords", LINES, None),
        ("", "entities", ENTITIES, None), ("", "examples", LINES, None),
    ),
    "when": (("", "since", LINE, None), ("", "until", LINE, None), ("", "languages", COMMAS, None)),
    "cost": (("budget", "requests", NUMBER, None), ("budget", "bytes", LINE, None), ("budget", "days", NUMBER, None)),
    "how": tuple(("politeness", one.name, _kind(one), one.default or None) for one in POLITE.values()),
    "where": (
        ("sites", "follow", CHOICE, "linked"), ("sites", "most", NUMBER, 1_000), ("sites", "at_once", NUMBER, 100),
        ("", "social", NUMBER, 0.5), ("", "strategy", CHOICE, "blind"), ("", "assets", CHOICE, "none"),
        ("", "browser", CHOICE, "never"),
        ("", "policies", LINES, None),
    ),
    "kept": (
        ("stores", "archive", LINE, None), ("stores", "objects", LINE, None), ("stores", "objects_update", LINE, None),
    ),
}  # fmt: skip
"""The sections of the form: table, key, kind and default of each field."""
