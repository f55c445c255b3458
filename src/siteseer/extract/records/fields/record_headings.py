"""Learns where the records of a list have headings of their own, which differ and link to the records' pages.

Front pages of blogs show posts under such headings; the posts of a thread repeat its title, or have none.
"""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urldefrag

from siteseer.extract.records.bodies.alternation import alternation, chosen, slots_of
from siteseer.extract.records.element_keys import folded
from siteseer.extract.records.fields.field_atoms import DateReader
from siteseer.extract.records.page_sample import Instances, Sample
from siteseer.extract.records.record_document import Document
from siteseer.extract.records.record_model import FieldRule
from siteseer.extract.records.unique_text import without_date
from siteseer.page.urls import host_of, resolve

HEADINGS = frozenset(("h1", "h2", "h3", "h4", "h5", "h6"))
LOWEST, LINKED, DISTINCT = 0.8, 0.8, 0.9
NEAR = 3


def learn_heading(sample: Sample, bodies: Instances) -> FieldRule | None:
    """Return the rule for the headings of list records, or None where they have none of their own."""
    slots = slots_of(bodies, sample.stride)
    best: FieldRule | None = None
    for key, found in sample.elements.items():
        if found.tag not in HEADINGS or len(found.page) < LOWEST * len(bodies.page):
            continue
        score, side = alternation(slots, found.start)
        if score < LOWEST or side == "after" or (best is not None and score <= best.score):
            continue
        numbers = chosen(slots, found.start, side)
        rows = [(int(found.page[n]), int(found.element[n])) for n in numbers[numbers >= 0]]
        if _are_own(sample, rows, len(bodies.page)):
            best = FieldRule(key, side, round(score, 4))
    return best


def _are_own(sample: Sample, rows: Sequence[tuple[int, int]], count: int) -> bool:
    """Say whether headings lead to pages of their records: another page and other words for each record of a page.

    A heading that says no more than when a post was written, or which of its thread it is, has no words of its own.
    """
    linked = [
        (page, _words(sample.docs[page].string(one), sample.reader), heading_link(sample.docs[page], one))
        for page, one in rows
    ]
    linked = [row for row in linked if row[2]]
    words, links = ({(row[0], row[place]) for row in linked} for place in (1, 2))
    return len(linked) >= LINKED * count and min(len(words), len(links)) >= DISTINCT * len(linked)


def _words(text: str, reader: DateReader) -> str:
    return folded(without_date(text.lower(), reader))


def heading_link(doc: Document, heading: int) -> str | None:
    """Return the address of another page of the site that a heading links to."""
    inside = [number for number in range(heading, doc.stop[heading]) if doc.tags[number] == "a"]
    around, at = [], doc.parent[heading]
    for _ in range(NEAR):
        if at >= 0 and doc.tags[at] == "a":
            around.append(at)
        at = doc.parent[at] if at >= 0 else at
    for number in (*inside, *around):
        url = resolve(doc.page.url, doc.elements[number].get("href") or "")
        if url and host_of(url) == host_of(doc.page.url) and urldefrag(url)[0] != urldefrag(doc.page.url)[0]:
            return url
    return None
