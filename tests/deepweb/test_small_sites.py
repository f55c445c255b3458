"""Sources in eight shapes, by GET and POST, with and without emphasised words: all of each is understood."""

from __future__ import annotations

import re

import pytest

from siteseer.alignment import Fact
from siteseer.deepweb.ontology.ontology_paths import TYPE, Ontology
from siteseer.deepweb.understanding import Options
from siteseer.deepweb.understanding_model import Understanding
from tests.deepweb.small_sites import DRAWN, KeywordSite, SmallSite

LABEL, WROTE, BOOK, PERSON = (
    "http://o.example/label",
    "http://o.example/wrote",
    "http://o.example/Book",
    "http://o.example/Person",
)


def told(found: Understanding, name: str) -> set[str]:
    """Return the values of the column that a field searches."""
    field = next(one for one in found.fields if one.name == name)
    assert len(field.columns) == 1, field
    return {text for record in found.records for text in record.values.get(field.columns[0], ())}


@pytest.mark.parametrize(
    ("shape", "method", "marks"),
    [(shape, *(("get", True) if at % 2 else ("post", False))) for at, shape in enumerate(DRAWN)],
)
def test_every_shape_is_understood(shape: str, method: str, marks: bool) -> None:
    site = SmallSite(DRAWN[shape], method=method, marks=marks)
    found = site.understand()
    assert len(found.records) == len(site.rows)
    assert told(found, "ti") == {row["title"] for row in site.rows}
    assert told(found, "au") == {row["author"] for row in site.rows}
    assert told(found, "ki") == {row["kind"] for row in site.rows}
    roles = {field.name: field.role for field in found.fields}
    assert roles == {"ti": "text", "au": "text", "ki": "option", "most": "highest", "sort": "order"}
    types = sorted(column.type for column in found.columns)
    assert types == ["date", "price", "text", "text", "text"]
    assert found.habits.as_it_stands == "nothing"
    assert found.habits.joined == "phrase"
    assert found.habits.stop_words == found.habits.parts_of_words == "yes"
    assert found.habits.spelling == "no"
    assert found.habits.error_place == "//p[@class='none']/i"


def test_one_box_for_everything_is_said_to_search_every_column() -> None:
    site = KeywordSite(DRAWN["grid"])
    found = site.understand()
    assert len(found.records) == len(site.rows)
    assert set(found.fields[0].columns) == {column.id for column in found.columns}
    assert (found.habits.joined, found.habits.as_it_stands, found.habits.parts_of_words) == ("and", "records", "no")


def ontology(site: SmallSite) -> Ontology:
    """Return an ontology that has two of three books, in capitals, and their authors as persons of their own."""
    facts = []
    for row in site.rows:
        person = f"http://o.example/person/{row['author'].replace(' ', '_')}"
        facts += [Fact(person, TYPE, PERSON), Fact(person, LABEL, row["author"], True)]
        if int(row["id"]) % 3:
            book = f"http://o.example/book/{row['id']}"
            facts += [Fact(book, TYPE, BOOK), Fact(book, LABEL, row["title"].upper(), True), Fact(person, WROTE, book)]
    return Ontology(facts)


def test_meaning_flows_back_to_the_form_and_new_books_are_proposed() -> None:
    site = SmallSite(DRAWN["cards"])
    found = site.understand(ontology(site))
    relations = {match.column: match.relation for match in found.relations}
    by_name = {field.name: field for field in found.fields}
    assert relations[by_name["ti"].columns[0]] == (LABEL,)
    assert by_name["au"].relation == (f"{WROTE}~", LABEL)
    assert by_name["au"].range_class == PERSON
    assert found.classes[0].cls == BOOK
    same = {match.record.removesuffix("#this").rpartition("/")[2]: match.instance for match in found.instances}
    assert same == {row["id"]: f"http://o.example/book/{row['id']}" for row in site.rows if int(row["id"]) % 3}
    new = {one.subject.removesuffix("#this").rpartition("/")[2] for one in found.proposals if one.predicate == TYPE}
    truly = {row["id"] for row in site.rows if not int(row["id"]) % 3}
    assert new <= truly
    assert len(new) >= len(truly) - 1, "one has nearly the name of another book of its author: nobody can know"
    wrote = [one for one in found.proposals if one.predicate == WROTE]
    assert len(wrote) == len(new)
    assert all(one.subject.startswith("http://o.example/person/") for one in wrote), "known persons are not made anew"
    assert any(one.kind == "relation" and one.value == "Kind" for one in found.proposals)
    assert len(found.rounds) > 1
    assert all(0 < one.confidence <= 1 for one in found.proposals)


def test_enough_stops_when_the_alignment_gets_no_better() -> None:
    site, other = SmallSite(DRAWN["cards"]), SmallSite(DRAWN["cards"])
    every, some = site.understand(ontology(site)), other.understand(ontology(site), Options(enough=True))
    assert {match.relation for match in some.relations} == {match.relation for match in every.relations}
    assert some.submissions <= every.submissions


def test_no_more_is_asked_than_the_budget_allows() -> None:
    site = SmallSite(DRAWN["cards"])
    found = site.understand(options=Options(budget=20))
    assert len(site.requests) == 21
    assert found.stopped_by == "budget"
    assert found.records


def test_details_behind_the_records_are_joined_when_asked_for() -> None:
    class WithDetails(SmallSite):
        def get(self, url: str, body: bytes = b""):  # type: ignore[no-untyped-def]
            page = super().get(url, body)
            if "/book/" not in url:
                return page
            number = url.rpartition("/")[2]
            row = self.rows[int(number)]
            extra = f"<h2>{row['title']}</h2><table><tr><th>Shelf</th><td>Row {int(number) * 7 % 11}</td></tr></table>"
            return type(page)(page.url, 200, page.headers, f"<body><ul><li>Home</ul>{extra}</body>".encode())

    found = WithDetails(DRAWN["cards"]).understand(options=Options(details=True))
    shelf = next(column for column in found.columns if column.source == "details")
    assert (shelf.name, len([column for column in found.columns if column.source == "details"])) == ("Shelf", 1)
    record = next(record for record in found.records if record.permalink.endswith("/book/5"))
    assert record.values[shelf.id] == ("Row 2",)


def test_what_only_scripts_draw_is_said_not_to_be_read() -> None:
    class Drawn(SmallSite):
        def get(self, url: str, body: bytes = b""):  # type: ignore[no-untyped-def]
            page = super().get(url, body)
            said = re.sub(rb'<a rel="next" href="[^"]*">', b'<a href="#" onclick="draw(2)">', page.body)
            return type(page)(page.url, page.status, page.headers, said)

    found = Drawn(DRAWN["table"]).understand()
    assert len(found.shortfalls) == 1
    assert "further pages that only scripts draw" in found.shortfalls[0]
    assert Understanding.of_json(found.as_json()) == found
    assert SmallSite(DRAWN["table"]).understand(options=Options(budget=15)).shortfalls == ()
