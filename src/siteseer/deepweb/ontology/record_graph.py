"""Turns records into a labelled graph, and aligns the graph with an ontology (PARIS).

Reference: Oita's thesis, sections 3.5 and 3.6: each record is an entity, all are of one class, a column is a relation
to literals. Columns may be paths of two relations: the author is the name of the person who created the book.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote

from siteseer.alignment.align_sources import align
from siteseer.alignment.alignment_model import Alignment, Fact, Settings
from siteseer.deepweb.ontology.ontology_paths import TYPE, Ontology, path_of
from siteseer.deepweb.ontology.record_classes import class_column
from siteseer.deepweb.ontology.relevant_subgraph import focused, named_class, naming_columns
from siteseer.deepweb.records.name_matching import ALIKE, are_apart, base_names, name_similarity
from siteseer.deepweb.records.value_types import amount, day, order
from siteseer.deepweb.understanding_model import ClassMatch, Column, InstanceMatch, Record, RelationMatch
from siteseer.page.dates.date_context import DateContext, learn_order
from siteseer.page.object_iris import legal, site_iri
from siteseer.page.urls import host_of

ACCEPTED = 0.5
"""How probable a relation must be."""
LEAST_SUPPORT = 3
"""A relation that fewer facts support is noise."""
RELIABLE = 0.97
"""Relations that agree in this share of the matched records: where one of these differs, something else is meant."""
MOSTLY = 0.7
"""The same for the relation that names records: names tell things apart although some are spelled differently."""
MOST_OF_ONE = 0.6
"""Where this share of the matched instances is of one class, records are of that class."""
SURE = 0.5
"""How probable an instance must be."""
Telling = tuple[RelationMatch, Column]
"""A relation that tells things apart, and its column."""


@dataclass(frozen=True, slots=True)
class AlignedGraph:
    """The alignment of a source's records with an ontology."""

    relations: tuple[RelationMatch, ...] = ()
    instances: tuple[InstanceMatch, ...] = ()
    classes: tuple[ClassMatch, ...] = ()
    apart: frozenset[tuple[str, str]] = frozenset()
    """Records and instances of which a person said that they are not the same."""

    @property
    def confidence(self) -> float:
        """The mean confidence of the relations."""
        return sum(one.confidence for one in self.relations) / len(self.relations) if self.relations else 0.0


def home_of(url: str) -> str:
    """Return the prefix of all IRIs that we make for a site."""
    return site_iri(url).removesuffix("#this").rstrip("/")


def relation_iri(url: str, column: Column) -> str:
    """Return the IRI of a column.

    >>> relation_iri("http://shop.example/find", Column("price", "Price", "", "price", "p", 1.0, 2))
    'http://shop.example/attr/price'
    """
    return legal(f"{home_of(url)}/attr/{quote(column.id, safe='-')}")


def class_iri(url: str) -> str:
    """Return the IRI of the class of all records of a form."""
    return legal(f"{home_of(url)}/class/record")


def date_context(url: str, records: Sequence[Record], columns: Sequence[Column]) -> DateContext:
    """Return the context in which a site's dates are read: in the order that all dates of its records show."""
    dated = [column.id for column in columns if column.type == "date"]
    order = learn_order(text for record in records for name in dated for text in record.values.get(name, ()))
    return DateContext(order=order, host=host_of(url))


def literal_of(text: str, column: Column, context: DateContext) -> str:
    """Return a value in the form in which it is compared: prices and numbers as decimals, dates as ISO."""
    if column.type in ("price", "number") and (said := amount(text)) is not None:
        return f"{said:g}" if said != int(said) else str(int(said))
    if column.type == "date":
        return day(text, context) or text
    return text


def facts_of(url: str, records: Sequence[Record], columns: Sequence[Column]) -> list[Fact]:
    """Return the graph of the records."""
    known = {column.id: column for column in columns}
    cls, context = class_iri(url), date_context(url, records, columns)
    found: list[Fact] = []
    for record in records:
        found.append(Fact(record.id, TYPE, cls))
        for name, texts in record.values.items():
            if column := known.get(name):
                iri = relation_iri(url, column)
                found += [Fact(record.id, iri, literal_of(text, column, context), True) for text in texts]
    return found


def align_records(
    url: str, records: Sequence[Record], columns: Sequence[Column], ontology: Ontology, joins: int = 2
) -> AlignedGraph:
    """Return the instances of the records and the relations of their columns in the ontology."""
    own = facts_of(url, records, columns)
    hints = {relation_iri(url, column): f"{column.label} {column.name}".strip() for column in columns}
    found = _read(url, align(own, ontology.facts, Settings(joins=joins, hints=hints)), records, columns, ontology)
    cls, named = named_class(records, columns, ontology)
    if named >= LEAST_SUPPORT and 2 * _of_class(found, cls, ontology) < named:
        again = align(own, focused(ontology, cls), Settings(joins=1, hints=hints))
        other = _read(url, again, records, columns, ontology)
        found = max(found, other, key=lambda one: _of_class(one, cls, ontology))
    return found


def _of_class(found: AlignedGraph, cls: str, ontology: Ontology) -> int:
    members = set(ontology.instances(cls))
    return sum(one.instance in members for one in found.instances)


def _read(
    url: str, found: Alignment, records: Sequence[Record], columns: Sequence[Column], ontology: Ontology
) -> AlignedGraph:
    """Return what an alignment says: all records are of one class, and no reliable relation speaks against a match."""
    known = {record.id: record for record in records}
    relations = tuple(
        match for column in columns if (match := _relation(found, relation_iri(url, column), column)) is not None
    )
    telling = reliable(relations, columns, records)
    instances = tuple(
        InstanceMatch(one.left, one.right, round(one.probability, 4))
        for one in found.instances
        if one.left in known
        and one.probability >= SURE
        and not contradicts(known[one.left], one.right, telling, ontology)
    )
    cls, share = ontology.usual_type([one.instance for one in instances])
    if cls and share >= MOST_OF_ONE:
        members = set(ontology.instances(cls))
        instances = tuple(one for one in instances if one.instance in members or one.instance not in ontology.types)
        share = 1.0
    free = [column for column in columns if column.id not in {match.column for match in relations}]
    kind = class_column(records, free, instances, ontology)
    classes = (ClassMatch(cls, round(share, 4)),) if cls else ()
    return AlignedGraph((*relations, kind) if kind is not None else relations, instances, classes)


def reliable(
    relations: Sequence[RelationMatch], columns: Sequence[Column], records: Sequence[Record]
) -> tuple[Telling, ...]:
    """Return the identifying relations: those that practically never differ between matches, or name the records."""
    known = {column.id: column for column in columns}
    naming = naming_columns(columns, records)
    return tuple(
        (match, known[match.column])
        for match in relations
        if match.support >= LEAST_SUPPORT
        and match.column in known
        and match.confidence >= (MOSTLY if match.column in naming and len(match.relation) == 1 else RELIABLE)
    )


def contradicts(record: Record, instance: str, telling: Sequence[Telling], ontology: Ontology) -> bool:
    """Say whether an instance has other values than a record in an identifying relation."""
    return any(
        _differs(record.values.get(match.column, ()), ontology.follow(instance, match.relation), column)
        for match, column in telling
    )


def _differs(texts: Sequence[str], known: Sequence[str], column: Column) -> bool:
    """Say whether there are values on both sides, and none that both have."""
    if column.type != "text":
        amounts = [{value for text in side if (value := order(text)) is not None} for side in (texts, known)]
        if all(amounts):
            return amounts[0].isdisjoint(amounts[1])
    own, others = ({core for text in side for core in base_names(text)} for side in (texts, known))
    return bool(own and others) and not any(_may_be_same(one, other) for one in own for other in others)


def _may_be_same(one: str, other: str) -> bool:
    return name_similarity(one, other) >= ALIKE and not are_apart(one, other)


def _relation(found: Alignment, iri: str, column: Column) -> RelationMatch | None:
    best = found.relation_of(iri)
    if best is None or best.probability < ACCEPTED or best.support < LEAST_SUPPORT:
        return None
    return RelationMatch(column.id, path_of(best.right), round(best.probability, 4), best.support)
