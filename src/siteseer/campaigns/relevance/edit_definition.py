"""Changes values in the TOML text of a campaign's definition; comments and layout stay as they are."""

from __future__ import annotations

import json
import re
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from siteseer.errors import ConfigurationError

TABLES = ("budget", "politeness", "sites", "stores")
LONGEST = 500_000
"""Characters of a definition that is changed; a longer one is written by programs."""
_HEADER = re.compile(r"\s*\[\[?\s*([\w.-]+)\s*\]")
_KEY = re.compile(r"""\s*(?:"([^"]{1,300})"|'([^']{1,300})'|([\w-]{1,300}))\s*[=.]""")
_CLOSING = re.compile(r"[\]}]|\"\"\"|'''")
_WIDTH = 100


@dataclass(frozen=True, slots=True)
class _Statement:
    """A key with its value: which lines it takes, counted from 0."""

    table: str
    key: str
    first: int
    after: int


def values_of(text: str) -> dict[str, Any]:
    """Return the values of a definition in JSON types: days as texts, entities with name and aliases.

    >>> values_of('since = 2019-05-01\\nentities = ["Harbour Board"]')
    {'since': '2019-05-01', 'entities': [{'name': 'Harbour Board', 'aliases': []}]}
    """
    return {key: _plain(value) if key != "entities" else _entities(value) for key, value in _parsed(text).items()}


def edit_values(text: str, changes: Mapping[str, Any]) -> str:
    """Return a definition with other values; tables within `changes` are mappings; None, "" and [] remove a key.

    >>> print(edit_values('name = "Kelp"  # a weed\\n[budget]\\nrequests = 5', {"name": "Tea", "budget": {"days": 2}}))
    name = "Tea"  # a weed
    [budget]
    requests = 5
    days = 2
    <BLANKLINE>
    """
    now = values_of(text)
    for key, value in changes.items():
        if key == "entities":
            if _entities(value or []) != now.get("entities", []):
                text = _with_entities(text, _entities(value or []))
        elif key in TABLES and isinstance(value, Mapping):
            for name, one in value.items():
                if not _same(now.get(key, {}).get(name), one):
                    text = _with(text, key, name, one)
        elif not _same(now.get(key), value):
            text = _with(text, "", key, value)
    _check(text, changes)
    return text


def _with(text: str, table: str, key: str, value: Any) -> str:
    """Return a text in which a key has a value, or is not there."""
    lines = text.rstrip("\n").split("\n")
    found = next((one for one in _statements(lines) if (one.table, one.key) == (table, key)), None)
    said = [] if value in (None, "", []) else [f"{key} = {_written(value)}"]
    if found is not None:
        comment = _comment(lines[found.first]) if found.after == found.first + 1 else ""
        lines[found.first : found.after] = [one + comment for one in said]
    elif said:
        place = _place(lines, table)
        lines[place:place] = said if place or not table else ["", f"[{table}]", *said]
        if table and not place:
            lines = [*lines[3:], *lines[:3]]
    return "\n".join(lines) + "\n"


def _place(lines: list[str], table: str) -> int:
    """Return before which line a new key of a table belongs; 0 for a table that is not there."""
    after = [one.after for one in _statements(lines) if one.table == table]
    if after:
        return after[-1]
    if not table:
        return next((number for number, line in enumerate(lines) if _HEADER.match(line[:300])), len(lines))
    return next((n + 1 for n, line in enumerate(lines) if (head := _HEADER.match(line[:300])) and head[1] == table), 0)


def _with_entities(text: str, entities: list[dict[str, Any]]) -> str:
    """Return a text with these entities in the place of the others."""
    lines, kept, place, is_entity = _with(text, "", "entities", None).rstrip("\n").split("\n"), list[str](), -1, False
    for line in lines:
        if header := _HEADER.match(line[:300]):
            is_entity = header[1] == "entities"
            place = len(kept) if is_entity and place < 0 else place
        if not is_entity:
            kept.append(line)
    said: list[str] = []
    for one in entities:
        said += ["[[entities]]", f"name = {_written(one['name'])}"]
        said += [f"aliases = {_written(one['aliases'])}", ""] if one["aliases"] else [""]
    if place < 0:
        place = _place(kept, "")
        said = ["", *said]
    return "\n".join([*kept[:place], *said, *kept[place:]]).rstrip() + "\n"


def _statements(lines: list[str]) -> list[_Statement]:
    """Return where the keys of a text stand; a value may take several lines."""
    found: list[_Statement] = []
    table, number = "", 0
    while number < len(lines):
        line = lines[number]
        first = number
        number += 1
        if header := _HEADER.match(line[:300]):
            table = header[1]
        elif key := _KEY.match(line[:400]):
            while not _is_whole(lines[first:number]) and number < len(lines):
                number += 1
                while number < len(lines) and not _CLOSING.search(lines[number - 1]):
                    number += 1
            found.append(_Statement(table, key[1] or key[2] or key[3], first, number))
    return found


def _is_whole(lines: list[str]) -> bool:
    try:
        tomllib.loads("\n".join(lines))
    except tomllib.TOMLDecodeError:
        return False
    return True


def _comment(line: str) -> str:
    """Return the comment at the end of a line, with the space before it."""
    for mark in re.finditer("#", line):
        if _is_whole([line[: mark.start()]]):
            said = line[: mark.start()]
            return line[len(said.rstrip()) :]
    return ""


def _check(text: str, changes: Mapping[str, Any]) -> None:
    """Raise where the values did not arrive: a table can be written in ways that are not understood here."""
    try:
        now = values_of(text)
    except ConfigurationError:
        now = {}
    for key, value in changes.items():
        if key == "entities":
            arrived = _entities(value or []) == now.get(key, [])
        elif key in TABLES and isinstance(value, Mapping):
            arrived = all(_same(now.get(key, {}).get(name), one) for name, one in value.items())
        else:
            arrived = _same(now.get(key), value)
        if not arrived:
            raise ConfigurationError(f"{key!r} is written in a way that only you can change: change the text itself")


def _parsed(text: str) -> dict[str, Any]:
    if len(text) > LONGEST:
        raise ConfigurationError("the definition is too long to be changed here")
    try:
        return tomllib.loads(text)
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ConfigurationError(f"the definition is no TOML: {error}") from error


def _same(now: Any, then: Any) -> bool:
    return (now if now not in (None, "", []) else None) == (_plain(then) if then not in (None, "", []) else None)


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    return value if isinstance(value, str | int | float | bool | None) else str(value)


def _entities(found: Any) -> list[dict[str, Any]]:
    if not isinstance(found, Iterable) or isinstance(found, str):
        return []
    return [
        {"name": one.get("name", ""), "aliases": _plain(one.get("aliases", []))}
        if isinstance(one, Mapping)
        else {"name": one, "aliases": []}
        for one in found
    ]


def _written(value: Any) -> str:
    """Return a value as TOML."""
    if isinstance(value, str) and _is_day(value):
        return value
    if isinstance(value, list | tuple):
        said = [_quoted(one) for one in value]
        line = f"[{', '.join(said)}]"
        return line if len(line) <= _WIDTH else "[\n" + "".join(f"  {one},\n" for one in said) + "]"
    return _quoted(value)


def _quoted(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, str):
        return json.dumps(value)
    return json.dumps(value.encode("utf-8", "replace").decode(), ensure_ascii=False).replace("\x7f", "\\u007f")


def _is_day(text: str) -> bool:
    try:
        return re.fullmatch(r"\d{4}-\d\d-\d\d", text) is not None and date.fromisoformat(text) is not None
    except ValueError:
        return False
