"""Reads dates relative to the moment of fetching: `yesterday, 10:12`, `Tuesday at 3 pm`, `vor 3 Stunden`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

from siteseer.page.dates.clock_times import clock_after, clock_before
from siteseer.page.dates.date_words import (
    AFTER,
    BEFORE,
    CJK_UNITS,
    DAYS,
    HOUR,
    MONTH,
    NOW,
    ONE,
    PHRASES,
    SHORT_UNITS,
    UNITS,
    YEAR,
)
from siteseer.page.dates.month_names import WEEKDAYS, fold
from siteseer.page.whole_number import whole_number

_WORD = re.compile("[^\\s\\d\\x00-\\x26\\x28-\\x2c./:-@\\[-`{-\xa9\xab-\xb4\xb6-\xbf‐-―　-〿＀-／]{2,15}")
_CJK_AGO = re.compile(r"(\d{1,4}) ?(" + "|".join(sorted(CJK_UNITS, key=len, reverse=True)) + r")(?:以?前| ?전)")
_CJK_DAY = re.compile("今天|今日|昨天|昨日|前天|一昨日|오늘|어제|그제")
_COUNT = re.compile(r"(?<![\w.:])(?=(\d{1,4}|[^\W\d_]{1,6})\s{0,2}([^\W\d_]{1,14}))", re.I)
_JOIN = re.compile(r"[\s,]{1,3}(?:and |und |et |y |e |и )?(\d{1,4})\s{0,2}([^\W\d_]{1,14})", re.I)
_AGO = re.compile(r"\.?\s{0,2}(?:yang )?([^\W\d_]{2,8})", re.I)
_LAST_WORD = re.compile(r"([^\W\d_]{1,6})(?:\s(?:από|de))?[\s:]{1,3}$", re.I)
_TRIGGERS = frozenset(DAYS) | AFTER | BEFORE | {"il", "just", "now"} | {w for w in WEEKDAYS if len(w) > 2}
_TRIGGERS |= {word for phrase in (*PHRASES, *NOW) for word in phrase.split()}
_NO_SPACES = re.compile("[前昨今전오어그刚方방た]")
_SHORT = 400
"""Relative dates are sought only at the beginning of a text: prose says `two days ago` too."""


@dataclass(frozen=True, slots=True)
class Moment:
    """A moment in UTC that a text names relative to its fetching."""

    moment: datetime
    precision: Literal["minute", "day", "month", "year"]
    span: tuple[int, int]


def may_be_relative(text: str) -> bool:
    """Say cheaply whether it is worth looking: only a few words can mean a relative date.

    >>> may_be_relative("Yesterday, 10:12"), may_be_relative("Posts: 123")
    (True, False)
    """
    text = text[:_SHORT]
    if not _TRIGGERS.isdisjoint(_WORD.findall(fold(text))):
        return True
    return not text.isascii() and _NO_SPACES.search(text) is not None


def relative_moments(text: str, now: datetime, zone: tzinfo, taken: Sequence[tuple[int, int]] = ()) -> Iterator[Moment]:
    """Return the relative dates of a text, outside of the spans already `taken`.

    >>> now = datetime(2020, 5, 5, 12, 0, tzinfo=UTC)
    >>> [m.moment.isoformat() for m in relative_moments("Yesterday, 10:12", now, UTC)]
    ['2020-05-04T10:12:00+00:00']
    """
    now = now if now.tzinfo else now.replace(tzinfo=UTC)
    text = text[:_SHORT]
    end = 0
    found = [*_ago(text, now), *_named_days(text, now.astimezone(zone)), *_just_now(text, now)]
    for moment in sorted(found, key=lambda moment: moment.span):
        start = moment.span[0]
        if start >= end and all(stop <= start or begin >= moment.span[1] for begin, stop in taken):
            end = moment.span[1]
            yield moment


def _ago(text: str, now: datetime) -> Iterator[Moment]:
    """`3 hours ago`, `1 year, 2 months ago`, `vor einer Stunde`, `il y a 3 jours`."""
    for found in _COUNT.finditer(text):
        count, unit = _count(found[1]), _unit(found[2])
        if not count or not unit:
            continue
        seconds, smallest, end = count * unit, unit, found.end(2)
        while (more := _JOIN.match(text, end)) and (next_unit := _unit(more[2])) and next_unit < smallest:
            seconds, smallest, end = seconds + int(more[1]) * next_unit, next_unit, more.end()
        ago = _AGO.match(text, end)
        before = _LAST_WORD.search(text, max(0, found.start() - 14), found.start())
        if ago and fold(ago[1]) in AFTER:
            yield _moment(now, seconds, smallest, found.start(), ago.end())
        elif before and fold(before[1]) in BEFORE and fold(found[2]) in UNITS:
            yield _moment(now, seconds, smallest, before.start(1), end)
    if not text.isascii():
        for found in _CJK_AGO.finditer(text):
            unit = CJK_UNITS[found[2]]
            yield _moment(now, int(found[1]) * unit, unit, *found.span())


def _named_days(text: str, now: datetime) -> Iterator[Moment]:
    """Today, yesterday with or without a time; a weekday only with one."""
    words = [(found[0], found.span()) for found in _WORD.finditer(text)]
    words += [(found[0], found.span()) for found in _CJK_DAY.finditer(text)] if not text.isascii() else []
    lower = fold(text)
    words += [(phrase, (at, at + len(phrase))) for phrase in PHRASES if (at := lower.find(phrase)) >= 0]
    for word, (start, end) in words:
        folded = fold(word)
        shift = DAYS.get(folded, PHRASES.get(folded))
        weekday = WEEKDAYS.get(folded) if shift is None and len(folded) > 2 else None
        if shift is None and weekday is None:
            continue
        clock = clock_after(text, end) or (clock_before(text, start, 0) if shift is not None else None)
        if weekday is not None:
            if clock is None:
                continue
            shift = (now.weekday() - weekday) % 7
            if shift == 0 and (clock.hour, clock.minute) > (now.hour, now.minute):
                shift = 7
        day = (now - timedelta(days=shift or 0)).replace(hour=0, minute=0, second=0, microsecond=0)
        if clock is None:
            yield Moment(day.replace(tzinfo=UTC), "day", (start, end))
            continue
        moment = day.replace(hour=clock.hour, minute=clock.minute, tzinfo=clock.zone or now.tzinfo)
        yield Moment(moment.astimezone(UTC), "minute", (min(start, clock.start), max(end, clock.end)))


def _just_now(text: str, now: datetime) -> Iterator[Moment]:
    lower = fold(text)
    for phrase in NOW:
        if (at := lower.find(phrase)) >= 0:
            yield _moment(now, 0, 1, at, at + len(phrase))


def _moment(now: datetime, seconds: int, unit: int, start: int, end: int) -> Moment:
    moment = (now - timedelta(seconds=min(seconds, 40 * YEAR))).astimezone(UTC)
    if unit <= HOUR:
        return Moment(moment.replace(second=0, microsecond=0), "minute", (start, end))
    day = moment.replace(hour=0, minute=0, second=0, microsecond=0)
    return Moment(day, "year" if unit == YEAR else "month" if unit == MONTH else "day", (start, end))


def _count(word: str) -> int:
    number = whole_number(word)
    return int(fold(word) in ONE) if number is None else number


def _unit(word: str) -> int:
    folded = fold(word)
    return UNITS.get(folded) or SHORT_UNITS.get(folded, 0)
