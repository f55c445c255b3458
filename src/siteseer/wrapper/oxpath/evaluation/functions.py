"""The functions of OXPath: those of XPath 1.0 for arguments beyond XPath, and additional ones."""

from __future__ import annotations

import math
from collections.abc import Callable
from urllib.parse import quote, urljoin

import re2

from siteseer.errors import UsageError
from siteseer.page.similarity.jaro_winkler import jaro_winkler
from siteseer.wrapper.oxpath.evaluation.xpath_values import NodeSet, Value, boolean, number, string

LONGEST_TEXT = 1_000_000
"""What a regular expression looks at; the engine takes linear time, but a page may be endless."""


def _pattern(text: str) -> re2._Regexp:
    try:
        return re2.compile(text)
    except re2.error as error:
        raise UsageError(f"{text!r} is no regular expression: {error}") from error


def matches(text: Value, pattern: Value) -> bool:
    """Say whether a regular expression is found in a text."""
    return _pattern(string(pattern)).search(string(text)[:LONGEST_TEXT]) is not None


def replace(text: Value, pattern: Value, instead: Value) -> str:
    r"""Replace what a regular expression finds; `$1` stands for its first group.

    >>> replace("£1,200 pcm", r"[^\d]", "")
    '1200'
    """
    put = string(instead).replace("\\", "\\\\")
    for digit in "123456789":
        put = put.replace(f"${digit}", f"\\{digit}")
    return str(_pattern(string(pattern)).sub(put, string(text)[:LONGEST_TEXT]))


def string_join(values: Value, separator: Value = "") -> str:
    """Join the texts of nodes."""
    return string(separator).join(values.texts) if isinstance(values, NodeSet) else string(values)


def substring(text: Value, start: Value, length: Value = math.inf) -> str:
    """Return a part of a text, counted from 1, as XPath rounds it.

    >>> substring("12345", 1.5, 2.6), substring("12345", 0.0, 3.0)
    ('234', '12')
    """
    begin = _round(number(start))
    end = begin + _round(number(length)) if length != math.inf else math.inf
    return "".join(one for place, one in enumerate(string(text), 1) if begin <= place < end)


def _round(value: float) -> float:
    return math.floor(value + 0.5) if math.isfinite(value) else value


def substring_reverse(text: Value, start: Value, length: Value = math.inf) -> str:
    """Return a part of a text, counted from its end.

    >>> substring_reverse("Oxford OX1 3QD", 1.0, 7.0)
    'OX1 3QD'
    """
    return substring(string(text)[::-1], start, length)[::-1]


def translate(text: Value, these: Value, others: Value) -> str:
    """Replace these characters by others; a character without a counterpart is removed."""
    put = string(others)
    table: dict[int, str | None] = {}
    for place, one in enumerate(string(these)):
        table.setdefault(ord(one), put[place] if place < len(put) else None)
    return string(text).translate(table)


def qualified(base: str, reference: str) -> str:
    """Return a reference as an absolute URL; a text that is no reference stays as it is.

    >>> qualified("http://e.org/a/b", "../c")
    'http://e.org/c'
    """
    try:
        return urljoin(base, reference.strip())
    except ValueError:
        return reference


def _sum(values: Value) -> float:
    return math.fsum(number(text) for text in values.texts) if isinstance(values, NodeSet) else math.nan


def _count(values: Value) -> float:
    return float(len(values.texts)) if isinstance(values, NodeSet) else math.nan


def _before(text: Value, part: Value) -> str:
    head, found, _ = string(text).partition(string(part)) if string(part) else ("", "", "")
    return head if found else ""


def _before_last(text: Value, part: Value) -> str:
    head, found, _ = string(text).rpartition(string(part)) if string(part) else ("", "", "")
    return head if found else ""


FUNCTIONS: dict[str, Callable[..., Value]] = {
    "string": string,
    "number": number,
    "boolean": boolean,
    "not": lambda value: not boolean(value),
    "count": _count,
    "sum": _sum,
    "floor": lambda value: float(math.floor(number(value))) if math.isfinite(number(value)) else number(value),
    "ceiling": lambda value: float(math.ceil(number(value))) if math.isfinite(number(value)) else number(value),
    "round": lambda value: float(_round(number(value))),
    "concat": lambda *values: "".join(map(string, values)),
    "starts-with": lambda text, part: string(text).startswith(string(part)),
    "contains": lambda text, part: string(part) in string(text),
    "substring-before": _before,
    "substring-after": lambda text, part: string(text).partition(string(part))[2] if string(part) else string(text),
    "substring-before-reverse": _before_last,
    "substring-after-reverse": lambda text, part: (
        string(text).rpartition(string(part))[2] if string(part) and string(part) in string(text) else ""
    ),
    "substring": substring,
    "substring-reverse": substring_reverse,
    "string-length": lambda text: float(len(string(text))),
    "normalize-space": lambda text: " ".join(string(text).split()),
    "translate": translate,
    "matches": matches,
    "replace": replace,
    "string-join": string_join,
    "urify": lambda text: quote(string(text), safe="/:?#[]@!$&'()*+,;=-._~%"),
    "jaro-winkler": lambda one, other: jaro_winkler(string(one), string(other)),
    "jaro-wrinkler": lambda one, other: jaro_winkler(string(one), string(other)),
}
