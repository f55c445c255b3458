"""Finds the siblings that continue a record's body: following elements with more of its text.

Some software writes an article as a body and an `extended` block beside it. A continuation is nearly all unique text,
holds no body of another kind and is not called a signature, an attachment or the like.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from siteseer.extract.records.page_sample import Instances, Sample
from siteseer.extract.records.record_document import Document
from siteseer.extract.records.role_words import NO_EXTENSION

MOST_SIBLINGS = 4
PURITY = 0.85
FEWEST_CHARACTERS = 80
FEWEST_RECORDS = 0.03


def following(doc: Document, element: int) -> list[int]:
    """Return up to four siblings that follow an element."""
    parent = doc.parent[element]
    found: list[int] = []
    at = doc.stop[element]
    while len(found) < MOST_SIBLINGS and parent >= 0 and at < doc.stop[parent]:
        found.append(at)
        at = doc.stop[at]
    return found


@dataclass(frozen=True, slots=True)
class Continuation:
    """The keys of siblings that continue some bodies, with the unique text U and all the text T in them."""

    keys: tuple[str, ...] = ()
    unique: int = 0
    total: int = 0


def extensions_of(sample: Sample, bodies: Instances, others: Sequence[Instances]) -> tuple[str, ...]:
    """Return the keys of siblings that continue these bodies."""
    return continuation_of(sample, bodies, others).keys


def continuation_of(sample: Sample, bodies: Instances, others: Sequence[Instances]) -> Continuation:
    """Return what continues these bodies beside them."""
    other_bodies = [set[int]() for _ in sample.docs]
    for found in (*others, bodies):
        for page, element in zip(found.page.tolist(), found.element.tolist(), strict=True):
            other_bodies[page].add(element)
    unique: dict[str, int] = defaultdict(int)
    total: dict[str, int] = defaultdict(int)
    records: dict[str, int] = defaultdict(int)
    for page, element in zip(bodies.page.tolist(), bodies.element.tolist(), strict=True):
        keyed = sample.keyed[page]
        offset = int(sample.text_offsets[page])
        for sibling in following(keyed.doc, element):
            if any(inner in other_bodies[page] for inner in range(sibling, keyed.doc.stop[sibling])):
                break
            first, stop = keyed.doc.first_text[sibling] + offset, keyed.doc.stop_text[sibling] + offset
            own = int(sample.unique[first:stop].sum())
            key = keyed.key(sibling)
            unique[key] += own
            total[key] += int(sample.length[first:stop].sum())
            records[key] += own >= FEWEST_CHARACTERS
    keys = tuple(
        key
        for key in unique
        if total[key]
        and unique[key] >= PURITY * total[key]
        and records[key] >= max(2, FEWEST_RECORDS * len(bodies.page))
        and not NO_EXTENSION.search(key.partition("<")[0])
    )
    return Continuation(keys, sum(unique[key] for key in keys), sum(total[key] for key in keys))
