"""Records and their attributes from one or two marked records; next links."""

from __future__ import annotations

import pytest

from siteseer.errors import UsageError
from siteseer.wrapper.induction import Mark, compose, induce, induce_next, induce_records
from siteseer.wrapper.induction.evaluate_with_lxml import nodes, read
from siteseer.wrapper.induction.induce_attributes import view_of
from siteseer.wrapper.oxpath.language.parser import parse

HOMES = (
    ("Green Lane 4", "900", "N1", "quiet"),
    ("Mill Road 7", "1,200", "", "near the park"),
    ("High Street 1", "750", "E8", ""),
    ("Park View 9", "2,000", "W2", "two floors"),
    ("Dock Side 3", "", "SE1", "river"),
    ("Ash Grove 2", "640", "N4", "small"),
)


def listing(number: int, homes: tuple[tuple[str, ...], ...] = HOMES, last: int = 3) -> bytes:
    items = []
    for at, (name, price, code, text) in enumerate(homes):
        cells = [f"<h3><a href='/h/{number}-{at}'>{name}</a></h3>"]
        cells += [f"<span class=price>Rent: {price}</span>"] if price else []
        cells += [f"<p><b>Postcode</b> <i>{code}</i></p>"] if code else []
        cells += [f"<p class=text>{text}</p>"] if text else []
        items.append(f"<div class='item {'odd' if at % 2 else 'even'}'>{''.join(cells)}</div>")
    items.insert(2, "<div class=promo><img src=x.png>Buy now</div>")
    pager = "".join(f"<b>{n}</b> " if n == number else f"<a href='/list/{n}'>{n}</a> " for n in range(1, last + 1))
    pager += f"<a class=go href='/list/{number + 1}'>Next</a>" if number < last else ""
    menu = "<div class=menu><div><a href=/>Home</a></div><div><a href=/x>Help</a></div></div>"
    return f"<html><body>{menu}<div id=list>{''.join(items)}</div><p class=pager>{pager}</p></body></html>".encode()


def record(n: int) -> str:
    return f"(//div[@id='list']/div[h3])[{n}]"


MARKS = (
    Mark(0, "name", "Green Lane 4"), Mark(0, "price", "900"), Mark(0, "code", "N1"), Mark(0, "text", "quiet"),
    Mark(0, "name", "Mill Road 7"), Mark(0, "price", "1,200"), Mark(0, "text", "near the park"),
)  # fmt: skip


def test_two_marked_records_give_all_with_their_optional_attributes() -> None:
    found = induce_records([listing(1)], [Mark(0, "home", record(1)), Mark(0, "home", record(2))], MARKS)
    wanted = [dict(zip(("name", "price", "code", "text"), home, strict=True)) for home in HOMES]
    rows = found.rows(view_of(listing(2)).root)
    assert rows == [{name: (value,) for name, value in home.items() if value} for home in wanted]
    assert found.attributes["code"].optional and not found.attributes["name"].optional


def test_one_marked_record_is_enough_for_the_records() -> None:
    found = induce_records([listing(1)], [Mark(0, "home", record(1))], [])
    best = found.expressions[0]
    assert len(nodes(best.xpath, view_of(listing(2)).root)) == len(HOMES)
    assert best.recall == 1.0


def test_recall_is_favoured_over_precision() -> None:
    rows = "".join(f"<li{' class=new' if n < 2 else ''}><b>{n}</b><i>x</i></li>" for n in range(6))
    found = induce_records([f"<ol>{rows}</ol>".encode()], [Mark(0, "r", "//li[1]"), Mark(0, "r", "//li[2]")], [])
    assert len(nodes(found.expressions[0].xpath, view_of(f"<ol>{rows}</ol>".encode()).root)) == 6


def test_wrong_marks_of_records_get_one_sentence() -> None:
    page = listing(1)
    with pytest.raises(UsageError, match="no record is marked"):
        induce_records([page], [], [])
    with pytest.raises(UsageError, match="is a text"):
        induce_records([page], [Mark(0, "home", "Mill Road 7")], [])
    with pytest.raises(UsageError, match="in none of the marked records"):
        induce_records([page], [Mark(0, "home", record(1))], [Mark(0, "name", "Ash Grove 2")])
    with pytest.raises(UsageError, match="where no record is marked"):
        induce_records([page, page], [Mark(0, "home", record(1))], [Mark(1, "name", "Green Lane 4")])
    with pytest.raises(UsageError, match="there are 1 pages"):
        induce_records([page], [Mark(4, "home", record(1))], [])


def test_the_next_link_is_found_on_other_pages_and_not_on_the_last() -> None:
    found = induce_next([listing(1)], [Mark(0, "next", "Next")], [listing(2), listing(3)])
    best = found[0].xpath
    assert [read(f"({best})/@href", view_of(listing(n)).root) for n in (1, 2, 3)] == [("/list/2",), ("/list/3",), ()]


def test_numbers_alone_are_followed_from_the_current_one() -> None:
    pages = [listing(n).replace(b"Next", b"").replace(b"class=go", b"hidden") for n in (1, 2, 3)]
    found = induce_next(pages, [Mark(0, "next", "//p/a[1]"), Mark(1, "next", "//p/a[2]")])
    assert [read(f"({found[0].xpath})/@href", view_of(page).root)[:1] for page in pages] == [
        ("/list/2",),
        ("/list/3",),
        (),
    ]


@pytest.mark.parametrize(
    ("above", "below"),
    [
        ("<p class=pages><a href=/2>Next</a></p>", "<p class=pages><a href=/2>Next</a></p>"),
        ("<div><nav><b><a href=/2>Next</a></b></nav></div>", "<div><nav><b><a href=/2>Next</a></b></nav></div>"),
        ("<span><button>More</button></span>", "<span><button>More</button></span>"),
    ],
)
def test_of_two_equal_next_links_the_first_is_taken(above: str, below: str) -> None:
    page = f"<html><body>{above}<ul><li>A<li>B</ul>{below}<p><a href=/9>Help</a></p></body></html>".encode()
    links = "//a[@href='/2']" if "href" in above else "//button"
    for best in induce_next([page], [Mark(0, "next", links)]):
        assert len(nodes(best.xpath, view_of(page).root)) == 1, best.xpath
    text = compose("http://e.org/", induce_records([page], [Mark(0, "row", "//li[1]")], []), best)
    assert ("{nextclick /}" in text) == ("href" in above) and ("{clkwithchange /}" in text) != ("href" in above)
    parse(text)


def test_a_wrapper_is_composed_that_the_language_reads() -> None:
    records = induce_records([listing(1)], [Mark(0, "home", record(1)), Mark(0, "home", record(2))], MARKS)
    following = induce_next([listing(1)], [Mark(0, "next", "Next")], [listing(2)])[0]
    text = compose("http://e.org/list?a='1'", records, following, "home")
    assert text.startswith("doc('http://e.org/list?a=%271%27')/(//") and ":<home>" in text
    assert text.count("[? ") == 4
    parse(text)
    parse(compose("http://e.org/", induce([listing(1)], [Mark(0, "first name", "Green Lane 4")])))
