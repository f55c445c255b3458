"""Converts the days of other calendars: the Persian one, the Thai year, the eras of Japan and Taiwan, Chinese numerals.

Reference for the Persian calendar: the cycle of 33 years with 8 leap years, exact from 1799 to 2256.
"""

from __future__ import annotations

from datetime import date, timedelta

ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018, "民國": 1911, "民国": 1911}
"""The year before the first one of an era."""
PERSIAN_YEARS = range(1300, 1480)
"""Years that Web pages write in the Persian calendar: 1921 to 2101."""
CHINESE_DIGITS = "〇一二三四五六七八九"
_FIRST_PERSIAN = date(1921, 3, 21)
_SIX_LONG_MONTHS = 6 * 31


def era_year(era: str, number: str) -> int:
    """Return the year that an era counts; its first year is written 元.

    >>> era_year("令和", "元"), era_year("平成", "27"), era_year("民國", "104")
    (2019, 2015, 2015)
    """
    return ERAS[era] + (1 if number == "元" else int(number))


def chinese_number(text: str) -> int:
    """Return a number in Chinese numerals: digit by digit, or counted in tens.

    >>> chinese_number("二〇一五"), chinese_number("十二"), chinese_number("二十"), chinese_number("三十一")
    (2015, 12, 20, 31)
    """
    if "十" not in text:
        return int("".join(str(CHINESE_DIGITS.index(one)) for one in text.replace("零", "〇")))
    tens, _, ones = text.partition("十")
    return 10 * (CHINESE_DIGITS.index(tens) if tens else 1) + (CHINESE_DIGITS.index(ones) if ones else 0)


def from_persian(year: int, month: int, day: int) -> date | None:
    """Return the day of a date in the Persian calendar, or None where there is no such day.

    >>> from_persian(1394, 2, 15), from_persian(1397, 12, 20), from_persian(1399, 12, 30), from_persian(1400, 12, 30)
    (datetime.date(2015, 5, 5), datetime.date(2019, 3, 11), datetime.date(2021, 3, 20), None)
    """
    if year not in PERSIAN_YEARS or not 1 <= month <= 12:
        return None
    longest = 31 if month <= 6 else 30 if month < 12 or is_persian_leap(year) else 29
    if not 1 <= day <= longest:
        return None
    before = sum(365 + is_persian_leap(one) for one in range(PERSIAN_YEARS.start, year))
    months = 31 * (month - 1) if month <= 7 else _SIX_LONG_MONTHS + 30 * (month - 7)
    return _FIRST_PERSIAN + timedelta(days=before + months + day - 1)


def is_persian_leap(year: int) -> bool:
    """Say whether the last month of a Persian year has 30 days.

    >>> [year for year in range(1390, 1410) if is_persian_leap(year)]
    [1391, 1395, 1399, 1403, 1408]
    """
    return year % 33 in (1, 5, 9, 13, 17, 22, 26, 30)
