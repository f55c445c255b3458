"""Reading dates: one line per way in which pages write them."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.page.dates.date_context import DateContext, learn_order
from siteseer.page.dates.month_names import MONTHS
from siteseer.page.dates.read_dates import find_dates, read_date, read_timestamp

NOW = datetime(2024, 3, 13, 15, 30, tzinfo=UTC)  # a Wednesday
AT = DateContext(now=NOW)

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
    "5 мая 2015 г. в 15:12": "2015-05-05T15:12:00Z",
    "05.05.2015 г., 15:12": "2015-05-05T15:12:00Z",
    "5 травня 2015 р. о 15:12": "2015-05-05T15:12:00Z",
    "5 maja 2015 r., 15:12": "2015-05-05T15:12:00Z",
    "5. maja 2015. godine u 15:12": "2015-05-05T15:12:00Z",
    "2015 m. gegužės 5 d. 15:12": "2015-05-05T15:12:00Z",
    "2015. gada 5. maijs, 15:12": "2015-05-05T15:12:00Z",
    "५ मई २०१५": "2015-05-05",
    "2023. 10. 23": "2023-10-23",
    "May-05-15": "2015-05-05",
    "am 3.10.12 in Berlin": "2012-10-03",
    "Release: 20.11.2018 (PC)": "2018-11-20",
    "Stand: 3.10.12": "2012-10-03",
    "updated 3.10.12 14:00": "2012-10-03T14:00:00Z",
    "COVID-19, Dec. 15, 2021": "2021-12-15",
    "Support13. Oktober 2020": "2020-10-13",
    "December 20, 2023: a correction": "2023-12-20",
    "Order of 20151231": "2015-12-31",
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
    "Version 10.11.12",
    "v2.10.2015",
    "Python 3.10.12",
    "php7.4.12",
    "Linux 5.10.99",
    "PyCharm 2019.3.4 is out",
    "libfoo 1.2.12.tar.gz",
    "1.10.12-rc1",
    "OpenSSL 1.1.15",
    "10.0.12.15",
    "MacBook (M2 Pro 12C/19C)",
    "in force from July 10-12",
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
    read = read_date(text, AT)
    assert read and read.iso == iso and not read.relative


@pytest.mark.parametrize(("text", "iso"), RELATIVE.items())
def test_relative_needs_the_moment_of_fetching(text: str, iso: str) -> None:
    read = read_date(text, AT)
    assert read and read.iso == iso
    assert read_date(text) is None


@pytest.mark.parametrize("text", NOT_DATES)
def test_not_a_date(text: str) -> None:
    assert read_date(text, AT) is None


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
    read = read_date("5 May 2015 15:12", DateContext(zone=timezone(timedelta(hours=2))))
    assert read and read.iso == "2015-05-05T13:12:00Z"


def test_order_by_vote() -> None:
    assert learn_order(["05/04/2015", "05/14/2015"]) == "mdy"
    assert learn_order(["14.05.2015", "x"]) == "dmy"
    assert learn_order(["no dates", "05/04/2015"]) is None
    for order, iso in (("dmy", "2015-04-05"), ("mdy", "2015-05-04")):
        read = read_date("05/04/2015", DateContext(order=order))  # type: ignore[arg-type]
        assert read and read.iso == iso


def test_ambiguous_number_is_not_in_the_future() -> None:
    read = read_date("05/03/2024", AT)
    assert read and read.iso == "2024-03-05"


def test_find_several() -> None:
    text = "Posted 5 May 2015, 10:12; edited 2015-05-06 11:00, seen yesterday"
    assert [d.iso for d in find_dates(text, AT)] == ["2015-05-05T10:12:00Z", "2015-05-06T11:00:00Z", "2024-03-12"]


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
    for read in find_dates(text, AT):
        assert 0 <= read.span[0] < read.span[1] <= len(text)
        assert 1989 <= read.moment.year <= 2101


@pytest.mark.parametrize(
    "piece", ["1", "1.", "May ", "1 May ", "12:", " ", "5 hours ", "1年", "a ", "2015-05-05 ", "٣"]
)
def test_hostile_repetition_is_fast(piece: str) -> None:
    begin = time.process_time()
    find_dates(piece * 40_000, AT)
    assert time.process_time() - begin < 4


def test_a_numeric_date_before_a_colon_is_read_and_a_clock_is_none() -> None:
    found = read_date("Ann wrote on 14/01/2003:")
    assert found is not None and found.iso == "2003-01-14"
    assert read_date("on 3/4/10:30") is None


def test_a_month_is_that_of_the_language() -> None:
    for language, month in (("pl", 11), ("hr", 10), ("", 11)):
        read = read_date("5. listopada 2015", DateContext(language=language))
        assert read is not None
        assert read.day == date(2015, month, 5)


def test_year_first_with_dots_is_no_version_where_people_write_so() -> None:
    assert [bool(read_date("Kim 2019.3.4", DateContext(language=one))) for one in ("ko", "en")] == [True, False]


def test_an_event_may_lie_ahead_and_a_publication_not() -> None:
    for asked, day in (("any", "2023-09-05"), ("event", "2024-09-05")):
        read = read_date("5 September, 20:00", DateContext(now=datetime(2024, 5, 1, tzinfo=UTC), asked=asked))  # type: ignore[arg-type]
        assert read is not None
        assert read.iso[:10] == day
    ahead = "5 September 2024"
    assert read_date(ahead, DateContext(now=NOW, asked="publication")) is None
    assert read_date(ahead, DateContext(now=NOW, asked="event")) is not None


def test_a_long_text_is_read_as_its_parts_are() -> None:
    lines = [*ABSOLUTE, *NOT_DATES]
    lines.remove("2015")
    prose = (
        " Rivers carry water to the sea and boats upon it, whatever the weather may be in the north of the country. "
        * 3
    )
    for line in lines:
        alone = [read.iso for read in find_dates(line)]
        assert [read.iso for read in find_dates(f"{prose}\n\n({line})\n\n{prose}")] == alone, line
