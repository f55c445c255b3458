"""Validates and converts the values of a campaign's definition, or says in one sentence what is expected."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date, datetime
from difflib import get_close_matches
from typing import Any

from siteseer.campaigns.relevance.definition import Term
from siteseer.campaigns.relevance.term_matcher import words_of
from siteseer.errors import UsageError
from siteseer.page.urls import wire
from siteseer.plugins import STRATEGIES, installed_strategies
from siteseer.settings import HostOptions, Politeness, options_of, read_hosts, read_value

MOST_TERMS = 20_000
LONGEST_TERM = 200
_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}
_SIZE = re.compile(r"(\d{1,15})\s*([kmgt]?)i?b?")
_CODE = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{1,8}){0,3}")
_OTHER_SCHEME = re.compile(r"(?!https?:)[A-Za-z][A-Za-z0-9+.-]*:(?!\d)", re.IGNORECASE)
_OF_ONE_SITE = ("focused", "example", "probe", "probe-get", "understand", "revisit", "acebot-sample")
"""Strategies that are no way to look for the URLs of any site."""
_CHOICES = {
    "follow": ("linked", "seeds"),
    "assets": ("none", "all"),
    "browser": ("never", "auto", "always"),
}


_POLITE = {one.name: one for one in options_of(Politeness)}


class InvalidValue(Exception):
    """An invalid value: its table and key, and why; of a table that occurs several times also which one."""

    def __init__(self, table: str, key: str, why: str) -> None:
        super().__init__(why)
        self.table, self.key, self.number = table, key, 0


def phrase(table: str, key: str, value: object) -> str:
    """Return a text of a few words."""
    if not isinstance(value, str) or not value.strip() or len(value) > LONGEST_TERM:
        raise InvalidValue(
            table, key, f"{key!r} wants a text of at most {LONGEST_TERM} characters, not {_shown(value)}"
        )
    return " ".join(value.split())


def _text(table: str, key: str, value: object) -> str:
    if not isinstance(value, str) or len(value) > 1_000 or any(character in value for character in "\r\n\x00"):
        raise InvalidValue(table, key, f"{key!r} wants one line of text, not {_shown(value)}")
    if key in _CHOICES and value not in _CHOICES[key]:
        raise InvalidValue(table, key, f"{key!r} is one of {', '.join(_CHOICES[key])}, not {_shown(value)}")
    return value


def _store(table: str, key: str, value: object) -> str:
    place = _text(table, key, value)
    if "@" in place.partition("://")[2].partition("/")[0]:
        raise InvalidValue(table, key, f"{key!r} holds a key or password: they belong in the environment")
    if key != "archive" and not place.startswith(("http://", "https://")):
        raise InvalidValue(
            table, key, f"{key!r} wants a SPARQL endpoint such as http://host:7878/query, not {_shown(value)}"
        )
    return place


def phrases(table: str, key: str, value: object) -> tuple[str, ...]:
    """Return texts of a few words, each once."""
    if not isinstance(value, list) or len(value) > MOST_TERMS:
        raise InvalidValue(table, key, f'{key!r} wants a list of texts, as in {key} = ["one", "two"]')
    return tuple(dict.fromkeys(phrase(table, key, one) for one in value))


def search_text(table: str, key: str, value: object) -> str:
    """Return a text that can be searched for."""
    found = phrase(table, key, value)
    if not words_of(found):
        raise InvalidValue(
            table, key, f"{_shown(found)} in {key!r} has no letters or digits: nothing can be found by it"
        )
    return found


def search_texts(table: str, key: str, value: object) -> tuple[str, ...]:
    """Return texts that can be searched for, each once."""
    return tuple(dict.fromkeys(search_text(table, key, one) for one in phrases(table, key, value)))


def _languages(table: str, key: str, value: object) -> tuple[str, ...]:
    codes = phrases(table, key, value)
    if wrong := next((one for one in codes if not _CODE.fullmatch(one)), None):
        raise InvalidValue(table, key, f"{key!r} wants codes such as en, de or pt-BR, not {_shown(wrong)}")
    return codes


def _policies(table: str, key: str, value: object) -> tuple[str, ...]:
    chosen = phrases(table, key, value)
    if wrong := next((one for one in chosen if not all(map(str.strip, one.partition("=")))), None):
        raise InvalidValue(table, key, f"{key!r} wants NAME=VALUE each, such as old-revisions=yes, not {_shown(wrong)}")
    return chosen


def _urls(table: str, key: str, value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value) or len(value) > MOST_TERMS:
        raise InvalidValue(table, key, f'{key!r} wants a list of URLs, as in {key} = ["http://example.org/"]')
    return tuple(dict.fromkeys(_url(table, key, one) for one in value))


def _url(table: str, key: str, text: str) -> str:
    given = text.strip()
    try:
        url = wire(given if "://" in given else f"http://{given}")
    except ValueError:
        url = None
    if url is None or len(given.split()) > 1 or _OTHER_SCHEME.match(given):
        raise InvalidValue(table, key, f"{_shown(text)} in {key!r} is no URL; write it as http://host/path")
    return url


def _date(table: str, key: str, value: object) -> date:
    if isinstance(value, datetime):
        return value.date()
    if isinstance(value, date):
        return value
    try:
        return date.fromisoformat(str(value))
    except ValueError:
        raise InvalidValue(table, key, f"{key!r} wants a day such as 2019-03-31, not {_shown(value)}") from None


def _count(table: str, key: str, value: object) -> int:
    if key == "bytes" and isinstance(value, str) and (size := _SIZE.fullmatch(value.strip().lower())):
        value = int(size[1]) * _UNITS[size[2]]
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise InvalidValue(table, key, f"{key!r} wants a whole number above 0, not {_shown(value)}")
    return value


def _number(table: str, key: str, value: object) -> float:
    most = 1.0 if key == "social" else 1e9
    if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= most:
        raise InvalidValue(
            table, key, f"{key!r} wants a number{' from 0 to 1' if most == 1 else ''}, not {_shown(value)}"
        )
    return float(value)


def _polite(table: str, key: str, value: object) -> Any:
    if isinstance(value, str):
        _text(table, key, value)
    try:
        return read_value(_POLITE[key], value, repr(key))
    except UsageError as error:
        raise InvalidValue(table, key, str(error)) from None


def _hosts(table: str, key: str, value: object) -> tuple[HostOptions, ...]:
    try:
        return read_hosts(value, _POLITE)
    except UsageError as error:
        raise InvalidValue(table, key, str(error)) from None


def _strategy(table: str, key: str, value: object) -> str:
    known = [name for name in (*STRATEGIES, *installed_strategies()) if name not in _OF_ONE_SITE]
    if value in _OF_ONE_SITE:
        raise InvalidValue(
            table, key, f"the strategy {_shown(value)} needs to be told about each site; use blind or auto"
        )
    if not isinstance(value, str) or value not in known:
        near = get_close_matches(str(value), known, 1)
        raise InvalidValue(
            table, key, f"there is no strategy {_shown(value)}; {'did you mean ' + near[0] if near else 'use blind'}"
        )
    return value


def _weighted(table: str, key: str, value: object) -> tuple[Term, ...]:
    if not isinstance(value, dict) or len(value) > MOST_TERMS:
        raise InvalidValue(table, key, f"{key!r} wants terms with weights, as in {key} = {{ kelp = 0.8 }}")
    found = [Term(search_text(table, key, text), _number(table, key, weight)) for text, weight in value.items()]
    if heavy := next((one for one in found if one.weight > 1), None):
        raise InvalidValue(table, key, f"the weight of {heavy.text!r} is {heavy.weight}; weights go from 0 to 1")
    return tuple(found)


def _shown(value: object) -> str:
    return repr(value)[:60]


READ: dict[str, Callable[[str, str, object], Any]] = {
    "name": phrase, "seeds": _urls, "keywords": search_texts, "examples": phrases, "since": _date, "until": _date,
    "languages": _languages, "social": _number, "strategy": _strategy, "policies": _policies, "assets": _text,
    "browser": _text, "requests": _count, "bytes": _count, "days": _number, 
    "follow": _text, "most": _count,
    "at_once": _count, "terms": _weighted, "sites": _urls, "archive": _store, "objects": _store,
    "objects_update": _store, **dict.fromkeys(_POLITE, _polite), "hosts": _hosts,
}  # fmt: skip
