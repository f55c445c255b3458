"""Reads the dates that pages show, in about sixty languages: the one reader of dates.

There is no general parser for each string: that is slow and too eager. `date_shapes` finds the days; a time of day is
searched right after the day, then before. What numbers such as `03/04/2019` mean is decided by the context, which is an
argument: `page_context.context_of` returns that of a page.

To avoid wrong dates, years run from 1990 to 2100; a day without year needs a time beside it, and is then the latest
such day that is not in the future (for an event the nearest); relative dates need `now`, the moment of fetching.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from typing import Literal

from siteseer.page.dates.clock_times import Clock, clock_after, clock_before
from siteseer.page.dates.date_context import DateContext, a_day
from siteseer.page.dates.date_shapes import WrittenDay, written_days
from siteseer.page.dates.date_words import YEAR_SUFFIX
from siteseer.page.dates.month_names import WEEKDAYS, fold
from siteseer.page.dates.relative_dates import Moment, may_be_relative, relative_moments

Precision = Literal["second", "minute", "day", "month", "year"]

LONGEST_TEXT = 1_000
"""Characters of a text that `read_date` looks at: a date further in is not this text's date."""
LONGEST_SEARCH = 2_000_000
NOTHING_KNOWN = DateContext()

_DIGIT = re.compile(r"\d|[〇零一二三四五六七八九]{4}年")
_YEAR_AFTER_CLOCK = re.compile(r"[\s,]{1,3}(\d{4})(?![\d:])")
_YEAR_SUFFIX = re.compile(YEAR_SUFFIX, re.I)
_WEEKDAY_LEFT = re.compile(
    "([^\\s\\d\\x00-\\x26\\x28-\\x2c./:-@\\[-`{-\xa9«»‐-―]{2,15})[.,]{0,2}\\s{0,3}(?:the |den |der |le |el )?$"
)
_WEEKDAY_RIGHT = re.compile(r"[\s,(]{1,2}([^\W\d_]{3,12})\)?")
_WHOLE_YEAR = re.compile(r"\s*(\d{4})\s*")
_COMPACT = re.compile(r"\s*(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{4})?)?\s*")
_EPOCH = re.compile(r"\s*(\d{9,10})(?:(\d{3})|\.\d{1,9})?\s*")


@dataclass(frozen=True, slots=True)
class ReadDate:
    """A date as read: `local` is the moment as written, `span` where it stands in the text, its weekday included.

    >>> read_date("Tue May 05, 2015 3:12 pm").iso
    '2015-05-05T15:12:00Z'
    """

    local: datetime
    precision: Precision
    span: tuple[int, int]
    relative: bool = False
    has_zone: bool = False
    other: date | None = None
    """The second reading of a day such as 03/04/2019, which the context decided against."""

    @property
    def moment(self) -> datetime:
        """The moment in UTC."""
        return self.local.astimezone(UTC)

    @property
    def day(self) -> date:
        """The day as written, which is the one that people read: never shifted to another zone."""
        return self.local.date()

    @property
    def is_exact(self) -> bool:
        """Whether a time of day is known."""
        return self.precision in ("second", "minute")

    @property
    def names_a_day(self) -> bool:
        """Whether at least a day is known, not a month or a year alone."""
        return self.precision not in ("month", "year")

    @property
    def is_utc(self) -> bool:
        """Whether a time in universal time is written, which need not be that of the place."""
        return self.has_zone and not self.local.utcoffset()

    @property
    def iso(self) -> str:
        """ISO 8601: with time and `Z` where the text has a time, else the day alone."""
        return f"{self.moment.isoformat()[:19]}Z" if self.is_exact else self.day.isoformat()


def read_date(text: str, context: DateContext = NOTHING_KNOWN) -> ReadDate | None:
    """Return the first date of the text, or None.

    >>> read_date("am 5. Mai 2015 um 14:30 Uhr").iso
    '2015-05-05T14:30:00Z'
    >>> read_date("03/04/2019", DateContext(order="dmy")).iso, read_date("03/04/2019", DateContext(order="mdy")).iso
    ('2019-04-03', '2019-03-04')
    """
    text = text[:LONGEST_TEXT]
    if text[4:5] == "-" and text[10:11] == "T" and (stamp := _stamp(text, context)):
        return stamp
    if _DIGIT.search(text) and (found := _absolute(text, context)):
        return found[0]
    if context.now is not None and may_be_relative(text):
        moments = relative_moments(text, context.now, context.zone)
        return next((_from_moment(moment) for moment in moments), None)
    return _whole(text, context)


def find_dates(text: str, context: DateContext = NOTHING_KNOWN) -> list[ReadDate]:
    """Return all dates of the text in the order in which they stand there.

    >>> [d.iso for d in find_dates("Posted 2015-05-05, edited 6 May 2015")]
    ['2015-05-05', '2015-05-06']
    """
    text = text[:LONGEST_SEARCH]
    found = _absolute(text, context) if _DIGIT.search(text) else []
    if context.now is not None and may_be_relative(text):
        taken = [read.span for read in found]
        found += [_from_moment(moment) for moment in relative_moments(text, context.now, context.zone, taken)]
        found.sort(key=lambda read: read.span)
    return found


def read_stamp(text: str, context: DateContext = NOTHING_KNOWN) -> ReadDate | None:
    """Return the date in a value written for machines, which may be a Unix time stamp.

    >>> read_stamp("1430838720").iso, read_stamp("2015-05-05").iso
    ('2015-05-05T15:12:00Z', '2015-05-05')
    """
    return read_date(text, context) or read_timestamp(text)


def read_timestamp(text: str) -> ReadDate | None:
    """Return the moment of a Unix time stamp in seconds or milliseconds: only for places where one is expected.

    >>> read_timestamp("1430838720").iso
    '2015-05-05T15:12:00Z'
    """
    found = _EPOCH.fullmatch(text[:40])
    if not found:
        return None
    moment = datetime.fromtimestamp(int(found[1]), UTC)
    return (
        ReadDate(moment, "second", (0, len(text)), has_zone=True) if NOTHING_KNOWN.is_plausible(moment.year) else None
    )


def _stamp(text: str, context: DateContext) -> ReadDate | None:
    """The short way for what machines write: a whole ISO 8601 stamp."""
    try:
        moment = datetime.fromisoformat(text)
        if not context.is_plausible(moment.year):
            return None
        local = moment.replace(tzinfo=moment.tzinfo or context.zone, microsecond=0)
        local.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    precision: Precision = "second" if text.count(":", 11, 19) == 2 else "minute"
    read = ReadDate(local, precision, (0, len(text)), has_zone=moment.tzinfo is not None)
    return read if context.allows(read.day) else None


def _absolute(text: str, context: DateContext) -> list[ReadDate]:
    found: list[ReadDate] = []
    earliest = 0
    for day in written_days(text, context):
        if day.start >= earliest and (read := _resolve(text, day, earliest, context)):
            found.append(read)
            earliest = read.span[1]
    return found


def _resolve(text: str, day: WrittenDay, earliest: int, context: DateContext) -> ReadDate | None:
    """Join a day with the time beside it and its weekday, and turn it into a moment."""
    end, clock = day.end, None
    if day.precision == "day":
        if suffix := _YEAR_SUFFIX.match(text, end):
            end = suffix.end()
        clock = clock_after(text, _weekday_end(text, end), iso=day.is_iso and text[end : end + 1] == "T")
        clock = clock or clock_before(text, day.start, earliest)
    year = day.year or (_year_without(day, context) if clock is not None else 0)
    written = a_day(year, day.month, day.day) if context.is_plausible(year) else None
    if written is None:
        return None
    written, other = _readings(written, day, context)
    if not context.allows(written):
        return None
    try:
        local = _local(written, clock, context)
        local.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    precision: Precision = day.precision if clock is None else "minute" if clock.second is None else "second"
    start, end = (min(day.start, clock.start), max(end, clock.end)) if clock else (day.start, end)
    if (
        clock
        and clock.start >= day.end
        and str(year) not in text[day.start : day.end]
        and (tail := _YEAR_AFTER_CLOCK.match(text, end))
    ):
        end = tail.end()
    has_zone = bool(clock and clock.zone)
    return ReadDate(local, precision, (_weekday_start(text, start), end), has_zone=has_zone, other=other)


def _readings(written: date, day: WrittenDay, context: DateContext) -> tuple[date, date | None]:
    """Return the day that is meant, and the one that its numbers could mean besides."""
    swapped = a_day(written.year, written.day, written.month) if day.separator else None
    if swapped is None:
        return written, None
    is_month_first = context.is_month_first(written, swapped, day.separator)
    return (swapped, written) if is_month_first else (written, swapped)


def _year_without(day: WrittenDay, context: DateContext) -> int:
    """Return the year of a day without one: the last such day, of an event the nearest; 0 where nobody knows today."""
    if context.now is None:
        return 0
    later = context.now + timedelta(days=183 if context.asked == "event" else 1)
    return later.year if (day.month, day.day) <= (later.month, later.day) else later.year - 1


def _local(day: date, clock: Clock | None, context: DateContext) -> datetime:
    if clock is None:
        return datetime(day.year, day.month, day.day, tzinfo=UTC)
    zone = clock.zone or context.zone
    return datetime(day.year, day.month, day.day, clock.hour, clock.minute, clock.second or 0, tzinfo=zone)


def _weekday_start(text: str, start: int) -> int:
    """The weekday before a date belongs to it, or `Thursday` would be read as a name."""
    found = _WEEKDAY_LEFT.search(text, max(0, start - 24), start)
    return found.start(1) if found and fold(found[1]) in WEEKDAYS else start


def _weekday_end(text: str, end: int) -> int:
    """Turkish and others write the weekday between day and time: `5 Mayıs 2015 Salı, 15:12`."""
    found = _WEEKDAY_RIGHT.match(text, end)
    return found.end() if found and fold(found[1]) in WEEKDAYS else end


def _from_moment(moment: Moment) -> ReadDate:
    return ReadDate(moment.moment, moment.precision, moment.span, relative=True)


def _whole(text: str, context: DateContext) -> ReadDate | None:
    """Texts that are a date only if they are nothing else: `2015`, `20150505T151200Z`."""
    if found := _WHOLE_YEAR.fullmatch(text):
        year = int(found[1])
        return (
            ReadDate(datetime(year, 1, 1, tzinfo=UTC), "year", (0, len(text))) if context.is_plausible(year) else None
        )
    found = _COMPACT.fullmatch(text)
    if not found or not context.is_plausible(int(found[1])):
        return None
    try:
        numbers = [int(found[n] or 0) for n in range(1, 7)]
        moment = datetime(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], tzinfo=UTC)
        if found[7] and found[7] != "Z":
            moment = moment.replace(tzinfo=datetime.strptime(found[7], "%z").tzinfo)
    except ValueError:
        return None
    precision: Precision = "second" if found[6] else "minute" if found[4] else "day"
    return ReadDate(moment, precision, (0, len(text)), has_zone=bool(found[7]))
