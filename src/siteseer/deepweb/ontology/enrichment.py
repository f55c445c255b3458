"""Proposes additions to an ontology from aligned records: instances, facts and relations (ontology enrichment).

Reference: Oita's thesis, section 3.7. Nothing is written into the ontology: everything is a proposal with a confidence.
A record that may be an instance under another name is not proposed as a new one, nor is a person whose name is known in
another order ("Brandt, Ada") or may be an abbreviation of a known one ("Brandt, A.").
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from siteseer.deepweb.ontology.ontology_paths import BACK, TYPE, Ontology, Path
from siteseer.deepweb.ontology.record_classes import class_names
from siteseer.deepweb.ontology.record_graph import (
    AlignedGraph,
    contradicts,
    date_context,
    literal_of,
    relation_iri,
    reliable,
)
from siteseer.deepweb.records.name_matching import KnownInstances, KnownNames, in_spoken_order, same_keys
from siteseer.deepweb.records.value_types import fold
from siteseer.deepweb.understanding_model import Column, FieldMeaning, Proposal, Record, RelationMatch
from siteseer.page.object_iris import object_iri

LABEL = "http://www.w3.org/2000/01/rdf-schema#label"


def enrich(
    url: str,
    records: Sequence[Record],
    columns: Sequence[Column],
    fields: Sequence[FieldMeaning],
    aligned: AlignedGraph,
    ontology: Ontology,
) -> tuple[Proposal, ...]:
    """Return what the records add: first new relations, then instances and facts record by record."""
    return tuple(_Enrichment(url, records, columns, fields, aligned, ontology).proposals())


@dataclass(frozen=True, slots=True)
class _Ends:
    """The instances that a relation leads to."""

    cls: str
    share: float
    names: KnownInstances


class _Enrichment:
    def __init__(
        self,
        url: str,
        records: Sequence[Record],
        columns: Sequence[Column],
        fields: Sequence[FieldMeaning],
        aligned: AlignedGraph,
        ontology: Ontology,
    ) -> None:
        self.url, self.records, self.ontology = url, records, ontology
        self.columns = {column.id: column for column in columns}
        self.dates = date_context(url, records, columns)
        self.relations = {match.column: match for match in aligned.relations}
        self.apart = aligned.apart
        self.matched = {match.record: match for match in aligned.instances}
        self.telling = reliable(aligned.relations, columns, records)
        self.cls = aligned.classes[0] if aligned.classes else None
        self.fields = fields
        self.classes = class_names(ontology)
        self.new_relations = dict(self._new_relations())
        self.naming = self._naming()
        self._names = self._index()
        self._reached: dict[Path, _Ends] = {}
        self._made: dict[str, KnownInstances] = defaultdict(KnownInstances)
        """The instances that were proposed, by column."""

    def proposals(self) -> Iterator[Proposal]:
        if self.cls is None or self.naming is None:
            return
        for iri, (column, label) in self.new_relations.items():
            because = f"no relation of the ontology fits {column.name}, and the form asks for it"
            yield Proposal("relation", iri, LABEL, label, True, 0.8, because)
        for record in self.records:
            match = self.matched.get(record.id)
            if match is not None:
                yield from self._facts(record, match.instance, match.confidence)
            elif self._is_new(record):
                yield from self._instance(record)

    # ── relations ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _new_relations(self) -> Iterator[tuple[str, tuple[Column, str]]]:
        """Yield columns that a field asks for and that nothing in the ontology equals (thesis: then they matter)."""
        for meaning in self.fields:
            for name in meaning.columns:
                column = self.columns.get(name)
                if column is not None and name not in self.relations:
                    said = meaning.label if meaning.role in ("text", "option") else ""
                    yield relation_iri(self.url, column), (column, column.label or said or column.name)

    def _naming(self) -> RelationMatch | None:
        """Return the relation that names the records: a literal of their own, different for nearly all of them."""
        simple = [
            match
            for match in self.relations.values()
            if len(match.relation) == 1 and match.relation != (TYPE,) and self._is_text(match.column)
        ]
        best = max(simple, key=lambda match: (self.columns[match.column].distinct, match.confidence), default=None)
        return best

    def _is_text(self, name: str) -> bool:
        return self.columns[name].type == "text"

    # ── instances ─────────────────────────────────────────────────────────────────────────────────────────────────

    def _index(self) -> KnownNames:
        """Return the names of the instances of the records' class."""
        if self.naming is None or self.cls is None:
            return KnownNames(())
        path = self.naming.relation
        return KnownNames(
            (one, name) for one in self.ontology.instances(self.cls.cls) for name in self.ontology.follow(one, path)
        )

    def _is_new(self, record: Record) -> bool:
        """Say whether no instance can be meant: those of the same name differ in what counts, like ones all over."""
        names = record.values.get(self.naming.column, ()) if self.naming is not None else ()
        for name in names:
            if not all(self._contradicts(record, one) for one in self._names.same(name)):
                return False
            if any(self._agrees(record, one) for one in self._names.like(name) if (record.id, one) not in self.apart):
                return False
        return bool(names)

    def _contradicts(self, record: Record, instance: str) -> bool:
        is_apart = (record.id, instance) in self.apart
        return is_apart or contradicts(record, instance, self.telling, self.ontology)

    def _agrees(self, record: Record, instance: str) -> bool:
        """Say whether something else than the name is the same."""
        for name, match in self.relations.items():
            if self.naming is None or name == self.naming.column:
                continue
            column = self.columns[name]
            known, own = (
                {key for text in texts for key in same_keys(literal_of(text, column, self.dates))}
                for texts in (self.ontology.follow(instance, match.relation), record.values.get(name, ()))
            )
            if known & own:
                return True
        return False

    def _instance(self, record: Record) -> Iterator[Proposal]:
        assert self.cls is not None and self.naming is not None
        sure = round(self.cls.confidence * self.naming.confidence, 4)
        cls = self._class_of(record) or self.cls.cls
        yield Proposal("instance", record.id, TYPE, cls, False, sure, "no instance of the ontology has its name")
        yield from self._facts(record, record.id, sure)

    def _class_of(self, record: Record) -> str:
        """Return the class that a record says that it is of, where one of its columns does."""
        for name, match in self.relations.items():
            if match.relation == (TYPE,):
                met = {cls for text in record.values.get(name, ()) for cls in self.classes.get(fold(text), ())}
                return min(met) if len(met) == 1 else ""
        return ""

    # ── facts ─────────────────────────────────────────────────────────────────────────────────────────────────────

    def _facts(self, record: Record, subject: str, sure: float) -> Iterator[Proposal]:
        for name, texts in record.values.items():
            column = self.columns.get(name)
            match = self.relations.get(name)
            if column is None:
                continue
            if match is None:
                iri = relation_iri(self.url, column)
                if iri in self.new_relations:
                    for text in texts:
                        because = f"{column.name} of the record"
                        yield Proposal(
                            "fact",
                            subject,
                            iri,
                            literal_of(text, column, self.dates),
                            True,
                            round(0.9 * sure, 4),
                            because,
                        )
                continue
            if match.relation == (TYPE,) or self.ontology.follow(subject, match.relation):
                continue
            for text in texts:
                yield from self._said(subject, match, column, text, round(sure * match.confidence, 4))

    def _said(self, subject: str, match: RelationMatch, column: Column, text: str, sure: float) -> Iterator[Proposal]:
        """Propose one value, through an instance that is known, or a new one, where the relation is a path."""
        because = f"{column.name} of the record"
        if len(match.relation) == 1:
            yield _stated(subject, match.relation[0], literal_of(text, column, self.dates), True, sure, because)
            return
        first, rest = match.relation[0], match.relation[1:]
        ends, made = self._ends(match.relation), self._made[column.id]
        known = ends.names.same(text) or made.same(text)
        if len(known) == 1:
            yield _stated(subject, first, next(iter(known)), False, sure, because)
            return
        if not ends.cls or len(rest) != 1 or ends.names.may_be_known(text) or made.may_be_known(text):
            return  # several have that name, or it may be short for a known one
        new = object_iri(
            "record", site=self.url, native_id=f"{column.id}-{in_spoken_order(text).replace(' ', '-')[:80]}"
        )
        made.add(new, text)
        about = f"a {column.name} that is not known"
        yield Proposal("instance", new, TYPE, ends.cls, False, round(sure * ends.share, 4), about)
        yield _stated(new, rest[0], text, True, sure, because)
        yield _stated(subject, first, new, False, sure, because)

    def _ends(self, path: Path) -> _Ends:
        """Return what the first step of a path leads to: the class of most, and all of that class by their names."""
        if path not in self._reached:
            steps = (end for start in self.ontology.starting(path) for end in self.ontology.follow(start, path[:1]))
            ends = list(dict.fromkeys(steps))
            cls, share = self.ontology.usual_type(ends)
            others = self.ontology.instances(cls) if cls else []
            every = dict.fromkeys((*others, *ends))
            names = ((one, name) for one in every for name in self.ontology.follow(one, path[1:]))
            self._reached[path] = _Ends(cls, share, KnownInstances(names))
        return self._reached[path]


def _stated(subject: str, relation: str, value: str, is_literal: bool, sure: float, because: str) -> Proposal:
    if relation.endswith(BACK):
        return Proposal("fact", value, relation.removesuffix(BACK), subject, False, sure, because)
    return Proposal("fact", subject, relation, value, is_literal, sure, because)
