"""What a page says about the order of day and month in its dates."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from siteseer.model import Page
from siteseer.page.dates.page_context import context_of, page_language
from siteseer.page.dates.read_dates import read_date

HTML = (("Content-Type", "text/html; charset=utf-8"),)
LONG = "Nobody in the old town would ever forget that on 12/25/2018 the boats stayed in the harbour for the whole day."


def page(body: str, url: str = "http://e.org/a", fetched: datetime | None = None) -> Page:
    return Page(url, 200, HTML, body.encode(), fetched)


@pytest.mark.parametrize(
    ("body", "url", "day"),
    [
        ("<p>03/04/2019", "http://e.org/a", "2019-03-04"),
        ("<p>03/04/2019", "http://e.co.uk/a", "2019-04-03"),
        ("<p>03/04/2019", "http://127.0.0.1:8000/a", "2019-03-04"),
        ("<p>03-04-2019", "http://127.0.0.1:8000/a", "2019-04-03"),
        ("<html lang=fr><p>03/04/2019", "http://e.org/a", "2019-04-03"),
        ("<html lang=en-US><p>03/04/2019", "http://e.co.uk/a", "2019-03-04"),
        ("<html lang=en><meta name=x><p>03/04/2019", "http://e.de/a", "2019-04-03"),
        ("<meta property='og:locale' content='de_DE'><p>03/04/2019", "http://e.org/a", "2019-04-03"),
        ("<p>03/04/2019<p>25/04/2019", "http://e.org/a", "2019-04-03"),
        ("<html lang=de><p>03/04/2019<p>04/25/2019", "http://e.de/a", "2019-03-04"),
        ("<p>03/04/2019<time datetime=2019-04-03T10:00>x</time>", "http://e.org/a", "2019-04-03"),
        ("<p>03/04/2019", "http://e.org/2019-04-03/a", "2019-04-03"),
        (f"<p>03/04/2019<p>25/04/2019<p>{LONG}<p>{LONG}<p>{LONG}", "http://e.org/a", "2019-04-03"),
        ("<p>03.04.2019", "http://e.org/a", "2019-04-03"),
    ],
)
def test_the_order_is_that_of_the_other_dates_then_of_language_and_host(body: str, url: str, day: str) -> None:
    read = read_date(
        "03.04.2019" if "03.04" in body else "03-04-2019" if "03-04" in body else "03/04/2019",
        context_of(page(body, url)),
    )
    assert read is not None
    assert read.iso == day


def test_what_would_lie_in_the_future_is_the_other_reading() -> None:
    one = page("<html lang=en-US><p>03/12/2019<p>05/11/2019", fetched=datetime(2019, 11, 20, tzinfo=UTC))
    assert [read_date(text, context_of(one)).iso for text in ("03/12/2019", "05/11/2019")] == [
        "2019-03-12",
        "2019-05-11",
    ]  # type: ignore[union-attr]
    one = page("<html lang=en-US><p>12/03/2019<p>05/11/2019", fetched=datetime(2019, 11, 20, tzinfo=UTC))
    assert [read_date(text, context_of(one)).iso for text in ("12/03/2019", "05/11/2019")] == [
        "2019-03-12",
        "2019-11-05",
    ]  # type: ignore[union-attr]


def test_the_second_reading_is_kept() -> None:
    read = read_date("03/04/2019", context_of(page("<html lang=de>")))
    assert read is not None
    assert (read.day.isoformat(), read.other.isoformat()) == ("2019-04-03", "2019-03-04")  # type: ignore[union-attr]


def test_the_language_is_read_without_a_tree() -> None:
    assert page_language(page("<!doctype html><html class=x xml:lang='pt_BR'>")) == "pt-br"
    assert page_language(Page("http://e.org/", headers=(*HTML, ("Content-Language", "it, en")))) == "it"
    assert page_language(page("<html><p lang=fr>")) == ""
