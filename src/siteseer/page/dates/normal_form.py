"""Normalises a date: converts times to UTC, and returns the precision.

Times in UTC sort as text; a day, month or year alone stays as it is, as more would be invented.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from typing import Literal

Precision = Literal["dateTime", "date", "gYearMonth", "gYear"]

_SHAPE = re.compile(r"(\d{4})(?:-(\d\d)(?:-(\d\d)([T ]\d\d:\d\d.{0,24})?)?)?")


@dataclass(frozen=True, slots=True)
class When:
    """A date in its normal form; the precision is the local name of its XML Schema type."""

    text: str
    precision: Precision


@lru_cache(maxsize=10_000)
def read(text: str) -> When | None:
    """Return the date that an ISO 8601 text says, or None where it says none.

    >>> read("2014-03-02T08:00+01:00"), read("2014-03"), read("2014-02-31")
    (When(text='2014-03-02T07:00:00Z', precision='dateTime'), When(text='2014-03', precision='gYearMonth'), None)
    """
    shape = _SHAPE.fullmatch(text.strip())
    if not shape or not text.isascii():
        return None
    year, month, day, clock = shape.groups()
    try:
        moment = datetime.fromisoformat(text.strip()) if clock else datetime(int(year), int(month or 1), int(day or 1))
        if clock:
            return When(utc(moment), "dateTime")
    except (ValueError, OverflowError):
        return None
    return When(text.strip(), "date" if day else "gYearMonth" if month else "gYear")


@lru_cache(maxsize=10_000)
def utc(moment: datetime) -> str:
    """Return the moment in UTC; one without a zone is taken to be UTC already.

    >>> utc(datetime(2014, 3, 2, 10))
    '2014-03-02T10:00:00Z'
    """
    known = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    return known.isoformat().replace("+00:00", "Z")
