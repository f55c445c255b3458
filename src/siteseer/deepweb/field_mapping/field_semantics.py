"""Gives form fields their meaning in the ontology through their columns, and finds names to search for.

Reference: Oita's thesis, section 3.7: what is known of a column flows back to the field that searches it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from siteseer.deepweb.ontology.ontology_paths import Ontology, Path
from siteseer.deepweb.ontology.record_graph import AlignedGraph
from siteseer.deepweb.records.name_matching import same_keys
from siteseer.deepweb.source import column_values
from siteseer.deepweb.understanding_model import FieldMeaning, Record
from siteseer.forms.answer_types import Query

SAMPLES = 5
TRIED = 6
"""Names that are searched for in each field."""
LONGEST = 80


def give_meaning(
    fields: Sequence[FieldMeaning], records: Sequence[Record], aligned: AlignedGraph, ontology: Ontology
) -> tuple[FieldMeaning, ...]:
    """Return the fields with the relations of their columns, the class that belongs in them, and names to try."""
    relations = {match.column: match for match in aligned.relations}
    instances = [match.instance for match in aligned.instances]
    found = []
    for field in fields:
        match = next((relations[column] for column in field.columns if column in relations), None)
        if match is None:
            found.append(field)
            continue
        between = [one for instance in instances for one in ontology.follow(instance, match.relation[:-1])]
        cls, _ = ontology.usual_type(between) if len(match.relation) > 1 else ("", 0.0)
        samples = (
            () if field.role != "text" else tuple(_unseen(match.column, match.relation, records, aligned, ontology))
        )
        confidence = round(field.confidence * match.confidence, 4)
        found.append(
            replace(field, relation=match.relation, range_class=cls, confidence=confidence, samples=samples[:SAMPLES])
        )
    return tuple(found)


def names_to_try(
    fields: Sequence[FieldMeaning], records: Sequence[Record], aligned: AlignedGraph, ontology: Ontology
) -> Iterator[Query]:
    """Yield searches for names that the ontology has, and that no record shows yet."""
    relations = {match.column: match for match in aligned.relations}
    for field in fields:
        match = next((relations[column] for column in field.columns if column in relations), None)
        if field.role == "text" and match is not None:
            unseen = _unseen(match.column, match.relation, records, aligned, ontology)
            yield from (((field.name, name),) for name in islice(unseen, TRIED))


def _unseen(
    column: str, path: Path, records: Sequence[Record], aligned: AlignedGraph, ontology: Ontology
) -> Iterator[str]:
    """Yield the values that a path leads to from instances of the records' class, without those that records show."""
    known = {key for text in column_values(records, column) for key in same_keys(text)}
    if not aligned.classes:
        return
    for instance in ontology.instances(aligned.classes[0].cls):
        for value in ontology.follow(instance, path):
            keys = same_keys(value)
            if keys and not keys & known and len(value) <= LONGEST:
                known |= keys
                yield value
