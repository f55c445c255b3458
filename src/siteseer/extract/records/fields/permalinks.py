"""Learns where records have their permalinks: links to an id around the body, or with its number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urldefrag

import numpy as np

from siteseer.extract.records.bodies.alternation import alternation, slots_of
from siteseer.extract.records.element_keys import folded
from siteseer.extract.records.page_sample import Instances, Sample
from siteseer.extract.records.record_document import Document
from siteseer.extract.records.record_model import FieldRule
from siteseer.page.urls import resolve

LOWEST = 0.5
LOWEST_ALTERNATION = 0.4
BY_NUMBER = 0.9
NEAR = 6
"""Ancestors of a body whose ids may be its own."""
NUMBERED_SHARE = 0.9
_LAST_NUMBER = re.compile(r"(\d+)(?!.*\d)")
_OTHER_PURPOSE = re.compile(r"repl|quote|report|edit|delete|login|vote|like|rate", re.I)


@dataclass(frozen=True, slots=True)
class Anchors:
    """The ids of a page: where each stands."""

    elements: dict[str, int]

    @classmethod
    def of(cls, doc: Document) -> Anchors:
        """Collect ids and the names of anchors."""
        found = {id_: number for number, id_ in enumerate(doc.ids) if id_}
        for number, tag in enumerate(doc.tags):
            if tag == "a" and (name := doc.elements[number].get("name")):
                found.setdefault(name, number)
        return cls(found)


def learn_permalink(sample: Sample, bodies: Instances) -> FieldRule | None:
    """Return the rule for the permalinks of list records, or None where no link points at them."""
    links: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for page, keyed in enumerate(sample.keyed):
        for number, tag in enumerate(keyed.doc.tags):
            if tag == "a" and keyed.doc.elements[number].get("href"):
                links[keyed.key(number)].append((page, number))
    slots = slots_of(bodies, sample.stride)
    anchors = [Anchors.of(keyed.doc) for keyed in sample.keyed]
    best, best_score = None, LOWEST
    for key, rows in links.items():
        if len(rows) < 0.4 * len(bodies.page):
            continue
        at = np.array([sample.keyed[p].doc.start_at[n] + sample.offsets[p] for p, n in rows], dtype=np.int64)
        alt, side = alternation(slots, at)
        if alt < LOWEST_ALTERNATION:
            continue
        score = alt * _aim(sample, bodies, rows, at, side, anchors)
        if score > best_score:
            best, best_score = FieldRule(key, side, round(score, 4)), score
    return best


def _aim(
    sample: Sample, bodies: Instances, rows: list[tuple[int, int]], at: np.ndarray, side: str, anchors: list[Anchors]
) -> float:
    """Share of bodies whose link points at them, times the share of distinct addresses."""
    slots = slots_of(bodies, sample.stride)
    low, high = {
        "before": (slots.previous_end, slots.start),
        "after": (slots.end, slots.next_start),
        "inside": (slots.start, slots.end),
    }[side]
    first, stop = np.searchsorted(at, low), np.searchsorted(at, high)
    points, hrefs = 0.0, []
    for body, (begin, end) in enumerate(zip(first.tolist(), stop.tolist(), strict=True)):
        if begin >= end:
            continue
        page, number = rows[end - 1 if side == "before" else begin]
        doc = sample.keyed[page].doc
        href = doc.elements[number].get("href") or ""
        hrefs.append(href)
        if not _OTHER_PURPOSE.search(href):
            points += permalink_certainty(
                doc, int(bodies.element[body]), href, anchors[page], int(low[body] - sample.offsets[page])
            )
    return points / len(bodies.page) * len(set(hrefs)) / max(1, len(hrefs))


def permalink_certainty(doc: Document, body: int, href: str, anchors: Anchors, slot_start: int) -> float:
    """Say how surely an address is that of a body: 1 by its fragment, .9 by the number in an id around it."""
    fragment = urldefrag(href[:2000])[1]
    target = anchors.elements.get(fragment) if fragment else None
    if target is not None and _around(doc, target, body, slot_start):
        return 1.0
    number = _LAST_NUMBER.search(href[-200:])
    if number and (own := native_id(doc, body)) and (mine := _LAST_NUMBER.search(own)) and mine[1] == number[1]:
        return BY_NUMBER
    return 0.0


def _around(doc: Document, target: int, body: int, slot_start: int) -> bool:
    if target <= body < doc.stop[target]:
        return True
    return min(slot_start, doc.start_at[body]) <= doc.start_at[target] < doc.end_at[body]


def native_id(doc: Document, body: int, stem: str | None = None) -> str | None:
    """Return the nearest id with a number in it, on the body or a near ancestor; of that stem where one is given."""
    for id_ in _ids_around(doc, body):
        if any(c.isdigit() for c in id_) and (stem is None or folded(id_) == stem):
            return id_
    return None


def _ids_around(doc: Document, body: int) -> Iterator[str]:
    at = body
    for _ in range(NEAR):
        if at < 0:
            return
        if id_ := doc.ids[at]:
            yield id_
        at = doc.parent[at]


def learn_id_stem(sample: Sample, bodies: Instances) -> str | None:
    """Return the id that numbers the records: around nearly each body, and another one each time."""
    found: dict[str, list[str]] = defaultdict(list)
    for page, body in zip(bodies.page.tolist(), bodies.element.tolist(), strict=True):
        stems: dict[str, str] = {}
        for id_ in _ids_around(sample.docs[page], body):
            if any(c.isdigit() for c in id_):
                stems.setdefault(folded(id_), id_)
        for stem, id_ in stems.items():
            found[stem].append(id_)
    fewest = NUMBERED_SHARE * len(bodies.page)
    good = [stem for stem, ids in found.items() if len(ids) >= fewest and len(set(ids)) >= NUMBERED_SHARE * len(ids)]
    return good[0] if good else None


def absolute(page_url: str, href: str) -> str | None:
    """Return an address with its fragment."""
    url = resolve(page_url, href)
    fragment = urldefrag(href[:2000])[1]
    return f"{url}#{fragment}" if url and fragment else url
