"""Reads the day or the month that the path of a URL names."""

from __future__ import annotations

import re
from datetime import date

from siteseer.page.dates.date_context import a_day
from siteseer.page.dates.month_names import MONTHS, fold

_URL_DAY = re.compile(r"(?<!\d)((?:19|20)\d\d)([/\-_.])(\d{1,2})\2(\d{1,2})(?!\d)")
_URL_GLUED = re.compile(r"(?<!\d)((?:199|20[0-4])\d)([01]\d)([0-3]\d)(?!\d)")
_URL_NAMED = re.compile(r"/((?:19|20)\d\d)/([a-z]{3,9})/(\d{1,2})(?:/|$)", re.I)
_URL_DAY_FIRST = re.compile(r"(?<!\d)(\d{2})[-_](\d{2})[-_]((?:19|20)\d\d)(?!\d)")
_URL_MONTH = re.compile(r"(?<!\d)((?:199|20[0-4])\d)[/\-_.]?(1[0-2]|0[1-9])(?=[/\-_.]|$)")
_URL_MONTH_NAME = re.compile(r"/((?:199|20[0-4])\d)/([a-z]{3,9})(?:/|$)", re.I)


def day_of_address(path: str) -> date | None:
    """Return the day that the path of an address names.

    >>> day_of_address("/2015/05/05/title/"), day_of_address("/news-20150505-title")
    (datetime.date(2015, 5, 5), datetime.date(2015, 5, 5))
    """
    for pattern in (_URL_DAY, _URL_GLUED):
        for match in pattern.finditer(path):
            numbers = [
                int(match[1]),
                int(match[3 if pattern is _URL_DAY else 2]),
                int(match[4 if pattern is _URL_DAY else 3]),
            ]
            if (match[1] > "1994") and (day := a_day(*numbers)):
                return day
    if (named := _URL_NAMED.search(path)) and (month := MONTHS.get(fold(named[2]))):
        return a_day(int(named[1]), month, int(named[3]))
    if turned := _URL_DAY_FIRST.search(path):
        return a_day(int(turned[3]), int(turned[2]), int(turned[1]))
    return None


def month_of_address(path: str) -> tuple[int, int] | None:
    """Return year and month that the path of an address names."""
    if found := _URL_MONTH.search(path):
        return int(found[1]), int(found[2])
    if (named := _URL_MONTH_NAME.search(path)) and (month := MONTHS.get(fold(named[2]))):
        return int(named[1]), month
    return None
