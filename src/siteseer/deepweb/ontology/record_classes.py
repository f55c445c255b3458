"""Finds the column whose values name each record's class: "Museum", where other records say Place."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence

from siteseer.deepweb.ontology.ontology_paths import TYPE, Ontology
from siteseer.deepweb.records.value_types import fold
from siteseer.deepweb.understanding_model import Column, InstanceMatch, Record, RelationMatch

LEAST = 3
"""Records that must show the names of their classes."""
USUALLY = 0.8
NAMED_BY = frozenset(("label", "preflabel", "name", "title"))
_PARTS = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|[_\W]+")


def class_names(ontology: Ontology) -> dict[str, set[str]]:
    """Return the classes of an ontology by their names: their labels, and the last parts of their IRIs.

    >>> from siteseer.alignment import Fact
    >>> sorted(class_names(Ontology([Fact("m1", TYPE, "http://o.org/MarketHall")])).items())
    [('market hall', {'http://o.org/MarketHall'})]
    """
    found: dict[str, set[str]] = defaultdict(set)
    classes = {cls for types in ontology.types.values() for cls in types}
    for cls in classes:
        last = cls.rstrip("/#").replace("#", "/").rpartition("/")[2]
        found[fold(" ".join(_PARTS.split(last)))].add(cls)
    for fact in ontology.facts:
        name = fact.relation.replace("#", "/").rpartition("/")[2].lower()
        if fact.literal and fact.subject in classes and name in NAMED_BY:
            found[fold(fact.object)].add(fact.subject)
    return {name: known for name, known in found.items() if name}


def class_column(
    records: Sequence[Record], columns: Sequence[Column], instances: Sequence[InstanceMatch], ontology: Ontology
) -> RelationMatch | None:
    """Return the column whose values are names of the classes of the records' instances, as a relation."""
    names = class_names(ontology)
    known = {record.id: record for record in records}
    best: RelationMatch | None = None
    for column in columns:
        right: list[str] = []
        met = 0
        for match in instances:
            own = known[match.record].values.get(column.id, ()) if match.record in known else ()
            types = ontology.types.get(match.instance)
            if own and types and column.type == "text":
                met += 1
                right += [text for text in own if types & names.get(fold(text), set())][:1]
        share = len(right) / met if met else 0.0
        if len(right) >= LEAST and len(set(right)) > 1 and share >= USUALLY and (not best or share > best.confidence):
            best = RelationMatch(column.id, (TYPE,), round(share, 4), len(right))
    return best
