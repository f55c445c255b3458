"""Learns which boxes inside bodies hold only metadata: who wrote the record and when, categories, tags.

Some templates put these lines inside the element of the text (`<footer class="post-info">` in `<div class="entry">`).
Such a box holds the author or the date that was chosen for the record, or hardly anything but links (to tags, to share
it, to read more). It stands once in nearly every body and says nothing of its own: besides its headings, hardly
anything in it occurs only once.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from siteseer.extract.records.bodies.alternation import chosen, slots_of
from siteseer.extract.records.fields.record_headings import HEADINGS
from siteseer.extract.records.page_sample import Booleans, Instances, Numbers, Sample
from siteseer.extract.records.record_model import BodyRule
from siteseer.page.text import BLOCKS

IN_BODIES = 0.8
"""Share of the bodies that have such a box, and of the boxes that hold a field."""
ALL_LINKS = 0.8
"""Share of the text of such boxes that is links, where they hold no field."""
MOST_UNIQUE = 0.1
"""Share of the text of such boxes that may occur only once: a name or a tag that no other page of the sample has."""
LINKS = frozenset(("a", "button"))


def learn_byline_boxes(
    sample: Sample, rule: BodyRule, bodies: Instances, atoms_at: Mapping[str, Numbers]
) -> tuple[str, ...]:
    """Return the keys of the boxes inside these bodies that hold fields of the record or links, and no text of its own.

    `atoms_at` says where the atoms of each key stand.
    """
    places = list(_field_places(sample, rule, bodies, atoms_at))
    unique, length = _summed(sample.unique), _summed(sample.length)
    unique_beside = _summed(sample.unique * ~inside_tags(sample, HEADINGS))
    linked = _summed(sample.length * inside_tags(sample, LINKS))
    found = []
    for key, boxes in sample.elements.items():
        if boxes.tag not in BLOCKS or boxes.tag in HEADINGS or len(boxes.page) < IN_BODIES * len(bodies.page):
            continue
        around = np.maximum(0, np.searchsorted(bodies.start, boxes.start, side="right") - 1)
        inside = (bodies.start[around] < boxes.start) & (boxes.end <= bodies.end[around])
        if inside.sum() < IN_BODIES * len(bodies.page) or len(set(around[inside])) < IN_BODIES * inside.sum():
            continue
        first, stop = boxes.first_text[inside], boxes.stop_text[inside]
        holds_field = any(_hold(boxes, inside, at) for at in places)
        said, links, whole = (
            float((sums[stop] - sums[first]).sum())
            for sums in (unique_beside if holds_field else unique, linked, length)
        )
        if whole and said <= MOST_UNIQUE * whole and (holds_field or links >= ALL_LINKS * whole):
            found.append(key)
    return tuple(sorted(found))


def _summed(lengths: Numbers) -> Numbers:
    return np.concatenate(([0], np.cumsum(lengths)))


def _field_places(
    sample: Sample, rule: BodyRule, bodies: Instances, atoms_at: Mapping[str, Numbers]
) -> Iterator[Numbers]:
    """Yield where the best date and the best author of the records stand, if they stand inside their bodies."""
    slots = slots_of(bodies, sample.stride)
    for best in (*rule.dates[:1], *rule.authors[:1]):
        if best.side == "inside" and best.key in atoms_at:
            at = atoms_at[best.key]
            atoms = chosen(slots, at, "inside")
            yield at[atoms[atoms >= 0]]


def _hold(boxes: Instances, inside: Booleans, at: Numbers) -> bool:
    """Say whether most of the boxes hold one of these places."""
    start, end = boxes.start[inside], boxes.end[inside]
    held = np.searchsorted(at, end) > np.searchsorted(at, start)
    return bool(held.sum() >= IN_BODIES * len(held))


def inside_tags(sample: Sample, tags: frozenset[str]) -> Booleans:
    """Return for every text whether it stands in an element of these tags."""
    found = []
    for doc in sample.docs:
        inside = [False] * len(doc.texts)
        for element, tag in enumerate(doc.tags):
            if tag in tags:
                first, stop = doc.first_text[element], doc.stop_text[element]
                inside[first:stop] = [True] * (stop - first)
        found += inside
    return np.array(found, dtype=np.bool_)
