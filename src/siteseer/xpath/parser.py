"""Parses the XPath fragment; a syntax error has a caret under the column and a hint what to write.

Recursive descent: one function for each rule of `grammar.lark`, which is the reference of the language. Each takes the
place where its rule begins and returns what it read and the place where the next token begins. The parser made from
the grammar itself (`grammar_parser.py`) is too slow for knowledge files with thousands of expressions.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, NoReturn

from siteseer.xpath.syntax import (
    And,
    Axis,
    Compare,
    Condition,
    Exists,
    Expression,
    Last,
    Not,
    Or,
    Path,
    Position,
    Predicate,
    Start,
    Step,
)
from siteseer.xpath.syntax_hints import XPathSyntaxError, hint_for, refuse_hostile

Place = int
END = "\x00"
"""Put behind the text, in which it is refused: looking one character ahead is then always possible."""


def _token(pattern: str) -> Callable[[str, Place], re.Match[str] | None]:
    return re.compile(rf"(?:{pattern})\s*").match


_NAME = r"[A-Za-z_][A-Za-z0-9_\-]*(?::(?!:)[A-Za-z0-9_\-]+)*"
_SELECTOR = r"[.#][\w\-]+(?::(?!:)[\w\-]+)*"
WRITTEN_AXIS = _token(r"((?i:parent|ancestor|following-sibling|preceding-sibling))\s*::")
ELEMENT = _token(rf"({_NAME}|\*)((?:{_SELECTOR})*)|((?:{_SELECTOR})+)")
NAME_OR_STAR = _token(rf"({_NAME}|\*)")
TEXT = _token(r"text\s*\(\s*\)")
SELF = _token(r"\.(?![\w\-])")
POSITION_OR_LAST = _token(r"([1-9][0-9]{0,8})|last\s*\(\s*\)")
FUNCTION = _token(r"(contains|starts-with|not)\s*\(")
STRING = _token(r"'([^']*(?:''[^']*)*)'" + "|" + r'"([^"]*(?:""[^"]*)*)"')
OR = _token(r"or(?![\w\-:])")
AND = _token(r"and(?![\w\-:])")
SELECTORS = re.compile(_SELECTOR).findall


class Unexpected(Exception):
    """The text is not valid from that position on."""

    def __init__(self, place: Place) -> None:
        self.place = place


def fail(place: Place) -> NoReturn:
    """Raise: the text is not valid from this position on."""
    raise Unexpected(place)


def skip(text: str, place: Place) -> Place:
    """Return where the next token begins, from `place` on."""
    while text[place].isspace():
        place += 1
    return place


def behind(character: str, text: str, place: Place) -> Place:
    """Return where the next token begins behind the character; fail where another stands there."""
    if text[place] != character:
        fail(place)
    place += 1
    return skip(text, place) if text[place].isspace() else place


@lru_cache(maxsize=65536)
def parse(text: str) -> Expression:
    """Parse an expression of the fragment.

    >>> str(parse("DIV.post//a[@rel='next']/@HREF | .next"))
    "div.post//a[@rel='next']/@href | *.next"
    """
    refuse_hostile(text)
    try:
        return _expression(text + END)
    except Unexpected as error:
        at = min(error.place, len(text.rstrip()))
        raise XPathSyntaxError(text, at + 1, hint_for(text, at)) from None


def _expression(text: str) -> Expression:
    path, place = _path(text, skip(text, 0))
    paths = [path]
    while text[place] == "|":
        path, place = _path(text, skip(text, place + 1))
        paths.append(path)
    return Expression(tuple(paths)) if text[place] == END else fail(place)


# ── paths ──────────────────────────────────────────────────────────────────────────────────────────────────────────


def _path(text: str, place: Place) -> tuple[Path, Place]:
    start: Start = ""
    if text[place] == "." and (found := SELF(text, place)):
        start, place = ".", found.end()
        if text[place] != "/":
            return Path(".", ()), place
    axis: Axis = "child"
    if text[place] == "/":
        start = start or "/"
        axis, place = _join(text, place)
    steps = []
    while True:
        step, place = _step(text, place, axis)
        steps.append(step)
        if text[place] != "/":
            return Path(start, tuple(steps)), place
        if not step.is_element:
            fail(place)
        axis, place = _join(text, place)


def _join(text: str, place: Place) -> tuple[Axis, Place]:
    if text[place + 1] == "/":
        return "descendant", skip(text, place + 2)
    return "child", skip(text, place + 1)


def _step(text: str, place: Place, axis: Axis) -> tuple[Step, Place]:
    if text[place] == "@":
        return _last_step(text, *_attribute(text, place), axis)
    found = ELEMENT(text, place)
    if found is None:
        fail(place)
    after = text[found.end()]
    if after == ":" and axis == "child" and (written := WRITTEN_AXIS(text, place)):
        return _beside(text, written)
    if after == "(" and (ends := TEXT(text, place)):
        return _last_step(text, "text()", ends.end(), axis)
    return _element(text, found, axis)


def _beside(text: str, written: re.Match[str]) -> tuple[Step, Place]:
    """Read the element behind an axis that is written out."""
    axis: Any = written[1].lower()
    found = ELEMENT(text, written.end())
    return _element(text, found, axis) if found else fail(written.end())


def _element(text: str, found: re.Match[str], axis: Axis) -> tuple[Step, Place]:
    place = found.end()
    plain = _plain(found[1], found[2] or found[3], axis)
    if text[place] != "[":
        return plain, place
    predicates, place = _predicates(text, place)
    return Step(plain.test, axis, plain.ids, plain.classes, predicates), place


@lru_cache(maxsize=4096)
def _plain(test: str | None, selectors: str | None, axis: Axis) -> Step:
    """Return the step without predicates: the same few are written again and again."""
    names = SELECTORS(selectors) if selectors else ()
    ids = tuple(name[1:] for name in names if name[0] == "#")
    classes = tuple(name[1:] for name in names if name[0] == ".")
    return Step(test.lower() if test else "*", axis, ids, classes)


def _attribute(text: str, place: Place) -> tuple[str, Place]:
    begins = skip(text, place + 1)
    found = NAME_OR_STAR(text, begins)
    return ("@" + found[1].lower(), found.end()) if found else fail(begins)


def _last_step(text: str, test: str, place: Place, axis: Axis) -> tuple[Step, Place]:
    if text[place] != "[":
        return _plain(test, None, axis), place
    predicates, place = _predicates(text, place)
    return Step(test, axis, (), (), predicates), place


# ── predicates ─────────────────────────────────────────────────────────────────────────────────────────────────────


def _predicates(text: str, place: Place) -> tuple[tuple[Predicate, ...], Place]:
    predicates = []
    while text[place] == "[":
        predicate, place = _predicate(text, skip(text, place + 1))
        predicates.append(predicate)
        place = behind("]", text, place)
    return tuple(predicates), place


def _predicate(text: str, place: Place) -> tuple[Predicate, Place]:
    if text[place] in "l123456789" and (found := POSITION_OR_LAST(text, place)):
        return Position(int(found[1])) if found[1] else Last(), found.end()
    return _disjunction(text, place)


def _disjunction(text: str, place: Place) -> tuple[Condition, Place]:
    part, place = _conjunction(text, place)
    if text[place] != "o":
        return part, place
    parts = [part]
    while found := OR(text, place):
        part, place = _conjunction(text, found.end())
        parts.append(part)
    return Or(tuple(parts)) if len(parts) > 1 else part, place


def _conjunction(text: str, place: Place) -> tuple[Condition, Place]:
    part, place = _condition(text, place)
    if text[place] != "a":
        return part, place
    parts = [part]
    while found := AND(text, place):
        part, place = _condition(text, found.end())
        parts.append(part)
    return And(tuple(parts)) if len(parts) > 1 else part, place


def _condition(text: str, place: Place) -> tuple[Condition, Place]:
    character = text[place]
    if character == "(":
        part, place = _disjunction(text, skip(text, place + 1))
        return part, behind(")", text, place)
    if character in "csn" and (function := FUNCTION(text, place)):
        return _call(function[1], text, function.end())
    value, place = _value(text, place)
    if text[place] == "=":
        literal, place = _literal(text, skip(text, place + 1))
        return Compare("=", value, literal), place
    if text[place] == "!" and text[place + 1] == "=":
        literal, place = _literal(text, skip(text, place + 2))
        return Compare("!=", value, literal), place
    return Exists(value), place


def _call(function: Any, text: str, place: Place) -> tuple[Condition, Place]:
    if function == "not":
        part, place = _disjunction(text, place)
        return Not(part), behind(")", text, place)
    value, place = _value(text, place)
    literal, place = _literal(text, behind(",", text, place))
    return Compare(function, value, literal), behind(")", text, place)


def _value(text: str, place: Place) -> tuple[Path, Place]:
    """Read a path inside a predicate; most are a single attribute."""
    if text[place] == "@":
        test, after = _attribute(text, place)
        if text[after] not in "[/":
            return _single(test), after
    return _path(text, place)


@lru_cache(maxsize=1024)
def _single(test: str) -> Path:
    return Path("", (_plain(test, None, "child"),))


def _literal(text: str, place: Place) -> tuple[str, Place]:
    found = STRING(text, place)
    if found is None:
        fail(place)
    single, double = found.groups()
    return single.replace("''", "'") if double is None else double.replace('""', '"'), found.end()


__all__ = ["XPathSyntaxError", "parse"]
