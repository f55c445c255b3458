"""Slot values of pages: what is a value, what is an entry of a list, and which pages show the same."""

from __future__ import annotations

from itertools import pairwise

import pytest

from siteseer.model import Page
from siteseer.page.placed_blocks import placed_blocks
from siteseer.page.slot_values import SlotComparison, SlotValues, read_row, slot_values

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def page(body: str, path: str = "/") -> Page:
    return Page(f"http://e.org{path}", headers=HTML, body=body.encode())


def values(body: str, path: str = "/") -> SlotValues:
    return slot_values(page(body, path))


def test_numbers_make_values_different_and_places_tell_slots_apart() -> None:
    one = values("<h1>Hinge</h1><dl><dt>Width<dd>12 mm</dl>")
    other = values("<h1>Hinge</h1><dl><dt>Width<dd>14 mm</dl>")
    assert len(set(one.texts) - set(other.texts)) == 1
    assert set(one.forms) == set(other.forms)
    assert one.places == other.places and len(set(one.places)) == 3


def test_texts_of_links_are_entries_and_what_stands_beside_them_are_values() -> None:
    found = values("<h1>Hinges</h1><ul><li><a href=/1>A brass hinge</a> 4 €<li><a href=/2>A steel hinge</a> 5 €</ul>")
    assert (len(found.texts), len(found.entries)) == (3, 2)


def test_a_link_may_span_several_blocks() -> None:
    found = placed_blocks(page("<a href=/1><div>Brass</div><div>hinge</div></a><div>4 <a href=/2>more</a> left</div>"))
    assert [(text, own) for text, own, _ in found] == [("Brass", ""), ("hinge", ""), ("4 more left", "4  left")]


def test_a_heading_is_a_value_even_in_a_link_and_a_title_only_where_there_is_no_heading() -> None:
    assert len(values("<title>Shop</title><h1><a href=/7>Hinge</a></h1>").texts) == 1
    assert len(values("<title>Hinge</title><p>12 mm").texts) == 2


def test_prose_is_no_value_but_a_line_of_numbers_is() -> None:
    words = " ".join("abcdefghijklmnop")
    assert values(f"<h1>Hinge</h1><p>{words}").texts == values("<h1>Hinge</h1>").texts
    assert len(values(f"<h1>Hinge</h1><p>{words} 12").texts) == 2


@pytest.mark.parametrize(
    ("path", "text", "echoes"),
    [
        ("/calendar/2031/05", "May 2031", True),
        ("/day?d=20310517", "17 May 2031", True),
        ("/month/5", "05", True),
        ("/item/7", "7,5 kg", True),
        ("/item/7", "75 kg", False),
        ("/item?k=4f1a2031bc", "May 2031", False),
    ],
)
def test_a_text_may_repeat_a_number_of_the_address(path: str, text: str, echoes: bool) -> None:
    assert bool(values(f"<p>{text}", path).places[0] & 1) == echoes


def test_values_survive_the_memory() -> None:
    found = values("<h1>Hinge</h1><p>12 mm<ul><li><a href=/1>Hook</a></ul>")
    assert read_row(found.row()) == found


def compared(*bodies: str) -> SlotComparison:
    pages = SlotComparison()
    for number, body in enumerate(bodies):
        pages.put(number, values(body))
    return pages


def test_pages_are_the_same_if_one_number_differs_and_not_if_two_do() -> None:
    record = "<h1>Hinge</h1><p>{} mm<p>Visitor {}"
    pages = compared(record.format(12, 801), record.format(12, 802), record.format(14, 803))
    assert [pages.is_same(one, other) for one, other in pairwise(range(3))] == [True, False]
    assert not pages.is_same(0, 1, counters=0)
    assert not pages.is_same(0, 1, least=3)


def test_a_print_view_shows_the_same_values_at_other_places() -> None:
    pages = compared("<h1>Hinge</h1><table><tr><td>12 mm<td>4 €</table>", "<h3>Hinge</h3><p>12 mm<br>4 €")
    assert pages.is_same(0, 1)


def test_values_contradict_each_other_at_the_same_places_only() -> None:
    record, other = "<h1>{}</h1><dl><dd>{} mm</dl>", "<b>{}</b><p>{} mm"
    pages = compared(record.format("Hinge", 12), record.format("Hook", 14), other.format("Latch", 16))
    assert pages.contradicts(0, 1) and not pages.contradicts(0, 2)
