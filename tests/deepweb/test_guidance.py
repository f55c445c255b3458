"""What people say of a run steers the next one: its questions, its alignment and its proposals."""

from __future__ import annotations

from functools import cache

from siteseer.deepweb.corrections import Correction, apply_corrections, statement, stored_correction
from siteseer.deepweb.ontology.ontology_paths import TYPE
from siteseer.deepweb.understanding import Options
from siteseer.deepweb.understanding_model import Understanding
from tests.deepweb.small_sites import DRAWN, SmallSite
from tests.deepweb.test_small_sites import LABEL, WROTE, ontology


@cache
def first_run() -> tuple[SmallSite, Understanding]:
    site = SmallSite(DRAWN["cards"])
    return site, site.understand(ontology(site))


def next_run(before: Understanding, *said: Correction) -> tuple[SmallSite, Understanding]:
    site = SmallSite(DRAWN["cards"])
    kept = tuple(stored_correction(before, one) for one in said)
    return site, site.understand(ontology(site), Options(corrections=kept))


def test_a_rejected_instance_is_not_proposed_again_nor_anything_about_it() -> None:
    _, before = first_run()
    at = next(at for at, one in enumerate(before.proposals) if one.predicate == TYPE)
    rejected, subject = statement(before.proposals[at]), before.proposals[at].subject
    _, after = next_run(before, Correction("proposal", str(at), "reject"))
    assert rejected not in map(statement, after.proposals)
    assert not [one for one in after.proposals if subject in (one.subject, one.value)]
    kept = {one.subject for one in before.proposals if one.predicate == TYPE} - {subject}
    assert kept == {one.subject for one in after.proposals if one.predicate == TYPE}


def test_a_field_that_a_person_set_is_used_and_not_tried() -> None:
    site, before = first_run()
    by = next(field.columns[0] for field in before.fields if field.name == "au")
    again, after = next_run(before, Correction("field", "au", "set", by))
    meaning = next(field for field in after.fields if field.name == "au")
    assert (meaning.columns, meaning.confirmed, meaning.relation) == ((by,), True, (f"{WROTE}~", LABEL))
    assert len(again.requests) < len(site.requests), "its words need not be tried"
    assert len(after.records) == len(site.rows)


def test_the_end_of_a_range_can_be_told_and_a_rejected_column_is_not_thought_of_again() -> None:
    _, before = first_run()
    price = next(field.columns[0] for field in before.fields if field.name == "most")
    _, after = next_run(
        before, Correction("field", "most", "set", f"lowest {price}"), Correction("field", "ki", "reject")
    )
    fields = {field.name: field for field in after.fields}
    assert (fields["most"].role, fields["most"].columns) == ("lowest", (price,))
    assert (fields["ki"].role, fields["ki"].columns) == ("none", ())
    assert "a person said that it is not ki" in fields["ki"].because


def test_relations_and_instances_are_as_people_say() -> None:
    _, before = first_run()
    match = before.instances[0]
    title = next(one.column for one in before.relations if one.relation == (LABEL,))
    by = next(one.column for one in before.relations if one.relation != (LABEL,))
    _, after = next_run(
        before,
        Correction("relation", by, "reject"),
        Correction("relation", title, "confirm"),
        Correction("instance", match.record, "reject"),
    )
    assert [(one.column, one.confirmed) for one in after.relations] == [(title, True)]
    assert match.record not in {one.record for one in after.instances}
    assert match.record in {one.subject for one in after.proposals if one.predicate == TYPE}, "it is another book"


def test_a_verdict_is_about_what_was_thought_when_it_was_given() -> None:
    _, before = first_run()
    word = stored_correction(before, Correction("field", "au", "reject"))
    assert word.value == "au"
    other = apply_corrections(before, [Correction("field", "au", "set", "yr")])
    assert apply_corrections(other, [word]).fields == other.fields
