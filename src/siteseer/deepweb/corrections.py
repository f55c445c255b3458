"""What was understood and what a person says of it in, what is believed then out. A person's word is the last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from siteseer.errors import UsageError
from siteseer.forms.form import CHOSEN
from siteseer.understand.ontology import path_of
from siteseer.understand.shape import FieldMeaning, InstanceMatch, Proposal, RelationMatch, Role, Understanding

Subject = Literal["field", "relation", "instance", "proposal"]
Decision = Literal["confirm", "reject", "set"]
WHAT: tuple[Subject, ...] = ("field", "relation", "instance", "proposal")
DECISIONS: tuple[Decision, ...] = ("confirm", "reject", "set")
ROLES: tuple[Role, ...] = ("text", "option", "lowest", "highest")
"""What a field may be to a column; may stand before the column's id."""


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's word on a field, on the relation of a column, on the instance that a record is, or on a proposal."""

    what: Subject
    name: str
    """The name of the field, the id of the column or record, or what a proposal says (`statement`); its place, from 0,
    is understood too, and kept as what it says: other runs propose in another order."""
    decision: Decision
    value: str = ""
    """For `set`: the id of the column that a field searches, or its role and the column ("highest price"); the
    relations that a column is, ` / ` between them; the IRI of the instance that a record is. For the other decisions:
    the same, as it was when the word was said; a later run that finds something else is not meant."""


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
    """Return a correction as it is kept: a proposal is named by what it says, and a verdict says what it is about."""
    if one.what == "proposal" and one.name.isdecimal() and len(one.name) < 10 and int(one.name) < len(known.proposals):
        return replace(one, name=statement(known.proposals[int(one.name)]))
    if one.decision == "set" or one.what == "proposal":
        return one
    return replace(one, value=said_of(known, one))


def said_of(known: Understanding, one: Correction) -> str:
    """Return what is thought of the subject of a correction: the columns, the relations or the instance."""
    match one.what:
        case "field":
            return next((",".join(field.columns) for field in known.fields if field.name == one.name), "")
        case "relation":
            return next((" / ".join(each.relation) for each in known.relations if each.column == one.name), "")
        case "instance":
            return next((each.instance for each in known.instances if each.record == one.name), "")
    return ""


def meant(value: str, field: FieldMeaning) -> tuple[Role, str]:
    """Return role and column that a person gave to a field.

    >>> meant("highest price", FieldMeaning("to", "", "text")), meant("kind", FieldMeaning("k", "", "select"))
    (('highest', 'price'), ('option', 'kind'))
    """
    first, _, rest = value.strip().partition(" ")
    if rest and first in ROLES:
        return next(role for role in ROLES if role == first), rest.strip()
    usual: Role = "option" if field.type in CHOSEN else "text"
    return (field.role if field.role in ROLES else usual), value.strip()


def check(known: Understanding, one: Correction) -> None:
    """Complain of a correction of what is not there."""
    if one.what not in WHAT or one.decision not in DECISIONS:
        raise UsageError(f"a correction is one of {', '.join(DECISIONS)} for a {', '.join(WHAT)}")
    columns = {column.id for column in known.columns}
    if one.what == "field" and one.name not in {field.name for field in known.fields}:
        raise UsageError(f"the form has no field {one.name[:200]!r}")
    if one.what == "field" and one.decision == "set" and not _names_column(known, one, columns):
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


def _names_column(known: Understanding, one: Correction, columns: set[str]) -> bool:
    return any(meant(one.value, field)[1] in columns for field in known.fields if field.name == one.name)


def _field(field: FieldMeaning, one: Correction) -> FieldMeaning:
    if one.decision == "set":
        role, column = meant(one.value, field)
        return replace(field, role=role, columns=(column,), confirmed=True, confidence=1.0, because="a person said so")
    is_meant = one.value in ("", ",".join(field.columns))
    return replace(field, confirmed=one.decision == "confirm") if is_meant else field


def _relations(known: Understanding, one: Correction) -> tuple[RelationMatch, ...]:
    if one.decision != "set":
        is_right = one.decision == "confirm"
        return tuple(
            replace(each, confirmed=is_right)
            if each.column == one.name and one.value in ("", " / ".join(each.relation))
            else each
            for each in known.relations
        )
    others = tuple(each for each in known.relations if each.column != one.name)
    return (*others, RelationMatch(one.name, path_of(one.value), 1.0, 0, True))


def _instances(known: Understanding, one: Correction) -> tuple[InstanceMatch, ...]:
    if one.decision != "set":
        is_right = one.decision == "confirm"
        return tuple(
            replace(each, confirmed=is_right) if each.record == one.name and one.value in ("", each.instance) else each
            for each in known.instances
        )
    others = tuple(each for each in known.instances if each.record != one.name)
    return (*others, InstanceMatch(one.name, one.value.strip(), 1.0, True))


def _proposal(proposal: Proposal, one: Correction) -> Proposal:
    return replace(proposal, confirmed=one.decision == "confirm")
