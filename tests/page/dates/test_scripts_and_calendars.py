# ruff: noqa: E501 - a made page reads best in one line
"""Dates in many scripts and calendars, and numbers that are no dates."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.page.dates.calendars import PERSIAN_YEARS, from_persian, is_persian_leap
from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.read_dates import read_date

NOW = datetime(2024, 6, 1, tzinfo=UTC)
FIFTH_OF_MAY = """
٥ مايو ٢٠١٥|5 أيار 2015|٠٥/٠٥/٢٠١٥|5 ماي 2015|۱۵ اردیبهشت ۱۳۹۴|سه‌شنبه ۱۵ اردیبهشت ۱۳۹۴|۵ مه ۲۰۱۵|5 مئی 2015
5 พฤษภาคม 2558|5 พ.ค. 2558|๕ พฤษภาคม ๒๕๕๘|05/05/2558
平成27年5月5日|平成２７年５月５日|２０１５年５月５日|二〇一五年五月五日|2015年05月05日 15:12|民國104年5月5日
2015년 5월 5일|2015. 5. 5.|2015.05.05 오후 3:12|5 במאי 2015|ה-5 במאי 2015
5 मई 2015|५ मई २०१५|৫ মে ২০১৫|5 மே 2015|5 మే 2015|5 मे 2015|5 મે 2015|5 ਮਈ 2015|5 ಮೇ 2015|5 മേയ് 2015
5 მაისი 2015|5 მაისს, 2015|5 մայիսի 2015|5 мамыр 2015|2015 оны 5 сарын 5|5 may 2015|5 мај 2015|5 Mai 2015|5 Mei 2015
5 tháng 5, 2015|ngày 5 tháng 5 năm 2015|5 Μαΐου 2015|5. maí 2015|5 мая 2015 г. в 15:12
""".strip().replace("\n", "|")
NO_DATES = """
Python 3.10.12 released|ISBN 978-3-16-148410-0|ISBN 0-306-40615-2|Tel. 030 12 11 2015|Phone: 03-04-2019-55|Phone: 03-04-2019
+49 12/10/2012|EUR 12.11.20|$12.11.20|10.11.12 kg|12.11.20 €|1.299,00 €|IP 10.12.20.15|10.12.2015.3|v2.11.2010|Version 12.10.2011
Ubuntu 12.04.11|昭和64年|民國|31 اسفند 1397
""".strip().replace("\n", "|")


@pytest.mark.parametrize("text", FIFTH_OF_MAY.split("|"))
def test_scripts_and_calendars(text: str) -> None:
    read = read_date(text, DateContext(now=NOW))
    assert read is not None
    assert (read.day, read.precision in ("day", "minute")) == (date(2015, 5, 5), True)


@pytest.mark.parametrize("text", NO_DATES.split("|"))
def test_numbers_of_another_kind(text: str) -> None:
    assert read_date(text, DateContext(now=NOW)) is None


@pytest.mark.parametrize(
    ("text", "day"),
    [
        ("令和元年5月5日", date(2019, 5, 5)),
        ("令和5年12月1日(金)", date(2023, 12, 1)),
        ("5 كانون الثاني 2015", date(2015, 1, 5)),
        ("5 تشرين الأول 2015", date(2015, 10, 5)),
        ("5 تشرين الثاني 2015", date(2015, 11, 5)),
        ("5 كانون الأول 2015", date(2015, 12, 5)),
        ("5 جانفي 2015", date(2015, 1, 5)),
        ("5 জানুয়ারি 2015", date(2015, 1, 5)),
        ("5 yanvar 2015", date(2015, 1, 5)),
        ("5 Mehefin 2015", date(2015, 6, 5)),
    ],
)
def test_months_of_many_languages(text: str, day: date) -> None:
    read = read_date(text, DateContext(now=NOW))
    assert read is not None
    assert read.day == day


def test_numbers_of_the_persian_calendar_where_it_is_used() -> None:
    persian = read_date("۱۳۹۴/۰۲/۱۵", DateContext(language="fa"))
    assert persian is not None
    assert persian.day == date(2015, 5, 5)
    assert read_date("1394/02/15", DateContext(language="en")) is None


@given(st.integers(0, 50_000))
def test_persian_days_follow_one_another(after: int) -> None:
    """Counting days one by one is the slow twin: each day has one date, the next one follows."""
    day = date(1921, 3, 21) + timedelta(days=after)
    year = next(
        one for one in PERSIAN_YEARS if (last := from_persian(one, 12, 29 + is_persian_leap(one))) and day <= last
    )
    left = (day - (from_persian(year, 1, 1) or day)).days
    month, number = 1, left + 1
    while number > (31 if month <= 6 else 30):
        number -= 31 if month <= 6 else 30
        month += 1
    assert from_persian(year, month, number) == day
