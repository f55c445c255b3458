"""What an ontology knows under another order of names is known: it is not proposed as new."""

from __future__ import annotations

import pytest

from siteseer.alignment import Fact
from siteseer.deepweb.ontology.ontology_paths import TYPE, Ontology
from siteseer.deepweb.records.name_matching import person_key, same_keys
from tests.deepweb.small_sites import DRAWN, SmallSite, books

OWN = "http://o.example/"
LABEL, WROTE, BOOK, PERSON = (OWN + name for name in ("label", "wrote", "Book", "Person"))
PEOPLE = ("Ada Brandt", "Bo Li", "Cleo Marsh", "Dov Stern", "Eva Quist", "Finn Odell", "Gil Navarro")


def rows_by(write) -> list[dict[str, str]]:
    return [{**row, "author": write(PEOPLE[(int(row["id"]) * 3) % 7])} for row in books()]


def inverted(name: str) -> str:
    given, _, surname = name.partition(" ")
    return f"{surname}, {given}"


def with_initial(name: str) -> str:
    return inverted(name)[:-1].rpartition(" ")[0] + f" {name[0]}."


def ontology(known: tuple[str, ...] = PEOPLE) -> Ontology:
    """Return an ontology with two of three books, and people under their names as they are spoken."""
    facts = []
    for row in books():
        name = PEOPLE[(int(row["id"]) * 3) % 7]
        person = f"{OWN}person/{name.replace(' ', '_')}"
        if name not in known:
            continue
        facts += [Fact(person, TYPE, PERSON), Fact(person, LABEL, name, True)]
        if int(row["id"]) % 3:
            book = f"{OWN}book/{row['id']}"
            facts += [Fact(book, TYPE, BOOK), Fact(book, LABEL, row["title"], True), Fact(person, WROTE, book)]
    return Ontology(facts)


def proposed_people(found) -> list[str]:
    return [one.subject for one in found.proposals if one.predicate == TYPE and one.value == PERSON]


@pytest.mark.parametrize("write", [inverted, str.upper, with_initial])
def test_people_that_are_known_in_another_order_are_not_proposed_as_new(write):
    found = SmallSite(DRAWN["cards"], rows=rows_by(write)).understand(ontology())
    assert proposed_people(found) == []
    linked = {one.subject for one in found.proposals if one.predicate == WROTE}
    assert all(one.startswith(OWN) for one in linked)
    assert linked or write is with_initial


def test_a_new_person_is_proposed_once_however_the_name_is_written():
    def both(name: str) -> str:
        both.turn = not getattr(both, "turn", False)
        return inverted(name) if both.turn else name

    found = SmallSite(DRAWN["cards"], rows=rows_by(both)).understand(ontology(PEOPLE[:6]))
    people = proposed_people(found)
    assert len(people) <= 1


def test_records_known_in_another_order_are_not_proposed_as_new():
    people = [f"{given} {surname}" for given in ("Ada", "Bo", "Cleo", "Dov", "Eva") for surname in
              ("Brandt", "Li", "Marsh", "Stern", "Quist", "Odell")]  # fmt: skip
    rows = [{**row, "title": inverted(name)} for row, name in zip(books(30), people, strict=True)]
    facts = []
    for number, (row, name) in enumerate(zip(rows, people, strict=True)):
        if number % 3:
            facts += [
                Fact(f"{OWN}p/{number}", TYPE, PERSON), Fact(f"{OWN}p/{number}", LABEL, name, True),
                Fact(f"{OWN}p/{number}", f"{OWN}kind", row["kind"], True),
            ]  # fmt: skip
    found = SmallSite(DRAWN["cards"], rows=rows).understand(Ontology(facts))
    new = {one.subject.removesuffix("#this").rpartition("/")[2] for one in proposed(found)}
    known = {rows[number]["id"] for number in range(30) if number % 3}
    assert not new & known
    assert len(new) >= 8


def proposed(found):
    records = {record.id for record in found.records}
    return [one for one in found.proposals if one.predicate == TYPE and one.subject in records]


def test_names_are_the_same_in_any_order_but_not_with_other_given_names():
    assert same_keys("Brandt, Ada") & same_keys("Ada Brandt")
    assert not same_keys("Ann Lee") & same_keys("Adam Lee")
    assert person_key("Brandt, A.")[0] == person_key("Ada Brandt")[0]
