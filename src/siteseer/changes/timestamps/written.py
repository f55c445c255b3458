"""Text in, days out as they are written: no zone is converted, as the day that people read is the day of publication.

Two readers: `day_of_value` for the value of an attribute or a script, `days_in_text` for a whole page, which looks
around every year that it finds, since years are rare and cheap to find.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime
from itertools import islice

from siteseer.page.dates import read_date
from siteseer.page.dates_names import MONTHS, fold

FIRST_DAY = date(1995, 1, 1)
"""Before the Web was for everybody nothing was published on it."""
LONGEST_TEXT = 2_000_000
MOST_YEARS = 5_000
LEFT, WORD_REACH = 60, 21

_ISO = re.compile(
    r"(?<!\d)((?:19|20)\d\d)([-/.])(\d{1,2})\2(\d{1,2})(?!\d)"
    r"(?:[T ,]{1,3}(\d{1,2}):\d{1,2}[\d:.]{0,14} ?(Z|[+-]00:?00|UTC|GMT)?)?"
)
_COMPACT = re.compile(r"((?:19|20)\d\d)(\d\d)(\d\d)(?:T?(\d\d)\d{0,4})?(Z)?")
_EPOCH = re.compile(r"(\d{10})(?:\d{3}|\.\d{1,6})?")
_CLOCK = re.compile(
    r"\b\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?: ?[ap]\.?m\b\.?)?(?: ?(?:Z|[A-Z]{3,4})\b)?(?: ?[+-]\d{2}:?\d{2}\b)?",
    re.I,
)

_YEAR = re.compile(r"20[0-4]\d(?!\d)")
_OLD_YEAR = re.compile(r"199[5-9](?!\d)")
# Apart, since a pattern that begins with two letters is searched seven times faster than one that begins with a choice.
# Patterns for the left of a year begin with a digit, and only then look back: so the first digit is found in C.
_WORD = r"([^\W\d_]{3,12})"
_CLOCK_HERE = r"(?:(?:at )?\d{1,2}:\d\d(?::\d\d)?(?: ?[ap]\.?m\.?)?(?: [A-Z]{2,5}| [+-]\d{4})?[\s,]{1,3})?"
_DAY_WORD = re.compile(
    r"(\d(?<!\d\d)\d?)(?:st|nd|rd|th|er|re|º|ª|°|-?го|:?e|ste|\.)?[\s\-/.,]{0,4}(?:(?:de|di|of|ng|den|del|do) |d['’])?"
    + _WORD
    + r"[.,]{0,2}[\s\-/,.]{0,4}(?:(?:de|del|of|do) )?\s?['’]?$",
    re.I,
)
_WORD_DAY = re.compile(r"(\d\d?)(?:st|nd|rd|th|\.)?[\s,\-/.]{1,4}" + _CLOCK_HERE + "$", re.I)
_WORD_BEFORE = re.compile(r"([^\W\d_]{3,12}+)\.?[\s\-/]{1,4}(?:the )?$", re.I)
_NUMBERS = re.compile(r"(\d(?<![\d./-]\d)\d?) ?([./-]) ?(\d{1,2}) ?\2 ?$")
_THANG = re.compile(r"(\d(?<!\d\d)\d?) tháng (\d{1,2})[,\s]{1,3}(?:năm )?$", re.I)
_YEAR_FIRST = re.compile(r" ?([./-]) ?(\d{1,2}) ?\1 ?(\d{1,2})(?!\d)")
_CJK = re.compile(r"\s?[年년]\s?(\d{1,2})\s?[月월]\s?(\d{1,2})\s?[日일号]?")
_YEAR_WORD = re.compile(r"\.?[\s,]{1,2}(?:m\. |gada )?" + _WORD + r"\.? (\d{1,2})(?!\d)")
_MONTH_ONLY = re.compile(_WORD + r"[.,]?[\s\-/]{1,3}(?:de |del )?['’]?$", re.I)

_GLUED = re.compile(r"20[0-4]\d[01]\d[0-3]\d(?!\d)")
_DIGIT = re.compile(r"\d")
_SHORT = re.compile(r"\d\d?([./-])(?:\d{1,2}|[^\W\d_]{3,12}\.?)\1\d\d(?![\d:]|[./-]\d)")

_DIGITS = {
    code: str(int(chr(code)))
    for code in [*range(0x660, 0x66A), *range(0x6F0, 0x6FA), *range(0x966, 0x970), *range(0x9E6, 0x9F0)]
}

FIRST_OTHER_DIGIT, LAST_OTHER_DIGIT = min(_DIGITS), max(_DIGITS)
_OTHER_DIGITS = re.compile("[٠-٩۰-۹०-९০-৯]")


@dataclass(frozen=True, slots=True)
class Written:
    """A day as written: `other` is the second reading of an ambiguous one, `hour` and `is_utc` those of a stamp."""

    day: date
    offset: int = 0
    end: int = 0
    other: date | None = None
    separator: str = ""
    precision: str = "day"
    hour: int | None = None
    is_utc: bool = False


def a_day(year: int, month: int, day: int) -> date | None:
    """Return the day, or None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def day_of_value(text: str) -> Written | None:
    """Return the day that the value of an attribute names.

    >>> day_of_value("Tue, 05 May 2015 23:12:00 -0400").day.isoformat()
    '2015-05-05'
    """
    if not text or not _DIGIT.search(text):
        return None
    text = " ".join(text[:200].split())
    if found := _ISO.search(text):
        day = a_day(int(found[1]), int(found[3]), int(found[4]))
        return Written(day, hour=int(found[5]) if found[5] else None, is_utc=bool(found[6])) if day else None
    if found := _COMPACT.fullmatch(text):
        day = a_day(int(found[1]), int(found[2]), int(found[3]))
        return Written(day, hour=int(found[4]) if found[4] else None, is_utc=bool(found[5])) if day else None
    if found := _EPOCH.fullmatch(text):
        moment = datetime.fromtimestamp(int(found[1]), UTC)
        return Written(moment.date(), hour=moment.hour, is_utc=True)
    bare = " ".join(_CLOCK.sub(" ", text).split())
    if not any(c.isdigit() for c in bare):
        return None
    numbers = re.fullmatch(r"(\d{1,2})([./-])(\d{1,2})\2(\d{4})", bare)
    if numbers:
        return _numeric(int(numbers[1]), int(numbers[3]), int(numbers[4]), numbers[2], 0, 0)
    read = read_date(bare)
    return Written(read.moment.date()) if read and read.precision == "day" else None


def plain_digits(text: str) -> str:
    """Return the text with Arabic, Persian, Hindi and Bengali digits as ASCII; of the same length."""
    return text.translate(_DIGITS) if _OTHER_DIGITS.search(text) else text


def days_in_text(text: str) -> Iterator[Written]:
    """Yield the days of a text: around each year, then the forms without one.

    >>> [found.day.isoformat() for found in days_in_text("am 5. Mai 2015, 03/31/2016, le 2 janvier 2017")]
    ['2015-05-05', '2016-03-31', '2017-01-02']
    """
    text = text[:LONGEST_TEXT]
    for found in _years(text):
        start = found.start()
        if start and text[start - 1].isdigit():
            continue
        if read := _around(text, int(found[0]), start, found.end()):
            yield read
    for found in _GLUED.finditer(text):
        start, glued = found.start(), found[0]
        if not (start and text[start - 1].isalnum()) and (
            day := a_day(int(glued[:4]), int(glued[4:6]), int(glued[6:]))
        ):
            yield Written(day, start, found.end())
    for found in _SHORT.finditer(text):
        if (not found.start() or text[found.start() - 1] not in "0123456789./:-") and (read := _short(found)):
            yield read


def _years(text: str) -> Iterable[re.Match[str]]:
    """Return the years of a text in their order."""
    new = islice(_YEAR.finditer(text), MOST_YEARS)
    old = list(islice(_OLD_YEAR.finditer(text), MOST_YEARS))
    return sorted((*old, *new), key=re.Match.start)[:MOST_YEARS] if old else new


def _short(found: re.Match[str]) -> Written | None:
    """Read a date with two digits of the year."""
    first, second, last = found[0].split(found[1])[:3] if found[0].count(found[1]) == 2 else ("0", "0", "00")
    if second.isdigit():
        return _numeric(int(first), int(second), _century(last), found[1], found.start(), found.end())
    month = MONTHS.get(fold(second.rstrip(".")))
    day = a_day(_century(last), month, int(first)) if month else None
    return Written(day, found.start(), found.end()) if day else None


def _around(text: str, year: int, start: int, end: int) -> Written | None:
    """Read the day of which a year is part; the month or nothing where there is no day."""
    left = text[max(0, start - LEFT) : start]
    if _DIGIT.search(left) and (read := _left_of(left, year, start, end)):
        return read
    if (found := _YEAR_FIRST.match(text, end)) and (day := a_day(year, int(found[2]), int(found[3]))):
        return Written(day, start, found.end())
    if (found := _CJK.match(text, end)) and (day := a_day(year, int(found[1]), int(found[2]))):
        return Written(day, start, found.end())
    if (
        (found := _YEAR_WORD.match(text, end))
        and (month := MONTHS.get(fold(found[1])))
        and (day := a_day(year, month, int(found[2])))
    ):
        return Written(day, start, found.end())
    if (found := _MONTH_ONLY.search(left[-20:])) and (month := MONTHS.get(fold(found[1]))):
        return Written(date(year, month, 1), start - len(found[0]), end, precision="month")
    return None


def _left_of(left: str, year: int, start: int, end: int) -> Written | None:
    """Read the day whose year comes last."""
    if found := _DAY_WORD.search(left):
        month = MONTHS.get(fold(found[2]))
        if month and (day := a_day(year, month, int(found[1]))):
            return Written(day, start - len(found[0]), end)
    if read := _word_first(left, year, start, end):
        return read
    if (found := _NUMBERS.search(left)) and (
        read := _numeric(int(found[1]), int(found[3]), year, found[2], start - len(found[0]), end)
    ):
        return read
    if (found := _THANG.search(left)) and (day := a_day(year, int(found[2]), int(found[1]))):
        return Written(day, start - len(found[0]), end)
    return None


def _word_first(left: str, year: int, start: int, end: int) -> Written | None:
    if not (found := _WORD_DAY.search(left)):
        return None
    place = max(0, found.start() - WORD_REACH)
    word = _WORD_BEFORE.search(left[place : found.start()])
    month = MONTHS.get(fold(word[1])) if word else None
    if not word or not month or not (day := a_day(year, month, int(found[1]))):
        return None
    return Written(day, start - len(left) + place + word.start(), end)


def _numeric(first: int, second: int, year: int, separator: str, offset: int, end: int) -> Written | None:
    """Day first; the American reading is kept as `other` where both are possible and the separator allows it."""
    day_first, month_first = a_day(year, second, first), a_day(year, first, second)
    if separator == "." and day_first:
        return Written(day_first, offset, end, separator=separator)
    if day_first and month_first and day_first != month_first:
        return Written(day_first, offset, end, month_first, separator)
    day = day_first or month_first
    if day is None:
        return None
    order = "same" if day_first and month_first else "dmy" if day_first else "mdy"
    return Written(day, offset, end, separator=f"{separator}{order}")


def _century(digits: str) -> int:
    return int(digits) + (2000 if int(digits) < 50 else 1900)
