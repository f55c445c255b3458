"""What was understood and what a person says of it in, what is believed then out. A person's word is the last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from siteseer.errors import UsageError
from siteseer.understand.shape import FieldMeaning, InstanceMatch, Proposal, RelationMatch, Understanding

Subject = Literal["field", "relation", "instance", "proposal"]
WHAT = ("field", "relation", "instance", "proposal")
DECISIONS = ("confirm", "reject", "set")


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's word on a field, on the relation of a column, on the instance that a record is, or on a proposal."""

    what: Subject
    name: str
    """The name of the field, the id of the column or record, or what a proposal says (`statement`); its place, from 0,
    is understood too, and kept as what it says: other runs propose in another order."""
    decision: Literal["confirm", "reject", "set"]
    value: str = ""
    """For `set`: the id of the column that a field searches; the relations that a column is, ` / ` between them; the
    IRI of the instance that a record is."""


def corrected(known: Understanding, corrections: Iterable[Correction]) -> Understanding:
    """Return what is understood, with everything a person said about it.

    >>> known = Understanding("http://e.org/", {}, (FieldMeaning("q", "", "text", "text", ("title",)),))
    >>> corrected(known, [Correction("field", "q", "confirm")]).fields[0].confirmed
    True
    """
    for one in corrections:
        check(known, one)
        match one.what:
            case "field":
                fields = tuple(_field(field, one) if field.name == one.name else field for field in known.fields)
                known = replace(known, fields=fields)
            case "relation":
                known = replace(known, relations=_relations(known, one))
            case "instance":
                known = replace(known, instances=_instances(known, one))
            case "proposal":
                said = settled(known, one).name
                proposals = tuple(_proposal(each, one) if statement(each) == said else each for each in known.proposals)
                known = replace(known, proposals=proposals)
    return known


def statement(proposal: Proposal) -> str:
    """Return what a proposal says, by which it is known in every run.

    >>> statement(Proposal("fact", "http://e.org/1", "http://o.org/label", "Tea", True, 0.9, ""))
    'http://e.org/1 http://o.org/label Tea'
    """
    return f"{proposal.subject} {proposal.predicate} {proposal.value}"


def settled(known: Understanding, one: Correction) -> Correction:
    """Return a correction as it is kept: a proposal is named by what it says."""
    if one.what == "proposal" and one.name.isdecimal() and len(one.name) < 10 and int(one.name) < len(known.proposals):
        return replace(one, name=statement(known.proposals[int(one.name)]))
    return one


def check(known: Understanding, one: Correction) -> None:
    """Complain of a correction of what is not there."""
    if one.what not in WHAT or one.decision not in DECISIONS:
        raise UsageError(f"a correction is one of {', '.join(DECISIONS)} for a {', '.join(WHAT)}")
    columns = {column.id for column in known.columns}
    if one.what == "field" and one.name not in {field.name for field in known.fields}:
        raise UsageError(f"the form has no field {one.name[:200]!r}")
    if one.what == "field" and one.decision == "set" and one.value not in columns:
        raise UsageError(f"there is no column {one.value[:200]!r}; choose one of {', '.join(sorted(columns))}")
    if one.what == "relation" and one.name not in columns:
        raise UsageError(f"there is no column {one.name[:200]!r}; choose one of {', '.join(sorted(columns))}")
    if one.what == "relation" and one.decision == "set" and not one.value.strip():
        raise UsageError("say which relation the column is")
    if one.what == "instance" and one.name not in {record.id for record in known.records}:
        raise UsageError(f"there is no record {one.name[:200]!r}")
    if one.what == "instance" and one.decision == "set" and not one.value.strip():
        raise UsageError("say which instance the record is")
    said = settled(known, one).name
    if one.what == "proposal" and said not in {statement(each) for each in known.proposals}:
        raise UsageError(f"there is no proposal {one.name[:200]!r}; they are counted from 0")
    if one.what == "proposal" and one.decision == "set":
        raise UsageError("a proposal is confirmed or rejected")


def _field(field: FieldMeaning, one: Correction) -> FieldMeaning:
    if one.decision == "set":
        return replace(field, columns=(one.value,), confirmed=True, confidence=1.0, because="a person said so")
    return replace(field, confirmed=one.decision == "confirm")


def _relations(known: Understanding, one: Correction) -> tuple[RelationMatch, ...]:
    if one.decision != "set":
        is_right = one.decision == "confirm"
        return tuple(replace(each, confirmed=is_right) if each.column == one.name else each for each in known.relations)
    path = tuple(part.strip() for part in one.value.split(" / ") if part.strip())
    others = tuple(each for each in known.relations if each.column != one.name)
    return (*others, RelationMatch(one.name, path, 1.0, 0, True))


def _instances(known: Understanding, one: Correction) -> tuple[InstanceMatch, ...]:
    if one.decision != "set":
        is_right = one.decision == "confirm"
        return tuple(replace(each, confirmed=is_right) if each.record == one.name else each for each in known.instances)
    others = tuple(each for each in known.instances if each.record != one.name)
    return (*others, InstanceMatch(one.name, one.value.strip(), 1.0, True))


def _proposal(proposal: Proposal, one: Correction) -> Proposal:
    return replace(proposal, confirmed=one.decision == "confirm")
