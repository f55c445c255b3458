"""Splits attribute values that are composed of two: "VLDB 2012" is a name and a year.

A name with a year, a date or a price at its end or beginning is two values. A plain number belongs to its name: "Room
12".
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from siteseer.deepweb.records.value_types import LONGEST, day, is_price

MOST = 0.9
"""Where this share of the texts is composed in the same way, the attribute is."""
SOME = 0.4
"""This share is enough where the same name comes with several years."""
LEAST = 4
MOST_WORDS = 5
"""Words of a date or price."""
_YEAR = re.compile(r"(?<!\d)(?:1[5-9]\d\d|20\d\d)(?!\d)")
_BETWEEN = re.compile(r"[\s,;:/|–—-]*[\s,;:(\[/|–—]+|(?<=[\])])\s*")
_TRIMMED = " \t\n,;:/|–—-()[]"
Composition = tuple[Literal["before", "after"], Literal["date", "price"]]
"""Where the date or price stands."""


@dataclass(frozen=True, slots=True)
class Parts:
    """A composed text, split."""

    name: str
    value: str
    how: Composition


def split_value(text: str) -> Parts | None:
    """Return name and date, or name and price, where a text is both.

    >>> split_value("VLDB 2012"), split_value("£ 3.50, Tea with milk").value
    (Parts(name='VLDB', value='2012', how=('after', 'date')), '£ 3.50')
    >>> split_value("3 May 2014"), split_value("Room 12"), split_value("Blade Runner")
    (None, None, None)
    """
    if len(text) > 2 * LONGEST or _kind(text):
        return None
    gaps = [(gap.start(), gap.end()) for gap in _BETWEEN.finditer(text) if gap.start() > 0 and gap.end() < len(text)]
    ends = [(text[:start], text[end:], "after") for start, end in gaps[-MOST_WORDS:]]
    starts = [(text[end:], text[:start], "before") for start, end in reversed(gaps[:MOST_WORDS])]
    for name, value, where in (*ends, *starts):
        kind = _kind(value.strip(_TRIMMED))
        if kind and any(map(str.isalpha, name)) and not _YEAR.search(name):
            return Parts(name.strip(_TRIMMED), value.strip(_TRIMMED), (where, kind))  # type: ignore[arg-type]
    return None


def _kind(value: str) -> Literal["date", "price", ""]:
    if _YEAR.search(value) and day(value) is not None:
        return "date"
    return "price" if is_price(value) else ""


def composition(texts: Collection[str]) -> Composition | None:
    """Return how most of the texts are composed, if they are.

    >>> composition(["VLDB 2012", "VLDB 2013", "SIGMOD 2012", "TODS", "ICDE 2011"])
    ('after', 'date')
    >>> composition(["Born 1950", "Born 1951", "Born 1952", "Born 1953"])
    """
    distinct = list(dict.fromkeys(texts))[:300]
    found = [parts for text in distinct if (parts := split_value(text)) is not None]
    if len(found) < LEAST:
        return None
    (how, count), *_ = Counter(parts.how for parts in found).most_common(1)
    values: dict[str, set[str]] = defaultdict(set)
    for parts in found:
        if parts.how == how:
            values[parts.name].add(parts.value)
    if len(values) < 2 or len({value for known in values.values() for value in known}) < 2:
        return None
    recurring = sum(len(known) for name, known in values.items() if len(known) > 1 or name in distinct)
    is_usual = count >= MOST * len(distinct)
    return how if is_usual or (count >= SOME * len(distinct) and 2 * recurring >= count) else None


def split_at(text: str, how: Composition) -> tuple[str, ...]:
    """Return name and value of a text that is composed in this way, else the text alone.

    >>> split_at("VLDB 2012", ("after", "date")), split_at("TODS", ("after", "date"))
    (('VLDB', '2012'), ('TODS',))
    """
    parts = split_value(text)
    return (parts.name, parts.value) if parts is not None and parts.how == how else (text,)


def compositions(texts: Mapping[str, Sequence[str]]) -> dict[str, Composition]:
    """Return how the attributes are composed whose texts hold two kinds of value, by key."""
    return {key: how for key, known in texts.items() if (how := composition(known)) is not None}
