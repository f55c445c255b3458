"""The values of XPath 1.0 and how they turn into each other: strings, numbers, booleans and sets of nodes."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass

from siteseer.interfaces import WebNode
from siteseer.wrappers.colours import as_shown

_NUMBER = re.compile(r"\s*(-?(?:\d+(?:\.\d*)?|\.\d+))\s*\Z")
_LONGEST = 400


class StyleText(str):
    """A computed style: colours are compared however they are written."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class NodeSet:
    """Nodes with their texts; texts alone where the page has gone since."""

    nodes: tuple[WebNode, ...]
    texts: tuple[str, ...]


Value = str | float | bool | NodeSet


def string(value: Value) -> str:
    """Return a value as a string.

    >>> string(3.0), string(True), string(-0.25), string(NodeSet((), ()))
    ('3', 'true', '-0.25', '')
    """
    if isinstance(value, NodeSet):
        return value.texts[0] if value.texts else ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return value
    return _written(value)


def _written(value: float) -> str:
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return str(int(value)) if value == int(value) else repr(value)


def number(value: Value) -> float:
    """Return a value as a number; what is none is NaN."""
    if isinstance(value, bool | int | float):
        return float(value)
    text = string(value)
    found = _NUMBER.match(text) if len(text) < _LONGEST else None
    return float(found[1]) if found else math.nan


def boolean(value: Value) -> bool:
    """Return a value as a truth: a set that is not empty, a string that is not, a number that is not 0."""
    if isinstance(value, NodeSet):
        return bool(value.texts)
    if isinstance(value, float):
        return bool(value) and not math.isnan(value)
    return bool(value)


_ORDER: dict[str, Callable[[float, float], bool]] = {
    "<": lambda a, b: a < b,
    "<=": lambda a, b: a <= b,
    ">": lambda a, b: a > b,
    ">=": lambda a, b: a >= b,
}
_SUM: dict[str, Callable[[float, float], float]] = {
    "+": lambda a, b: a + b,
    "-": lambda a, b: a - b,
    "*": lambda a, b: a * b,
    "div": lambda a, b: a / b if b else (math.nan if not a or math.isnan(a) else math.copysign(math.inf, a)),
    "mod": lambda a, b: math.fmod(a, b) if b and math.isfinite(a) else math.nan,
}


def operate(operator: str, left: Value, right: Value) -> Value:
    """Apply an operator, except for `and`, `or` and `|`.

    >>> operate("=", NodeSet((), ("a", "b")), "b"), operate("mod", 7.0, 4.0), operate("~=", "big red", "red")
    (True, 3.0, True)
    """
    if operator in _SUM:
        return _SUM[operator](number(left), number(right))
    if operator == "~=":
        return string(right) in string(left).split()
    if operator == "#=":
        return string(right) in string(left)
    if isinstance(left, bool) or isinstance(right, bool):
        return _compare(operator, boolean(left), boolean(right))
    return any(_compare(operator, one, other) for one in _each(left) for other in _each(right))


def _each(value: Value) -> tuple[str | float | bool, ...]:
    return value.texts if isinstance(value, NodeSet) else (value,)


def _compare(operator: str, left: str | float | bool, right: str | float | bool) -> bool:
    if operator in _ORDER:
        return _ORDER[operator](number(left), number(right))
    if isinstance(left, StyleText) or isinstance(right, StyleText):
        same = as_shown(string(left)) == as_shown(string(right))
    elif isinstance(left, bool) or isinstance(right, bool):
        same = boolean(left) == boolean(right)
    elif isinstance(left, float) or isinstance(right, float):
        same = number(left) == number(right)
    else:
        same = left == right
    return same == (operator == "=")


def union(one: Value, other: Value) -> Value:
    """Join two sets of nodes, each node once."""
    texts: dict[WebNode, str] = {}
    for value in (one, other):
        if isinstance(value, NodeSet):
            texts.update(zip(value.nodes, value.texts, strict=True))
    return NodeSet(tuple(texts), tuple(texts.values()))
