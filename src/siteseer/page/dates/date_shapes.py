"""Finds the days that a text names, in the shapes in which people and machines write them, in about sixty languages.

Year first (ISO, Hungarian, Korean), names of months with day and year on either side, numbers, Chinese, Japanese and
Korean forms, Vietnamese months by number, eight digits alone. Only what is near digits is looked at.

Numbers with dots are mostly versions: `Python 3.10.12` is no day. A day of which a part has one digit only is not
believed right behind a word, unless that word goes with dates (`am 3.10.12`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from siteseer.page.dates.calendars import ERAS, PERSIAN_YEARS, chinese_number, era_year, from_persian
from siteseer.page.dates.clock_times import clock_after
from siteseer.page.dates.date_context import NUMERIC, YEAR_FIRST, DateContext, whole_year
from siteseer.page.dates.date_words import BEFORE_DATES, VERSION, VERSION_WORDS
from siteseer.page.dates.month_names import PERSIAN_MONTHS, TWO_WORDS, WEEKDAYS, fold, month_of

_SHORT = 250
"""A text that is looked at as a whole."""
_SHORTEST = 4
"""Characters of numbers and what is between them, below which they are no day: a year has four."""
_REACH = 28
"""Characters on either side of digits in which the name of a month may stand."""

_NUMBERS_TOGETHER = re.compile(r"\d(?:\D{0,24}+\d)*+")
_WORD = re.compile(
    "[^\\s\\d\\x00-\\x40\\[-`{-\xa9\xab-\xb4\xb6-\xbf‐-⁯　-〿＀-／]{3,14}"
    r"|[\u0e00-\u0e7f]{1,2}\.[\u0e00-\u0e7f]|मई|मे|মে|மே|మే|ಮೇ|મે|ਮਈ|مه|می|دی"
)
"""A word that may name a month: few names have less than three letters, and Thai abbreviates with a dot inside."""
_ISO = re.compile(r"(?<![\d.])(\d{4})([-/.])\s{0,3}(\d{1,2})\2\s{0,3}(\d{1,2})(?!\d)")
_GLUED = re.compile(r"(?<![\w.,/:-])(20[0-4]\d)([01]\d)([0-3]\d)(?!\w|[./-]\d)")
_CJK = re.compile(
    rf"(?:(?:({'|'.join(ERAS)})\s?(元|\d{{1,3}})|(?<!\d)(\d{{4}}|\d{{2}}))\s?[年년]\s{{0,3}})?"
    r"(?<!\d)(\d{1,2})\s?[月월]\s{0,3}(\d{1,2})(?:\s?[日号號일])?"
    r"(?: ?[(（][^)）]{1,3}[)）])?"
)
_CHINESE = re.compile(
    r"([〇零一二三四五六七八九]{4})年([一二三四五六七八九十]{1,2})月([一二三四五六七八九十]{1,3})[日號号]"
)
_MONGOLIAN = re.compile(r"(\d{4}) оны (\d{1,2})(?:[ -]?р)? сарын (\d{1,2})(?!\d)")
_THANG = re.compile(r"(?<!\d)(\d{1,2}) tháng (\d{1,2})[,\s]{1,3}(?:năm )?(\d{4})", re.I)
_DAY_LEFT = re.compile(
    r"(?<![\d:])(?<![^\W\dא-ת]-)(\d{1,2})(?:st|nd|rd|th|er|re|ste|:e|º|ª|°|-?го|-?е|\.)?[\s./\-,]{0,4}"
    r"(?:of |the |de |di |do |d['’]|den |del |ng |na )?\s?$",
    re.I,
)
_YEAR_LEFT = re.compile(r"(?<![\w-])(\d{4})[\s.,/\-]{0,3}(?:m\. |gada )?\s?$", re.I)
_YEAR_RIGHT = re.compile(
    r"[\s.,/\-]{0,4}(?:(?:de|del|do|of) )?\s?['’]?"
    r"(\d{4}(?!\d)|\d{2}(?![\d:]|[./]\d|,? ?(?:19|20)\d\d|\s?[ap]\.?m\b|\s?[h.]\d))",
    re.I,
)
_LONG_YEAR_RIGHT = re.compile(r"[\s.,/\-]{0,4}(?:(?:de|del|do|of) )?\s?['’]?(\d{4}|(?<=['’/-])\d{2})(?!\d|:\d)", re.I)
_DAY_RIGHT = re.compile(
    r"[\s.,\-/]{0,4}(?:the )?(\d{1,2})(?:st|nd|rd|th|er|º|ª|\.(?!\d))?(?![\d:])(?! ?[ap]\.?m\b)", re.I
)
_YEAR_AFTER_CLOCK = re.compile(r"[\s,]{1,3}(\d{4})(?![\d:])")
_WORD_BEFORE = re.compile(r"([^\W\d_]{1,20})([.:]?)[ \t\xa0]?$")
_ARABIC_WORD = re.compile("[\u0620-\u064a\u0671-\u06d3]{2,12}")
_SECOND_WORD = re.compile(r"\s(\w{4,7})")
_AMOUNT_BEFORE = re.compile(
    r"(?:[$€£¥₹₽₩§#+]|\b(?:eur|usd|gbp|chf|sfr|tel|phone|fax|isbn|doi)\b[.:]?) ?$|\+\d{1,3} ?$", re.I
)
_AMOUNT_AFTER = re.compile(r" ?(?:[€£₽₩%]|(?:eur|usd|gbp|chf|kg|mb|gb|km|cm|mm)\b)(?! ?\d)", re.I)
"""What makes a number of three parts a price, a telephone number or a measure."""
_RELEASE_AFTER = re.compile(
    r"\.\d|-?(?:rc|alpha|beta|pre|dev|b|a|p)\d|\.x\b|\.(?:tar|zip|exe|deb|rpm|jar|js|css|whl|tgz)\b"
)


@dataclass(frozen=True, slots=True)
class WrittenDay:
    """A day found in a text; year 0 where none is written."""

    year: int
    month: int
    day: int
    start: int
    end: int
    precision: Literal["day", "month"] = "day"
    is_iso: bool = False
    separator: str = ""
    """What stands between the numbers of a day that may be read with its month first, too."""


def written_days(text: str, context: DateContext) -> list[WrittenDay]:
    """Return the days of a text by their place, overlapping ones included, the longest first.

    >>> [(day.year, day.month, day.day) for day in written_days("2015-05-05, 6 May 2015", DateContext())]
    [(2015, 5, 5), (2015, 5, 6)]
    """
    days: list[WrittenDay] = []
    for start, end in _near_digits(text):
        days += _days_between(text, start, end, context)
    if len(days) > 1:
        days.sort(key=lambda day: (day.start, -day.end))
    return days


def _near_digits(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text that digits are near: numbers are rare in prose."""
    if len(text) <= _SHORT:
        yield 0, len(text)
        return
    start = end = 0
    for found in _NUMBERS_TOGETHER.finditer(text):
        if found.end() - found.start() < _SHORTEST:
            continue
        left, right = max(0, found.start() - _REACH), min(len(text), found.end() + _REACH)
        if left > end:
            if end:
                yield start, end
            start = left
        end = right
    if end:
        yield start, end


def _days_between(text: str, start: int, end: int, context: DateContext) -> Iterator[WrittenDay]:
    for found in _ISO.finditer(text, start, end):
        if int(found[1]) in PERSIAN_YEARS and _is_persian(context):
            yield from _persian(int(found[1]), int(found[3]), int(found[4]), found.span())
        elif context.is_plausible(whole_year(found[1])) and not _is_version(text, found, context):
            yield WrittenDay(whole_year(found[1]), int(found[3]), int(found[4]), *found.span(), is_iso=found[2] != ".")
    language = context.language
    for found in _WORD.finditer(text, start, end):
        if (month := month_of(found[0], language)) and (day := _named(text, found.span(), month, context)):
            yield day
    for found in NUMERIC.finditer(text, start, end):
        if (numeric := _numeric(found, context)) and not _is_version(text, found, context):
            yield numeric
    for found in _GLUED.finditer(text, start, end):
        yield WrittenDay(int(found[1]), int(found[2]), int(found[3]), *found.span())
    if not text.isascii():
        yield from _beyond_ascii(text, start, end, context)


def _beyond_ascii(text: str, start: int, end: int, context: DateContext) -> Iterator[WrittenDay]:
    """Yield the days of shapes and calendars that are written in other letters than Latin ones without accents."""
    part = text[start:end]
    if "月" in part or "월" in part:
        for found in _CJK.finditer(text, start, end):
            year = era_year(found[1], found[2]) if found[1] else whole_year(found[3] or "0")
            yield WrittenDay(year, int(found[4]), int(found[5]), *found.span())
        for found in _CHINESE.finditer(text, start, end):
            year, month, day = map(chinese_number, found.groups())
            yield WrittenDay(year, month, day, *found.span())
    if "сарын" in part:
        for found in _MONGOLIAN.finditer(text, start, end):
            yield WrittenDay(int(found[1]), int(found[2]), int(found[3]), *found.span())
    if "ng " in part:
        for found in _THANG.finditer(text, start, end):
            yield WrittenDay(int(found[3]), int(found[2]), int(found[1]), *found.span())
    for found in _ARABIC_WORD.finditer(text, start, end):
        if month := PERSIAN_MONTHS.get(found[0], 0):
            left, right = (
                _DAY_LEFT.search(text, max(0, found.start() - 16), found.start()),
                _LONG_YEAR_RIGHT.match(text, found.end()),
            )
            if left and right and int(right[1]) in PERSIAN_YEARS:
                yield from _persian(int(right[1]), month, int(left[1]), (left.start(1), right.end()))
        elif (second := _SECOND_WORD.match(text, found.end())) and found[0] in TWO_WORDS:
            month = TWO_WORDS[found[0]].get(second[1], 0)
            if month and (named := _named(text, (found.start(), second.end()), month, context)):
                yield named


def _is_persian(context: DateContext) -> bool:
    return context.language.startswith("fa") or context.host.endswith(".ir")


def _persian(year: int, month: int, day: int, span: tuple[int, int]) -> Iterator[WrittenDay]:
    if meant := from_persian(year, month, day):
        yield WrittenDay(meant.year, meant.month, meant.day, *span)


def _named(text: str, name: tuple[int, int], month: int, context: DateContext) -> WrittenDay | None:
    """Read around the name of a month: day and year on whichever side they stand."""
    start, end = name
    is_plausible = context.is_plausible
    left = _DAY_LEFT.search(text, max(0, start - 16), start)
    if left and not (1 <= int(left[1]) <= 31 and _may_begin(text, left.start(1))):
        left = None
    right = _DAY_RIGHT.match(text, end)
    if left and (year := _YEAR_RIGHT.match(text, end)) and is_plausible(whole_year(year[1])):
        return WrittenDay(whole_year(year[1]), month, int(left[1]), left.start(1), year.end())
    if right:
        year = _LONG_YEAR_RIGHT.match(text, right.end())
        if year and is_plausible(whole_year(year[1])) and (len(year[1]) == 4 or _is_even(text, end, right, year)):
            return WrittenDay(whole_year(year[1]), month, int(right[1]), start, year.end())
        if (before := _YEAR_LEFT.search(text, max(0, start - 12), start)) and is_plausible(int(before[1])):
            return WrittenDay(int(before[1]), month, int(right[1]), before.start(), right.end())
        return _without_year(text, month, int(right[1]), start, right.end())
    if left:
        before = _YEAR_LEFT.search(text, max(0, left.start() - 12), left.start())
        if before and is_plausible(int(before[1])):
            return WrittenDay(int(before[1]), month, int(left[1]), before.start(), end)
        return _without_year(text, month, int(left[1]), left.start(1), end)
    if (year := _LONG_YEAR_RIGHT.match(text, end)) and len(year[1]) == 4 and is_plausible(whole_year(year[1])):
        return WrittenDay(whole_year(year[1]), month, 1, start, year.end(), "month")
    return None


def _may_begin(text: str, start: int) -> bool:
    """Say whether a day may begin here: right behind a word (`Support13. Oktober`), not in a name (`M2 Pro 12`)."""
    return not text[max(0, start - 1) : start].isalpha() or text[max(0, start - 2) : start - 1].isalpha()


def _is_even(text: str, end: int, day: re.Match[str], year: re.Match[str]) -> bool:
    """Say whether a year of two digits is one: `May-05-15` and `May 5 '15` end in a year, `July 10-12` in a day."""
    return text[year.start(1) - 1] in "'’" or text[end] == text[day.end()]


def _without_year(text: str, month: int, day: int, start: int, end: int) -> WrittenDay:
    """`Tue May 5 15:12:00 2015` has its year after the time; else there is none."""
    clock = clock_after(text, end)
    year = _YEAR_AFTER_CLOCK.match(text, clock.end) if clock else None
    return WrittenDay(int(year[1]) if year else 0, month, day, start, end)


def _numeric(found: re.Match[str], context: DateContext) -> WrittenDay | None:
    first, separator, second, last = int(found[1]), found[2], int(found[3]), found[4]
    may_be_year_first = len(last) == 2 and second <= 12 and int(last) <= 31
    if may_be_year_first and (first > 31 or context.is_year_first()):
        return WrittenDay(whole_year(found[1]), second, int(last), *found.span())
    if first > 12 or second > 12:
        month, day = (first, second) if second > 12 else (second, first)
        return WrittenDay(whole_year(last), month, day, *found.span())
    return WrittenDay(whole_year(last), second, first, *found.span(), separator=separator if first != second else "")


def _is_version(text: str, found: re.Match[str], context: DateContext) -> bool:
    """Say whether numbers are a price or a telephone number; or, with dots, the version of something."""
    if _AMOUNT_BEFORE.search(text, max(0, found.start() - 8), found.start()):
        return True
    if len(found[4]) == 2 and len(found[1]) < 4 and _AMOUNT_AFTER.match(text, found.end()):
        return True
    if found[2] != "." or " " in found[0]:
        return False
    start, end = found.span()
    if _RELEASE_AFTER.match(text, end):
        return True
    before = _WORD_BEFORE.search(text, max(0, start - 22), start)
    if before is None:
        return False
    word = fold(before[1])
    if len(found[4]) == 4:
        return word.startswith(VERSION) or (word == "v" and before.end(1) == start)
    if word in VERSION_WORDS or word.startswith(VERSION):
        return True
    if len(found[1]) == 4 and context.language.partition("-")[0] in YEAR_FIRST:
        return False
    has_one_digit = any(len(one) == 1 for one in (found[1], found[3], found[4]))
    if not has_one_digit or before[2] == ":" or not word.isascii():
        return False
    return before.end(1) == start or (
        word not in BEFORE_DATES and word not in WEEKDAYS and clock_after(text, end) is None
    )
