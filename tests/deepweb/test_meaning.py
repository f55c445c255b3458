"""Dependencies, enrichment and what people say of it."""

from __future__ import annotations

import pytest

from siteseer.alignment import Fact
from siteseer.deepweb.corrections import Correction, apply_corrections
from siteseer.deepweb.field_mapping.field_dependencies import determined_values
from siteseer.deepweb.ontology.enrichment import enrich
from siteseer.deepweb.ontology.ontology_paths import SUBCLASS, TYPE, Ontology
from siteseer.deepweb.ontology.record_classes import class_column
from siteseer.deepweb.ontology.record_graph import AlignedGraph, facts_of
from siteseer.deepweb.understanding_model import (
    ClassMatch,
    Column,
    FieldMeaning,
    InstanceMatch,
    Proposal,
    Record,
    RelationMatch,
    Understanding,
)
from siteseer.errors import UsageError

URL = "http://shop.example/find"
TITLE = Column("title", "Title", "", "text", "h3", 1.0, 3)
AUTHOR = Column("by", "Author", "", "text", "p", 1.0, 2)
PRICE = Column("price", "Price", "", "price", "b", 1.0, 3)
BOOKS = Ontology(
    [
        Fact("ann", TYPE, "Person"), Fact("ann", "label", "Ann Lee", True), Fact("ann", "wrote", "tea"),
        Fact("bob", TYPE, "Person"), Fact("bob", "label", "Bob Roe", True), Fact("bob", "wrote", "rye"),
        Fact("tea", TYPE, "Book"), Fact("tea", "label", "Old Tea (a note)", True),
        Fact("rye", TYPE, "Book"), Fact("rye", "label", "Rye", True),
    ]
)  # fmt: skip
RELATIONS = (RelationMatch("title", ("label",), 1.0, 9), RelationMatch("by", ("wrote~", "label"), 1.0, 9))


def record(number: int, title: str, author: str) -> Record:
    values = {"title": (title,), "by": (author,), "price": (f"£ {number}.50",)}
    return Record(f"http://shop.example/{number}", URL, values)


def proposed(*records: Record, known: tuple[InstanceMatch, ...] = ()) -> tuple[Proposal, ...]:
    aligned = AlignedGraph(RELATIONS, known, (ClassMatch("Book", 1.0),))
    fields = [FieldMeaning("most", "Price up to", "text", "highest", ("price",))]
    return enrich(URL, records, [TITLE, AUTHOR, PRICE], fields, aligned, BOOKS)


def instances(found: tuple[Proposal, ...]) -> list[str]:
    return [one.subject for one in found if one.kind == "instance" and one.value == "Book"]


def test_only_what_is_not_known_under_another_name_is_new() -> None:
    found = proposed(record(1, "OLD TEA", "Ann Lee"), record(2, "Oak", "Ann Lee"), record(3, "Rye", "Ann Lee"))
    assert instances(found) == ["http://shop.example/2", "http://shop.example/3"], "the other Rye is by somebody else"


def test_a_known_person_is_linked_and_an_unknown_one_made() -> None:
    found = proposed(record(2, "Oak", "Bob Roe"), record(4, "Elm", "Cy Poe"))
    assert ("bob", "wrote", "http://shop.example/2") in {(one.subject, one.predicate, one.value) for one in found}
    made = next(one.subject for one in found if one.kind == "instance" and one.value == "Person")
    assert (made, "label", "Cy Poe") in {(one.subject, one.predicate, one.value) for one in found}
    assert (made, "wrote", "http://shop.example/4") in {(one.subject, one.predicate, one.value) for one in found}


def test_facts_that_the_ontology_has_are_not_proposed_again_and_new_relations_are_named_by_the_form() -> None:
    found = proposed(record(1, "Rye", "Bob Roe"), known=(InstanceMatch("http://shop.example/1", "rye", 1.0),))
    assert [(one.kind, one.predicate.rpartition("/")[2], one.value) for one in found] == [
        ("relation", "rdf-schema#label", "Price"),
        ("fact", "price", "1.5"),
    ]


def test_the_graph_has_a_class_and_compares_amounts_as_numbers() -> None:
    facts = facts_of(URL, [record(3, "Oak", "Ann Lee")], [TITLE, PRICE])
    assert [(fact.relation.rpartition("/")[2], fact.object, fact.literal) for fact in facts] == [
        ("22-rdf-syntax-ns#type", "http://shop.example/class/record", False),
        ("title", "Oak", True),
        ("price", "3.5", True),
    ]


def test_dates_of_a_column_are_read_in_the_order_that_the_column_shows() -> None:
    shown = Column("shown", "Shown", "", "date", "i", 1.0, 3)
    days = ("03/04/2019", "25/04/2019", "12/11/2018")
    records = [Record(f"{URL}/{number}", URL, {"shown": (day,)}) for number, day in enumerate(days)]
    said = {fact.subject[-1]: fact.object for fact in facts_of(URL, records, [shown]) if fact.relation != TYPE}
    assert said == {"0": "2019-04-03", "1": "2019-04-25", "2": "2018-11-12"}


def test_a_city_in_two_states_depends_on_neither() -> None:
    pairs = [("Bath", "A"), ("Bath", "B"), ("Ely", "B"), ("Ely", "B"), ("Wells", "A"), ("Wells", "A"), ("Ware", "A")]
    rows = [Record(str(at), "", {"city": (city,), "state": (state,)}) for at, (city, state) in enumerate(pairs)]
    assert determined_values(rows, "city", "state") == {}


KNOWN = Understanding(
    URL, {}, (FieldMeaning("q", "", "text", "text", ("by",)),), (TITLE, AUTHOR), relations=RELATIONS,
    proposals=(Proposal("fact", "a", "b", "c", True, 0.5, ""),),
)  # fmt: skip


def test_a_persons_word_is_the_last() -> None:
    said = [
        Correction("field", "q", "set", "title"),
        Correction("relation", "by", "reject"),
        Correction("relation", "title", "set", "wrote~ / label"),
        Correction("proposal", "0", "confirm"),
    ]
    now = apply_corrections(KNOWN, said)
    assert (now.fields[0].columns, now.fields[0].confirmed) == (("title",), True)
    by_column = {match.column: match for match in now.relations}
    assert by_column["by"].confirmed is False
    assert by_column["title"].relation == ("wrote~", "label")
    assert now.proposals[0].confirmed is True


@pytest.mark.parametrize(
    "wrong",
    [
        Correction("field", "nothing", "confirm"),
        Correction("field", "q", "set", "nothing"),
        Correction("relation", "nothing", "confirm"),
        Correction("relation", "by", "set", " "),
        Correction("proposal", "7", "confirm"),
        Correction("proposal", "x", "confirm"),
        Correction("proposal", "0", "set"),
        Correction("other", "q", "confirm"),  # type: ignore[arg-type]
    ],
)
def test_what_is_not_there_cannot_be_corrected(wrong: Correction) -> None:
    with pytest.raises(UsageError):
        apply_corrections(KNOWN, [wrong])


def test_a_column_of_kinds_is_the_class_of_records_and_new_ones_are_of_theirs() -> None:
    facts, records = [], []
    for at in range(12):
        kind = ("Museum", "Market hall", "Park")[at % 3]
        if at < 9:
            facts += [
                Fact(f"p{at}", TYPE, f"http://o.org/{kind.title().replace(' ', '')}"),
                Fact(f"p{at}", "label", f"{chr(65 + at)}ld {chr(75 + at)}ouse", True),
            ]
        values = {"title": (f"{chr(65 + at)}ld {chr(75 + at)}ouse",), "kind": (kind,)}
        records.append(Record(f"http://guide.example/{at}", URL, values))
    facts += [Fact(f"http://o.org/{one}", SUBCLASS, "http://o.org/Place") for one in ("Museum", "MarketHall", "Park")]
    ontology = Ontology(facts)
    kinds = Column("kind", "Kind", "", "text", "p", 1.0, 3)
    same = [InstanceMatch(record.id, f"p{at}", 1.0) for at, record in enumerate(records[:9])]
    found = class_column(records, [TITLE, kinds], same, ontology)
    assert found is not None
    assert (found.column, found.relation, found.confidence, found.support) == ("kind", (TYPE,), 1.0, 9)
    relations = (RelationMatch("title", ("label",), 1.0, 9), found)
    aligned = AlignedGraph(relations, tuple(same), (ClassMatch("http://o.org/Place", 1.0),))
    new = enrich(URL, records, [TITLE, kinds], [], aligned, ontology)
    assert {one.value.rpartition("/")[2] for one in new if one.kind == "instance"} == {"Museum", "MarketHall", "Park"}
    assert class_column(records, [TITLE], same, ontology) is None
