"""Reading dates: one line per way in which pages write them."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.page.dates import find_dates, read_date, read_timestamp, vote_order
from siteseer.page.dates_names import MONTHS

NOW = datetime(2024, 3, 13, 15, 30, tzinfo=UTC)  # a Wednesday

ABSOLUTE = {
    "Postby X » Tue May 05, 2015 3:12 pm": "2015-05-05T15:12:00Z",
    "2015-05-05T15:12:00+02:00": "2015-05-05T13:12:00Z",
    "2015-05-05T15:12:00.123Z": "2015-05-05T15:12:00Z",
    "2015-05-05 15:12:00": "2015-05-05T15:12:00Z",
    "On 2015/05/05 15:12": "2015-05-05T15:12:00Z",
    "2015-05-05 10:00-12:00": "2015-05-05T10:00:00Z",
    "Tue, 05 May 2015 15:12:00 -0500": "2015-05-05T20:12:00Z",
    "Tue, 05 May 2015 15:12:00 EST": "2015-05-05T20:12:00Z",
    "Tue May  5 15:12:00 2015": "2015-05-05T15:12:00Z",
    "12 May 2015, 12:05 am": "2015-05-12T00:05:00Z",
    "5 May 2015 at 3 pm": "2015-05-05T15:00:00Z",
    "12:34, 5 May 2015": "2015-05-05T12:34:00Z",
    "10:15 am on May 5, 2015": "2015-05-05T10:15:00Z",
    "Posted on May 5th, 2015 by Bob": "2015-05-05",
    "5th of May, 2015": "2015-05-05",
    "05-May-2015": "2015-05-05",
    "5 May '15": "2015-05-05",
    "5 mei 15, 12:30": "2015-05-05T12:30:00Z",
    "31.12.99": "1999-12-31",
    "13/05/2015 15:12": "2015-05-13T15:12:00Z",
    "05/13/15": "2015-05-13",
    "5. Mai 2015 um 14.30 Uhr": "2015-05-05T14:30:00Z",
    "am 05.06.2015, 14:30 Uhr": "2015-06-05T14:30:00Z",
    "le 1er mai 2015 à 14h30": "2015-05-01T14:30:00Z",
    "5 de mayo de 2015 a las 15:30": "2015-05-05T15:30:00Z",
    "1º de maio de 2015 às 14:30": "2015-05-01T14:30:00Z",
    "5 maggio 2015 alle ore 15:12": "2015-05-05T15:12:00Z",
    "5 мая 2015 в 15:12": "2015-05-05T15:12:00Z",
    "5 травня 2015 о 15:12": "2015-05-05T15:12:00Z",
    "5 września 2015, 15:12": "2015-09-05T15:12:00Z",
    "5. května 2015 v 15:12": "2015-05-05T15:12:00Z",
    "5 maj 2015 kl. 15.12": "2015-05-05T15:12:00Z",
    "05 Mayıs 2015 Salı, 15:12": "2015-05-05T15:12:00Z",
    "2015. május 5. 15:12": "2015-05-05T15:12:00Z",
    "06 Νοε 2015, 12:33": "2015-11-06T12:33:00Z",
    "١٥ مايو ٢٠١٥": "2015-05-15",
    "5 พฤษภาคม 2563 15:12": "2020-05-05T15:12:00Z",
    "2015年5月1日 下午3:12": "2015-05-01T15:12:00Z",
    "2015년 5월 5일 오후 3:12": "2015-05-05T15:12:00Z",
    "5 tháng 5, 2015 lúc 15:12": "2015-05-05T15:12:00Z",
    "20150505T151200Z": "2015-05-05T15:12:00Z",
    "May 2015": "2015-05-01",
    "2015": "2015-01-01",
}

RELATIVE = {
    "May 5, 3:12 pm": "2023-05-05T15:12:00Z",
    "5月1日 15:12": "2023-05-01T15:12:00Z",
    "Yesterday, 10:12": "2024-03-12T10:12:00Z",
    "Today at 09:00 AM": "2024-03-13T09:00:00Z",
    "Tuesday at 3:12 PM": "2024-03-12T15:12:00Z",
    "Wednesday at 4:00 PM": "2024-03-06T16:00:00Z",
    "3 hours ago": "2024-03-13T12:30:00Z",
    "an hour ago": "2024-03-13T14:30:00Z",
    "1 year, 2 months ago": "2023-01-12",
    "2d ago": "2024-03-11",
    "just now": "2024-03-13T15:30:00Z",
    "vor 3 Stunden": "2024-03-13T12:30:00Z",
    "vor einer Stunde": "2024-03-13T14:30:00Z",
    "gestern, 12:00": "2024-03-12T12:00:00Z",
    "il y a 3 jours": "2024-03-10",
    "hier à 14:30": "2024-03-12T14:30:00Z",
    "hace 2 semanas": "2024-02-28",
    "há 5 minutos": "2024-03-13T15:25:00Z",
    "3 ore fa": "2024-03-13T12:30:00Z",
    "3 uur geleden": "2024-03-13T12:30:00Z",
    "3 часа назад": "2024-03-13T12:30:00Z",
    "Вчера в 10:12": "2024-03-12T10:12:00Z",
    "przed 3 godzinami": "2024-03-13T12:30:00Z",
    "3 godziny temu": "2024-03-13T12:30:00Z",
    "před 2 dny": "2024-03-11",
    "3 timmar sedan": "2024-03-13T12:30:00Z",
    "3 saat önce": "2024-03-13T12:30:00Z",
    "3 години тому": "2024-03-13T12:30:00Z",
    "3 小时前": "2024-03-13T12:30:00Z",
    "3時間前": "2024-03-13T12:30:00Z",
    "昨天 10:12": "2024-03-12T10:12:00Z",
}

NOT_DATES = [
    "",
    "Page 1 of 12",
    "10.1.20.15",
    "version 1.2.3",
    "hello may we 5 meet",
    "30 February 2015",
    "5 May 1815",
    "May 5",
    "12:30",
    "Monday",
    "3 hours",
    "Posts: 123",
    "(555) 123-4567",
    "1430838720",
    "Mar del Plata 22",
]


@pytest.mark.parametrize(("text", "iso"), ABSOLUTE.items())
def test_absolute(text: str, iso: str) -> None:
    read = read_date(text, now=NOW)
    assert read and read.iso == iso and not read.relative


@pytest.mark.parametrize(("text", "iso"), RELATIVE.items())
def test_relative_needs_the_moment_of_fetching(text: str, iso: str) -> None:
    read = read_date(text, now=NOW)
    assert read and read.iso == iso
    assert read_date(text) is None


@pytest.mark.parametrize("text", NOT_DATES)
def test_not_a_date(text: str) -> None:
    assert read_date(text, now=NOW) is None


def test_span_covers_weekday_and_time() -> None:
    text = "Bob » Tue May 05, 2015 3:12 pm wrote"
    read = read_date(text)
    assert read and text[slice(*read.span)] == "Tue May 05, 2015 3:12 pm"


def test_precision_and_zone() -> None:
    assert [read_date(t).precision for t in ("2015-05-05T15:12:01Z", "5 May 2015 15:12", "5 May 2015", "May 2015")] == [  # type: ignore[union-attr]
        "second",
        "minute",
        "day",
        "month",
    ]
    zoned, plain = read_date("2015-05-05T15:12:00Z"), read_date("2015-05-05 15:12")
    assert zoned and zoned.has_zone and plain and not plain.has_zone


def test_site_zone() -> None:
    read = read_date("5 May 2015 15:12", zone=timezone(timedelta(hours=2)))
    assert read and read.iso == "2015-05-05T13:12:00Z"


def test_order_by_vote() -> None:
    assert vote_order(["05/04/2015", "05/14/2015"]) == "mdy"
    assert vote_order(["14.05.2015", "x"]) == "dmy"
    assert vote_order(["no dates", "05/04/2015"]) is None
    for order, iso in (("dmy", "2015-04-05"), ("mdy", "2015-05-04")):
        read = read_date("05/04/2015", order=order)  # type: ignore[arg-type]
        assert read and read.iso == iso


def test_ambiguous_number_is_not_in_the_future() -> None:
    read = read_date("05/03/2024", now=NOW)
    assert read and read.iso == "2024-03-05"


def test_find_several() -> None:
    text = "Posted 5 May 2015, 10:12; edited 2015-05-06 11:00, seen yesterday"
    assert [d.iso for d in find_dates(text, now=NOW)] == ["2015-05-05T10:12:00Z", "2015-05-06T11:00:00Z", "2024-03-12"]


def test_time_stamps_only_when_asked() -> None:
    assert read_date("1430838720") is None
    for text in ("1430838720", "1430838720000", "1430838720.5"):
        read = read_timestamp(text)
        assert read and read.iso == "2015-05-05T15:12:00Z"
    assert read_timestamp("12") is None


def test_every_month_name_reads_back() -> None:
    for name, month in MONTHS.items():
        if "." in name or "_" in name or len(name) < 3:
            continue
        read = read_date(f"15 {name} 2015")
        assert read and (read.moment.month, read.moment.day) == (month, 15), name


@given(st.datetimes(datetime(1990, 1, 1), datetime(2099, 12, 31)))
def test_own_stamps_read_back(moment: datetime) -> None:
    for form in ("%Y-%m-%dT%H:%M:%SZ", "%a, %d %b %Y %H:%M:%S +0000", "%d.%m.%Y, %H:%M:%S", "%B %d, %Y %I:%M:%S %p"):
        read = read_date(moment.strftime(form))
        assert read and read.moment == moment.replace(microsecond=0, tzinfo=UTC)


@settings(max_examples=200)
@given(st.text(alphabet="0123456789 :./-,aмMyt年月日h'agopm\n", max_size=200))
def test_any_text_is_survived(text: str) -> None:
    for read in find_dates(text, now=NOW):
        assert 0 <= read.span[0] < read.span[1] <= len(text)
        assert 1989 <= read.moment.year <= 2101


@pytest.mark.parametrize(
    "piece", ["1", "1.", "May ", "1 May ", "12:", " ", "5 hours ", "1年", "a ", "2015-05-05 ", "٣"]
)
def test_hostile_repetition_is_fast(piece: str) -> None:
    begin = time.process_time()
    find_dates(piece * 40_000, now=NOW)
    assert time.process_time() - begin < 4


def test_a_numeric_date_before_a_colon_is_read_and_a_clock_is_none() -> None:
    found = read_date("Ann wrote on 14/01/2003:")
    assert found is not None and found.iso == "2003-01-14"
    assert read_date("on 3/4/10:30") is None
