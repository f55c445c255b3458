"""A string on a page is the same day for everything that reads dates: objects, records, listings, `timestamp`."""

from __future__ import annotations

import random
from datetime import UTC, date, datetime, timedelta

from siteseer.campaigns.relevance.time_and_language import first_date
from siteseer.change.dated_rows import dated_rows
from siteseer.extract.read_values import read_dates
from siteseer.extract.records.fields.field_atoms import DateReader
from siteseer.extract.timestamps import date_page
from siteseer.model import Page
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import find_dates, read_stamp
from siteseer.page.text import text

NOW = datetime(2024, 3, 13, 15, 30, tzinfo=UTC)
SHAPES = (
    "%d/%m/%Y", "%m/%d/%Y", "%d.%m.%Y", "%d-%m-%Y", "%m-%d-%Y", "%d/%m/%y", "%Y-%m-%d", "%Y/%m/%d", "%d %B %Y",
    "%B %d, %Y", "%d. %B %Y", "%a, %d %b %Y", "%d-%b-%Y", "%Y年%m月%d日", "%d de %B de %Y", "%b %d %Y",
    "%Y. %m. %d.", "%d. %m. %Y",
)  # fmt: skip
CLOCKS = ("", "", " %H:%M", ", %H:%M:%S", " at %I:%M %p", " um %H:%M Uhr", " à %Hh%M", " г. в %H:%M", "T%H:%M:%SZ")
LANGUAGES = ("", "en", "en-US", "en-GB", "de", "fr", "ru", "ja")
HOSTS = ("e.org", "e.co.uk", "www.e.de", "127.0.0.1:8000", "e.com")
OTHERS = (
    "",
    "",
    "14/02/2011",
    "02/14/2011",
    "3/4/2012",
    "Python 3.10.12",
    "2012-04-03",
    "v2.11.2010",
    "25.12.2009, 10:00",
)


def mutated(shown: str, chance: random.Random) -> str:
    """Change what people and templates change: spaces, capitals, leading zeros, what stands around."""
    if chance.random() < 0.3:
        shown = shown.replace(" ", chance.choice(("\xa0", "  ", "\n")), 1)
    if chance.random() < 0.2:
        shown = shown.upper()
    if chance.random() < 0.3:
        shown = shown.replace(" 0", " ").replace("/0", "/").removeprefix("0")
    if chance.random() < 0.2:
        place = chance.randrange(len(shown))
        shown = shown[:place] + chance.choice("0123456789-/. ,:") + shown[place + chance.randint(0, 1) :]
    return shown


def test_thousands_of_strings_are_one_day_for_all() -> None:
    chance = random.Random(4)
    read_at_all = ambiguous = 0
    for number in range(3_000):
        day = date(1998, 1, 1) + timedelta(days=chance.randrange(9_500))
        moment = datetime(day.year, day.month, day.day, chance.randrange(24), chance.randrange(60))
        shown = mutated(moment.strftime(chance.choice(SHAPES) + chance.choice(CLOCKS)), chance)
        body = (
            f"<html lang='{chance.choice(LANGUAGES)}'><title>Rivers</title><h1>Rivers</h1>"
            f"<p>{chance.choice(OTHERS)}</p><ul><li><a href=/b>Boats</a> · <i>{shown}</i></ul>"
        )
        page = Page(f"http://{chance.choice(HOSTS)}/a", 200, (("Content-Type", "text/html"),), body.encode(), NOW)
        context = context_of(page)
        seen = " ".join(shown.split())
        extracted = read_dates([seen], context)
        record = DateReader(context).read(seen)
        listed = [row.newest for row in dated_rows(page)]
        everywhere = [read for read in find_dates(text(page), context) if not read.relative]
        read = read_stamp(seen, context)
        if read is None or not read.names_a_day:
            assert record is None, body
            continue
        assert record is not None, body
        read_at_all += 1
        ambiguous += record.other is not None
        assert extracted == record.iso, body
        if not record.relative:
            assert first_date(seen, context) == record.day, body
            assert record.day in [read.day for read in everywhere], body
            assert record.other is None or (record.day, record.other) in [(r.day, r.other) for r in everywhere], body
        first = [read.day.isoformat() for read in find_dates(seen, context) if read.names_a_day and not read.relative]
        assert not first or listed == [max(first)], body
        if number % 5:
            continue
        published = date_page(page, NOW).published
        known = {read.day.isoformat() for read in everywhere} | {f"{r.day:%Y-%m}-01" for r in everywhere}
        assert published is None or published in known, body
    assert read_at_all > 2_000
    assert ambiguous > 200
