"""Parses the TOML of a campaign's definition, or explains the error with its line and the nearest valid key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from dataclasses import fields
from difflib import get_close_matches
from typing import Any

from siteseer.campaigns.relevance.definition import Budget, Definition, Entity, Learned, Sites, Stores
from siteseer.campaigns.relevance.definition_values import READ, InvalidValue, search_text, search_texts
from siteseer.errors import ConfigurationError
from siteseer.settings import Politeness

MOST_COMPLAINTS = 30
_TABLES = {"budget": Budget, "politeness": Politeness, "sites": Sites, "stores": Stores, "learned": Learned}
_SOUGHT = ("keywords", "entities", "examples", "terms")
"""Keys that say what is looked for: one of them must be there."""
_PLAIN = READ.keys() & {one.name for one in fields(Definition)} - _TABLES.keys()


class DefinitionError(ConfigurationError):
    """A definition is not valid: with its table, key and line where they are known."""

    def __init__(self, sentence: str, table: str, key: str, line: int) -> None:
        super().__init__(sentence)
        self.table, self.key, self.line = table, key, line


def read_definition(text: str, name: str = "the definition") -> Definition:
    """Return the campaign that a TOML text defines; error messages call the text `name`.

    >>> read_definition('name = "Kelp"\\nseeds = ["e.org"]\\nkeywords = ["kelp"]').seeds
    ('http://e.org/',)
    >>> read_definition('nam = "Kelp"')  # doctest: +IGNORE_EXCEPTION_DETAIL
    Traceback (most recent call last):
        ...
    DefinitionError: the definition, line 1: there is no key 'nam'; did you mean 'name'?
    """
    found = _parsed(text, name)
    try:
        return _definition(found)
    except InvalidValue as error:
        raise _told(text, name, error.table, error.key, str(error), error.number) from error


def all_errors(text: str, name: str = "the definition") -> list[DefinitionError]:
    """Return all errors in a definition, worded as by `read_definition`; raise where it is no TOML.

    >>> for one in all_errors('nam = "Kelp"\\nsocial = 3'):
    ...     print(one)
    the definition, line 1: there is no key 'nam'; did you mean 'name'?
    the definition, line 2: 'social' wants a number from 0 to 1, not 3
    the definition: 'name' is missing: every campaign needs one
    """
    return [_told(text, name, *one) for one in _all_wrong(_parsed(text, name))]


def _told(text: str, name: str, table: str, key: str, why: str, number: int) -> DefinitionError:
    line = line_of(text, table, key, number)
    return DefinitionError(f"{name}{f', line {line}' if line else ''}: {why}", table, key, line)


def _parsed(text: str, name: str) -> dict[str, Any]:
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(_not_toml(text, name, str(error))) from error
    except RecursionError as error:
        raise ConfigurationError(f"{name} is nested too deeply") from error


def _not_toml(text: str, name: str, why: str) -> str:
    """Say why a text is no TOML; a day that is written another way is what people get wrong most."""
    if (place := re.search(r"at line (\d{1,9})", why)) is not None:
        line = "".join(text.split("\n")[int(place[1]) - 1 : int(place[1])])[:200]
        if (day := re.match(r"\s*(since|until)\s*=\s*([^#]*)", line)) is not None:
            return f"{name}, line {place[1]}: {day[1]!r} wants a day such as 2019-03-31, not {day[2].strip()[:60]}"
        if why.startswith("Cannot overwrite") and (key := re.match(r"\s*([\w-]{1,100})\s*=", line)) is not None:
            return f"{name}, line {place[1]}: {key[1]!r} stands there twice"
    return f"{name} is no TOML: {why}"


def definition_errors(found: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Return all errors in the values of a definition: table, key and a sentence each.

    >>> found = {"name": "Kelp", "seeds": ["e.org"], "keywords": ["kelp"], "social": 2, "budget": {"days": "x"}}
    >>> definition_errors(found)
    [('', 'social', "'social' wants a number from 0 to 1, not 2"), ('budget', 'days', "'days' wants a number, not 'x'")]
    """
    return [one[:3] for one in _all_wrong(found)]


def _all_wrong(found: Mapping[str, Any]) -> list[tuple[str, str, str, int]]:
    """Return the same as `definition_errors`, with the number of the table where it stands there several times."""
    left = {key: dict(value) if isinstance(value, dict) else value for key, value in found.items()}
    said: list[tuple[str, str, str, int]] = []
    while len(said) < MOST_COMPLAINTS:
        try:
            _definition(left)
        except InvalidValue as error:
            table = left.get(error.table) if error.table in _TABLES else left
            name = error.table if error.table == "entities" else error.key
            is_there = isinstance(table, dict) and table.pop(name, None) is not None
            if is_there or not _is_told(name, said):
                said.append((error.table, error.key, str(error), error.number))
            if not is_there:
                break  # something is missing: what else is wrong is told when it is there
        else:
            break
    return said


def _is_told(missing: str, said: list[tuple[str, str, str, int]]) -> bool:
    """Say whether a key is only missing because what it says was told to be wrong."""
    instead = _SOUGHT if missing in _SOUGHT else (missing,)
    return any(key in instead or table in instead for table, key, _, _ in said)


def line_of(text: str, table: str, key: str, which: int = 0) -> int:
    """Return the line of a table's key, 0 where it does not occur in the text.

    Of a table that occurs several times, `which` says which one is meant.

    >>> line_of("a = 1\\n[budget]\\na = 2", "budget", "a")
    3
    """
    here, met = "", -1
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]", line[:200]):
            here = heading[1]
            met += here == (table or key)
            if here == key and not table and met == which:
                return number
        elif (
            here == table
            and (not table or met == which)
            and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]""", line[:300])
        ):
            return number
    return 0


def _definition(found: Mapping[str, Any]) -> Definition:
    _only_known("", found, {one.name for one in fields(Definition)})
    values: dict[str, Any] = {key: READ[key]("", key, value) for key, value in found.items() if key in _PLAIN}
    for table, kind in _TABLES.items():
        values[table] = kind(**_table(table, found.get(table, {}), {one.name for one in fields(kind)}))
    values["entities"] = tuple(_entity(one, number) for number, one in enumerate(_entities(found)))
    for key in ("name", "seeds"):
        if not values.get(key):
            raise InvalidValue("", key, f"{key!r} is missing: every campaign needs one")
    made = Definition(**values)
    if made.since and made.until and made.since > made.until:
        raise InvalidValue("", "until", f"'until' ({made.until}) lies before 'since' ({made.since})")
    if not (made.keywords or made.entities or made.examples or made.learned.terms):
        raise InvalidValue("", "keywords", "nothing says what is looked for: give keywords, entities or examples")
    return made


def _table(table: str, found: object, known: set[str]) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise InvalidValue("", table, f"{table!r} is a table: write it as [{table}]")
    _only_known(table, found, known)
    return {key: READ[key](table, key, value) for key, value in found.items()}


def _entities(found: Mapping[str, Any]) -> list[Any]:
    entities = found.get("entities", [])
    if not isinstance(entities, list) or not all(isinstance(one, str | dict) for one in entities):
        raise InvalidValue("", "entities", "'entities' are names, or tables [[entities]] with name and aliases")
    return entities


def _entity(found: str | dict[str, Any], number: int) -> Entity:
    if isinstance(found, str):
        return Entity(search_text("", "entities", found))
    try:
        _only_known("entities", found, {"name", "aliases"})
        if "name" not in found:
            raise InvalidValue("", "entities", "an entity has no name")
        aliases = search_texts("entities", "aliases", found.get("aliases", []))
        return Entity(search_text("entities", "name", found["name"]), aliases)
    except InvalidValue as error:
        error.number = number
        raise


def _only_known(table: str, found: Mapping[str, Any], known: set[str]) -> None:
    for key in found:
        if key not in known:
            near = get_close_matches(key, known, 1) or get_close_matches(key.lower(), known, 1)
            advice = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(sorted(known))}"
            raise InvalidValue(table, key, f"there is no key {key!r}{f' in [{table}]' if table else ''}; {advice}")
