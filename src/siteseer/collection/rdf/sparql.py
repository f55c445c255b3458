"""Checks that a SPARQL query only reads, and defines limits and results of queries.

Queries come from anybody who can reach the service, so they only read, only here: no updates, no LOAD, and no SERVICE,
which would make this machine call others.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from siteseer.errors import UsageError
from siteseer.model import JSON

Form = Literal["select", "ask", "graph"]
MAX_QUERY = 100_000
"""Characters; a person writes a hundredth of it."""

_ESCAPED_LETTER = re.compile(r"\\u([0-9A-Fa-f]{4})|\\U([0-9A-Fa-f]{8})")
_OPAQUE = re.compile(
    r'"""(?:[^"\\]|\\.|"(?!""))*"""'
    r"|'''(?:[^'\\]|\\.|'(?!''))*'''"
    r'|"(?:[^"\\\n\r]|\\.)*"'
    r"|'(?:[^'\\\n\r]|\\.)*'"
    r'|<[^<>"{}|^`\\\x00-\x20]*>'
    r"|#[^\n\r]*"
    r"|[?$]\w+"
    r"|:(?:[\w.:%-]|\\[_~.\-!$&'()*+,;=/?#@%])*",
    re.DOTALL,
)
_PROLOGUE = re.compile(r"\s*(?:BASE|PREFIX\s+[\w.-]*)\s*", re.IGNORECASE)
_FORM = re.compile(r"\s*(select|ask|construct|describe)\b")
_FORMS: dict[str, Form] = {"select": "select", "ask": "ask", "construct": "graph", "describe": "graph"}
_UPDATES = ("insert", "delete", "load", "clear", "create", "drop", "copy", "move", "add", "with")
_NAME = re.compile(r"([\w.-]*:[\w.-]*)\s*\Z")
_POSITION = re.compile(r"error at (\d+):(\d+)")


@dataclass(frozen=True, slots=True)
class Limits:
    """What one query may cost."""

    seconds: float = 30.0
    """Who waits longer has asked for something else than they meant."""
    rows: int = 100_000
    """More rows belong in an export."""
    result_bytes: int = 64 * 2**20
    memory_bytes: int = 4 * 2**30


@dataclass(frozen=True, slots=True)
class Term:
    """One RDF term of an answer."""

    kind: Literal["uri", "literal", "bnode"]
    value: str
    datatype: str = ""
    language: str = ""

    def as_json(self) -> dict[str, JSON]:
        """Return the term as the SPARQL 1.1 JSON results format writes it."""
        found: dict[str, JSON] = {"type": self.kind, "value": self.value}
        if self.datatype:
            found["datatype"] = self.datatype
        if self.language:
            found["xml:lang"] = self.language
        return found


Row = tuple[Term | None, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """An answer: rows for SELECT, a truth for ASK, Turtle for CONSTRUCT and DESCRIBE; `truncated` where cut."""

    kind: Form
    variables: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    truth: bool = False
    turtle: str = ""
    truncated: bool = False


def check(query: str) -> None:
    """Raise a UsageError where the query is more than reading in this store.

    >>> check("SELECT ?service { ?service a sioc:Post }")
    """
    if len(query) > MAX_QUERY:
        raise UsageError(f"the query has {len(query):,} characters; at most {MAX_QUERY:,} are read")
    plain = _plain(query)
    if "service" in plain:
        raise UsageError("SERVICE is refused: a query reads this collection only; leave the SERVICE part out")
    words = _PROLOGUE.sub("", plain).split(None, 1)
    if words and words[0].rstrip("{;") in _UPDATES:
        raise UsageError(
            f"{words[0].rstrip('{;').upper()} is refused: queries only read; use SELECT, ASK, CONSTRUCT or DESCRIBE"
        )


def form_of(query: str) -> Form:
    """Return what a query asks for; raise UsageError where it is no query.

    >>> form_of("BASE <urn:select> ASK { ?post a sioc:Post }"), form_of("# ask\\nDESCRIBE <urn:a>")
    ('ask', 'graph')
    """
    found = _FORM.match(_PROLOGUE.sub("", _plain(query)))
    if not found:
        raise UsageError("the query is not valid SPARQL: it is none of SELECT, ASK, CONSTRUCT and DESCRIBE")
    return _FORMS[found[1]]


def _plain(query: str) -> str:
    """The query in small letters, without texts, names, comments and variables."""
    return _OPAQUE.sub(" ", _ESCAPED_LETTER.sub(_letter, query)).lower()


def _letter(match: re.Match[str]) -> str:
    code = int(match[1] or match[2], 16)
    return chr(code) if code < 0x110000 else " "


def wrong_syntax(query: str, message: str) -> UsageError:
    """Return the store's complaint as one sentence with line, column and the text at fault."""
    position = _POSITION.search(message)
    if not position:
        return UsageError(f"the query is not valid SPARQL: {' '.join(message.split())[:200]}")
    line, column = int(position[1]), int(position[2])
    lines = query.splitlines() or [""]
    at = lines[line - 1][column - 1 :].strip()[:40] if line <= len(lines) else ""
    if "Prefix not found" in message and (name := _NAME.search(lines[line - 1][: column - 1])):
        return UsageError(
            f"the prefix of {name[1]} is not declared (line {line}, column {name.start() + 1} of the query)"
        )
    where = f"line {line}, column {column}" + (f", at {at!r}" if at else ", where it ends too early")
    return UsageError(f"the query is not valid SPARQL at {where}")
