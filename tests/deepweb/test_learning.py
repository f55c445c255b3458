"""Lists, leaves, labels and values: the parts that records are read with, on pages that are not kind."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.deepweb.records.leaf_labels import learn_reader
from siteseer.deepweb.records.list_score import AnsweredQuery
from siteseer.deepweb.records.name_matching import base_names, name_similarity
from siteseer.deepweb.records.output_schema import AnswerRecord, learn_schema
from siteseer.deepweb.records.record_leaves import Leaf, leaves
from siteseer.deepweb.records.result_lists import ListKey, find_list, items_at
from siteseer.deepweb.records.value_types import amount, day, fold, order, type_of
from siteseer.model import Page

HTML = (("Content-Type", "text/html; charset=utf-8"),)


def page(body: str, url: str = "http://e.example/") -> Page:
    return Page(url, 200, HTML, body.encode("utf-8", "replace"))


def test_the_list_is_found_beside_menus_boxes_and_cells() -> None:
    menu = "<ul>" + "".join(f"<li><a href=/{n}>Menu {n}</a></li>" for n in range(12)) + "</ul>"
    rows = [f"<tr><td><a href=/b{n}>Book {n}</a></td><td>Writer {n % 5}</td><td>{n} EUR</td></tr>" for n in range(24)]
    pages = [
        page(f"{menu}<table>{''.join(rows[at : at + 6])}</table>", f"http://e.example/{at}") for at in (0, 6, 12, 18)
    ]
    key = find_list([AnsweredQuery(one) for one in pages])
    assert key is not None
    assert (key.first, [len(items_at(one, key)) for one in pages]) == ("tr", [6, 6, 6, 6])


def test_a_single_record_is_read_where_lists_are_known() -> None:
    many = page("<div id=l>" + "".join(f"<p class=r><b>Name {n}</b> <i>{n * 3}</i></p>" for n in range(5)) + "</div>")
    key = find_list([AnsweredQuery(many)])
    assert key is not None
    assert len(items_at(page("<div id=l><p class=r><b>Only</b> <i>7</i></p></div>"), key)) == 1
    assert items_at(page("<p>Nothing was found</p>"), key) == []


@pytest.mark.parametrize(
    "body", ["", "<html>", "<div>" * 3000, "<p>\x00\x01</p>", "<table><tr><td>" * 500, "<b>" * 20_000]
)
def test_strange_pages_have_no_list_and_break_nothing(body: str) -> None:
    assert find_list([AnsweredQuery(page(body)), AnsweredQuery(page(body))], [page(body)]) is None


def test_what_is_asked_for_may_be_emphasised_without_breaking_a_title() -> None:
    (item,) = items_at(page("<div><p><a>The <b>Old</b> <b>Tea</b> House</a></p></div>"), ListKey("/div", "p"))
    assert [leaf.text for leaf in leaves(item, {"old", "tea"})] == ["The Old Tea House"]
    assert [leaf.text for leaf in leaves(item, {"rye"})] == ["The", "Old", "Tea", "House"]
    assert [leaf.text for leaf in leaves(item, {"old", "tea"}, {"a/b"})] == ["The", "Old", "Tea", "House"]


def _record(*pairs: tuple[str, str]) -> list[Leaf]:
    return [Leaf(path, path.partition(":")[0], text) for path, text in pairs]


def test_optional_attributes_are_told_by_their_labels() -> None:
    records = [
        _record(("b", "Tea"), ("p", "Author: Ann"), ("p:1", "Year: 1901")),
        _record(("b", "Rye"), ("p", "Year: 1933")),
        _record(("b", "Oak"), ("p", "Author: Bob"), ("p:1", "Year: 1999")),
    ]
    schema = learn_schema([AnswerRecord("/", at, tuple(one)) for at, one in enumerate(records)])
    assert [(column.name, column.filled) for column in schema.columns] == [
        ("text", 1.0),
        ("Author", 0.667),
        ("Year", 1.0),
    ]
    assert schema.values(records[1]) == {"text": ("Rye",), "year": ("1933",)}


def test_what_never_changes_and_what_only_counts_is_no_attribute() -> None:
    records = [
        AnswerRecord(
            f"/{at // 4}",
            at % 4,
            tuple(_record(("i", f"{at % 4 + 1}."), ("b", f"T{at * 7}"), ("u", "Buy now"), ("s", "-"))),
        )
        for at in range(8)
    ]
    assert [column.path for column in learn_schema(records).columns] == ["b"]


def test_enumerations_are_taken_apart_where_their_parts_stand_alone_elsewhere() -> None:
    texts = ["Ann Lee", "Bob Roe", "Ann Lee, Bob Roe", "Cy Poe, Ann Lee", "Cy Poe", "Bob Roe and Cy Poe"]
    records = [
        AnswerRecord("/", at, tuple(_record(("b", f"T{at * at}"), ("p", text)))) for at, text in enumerate(texts)
    ]
    schema = learn_schema(records)
    assert schema.values(records[3].leaves)[schema.columns[1].id] == ("Cy Poe", "Ann Lee")
    cast = ["Ann Lee, Bob Roe", "Cy Poe, Ann Lee", "Bob Roe, Di Fox", "Di Fox, Cy Poe", "Ann Lee, Di Fox"]
    played = [AnswerRecord("/", at, tuple(_record(("p", text)))) for at, text in enumerate(cast)]
    assert learn_schema(played).values(played[1].leaves) == {"text": ("Cy Poe", "Ann Lee")}
    streets = [AnswerRecord("/", at, tuple(_record(("p", f"Mill Lane {at}, Bath")))) for at in range(5)]
    assert learn_schema(streets).values(streets[1].leaves) == {"text": ("Mill Lane 1, Bath",)}


def test_words_of_the_template_before_a_value_are_left_out_but_not_the_article_of_a_title() -> None:
    records = [
        _record(("b", f"The {n} tree"), ("p", f"by {name}")) for n, name in enumerate(("Ann", "Bob", "Cy", "Di"))
    ]
    reader = learn_reader(records)
    assert [(piece.text, piece.label) for piece in reader.read(records[0])] == [("The 0 tree", ""), ("Ann", "by")]


@given(st.text(max_size=120))
def test_values_of_any_text_are_read_without_complaint(text: str) -> None:
    for reading in (amount, day, order, fold, base_names):
        reading(text)  # type: ignore[operator]
    assert type_of([text]) in ("text", "number", "price", "date")
    assert 0 <= name_similarity(text, text[::-1]) <= 1


@pytest.mark.parametrize(
    ("text", "number"),
    [("1.234,50 €", 1234.5), ("$1,234", 1234), ("12 000 Kč", 12000), ("-5", -5), ("about 3 or 4", None), ("3.5", 3.5)],
)
def test_amounts_are_read_in_the_ways_of_many_countries(text: str, number: float | None) -> None:
    assert amount(text) == number
