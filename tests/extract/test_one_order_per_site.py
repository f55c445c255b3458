# ruff: noqa: E501 - a made page reads best in one line
"""03/04/2019 is one day for every command that reads a site whose other pages show the order of day and month."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Sequence
from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

import siteseer
from siteseer.campaigns.analysis.page_objects import kept_after, page_objects, site_orders
from siteseer.change.dated_rows import dated_rows
from siteseer.cli.main import run
from siteseer.collection.collection import Collection
from siteseer.extract.timestamps import date_page
from siteseer.model import Page
from siteseer.page.dates.site_order import SiteOrders
from siteseer.page.feeds import read_feed

SHAPES = {"dmy": "%d/%m/%Y", "mdy": "%m/%d/%Y", "dashes": "%d-%m-%Y", "short": "%m/%d/%y"}
SITES = [
    ("en", "http://www.rivers.com", "dmy"),
    ("en-US", "http://rivers.org", "dmy"),
    ("en-GB", "http://rivers.co.uk", "mdy"),
    ("de", "http://fluesse.de", "mdy"),
    ("", "http://127.0.0.1:8000", "dashes"),
    ("fr", "http://rivieres.fr", "short"),
]
"""Each writes its dates in another order than is usual where its language is spoken, or than its host lets expect."""
HTML = (("Content-Type", "text/html; charset=utf-8"),)
WORDS = "river bridge boat harbour kelp tide mill weir ferry bank stone water rain spring summer gate lock eel heron reed".split()
PLAIN = [date(2019, 4, day) for day in (13, 18, 22, 25)]
AMBIGUOUS = [date(2019, 4, 3), date(2018, 11, 2), date(2020, 1, 9), date(2017, 6, 5), date(2019, 12, 8)]
DAYS = [*AMBIGUOUS, *PLAIN]


def pages_of(language: str, root: str, order: str, edited: int = -1) -> list[Page]:
    found = []
    for number, day in enumerate(DAYS):
        chance = random.Random(f"{number} {number == edited}")
        prose = "".join(f"<p>{' '.join(chance.choices(WORDS, k=45)).capitalize()}.</p>" for _ in range(4))
        url = f"{root}/notes/{number}.html"
        body = (
            f"<html lang='{language}'><head><title>{chance.choice(WORDS).title()} {number} at the {chance.choice(WORDS)}</title>"
            f"<link rel=canonical href='{url}'></head><body><div id=menu><a href=/>Home</a><a href=/about>About</a></div>"
            f"<div class=note><h1>{WORDS[number].title()} {WORDS[-number]}</h1><p class=when>{day.strftime(SHAPES[order])}</p>"
            f"<div class=text>{prose}</div></div></body></html>"
        )
        found.append(Page(url, 200, HTML, body.encode()))
    return found


def archived(path: Path, pages: Sequence[Page]) -> Path:
    with path.open("wb") as out:
        writer = WARCWriter(out, gzip=True)
        for page in pages:
            head = StatusAndHeaders("200 OK", list(page.headers), protocol="HTTP/1.1")
            payload = io.BytesIO(page.body)
            writer.write_record(writer.create_warc_record(page.url, "response", payload=payload, http_headers=head))
    return path


@pytest.mark.parametrize(("language", "root", "order"), SITES, ids=[f"{site[0]}-{site[2]}" for site in SITES])
def test_every_command_reads_the_same_day(
    language: str, root: str, order: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pages = pages_of(language, root, order)
    meant = {page.url: day.isoformat() for page, day in zip(pages, DAYS, strict=True)}
    folder = tmp_path / "pages"
    folder.mkdir()
    files = [folder / f"{number}.html" for number in range(len(pages))]
    for file, page in zip(files, pages, strict=True):
        file.write_bytes(page.body)

    capsys.readouterr()
    assert run(["timestamp", *map(str, files)]) == 0
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [one["published"] for one in told] == [day.isoformat() for day in DAYS]

    assert {row["url"]: row["published"] for row in siteseer.article(folder)} == meant

    archive = archived(tmp_path / "one.warc.gz", pages)
    assert {row["url"]: row["published"] for row in siteseer.article(archive)} == meant
    siteseer.describe(archive, tmp_path / "described")
    objects = [one for one in siteseer.objects(tmp_path / "described") if one.get("published")]
    assert len(objects) >= len(DAYS) - 1
    assert all(one["published"] == meant[one["url"]] for one in objects), objects

    other = archived(tmp_path / "other.warc.gz", pages_of(language, root, order, edited=1))
    siteseer.describe(other, tmp_path / "again")
    changes = siteseer.changes(tmp_path / "described", tmp_path / "again")["changes"]
    assert changes
    assert all("published" not in row.get("fields", ()) for row in changes)

    with Collection.open(tmp_path / "described", "write") as collection:
        kept = kept_after(collection.state, 0, 100)
        found = list(page_objects(collection.state, kept, site_orders(collection.state)))
    assert {one.url: thing.published for one, thing, _ in found if thing} == meant

    rows = "".join(
        f"<li><a href='{url}'>Note</a> {day.strftime(SHAPES[order])}" for url, day in zip(meant, DAYS, strict=True)
    )
    listing = Page(f"{root}/", 200, HTML, f"<html lang='{language}'><ul>{rows}</ul>".encode())
    assert [row.newest for row in dated_rows(listing)] == [day.isoformat() for day in DAYS]

    items = "".join(
        f"<item><title>Note</title><link>{url}</link><pubDate>{day.strftime(SHAPES[order])}</pubDate></item>"
        for url, day in zip(meant, DAYS, strict=True)
    )
    rss = f"<rss version='2.0'><channel><title>Notes</title><language>{language or 'xx'}</language>{items}</channel></rss>"
    for kind in ("application/rss+xml", "text/xml"):
        feed = read_feed(Page(f"{root}/feed", 200, (("Content-Type", kind),), rss.encode()))
        assert feed is not None
        assert [item.published for item in feed.items] == [day.isoformat() for day in DAYS]


def test_languages_of_one_host_are_apart_and_other_hosts_say_nothing() -> None:
    now = datetime(2024, 1, 1, tzinfo=UTC)
    english, german = pages_of("en", "http://e.com", "mdy"), pages_of("de", "http://e.com", "dashes")
    stranger = pages_of("en", "http://other.com", "dmy")[:1]
    orders = SiteOrders(lambda: [*english[1:], *german[1:]])
    found = [date_page(orders.attach(page), now).published for page in (english[0], german[0], stranger[0])]
    assert found == ["2019-04-03", "2019-04-03", "2019-03-04"]


def test_pages_are_looked_at_only_where_it_matters() -> None:
    asked: list[str] = []

    def others() -> list[Page]:
        asked.append("once")
        return pages_of("en", "http://e.com", "dmy")

    orders, now = SiteOrders(others), datetime(2024, 1, 1, tzinfo=UTC)
    pages = pages_of("en", "http://e.com", "dmy")
    date_page(orders.attach(pages[-1]), now)
    assert not asked
    assert date_page(orders.attach(pages[0]), now).published == "2019-04-03"
    assert date_page(orders.attach(pages[1]), now).published == "2018-11-02"
    assert asked == ["once"]
