"""Links, buttons and menus that surely go on in a list, and what only looks like them."""

from __future__ import annotations

import pytest

from siteseer.model import Page
from siteseer.page.pagination.further_pages import further_pages
from siteseer.page.pagination.page_links import pagination

HTML = (("Content-Type", "text/html; charset=utf-8"),)
HERE = "http://e.org/list?sort=date"


def found(markup: str, url: str = HERE) -> list[str]:
    page = Page(url, headers=HTML, body=f"<body>{markup}</body>".encode())
    return [link.url.removeprefix("http://e.org") for link in further_pages(page)]


@pytest.mark.parametrize(
    "label",
    [
        "next >>", "Next 20 results", "older posts", "Weiter", "Nächste Seite", "Page suivante", "Siguiente »",
        "Следующая", "次へ", "次のページ", "다음", "»", "<img src=r.gif alt='Next page'>", "<i class='icon next'></i>",
    ],
)  # fmt: skip
@pytest.mark.parametrize(
    "url", ["/list?sort=date&page=2", "/list?sort=date&@startwith=50", "/list?sort=date&offset=20"]
)
def test_links_that_say_next(label: str, url: str) -> None:
    assert found(f'<p><a href="{url}">{label}</a></p>') == [url]


def test_a_list_on_the_front_page_goes_on_elsewhere() -> None:
    """The size of the pages and the order stand in the address too."""
    url = "/issue?@startwith=50&@pagesize=50&@columns=id,title&@sort=-activity&@filter=status&status=-1,1,2"
    assert found(f'<table><tr><td></td><td><a href="{url}">next &gt;&gt;</a></td></tr></table>', "http://e.org/") == [
        url
    ]
    page = Page("http://e.org/", headers=HTML, body=f'<a href="{url}">next &gt;&gt;</a>'.encode())
    assert [(link.url, link.direction) for link in pagination(page)] == [(f"http://e.org{url}", "next")]


@pytest.mark.parametrize(
    ("label", "url"),
    [
        ("next topic", "/list?topic=17.0;prev_next=next"),
        ("next", "/list?t=17&view=next"),
        ("Last post", "/list?sort=last_post"),
        ("Name", "/list?sort=name"),
        ("more", "/article/17"),
        ("next", "/about"),
        ("50", "/list?sort=date&pagesize=50"),
        ("previous", "/list?sort=date&start=0"),
    ],
)
def test_links_that_do_not(label: str, url: str) -> None:
    assert found(f'<p><a href="{url}">{label}</a></p>') == []


def test_numbers_and_ranges() -> None:
    numbers = " ".join(f'<a href="/list?sort=date&start={20 * n}">{n + 1}</a>' for n in range(1, 4))
    assert found(f"<div class=pages><b>1</b> {numbers}</div>") == [f"/list?sort=date&start={n}" for n in (20, 40, 60)]


def test_the_letters_of_an_index() -> None:
    letters = " ".join(f'<a href="/list?filter={letter}&sort=name">{letter}</a>' for letter in "ABCDEFGHIKLM")
    assert len(found(f"<p>{letters}</p>")) == 12
    grades = " ".join(f'<a href="/grade/{letter}">{letter}</a>' for letter in "ABCD")
    assert found(f"<p>{grades}</p>") == []


def form(inside: str, how: str = "action=/list") -> str:
    return f"<form {how}><input type=hidden name=sort value=date>{inside}</form>"


@pytest.mark.parametrize(
    "button",
    [
        "<input type=submit value='Next &gt;'>",
        "<button>Next page</button>",
        "<input type=image src=r.gif alt='nächste Seite'>",
        "<button><img src=r.gif alt=next></button>",
    ],
)
def test_buttons_of_forms(button: str) -> None:
    assert found(form(f"<input type=hidden name=start value=20>{button}")) == ["/list?sort=date&start=20"]


def test_buttons_that_carry_the_page() -> None:
    buttons = "".join(f"<button name=page value={n}>{n}</button>" for n in (2, 3))
    assert found(form(buttons)) == ["/list?sort=date&page=2", "/list?sort=date&page=3"]
    script = "<button onclick=\"location.href='/list?sort=date&amp;page=2'\">Next</button>"
    assert found(script) == ["/list?sort=date&page=2"]


def test_menus_of_pages() -> None:
    options = "".join(f"<option value={n}{' selected' if n == 1 else ''}>Page {n} of 3" for n in (1, 2, 3))
    assert found(form(f"<select name=sheet>{options}</select>")) == [
        "/list?sort=date&sheet=2",
        "/list?sort=date&sheet=3",
    ]
    jump = "".join(f"<option value='/list/{n}?sort=date'>{n}" for n in (2, 3, 4))
    assert found(f"<select onchange='location=this.value'>{jump}</select>", "http://e.org/list?sort=date") == [
        "/list/2?sort=date", "/list/3?sort=date", "/list/4?sort=date",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "markup",
    [
        form("<input name=words><input type=submit value=Next>"),
        form("<input type=hidden name=id value=7><input type=submit value=Delete>"),
        form("<input type=hidden name=page value=2><input type=submit value=Next>", "action=/list method=post"),
        form("<select name=pagesize><option>10<option>20<option>50</select>"),
        form("<select name=stars><option>1<option>2<option>3<option>4<option>5</select>"),
        "<button onclick='nextPage()'>Next</button>",
    ],
)
def test_forms_that_do_something_else(markup: str) -> None:
    assert found(markup) == []
