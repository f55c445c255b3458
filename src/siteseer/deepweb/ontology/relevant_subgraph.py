"""Selects the part of an ontology that the records are about: one class, with everything that it leads to.

Where few names are shared, an alignment may match records with things that they only mention: recipes with their cooks.
Then names decide which class is meant, and paths of two relations are followed, so that nothing else can be matched.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence

from siteseer.alignment.alignment_model import Fact
from siteseer.deepweb.ontology.ontology_paths import BACK, TYPE, TYPES, Ontology
from siteseer.deepweb.records.value_types import fold
from siteseer.deepweb.understanding_model import Column, Record

NAMING = 0.9
"""This share of the records has a name that no other has."""
MOST_FACTS = 300_000
"""A larger ontology shares enough with a source."""


def naming_columns(columns: Sequence[Column], records: Sequence[Record]) -> set[str]:
    """Return the text columns whose values are unique to nearly every record."""
    found: set[str] = set()
    for column in columns:
        texts = [record.values[column.id] for record in records if column.id in record.values]
        if column.type == "text" and texts and len(set(texts)) >= NAMING * len(texts):
            found.add(column.id)
    return found


def named_class(records: Sequence[Record], columns: Sequence[Column], ontology: Ontology) -> tuple[str, int]:
    """Return the class whose instances have the names of most records, and how many records that are.

    The name of a record is the first of its unique texts.
    """
    if len(ontology.facts) > MOST_FACTS:
        return "", 0
    naming = naming_columns(columns, records)
    first = next((column.id for column in columns if column.id in naming), "")
    names: dict[str, set[str]] = defaultdict(set)
    for record in records:
        for text in record.values.get(first, ()):
            names[fold(text)].add(record.id)
    met: dict[str, set[str]] = defaultdict(set)
    for fact in ontology.facts:
        if fact.literal and (known := names.get(fold(fact.object))):
            for cls in ontology.classes_of(fact.subject):
                met[cls] |= known
    counts = Counter({cls: len(own) for cls, own in met.items()})
    return max(counts.items(), key=lambda one: (one[1], one[0]), default=("", 0))


def focused(ontology: Ontology, cls: str) -> list[Fact]:
    """Return the literals of the instances of a class, including those that two relations in a row lead to.

    >>> facts = [Fact("tea", TYPE, "Book"), Fact("ann", "wrote", "tea"), Fact("ann", "label", "Ann Lee", True)]
    >>> [(fact.relation, fact.object) for fact in focused(Ontology(facts), "Book")][1:]
    [('wrote~ / label', 'Ann Lee')]
    """
    members = set(ontology.instances(cls))
    literals: dict[str, list[Fact]] = defaultdict(list)
    for fact in ontology.facts:
        if fact.literal and fact.relation not in TYPES:
            literals[fact.subject].append(fact)
    found = [Fact(member, TYPE, cls) for member in sorted(members)]
    for fact in ontology.facts:
        found += _led_to(fact, members, literals)
    return found[:MOST_FACTS]


def _led_to(fact: Fact, members: set[str], literals: dict[str, list[Fact]]) -> Iterator[Fact]:
    if fact.relation in TYPES:
        return
    if fact.literal:
        if fact.subject in members:
            yield fact
        return
    if fact.subject in members:
        for last in literals.get(fact.object, ()):
            yield Fact(fact.subject, f"{fact.relation} / {last.relation}", last.object, True)
    if fact.object in members:
        for last in literals.get(fact.subject, ()):
            yield Fact(fact.object, f"{fact.relation}{BACK} / {last.relation}", last.object, True)
