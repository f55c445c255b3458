"""Sources that lie, break and never end: understanding ends too, with an answer or one sentence."""

from __future__ import annotations

import json
from collections.abc import Sequence

import pytest

from siteseer.cli.form.understand import summary_lines
from siteseer.deepweb.enrichment_rdf import trig
from siteseer.deepweb.understanding import Options
from siteseer.errors import SiteseerError
from siteseer.model import Page
from tests.deepweb.small_sites import DRAWN, Row, SmallSite, books

EVIL = "<script>alert(1)</script>\"'\\ =cmd|calc \u202e\U0001f600 {{7*7}} \x1b[31m"


def evil_rows(rows: Sequence[Row]) -> list[Row]:
    from html import escape

    return [{**row, "author": f"{row['author']} {escape(EVIL)}"} for row in rows]


def test_texts_that_attack_are_only_texts() -> None:
    import pyoxigraph as ox

    site = SmallSite(DRAWN["cards"])
    site.rows = evil_rows(site.rows)
    found = site.understand(options=Options(budget=60))
    assert len(found.records) > 20
    stored = json.dumps(found.as_json(), ensure_ascii=False)
    assert type(found).of_json(json.loads(stored)) == found
    assert list(ox.parse(trig(found).encode(), ox.RdfFormat.TRIG)) == []
    assert summary_lines(found)


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"\x00\xff\xfe\x01" * 500,
        b"<table>" * 3_000,
        b"<div class=r>" + b"<p class=x>" * 5_000 + b"a",
        b"<ul>" + b"<li>a</li>" * 20_000 + b"</ul>",
        b"{" * 10_000,
    ],
)
def test_answers_that_are_no_answers(body: bytes) -> None:
    class Broken(SmallSite):
        def get(self, url: str, sent: bytes = b"") -> Page:
            page = super().get(url, sent)
            return Page(url, 200, page.headers, body) if "/find" in url else page

    site = Broken(DRAWN["cards"])
    with pytest.raises(SiteseerError):
        site.understand()
    assert len(site.requests) < 50


def test_a_source_without_an_end_is_left_at_the_budget() -> None:
    class Endless(SmallSite):
        def get(self, url: str, body: bytes = b"") -> Page:
            start = len(self.requests) * 7
            self.rows = [{**row, "id": str(start + at)} for at, row in enumerate(books(start + 10)[start:])]
            page = super().get(url, body)
            more = b"<a rel=next href='/find?ti=the&from=0&n=%d'>Next page</a>" % start
            return Page(url, 200, page.headers, page.body.replace(b"Open every day.", more))

        def _find(self, values: dict[str, str]) -> str:
            return super()._find({"ti": "the"})

    site = Endless(DRAWN["table"])
    found = site.understand(options=Options(budget=50))
    assert len(site.requests) == 51
    assert found.stopped_by == "budget"
    assert len(found.records) > 100
