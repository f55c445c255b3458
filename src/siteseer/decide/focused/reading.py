"""The text of a campaign's definition in, the definition out, or one sentence with line and nearest known key."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any

from siteseer.decide.focused.definition import Budget, Definition, Entity, Learned, Politeness, Sites, Stores, Term
from siteseer.errors import ConfigurationError
from siteseer.page.urls import wire
from siteseer.plugins import STRATEGIES

MOST_TERMS = 20_000
LONGEST_TERM = 200
_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_SIZE = re.compile(r"(\d{1,15})\s*([kmgt]?)i?b?")
_TABLES = {"budget": Budget, "politeness": Politeness, "sites": Sites, "stores": Stores, "learned": Learned}
_CHOICES = {"robots": ("obey", "ignore", "log"), "follow": ("linked", "seeds"), "assets": ("none", "all")}


class _Wrong(Exception):
    """A value is wrong: which table and key, and why."""

    def __init__(self, table: str, key: str, why: str) -> None:
        super().__init__(why)
        self.table, self.key = table, key


def read_definition(text: str, name: str = "the definition") -> Definition:
    """Return the campaign that a TOML text defines; `name` is what complaints call the text.

    >>> read_definition('name = "Kelp"\\nseeds = ["e.org"]\\nkeywords = ["kelp"]').seeds
    ('http://e.org/',)
    >>> read_definition('nam = "Kelp"')
    Traceback (most recent call last):
        ...
    siteseer.errors.ConfigurationError: the definition, line 1: there is no key 'nam'; did you mean 'name'?
    """
    try:
        found = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ConfigurationError(f"{name} is no TOML: {error}") from error
    except RecursionError as error:
        raise ConfigurationError(f"{name} is nested too deeply") from error
    try:
        return _definition(found)
    except _Wrong as error:
        line = line_of(text, error.table, error.key)
        where = f", line {line}" if line else ""
        raise ConfigurationError(f"{name}{where}: {error}") from error


def line_of(text: str, table: str, key: str) -> int:
    """Return the line on which a key of a table stands, 0 where it does not stand in the text.

    >>> line_of("a = 1\\n[budget]\\na = 2", "budget", "a")
    3
    """
    here = ""
    for number, line in enumerate(text.splitlines(), 1):
        if heading := re.match(r"\s*\[\[?\s*([\w.-]+)\s*\]", line[:200]):
            here = heading[1]
            if here == key and not table:
                return number
        elif here == table and re.match(rf"""\s*["']?{re.escape(key)}["']?\s*[=.]""", line[:300]):
            return number
    return 0


def _definition(found: Mapping[str, Any]) -> Definition:
    _only_known("", found, {one.name for one in fields(Definition)})
    values: dict[str, Any] = {key: _READ[key]("", key, value) for key, value in found.items() if key in _PLAIN}
    for table, kind in _TABLES.items():
        values[table] = kind(**_table(table, found.get(table, {}), {one.name for one in fields(kind)}))
    values["entities"] = tuple(_entity(one) for one in _entities(found))
    for key in ("name", "seeds"):
        if not values.get(key):
            raise _Wrong("", key, f"{key!r} is missing: every campaign needs one")
    made = Definition(**values)
    if made.since and made.until and made.since > made.until:
        raise _Wrong("", "until", f"'until' ({made.until}) lies before 'since' ({made.since})")
    if not (made.keywords or made.entities or made.examples or made.learned.terms):
        raise _Wrong("", "name", "nothing says what is looked for: give keywords, entities or examples")
    return made


def _table(table: str, found: object, known: set[str]) -> dict[str, Any]:
    if not isinstance(found, dict):
        raise _Wrong("", table, f"{table!r} is a table: write it as [{table}]")
    _only_known(table, found, known)
    return {key: _READ[key](table, key, value) for key, value in found.items()}


def _entities(found: Mapping[str, Any]) -> list[Any]:
    entities = found.get("entities", [])
    if not isinstance(entities, list) or not all(isinstance(one, str | dict) for one in entities):
        raise _Wrong("", "entities", "'entities' are names, or tables [[entities]] with name and aliases")
    return entities


def _entity(found: str | dict[str, Any]) -> Entity:
    if isinstance(found, str):
        return Entity(_phrase("", "entities", found))
    _only_known("entities", found, {"name", "aliases"})
    if "name" not in found:
        raise _Wrong("", "entities", "an entity has no name")
    return Entity(_phrase("entities", "name", found["name"]), _phrases("entities", "aliases", found.get("aliases", [])))


def _only_known(table: str, found: Mapping[str, Any], known: set[str]) -> None:
    for key in found:
        if key not in known:
            near = get_close_matches(key, known, 1) or get_close_matches(key.lower(), known, 1)
            advice = f"did you mean {near[0]!r}?" if near else f"known are {', '.join(sorted(known))}"
            raise _Wrong(table, key, f"there is no key {key!r}{f' in [{table}]' if table else ''}; {advice}")


# ── values ────────────────────────────────────────────────────────────────────────────────────────────────────────


def _phrase(table: str, key: str, value: object) -> str:
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_TERM:
        raise _Wrong(table, key, f"{key!r} wants a text of at most {LONGEST_TERM} characters, not {_shown(value)}")
    return " ".join(value.split())


def _text(table: str, key: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > 1_000 or any(character in value for character in "\r\n\x00"):
        raise _Wrong(table, key, f"{key!r} wants one line of text, not {_shown(value)}")
    if key in _CHOICES and value not in _CHOICES[key]:
        raise _Wrong(table, key, f"{key!r} is one of {', '.join(_CHOICES[key])}, not {_shown(value)}")
    return value


def _store(table: str, key: str, value: object) -> str:
    place = _text(table, key, value)
    if "@" in place.partition("://")[2].partition("/")[0]:
        raise _Wrong(table, key, f"{key!r} holds a key or password: they belong in the environment")
    if key != "archive" and not place.startswith(("http://", "https://")):
        raise _Wrong(table, key, f"{key!r} wants a SPARQL endpoint such as http://host:7878/query, not {_shown(value)}")
    return place


def _phrases(table: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > MOST_TERMS:
        raise _Wrong(table, key, f'{key!r} wants a list of texts, as in {key} = ["one", "two"]')
    return tuple(dict.fromkeys(_phrase(table, key, one) for one in value))


def _urls(table: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value) or len(value) > MOST_TERMS:
        raise _Wrong(table, key, f'{key!r} wants a list of URLs, as in {key} = ["http://example.org/"]')
    return tuple(dict.fromkeys(_url(table, key, one) for one in value))


def _url(table: str, key: str, text: str) -> str:
    try:
        url = wire(text.strip() if "://" in text else f"http://{text.strip()}")
    except ValueError:
        url = None
    if url is None:
        raise _Wrong(table, key, f"{_shown(text)} in {key!r} is no URL; write it as http://host/path")
    return url


def _date(table: str, key: str, value: object) -> date:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise _Wrong(table, key, f"{key!r} wants a day such as 2019-03-31, not {_shown(value)}") from None


def _count(table: str, key: str, value: object) -> int:
    if key == "bytes" and isinstance(value, str) and (size := _SIZE.fullmatch(value.strip().lower())):
        value = int(size[1]) * _UNITS[size[2]]
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise _Wrong(table, key, f"{key!r} wants a whole number above 0, not {_shown(value)}")
    return value


def _number(table: str, key: str, value: object) -> float:
    most = 1.0 if key == "social" else 1e9
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= most:
        raise _Wrong(table, key, f"{key!r} wants a number{' from 0 to 1' if most == 1 else ''}, not {_shown(value)}")
    return float(value)


def _bool(table: str, key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise _Wrong(table, key, f"{key!r} is true or false, not {_shown(value)}")
    return value


def _strategy(table: str, key: str, value: object) -> str:
    if value not in STRATEGIES or value == "focused":
        near = get_close_matches(str(value), STRATEGIES, 1)
        raise _Wrong(
            table, key, f"there is no strategy {_shown(value)}; {'did you mean ' + near[0] if near else 'use blind'}"
        )
    return str(value)


def _weighted(table: str, key: str, value: object) -> tuple[Term, ...]:
    if not isinstance(value, dict) or len(value) > MOST_TERMS:
        raise _Wrong(table, key, f"{key!r} wants terms with weights, as in {key} = {{ kelp = 0.8 }}")
    found = [Term(_phrase(table, key, text), _number(table, key, weight)) for text, weight in value.items()]
    if heavy := next((one for one in found if one.weight > 1), None):
        raise _Wrong(table, key, f"the weight of {heavy.text!r} is {heavy.weight}; weights go from 0 to 1")
    return tuple(found)


def _shown(value: object) -> str:
    return repr(value)[:60]


_READ: dict[str, Callable[[str, str, object], Any]] = {
    "name": _phrase, "seeds": _urls, "keywords": _phrases, "examples": _phrases, "since": _date, "until": _date,
    "languages": _phrases, "social": _number, "strategy": _strategy, "policies": _phrases, "assets": _text,
    "requests": _count, "bytes": _count, "days": _number, "delay": _number, "concurrency": _count, "robots": _text,
    "contact": _text, "user_agent": _text, "allow_private": _bool, "follow": _text, "most": _count, "at_once": _count,
    "terms": _weighted, "sites": _urls, "archive": _store, "objects": _store, "objects_update": _store,
}  # fmt: skip
_PLAIN = _READ.keys() & {one.name for one in fields(Definition)} - _TABLES.keys()
