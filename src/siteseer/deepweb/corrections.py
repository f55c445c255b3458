"""Applies a person's corrections to what was learned about a form, now and in the next run. The person's word is final.

In the next run they steer its queries and its alignment: fields that a person has set are not tried again, but used, to
search for names of the ontology and to split ranges; rejected beliefs are not formed again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from siteseer.deepweb.ontology.ontology_paths import TYPE, path_of
from siteseer.deepweb.ontology.record_graph import AlignedGraph
from siteseer.deepweb.understanding_model import (
    Column,
    FieldMeaning,
    InstanceMatch,
    Proposal,
    RelationMatch,
    Role,
    Understanding,
)
from siteseer.errors import UsageError
from siteseer.forms.form import CHOSEN

Subject = Literal["field", "relation", "instance", "proposal"]
Decision = Literal["confirm", "reject", "set"]
WHAT: tuple[Subject, ...] = ("field", "relation", "instance", "proposal")
DECISIONS: tuple[Decision, ...] = ("confirm", "reject", "set")
ROLES: tuple[Role, ...] = ("text", "option", "lowest", "highest")
"""What a field may be to a column; may stand before the column's id."""
SAID = "a person said so"


@dataclass(frozen=True, slots=True)
class Correction:
    """A person's correction of a field, a column's relation, a record's instance, or a proposal."""

    what: Subject
    name: str
    """The name of the field, the id of the column or record, or what a proposal says (`statement`); its place, from 0,
    is understood too, and kept as what it says: other runs propose in another order."""
    decision: Decision
    value: str = ""
    """For `set`: the id of the column that a field searches, or its role and the column ("highest price"); the
    relations that a column is, ` / ` between them; the IRI of the instance that a record is. For the other decisions:
    the same, as it was when the word was said; a later run that finds something else is not meant."""


def apply_corrections(known: Understanding, corrections: Iterable[Correction]) -> Understanding:
    """Return the understanding of a form with all corrections applied.

    >>> known = Understanding("http://e.org/", {}, (FieldMeaning("q", "", "text", "text", ("title",)),))
    >>> apply_corrections(known, [Correction("field", "q", "confirm")]).fields[0].confirmed
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
                said = stored_correction(known, one).name
                proposals = tuple(_proposal(each, one) if statement(each) == said else each for each in known.proposals)
                known = replace(known, proposals=proposals)
    return known


def statement(proposal: Proposal) -> str:
    """Return the statement of a proposal, which identifies it in every run.

    >>> statement(Proposal("fact", "http://e.org/1", "http://o.org/label", "Tea", True, 0.9, ""))
    'http://e.org/1 http://o.org/label Tea'
    """
    return f"{proposal.subject} {proposal.predicate} {proposal.value}"


def stored_correction(known: Understanding, one: Correction) -> Correction:
    """Return a correction in the form in which it is stored: it names a proposal by its statement, and its subject."""
    if one.what == "proposal" and one.name.isdecimal() and len(one.name) < 10 and int(one.name) < len(known.proposals):
        return replace(one, name=statement(known.proposals[int(one.name)]))
    if one.decision == "set" or one.what == "proposal":
        return one
    return replace(one, value=present_belief(known, one))


def present_belief(known: Understanding, one: Correction) -> str:
    """Return the present belief about the subject of a correction: the columns, the relations or the instance."""
    match one.what:
        case "field":
            return next((",".join(field.columns) for field in known.fields if field.name == one.name), "")
        case "relation":
            return next((" / ".join(each.relation) for each in known.relations if each.column == one.name), "")
        case "instance":
            return next((each.instance for each in known.instances if each.record == one.name), "")
    return ""


def corrected_meaning(value: str, field: FieldMeaning) -> tuple[Role, str]:
    """Return the role and the column that a person gave to a field.

    >>> corrected_meaning("highest price", FieldMeaning("to", "", "text"))
    ('highest', 'price')
    >>> corrected_meaning("kind", FieldMeaning("k", "", "select"))
    ('option', 'kind')
    """
    first, _, rest = value.strip().partition(" ")
    if rest and first in ROLES:
        return next(role for role in ROLES if role == first), rest.strip()
    usual: Role = "option" if field.type in CHOSEN else "text"
    return (field.role if field.role in ROLES else usual), value.strip()


def check(known: Understanding, one: Correction) -> None:
    """Raise where a correction refers to something that does not exist."""
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
    said = stored_correction(known, one).name
    if one.what == "proposal" and said not in {statement(each) for each in known.proposals}:
        raise UsageError(f"there is no proposal {one.name[:200]!r}; they are counted from 0")
    if one.what == "proposal" and one.decision == "set":
        raise UsageError("a proposal is confirmed or rejected")


def _names_column(known: Understanding, one: Correction, columns: set[str]) -> bool:
    return any(corrected_meaning(one.value, field)[1] in columns for field in known.fields if field.name == one.name)


def _field(field: FieldMeaning, one: Correction) -> FieldMeaning:
    if one.decision == "set":
        role, column = corrected_meaning(one.value, field)
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


@dataclass(frozen=True, slots=True)
class UserCorrections:
    """The corrections of people, by their subjects."""

    corrections: tuple[Correction, ...] = ()

    def _last(self, what: str) -> dict[str, Correction]:
        return {one.name: one for one in self.corrections if one.what == what}

    # ── fields ────────────────────────────────────────────────────────────────────────────────────────────────────

    def fields(self, found: Sequence[FieldMeaning], columns: Sequence[Column]) -> list[FieldMeaning]:
        """Return the corrected fields; corrections about missing columns are ignored.

        >>> price = Column("price", "Price", "", "price", "p", 1.0, 9)
        >>> said = UserCorrections((Correction("field", "to", "set", "highest price"),))
        >>> [(one.role, one.columns) for one in said.fields([FieldMeaning("to", "", "text")], [price])]
        [('highest', ('price',))]
        """
        words, known = self._last("field"), {column.id for column in columns}
        return [_corrected_field(one, words[one.name], known) if one.name in words else one for one in found]

    # ── alignment ─────────────────────────────────────────────────────────────────────────────────────────────────

    def aligned(self, found: AlignedGraph) -> AlignedGraph:
        """Return the alignment with the relations and instances that people gave, without those that they rejected."""
        relations = {match.column: match for match in found.relations}
        for name, word in self._last("relation").items():
            thought = relations.get(name)
            if word.decision != "reject" and word.value:
                support = thought.support if thought is not None else 0
                relations[name] = RelationMatch(name, path_of(word.value), 1.0, support, True)
            elif thought is not None and word.value in ("", " / ".join(thought.relation)):
                del relations[name]
        instances = {match.record: match for match in found.instances}
        apart = set(found.apart)
        for name, word in self._last("instance").items():
            same = instances.get(name)
            if word.decision != "reject" and word.value:
                instances[name] = InstanceMatch(name, word.value.strip(), 1.0, True)
            elif same is not None and word.value in ("", same.instance):
                del instances[name]
            if word.decision == "reject" and word.value:
                apart.add((name, word.value))
        return replace(
            found,
            relations=tuple(relations.values()),
            instances=tuple(instances.values()),
            apart=frozenset(apart),
        )

    # ── proposals ─────────────────────────────────────────────────────────────────────────────────────────────────

    def proposals(self, found: Sequence[Proposal]) -> Iterator[Proposal]:
        """Yield the proposals, without rejected ones and those about a rejected instance."""
        words = self._last("proposal")
        refused = {name for name, word in words.items() if word.decision == "reject"}
        gone = {one.subject for one in found if one.predicate == TYPE and statement(one) in refused}
        for one in found:
            said = statement(one)
            if said in refused or one.subject in gone or one.value in gone:
                continue
            yield replace(one, confirmed=True) if said in words else one


def _corrected_field(one: FieldMeaning, word: Correction, known: set[str]) -> FieldMeaning:
    if word.decision == "set":
        role, column = corrected_meaning(word.value, one)
        if column not in known:
            return one
        return replace(one, role=role, columns=(column,), confidence=1.0, because=SAID, confirmed=True)
    said = tuple(name for name in word.value.split(",") if name)
    if word.decision == "confirm":
        if said and known.issuperset(said):
            return replace(one, columns=said, role=corrected_meaning(said[0], one)[0], confidence=1.0, confirmed=True)
        return one
    left = tuple(name for name in one.columns if said and name not in said)
    because = f"a person said that it is not {' or '.join(said or one.columns)}"
    return (
        one if left == one.columns else replace(one, columns=left, role=one.role if left else "none", because=because)
    )
