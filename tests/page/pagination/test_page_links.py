"""Links between the pages of a list, and links that only look like them."""

from __future__ import annotations

import pytest

from siteseer.model import Page
from siteseer.page.pagination.link_features import Candidate, sequence, text_marks
from siteseer.page.pagination.page_links import pagination

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def found(markup: str, url: str = "http://e.org/list") -> list[str]:
    page = Page(url, headers=HTML, body=f"<body>{markup}</body>".encode())
    return [link.url.removeprefix("http://e.org") for link in pagination(page)]


def numbers(address: str, count: int = 5, label: str = "") -> str:
    links = " ".join(f'<a href="{address.format(at, at * 20)}">{at}</a>' for at in range(2, count))
    return f'<div class="pagination">{label}<span>1</span> {links}</div>'


@pytest.mark.parametrize("address", ["/list?page={0}", "/list/page/{0}/", "/list?start={1}"])
def test_numbers(address):
    assert found(numbers(address)) == [address.format(at, at * 20) for at in range(2, 5)]


@pytest.mark.parametrize(
    "word", ["Next", "Next page »", "weiter", "Suivant", "Следующая", "次へ", "下一页", "older posts"]
)
def test_lone_links_to_the_next_page(word):
    assert found(f'<p><a href="/list?page=2">{word}</a></p>') == ["/list?page=2"]


def test_what_the_head_says():
    page = Page("http://e.org/list", headers=HTML, body=b'<head><link rel="next" href="/list?p=2"></head><p>text')
    assert [(link.url, link.direction) for link in pagination(page)] == [("http://e.org/list?p=2", "next")]


def test_calendars_and_comment_counts_are_no_pagination():
    days = "".join(f'<td><a href="/2020/05/{day:02}/">{day}</a></td>' for day in range(1, 32))
    assert found(f'<table class="calendar"><tr>{days}</tr></table>') == []
    counts = "".join(
        f'<p><a href="/post-{at}">Title of post {at}</a> <a href="/post-{at}#c">{at}</a></p>' for at in range(9)
    )
    assert found(counts) == []
    assert found('<a href="/about">Back to the start</a><a href="/more">More about us</a>') == []


def test_text_marks():
    assert text_marks("page 3") == (("num",), 3)
    assert text_marks("21-40")[0] == ("range",)
    assert "prev" in text_marks("« zurück")[0]


def test_sequences_grow_evenly():
    def row(pairs):
        return [Candidate(None, "", str(n), 0, f"http://e.org/l?start={x}", n) for n, x in pairs]

    assert sequence(row([(2, 20), (3, 40), (5, 80)])) == 3
    assert sequence(row([(2, 20), (3, 41), (5, 80)])) == 0
    assert sequence(row([(2, 40), (3, 20)])) == 0


def test_hostile_pages():
    assert found("<a>" * 30_000) == []
    assert found('<a href="?p=9">' + "9" * 100_000 + "</a>") == []
