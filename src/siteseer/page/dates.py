"""Text in, dates out: reading the dates that pages show, in about forty languages.

There is no general parser for each string: that is slow and too eager. A table of month and weekday names and a few
shapes are tried: year first (ISO), month names, numbers in the order the site uses, Chinese, Japanese and Korean
forms, then what is relative to the moment of fetching. A time of day is looked for right after the day, then before.

What keeps wrong dates out: years run from 1990 to 2100; a day without year needs a time beside it, and is then the
latest such day that is not in the future; relative dates need `now`, the moment of fetching, and are left out without.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from typing import Literal

from siteseer.page.dates_clock import clock_after, clock_before
from siteseer.page.dates_names import MONTHS, WEEKDAYS, fold
from siteseer.page.dates_relative import Moment, may_be_relative, relative_moments

Order = Literal["dmy", "mdy", "ymd"]
Precision = Literal["second", "minute", "day", "month", "year"]

FIRST_YEAR, LAST_YEAR = 1990, 2100
LONGEST_TEXT = 1_000
"""Characters of a text that `read_date` looks at: a date further in is not this text's date."""
LONGEST_SEARCH = 200_000

_DIGIT = re.compile(r"\d")
_WORD = re.compile("[^\\s\\d\\x00-\\x40\\[-`{-\xa9\xab-\xb4\xb6-\xbf‐-⁯　-〿＀-／]{3,14}")
_ISO = re.compile(r"(?<![\d.])(\d{4})([-/.])(\d{1,2})\2(\d{1,2})(?!\d)")
_NUMERIC = re.compile(r"(?<![\d.:/-])(\d{1,2})([./-]) ?(\d{1,2})\2 ?(\d{4}|\d{2})(?!\d|:\d|[./-]\d)")
_CJK = re.compile(
    r"(?:(\d{4}|\d{2}) ?[年년] ?)?(?<!\d)(\d{1,2}) ?[月월] ?(\d{1,2}) ?[日号일](?: ?[(（][^)）]{1,3}[)）])?"
)
_THANG = re.compile(r"(?<!\d)(\d{1,2}) tháng (\d{1,2})[,\s]{1,3}(?:năm )?(\d{4})", re.I)
_DAY_LEFT = re.compile(
    r"(?<![\w:])(\d{1,2})(?:st|nd|rd|th|er|re|ste|:e|º|ª|°|-?го|-?е|\.)?[\s./\-,]{0,3}"
    r"(?:of |the |de |di |d['’]|den |del |ng |na )?\s?$",
    re.I,
)
_YEAR_LEFT = re.compile(r"(?<!\d)(\d{4})[\s.,/\-]{0,3}(?:m\. |gada )?\s?$", re.I)
_YEAR_RIGHT = re.compile(
    r"[\s.,/\-]{0,3}(?:(?:de|del|of) )?['’]?(\d{4}(?!\d)|\d{2}(?![\d:]|\s?[ap]\.?m\b|\s?[h.]\d))", re.I
)
_LONG_YEAR_RIGHT = re.compile(r"[\s.,/\-]{0,3}(?:(?:de|del|of) )?['’]?(\d{4}|(?<=['’/-])\d{2})(?![\d:])", re.I)
_DAY_RIGHT = re.compile(
    r"[\s.,\-/]{0,3}(?:the )?(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.(?!\d))?(?![\d:])(?! ?[ap]\.?m\b)", re.I
)
_YEAR_AFTER_CLOCK = re.compile(r"[\s,]{1,3}(\d{4})(?![\d:])")
_WEEKDAY_LEFT = re.compile(
    "([^\\s\\d\\x00-\\x26\\x28-\\x2c./:-@\\[-`{-\xa9«»‐-―]{2,15})[.,]{0,2}\\s{0,3}(?:the |den |der |le |el )?$"
)
_WEEKDAY_RIGHT = re.compile(r"[\s,(]{1,2}([^\W\d_]{3,12})\)?")
_WHOLE_YEAR = re.compile(r"\s*(\d{4})\s*")
_COMPACT = re.compile(r"\s*(\d{4})(\d{2})(\d{2})(?:T?(\d{2})(\d{2})(\d{2})?(Z|[+-]\d{4})?)?\s*")
_EPOCH = re.compile(r"\s*(\d{9,10})(?:(\d{3})|\.\d{1,9})?\s*")


@dataclass(frozen=True, slots=True)
class ReadDate:
    """A date as read: `moment` is in UTC, `span` is where it stands in the text, its weekday included.

    >>> read_date("Tue May 05, 2015 3:12 pm").iso
    '2015-05-05T15:12:00Z'
    """

    moment: datetime
    precision: Precision
    span: tuple[int, int]
    relative: bool = False
    has_zone: bool = False

    @property
    def iso(self) -> str:
        """ISO 8601: with time and `Z` where the text has a time, else the day alone."""
        day_and_time = self.moment.isoformat()[:19]
        return f"{day_and_time}Z" if self.precision in ("second", "minute") else day_and_time[:10]


@dataclass(frozen=True, slots=True)
class _Day:
    """A day found in a text; year 0 where none is written."""

    year: int
    month: int
    day: int
    start: int
    end: int
    precision: Precision = "day"
    iso: bool = False


def read_date(
    text: str, *, now: datetime | None = None, order: Order | None = None, zone: tzinfo = UTC
) -> ReadDate | None:
    """Return the first date of the text, or None.

    `now` is when the page was fetched, `order` the site's order of day and month in numbers (see `vote_order`),
    `zone` the site's time zone where the text names none.

    >>> read_date("am 5. Mai 2015 um 14:30 Uhr").iso
    '2015-05-05T14:30:00Z'
    """
    text = text[:LONGEST_TEXT]
    if text[4:5] == "-" and text[10:11] == "T" and (stamp := _stamp(text, zone)):
        return stamp
    if _DIGIT.search(text) and (found := _absolute(text, now, order, zone)):
        return found[0]
    if now is not None and may_be_relative(text):
        return next((_from_moment(moment) for moment in relative_moments(text, now, zone)), None)
    return _whole(text)


def find_dates(
    text: str, *, now: datetime | None = None, order: Order | None = None, zone: tzinfo = UTC
) -> list[ReadDate]:
    """Return all dates of the text in the order in which they stand there.

    >>> [d.iso for d in find_dates("Posted 2015-05-05, edited 6 May 2015")]
    ['2015-05-05', '2015-05-06']
    """
    text = text[:LONGEST_SEARCH]
    found = _absolute(text, now, order, zone) if _DIGIT.search(text) else []
    if now is not None and may_be_relative(text):
        taken = [read.span for read in found]
        found += [_from_moment(moment) for moment in relative_moments(text, now, zone, taken)]
        found.sort(key=lambda read: read.span)
    return found


def vote_order(texts: Iterable[str]) -> Order | None:
    """Return the order of day and month that the numeric dates of a site vote for; None where no date decides.

    >>> vote_order(["05/13/2015", "05/04/2015"])
    'mdy'
    """
    votes: dict[Order, int] = {"dmy": 0, "mdy": 0, "ymd": 0}
    for text in texts:
        for found in _NUMERIC.finditer(text[:LONGEST_TEXT]):
            first, second, third = int(found[1]), int(found[3]), found[4]
            if first > 31 and len(third) == 2:
                votes["ymd"] += 1
            elif first > 12 >= second:
                votes["dmy"] += 1
            elif second > 12 >= first:
                votes["mdy"] += 1
    best = max(votes, key=lambda order: votes[order])
    return best if votes[best] else None


def read_timestamp(text: str) -> ReadDate | None:
    """Return the moment of a Unix time stamp in seconds or milliseconds: only for places where one is expected.

    >>> read_timestamp("1430838720").iso
    '2015-05-05T15:12:00Z'
    """
    found = _EPOCH.fullmatch(text[:40])
    if not found:
        return None
    moment = datetime.fromtimestamp(int(found[1]), UTC)
    return ReadDate(moment, "second", (0, len(text)), has_zone=True) if moment.year >= FIRST_YEAR else None


def _stamp(text: str, zone: tzinfo) -> ReadDate | None:
    """The short way for what machines write: a whole ISO 8601 stamp."""
    try:
        moment = datetime.fromisoformat(text)
        if not _plausible(moment.year):
            return None
        in_utc = moment.replace(tzinfo=moment.tzinfo or zone, microsecond=0).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    precision: Precision = "second" if text.count(":", 11, 19) == 2 else "minute"
    return ReadDate(in_utc, precision, (0, len(text)), has_zone=moment.tzinfo is not None)


def _absolute(text: str, now: datetime | None, order: Order | None, zone: tzinfo) -> list[ReadDate]:
    found: list[ReadDate] = []
    earliest = 0
    for day in _days(text, now, order):
        if day.start >= earliest and (read := _resolve(text, day, earliest, now, zone)):
            found.append(read)
            earliest = read.span[1]
    return found


def _days(text: str, now: datetime | None, order: Order | None) -> list[_Day]:
    days = [_Day(int(m[1]), int(m[3]), int(m[4]), *m.span(), iso=True) for m in _ISO.finditer(text)]
    days += [day for m in _WORD.finditer(text) if (month := MONTHS.get(fold(m[0]))) and (day := _named(text, m, month))]
    days += [day for m in _NUMERIC.finditer(text) if (day := _numeric(m, now, order))]
    if "月" in text or "월" in text:
        days += [_Day(_year(m[1] or "0"), int(m[2]), int(m[3]), *m.span()) for m in _CJK.finditer(text)]
    if "háng" in text:
        days += [_Day(int(m[3]), int(m[2]), int(m[1]), *m.span()) for m in _THANG.finditer(text)]
    if len(days) > 1:
        days.sort(key=lambda day: (day.start, -day.end))
    return days


def _named(text: str, word: re.Match[str], month: int) -> _Day | None:
    """Read around the name of a month: day and year on whichever side they stand."""
    start, end = word.span()
    left = _DAY_LEFT.search(text, max(0, start - 16), start)
    if left and (year := _YEAR_RIGHT.match(text, end)) and _plausible(_year(year[1])):
        return _Day(_year(year[1]), month, int(left[1]), left.start(1), year.end())
    right = _DAY_RIGHT.match(text, end)
    if right:
        if (year := _LONG_YEAR_RIGHT.match(text, right.end())) and _plausible(_year(year[1])):
            return _Day(_year(year[1]), month, int(right[1]), start, year.end())
        if (before := _YEAR_LEFT.search(text, max(0, start - 12), start)) and _plausible(int(before[1])):
            return _Day(int(before[1]), month, int(right[1]), before.start(), right.end())
        return _without_year(text, month, int(right[1]), start, right.end())
    if left:
        return _without_year(text, month, int(left[1]), left.start(1), end)
    if (year := _LONG_YEAR_RIGHT.match(text, end)) and len(year[1]) == 4 and _plausible(_year(year[1])):
        return _Day(_year(year[1]), month, 1, start, year.end(), "month")
    return None


def _without_year(text: str, month: int, day: int, start: int, end: int) -> _Day:
    """`Tue May 5 15:12:00 2015` has its year after the time; else there is none."""
    clock = clock_after(text, end)
    year = _YEAR_AFTER_CLOCK.match(text, clock.end) if clock else None
    return _Day(int(year[1]) if year else 0, month, day, start, end)


def _numeric(found: re.Match[str], now: datetime | None, order: Order | None) -> _Day | None:
    first, separator, second, last = int(found[1]), found[2], int(found[3]), found[4]
    if len(last) == 2 and (order == "ymd" or first > 31):
        return _Day(_year(found[1]), second, int(last), *found.span())
    year = _year(last)
    if first > 12 or second > 12:
        month_first = second > 12
    elif separator == ".":
        month_first = False
    else:
        month_first = _month_first(first, second, year, separator, now, order)
    month, day = (first, second) if month_first else (second, first)
    return _Day(year, month, day, *found.span())


def _month_first(first: int, second: int, year: int, separator: str, now: datetime | None, order: Order | None) -> bool:
    """Without the site's vote the reading that is not in the future wins, then American slashes."""
    if order in ("dmy", "mdy"):
        return order == "mdy"
    if now is not None:
        today = (now.year, now.month, now.day)
        past = ((year, first, second) <= today, (year, second, first) <= today)
        if past[0] != past[1]:
            return past[0]
    return separator == "/"


def _year(digits: str) -> int:
    """Two digits below 50 are of this century; a Thai year counts from 543 BC."""
    year = int(digits)
    if len(digits) == 2:
        return year + (2000 if year < 50 else 1900)
    return year - 543 if FIRST_YEAR + 543 <= year <= LAST_YEAR + 543 else year


def _plausible(year: int) -> bool:
    return FIRST_YEAR <= year <= LAST_YEAR


def _resolve(text: str, day: _Day, earliest: int, now: datetime | None, zone: tzinfo) -> ReadDate | None:
    """Join a day with the time beside it and its weekday, and turn it into a moment."""
    clock = None
    if day.precision == "day":
        end = _weekday_end(text, day.end)
        clock = clock_after(text, end, iso=day.iso and text[end : end + 1] == "T") or clock_before(
            text, day.start, earliest
        )
    year = day.year
    if not year:
        if clock is None or now is None:
            return None
        year = (
            now.year if (day.month, day.day) <= ((later := now + timedelta(days=1)).month, later.day) else now.year - 1
        )
    if not _plausible(year):
        return None
    own_zone = (clock.zone if clock else None) or zone
    try:
        hour, minute, second = (clock.hour, clock.minute, clock.second or 0) if clock else (0, 0, 0)
        moment = datetime(year, day.month, day.day, hour, minute, second, tzinfo=own_zone if clock else UTC)
        moment = moment.astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    precision: Precision = day.precision if clock is None else "minute" if clock.second is None else "second"
    start, end = (min(day.start, clock.start), max(day.end, clock.end)) if clock else (day.start, day.end)
    if (
        clock
        and clock.start >= day.end
        and str(year) not in text[day.start : day.end]
        and (tail := _YEAR_AFTER_CLOCK.match(text, end))
    ):
        end = tail.end()
    return ReadDate(moment, precision, (_weekday_start(text, start), end), has_zone=bool(clock and clock.zone))


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


def _whole(text: str) -> ReadDate | None:
    """Texts that are a date only if they are nothing else: `2015`, `20150505T151200Z`."""
    if found := _WHOLE_YEAR.fullmatch(text):
        year = int(found[1])
        return ReadDate(datetime(year, 1, 1, tzinfo=UTC), "year", (0, len(text))) if _plausible(year) else None
    found = _COMPACT.fullmatch(text)
    if not found or not _plausible(int(found[1])):
        return None
    try:
        numbers = [int(found[n] or 0) for n in range(1, 7)]
        moment = datetime(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4], numbers[5], tzinfo=UTC)
        if found[7] and found[7] != "Z":
            moment = moment.replace(tzinfo=datetime.strptime(found[7], "%z").tzinfo).astimezone(UTC)
    except ValueError:
        return None
    precision: Precision = "second" if found[6] else "minute" if found[4] else "day"
    return ReadDate(moment, precision, (0, len(text)), has_zone=bool(found[7]))
