"""Applies a learned record model to a page: matches its keys and returns the records."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from lxml import etree

from siteseer.extract.records.bodies.body_extensions import following
from siteseer.extract.records.bodies.body_reading import BodyText, read_body, references, without_bylines
from siteseer.extract.records.bodies.record_spans import RecordSpans, common_boxes, record_span
from siteseer.extract.records.element_keys import KeyedDocument, carries_attribute, tag_of
from siteseer.extract.records.fields.field_atoms import (
    Atom,
    DateReader,
    clean_name,
    is_name,
    is_of_edit,
    strip_affixes,
    wanted_atoms,
)
from siteseer.extract.records.fields.labels import without_head
from siteseer.extract.records.fields.page_titles import LONGEST_TITLE, read_title, without_reply
from siteseer.extract.records.fields.permalinks import absolute, native_id
from siteseer.extract.records.fields.record_headings import HEADINGS, heading_link
from siteseer.extract.records.record_document import Document, document
from siteseer.extract.records.record_model import BodyRule, Record, Wrapper
from siteseer.model import Page
from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import ReadDate
from siteseer.page.tree import title as title_element
from siteseer.page.urls import resolve

MOST_RECORDS = 2_000


@dataclass(frozen=True, slots=True)
class Slot:
    """A body on the page and the positions of its neighbours."""

    element: int
    previous_end: int
    start: int
    end: int
    next_start: int

    def within(self, side: str) -> tuple[int, int]:
        """Return where a side begins and ends."""
        if side == "before":
            return self.previous_end, self.start
        return (self.end, self.next_start) if side == "after" else (self.start, self.end)


@dataclass(frozen=True, slots=True)
class Values:
    """Date and author of a record, and the atoms that say so."""

    date: ReadDate | None
    edited: bool
    author: str | None
    author_url: str | None
    dated: Atom | None
    named: Atom | None


class ModelApplication:
    """One wrapper at work on one page."""

    def __init__(self, wrapper: Wrapper, page: Page, now: datetime | None) -> None:
        self.wrapper = wrapper
        self.page = page
        self.doc: Document = document(page)
        self.keyed = KeyedDocument(self.doc, wrapper.scheme)
        self.reader = DateReader(_dates_of(page, now, wrapper))
        self.bodies = [self._find(rule) for rule in wrapper.bodies]
        self._known_links: dict[str, tuple[list[int], list[int]]] = {}

    def records(self) -> list[Record]:
        """Return the records in page order."""
        if not any(self.bodies):
            return []
        atoms = wanted_atoms(self.keyed, self.reader, *self._wanted())
        whole = read_title(self.keyed, self.wrapper.title)
        found: list[tuple[int, Record]] = []
        alone = {body for rule, mine in self._ruled() if rule.kind == "single" for body in mine}
        spans: list[tuple[int, int]] = []
        for known, bodies in sorted(self._ruled(), key=lambda pair: pair[0].kind == "single"):
            # Several texts of the kind that pages tell one of are a list of them: none has the address of the page.
            rule = replace(known, kind="list") if len(bodies) > 1 else known
            others = {body for mine in self.bodies if mine is not bodies for body in mine}
            # A page of one message has its subject as title; the posts of a list share that of their thread.
            title = whole if rule.kind == "single" else without_reply(whole or "") or None
            if rule.kind == "single":
                left = {
                    key: [atom for atom in some if not RecordSpans(spans).hold(atom.at)] for key, some in atoms.items()
                }
            enough = len(found) + MOST_RECORDS
            for slot in self._slots(bodies, alone if rule.kind == "list" else set()):
                values = self._values(rule, slot, left if rule.kind == "single" else atoms)
                if record := self._record(rule, slot, values, others, title):
                    found.append((slot.start, record))
                if len(found) == enough:
                    break
                if rule.kind == "list" and alone:
                    places = [atom.at for atom in (values.dated, values.named) if atom is not None]
                    spans.append(record_span(self.doc, slot.element, places, sorted((*others, *bodies))))
        found.sort(key=lambda item: item[0])
        return [record for _, record in found[:MOST_RECORDS]]

    def _ruled(self) -> list[tuple[BodyRule, list[int]]]:
        """Return each rule with its bodies."""
        return list(zip(self.wrapper.bodies, self.bodies, strict=True))

    def _find(self, rule: BodyRule) -> list[int]:
        step = rule.key.partition("<")[0]
        tag = tag_of(step)
        named = (number for number, one in enumerate(self.doc.tags) if one == tag)
        alike = [number for number in named if self.keyed.step(number) == step]
        found = [number for number in alike if self.keyed.key(number) == rule.key]
        if not found and rule.kind == "single" and carries_attribute(step) and len(alike) == 1:
            found = alike
        return self._outermost(found)

    def _outermost(self, numbers: list[int]) -> list[int]:
        found: list[int] = []
        for number in numbers:
            if not found or number >= self.doc.stop[found[-1]]:
                found.append(number)
        return found

    def _slots(self, bodies: list[int], beside: set[int]) -> Iterable[Slot]:
        """Yield the slots of bodies: the list of a page begins below its own text."""
        doc = self.doc
        ends = sorted(doc.end_at[body] for body in (*bodies, *beside))
        starts = sorted(doc.start_at[body] for body in (*bodies, *beside))
        for body in bodies:
            before = bisect_right(ends, doc.start_at[body])
            after = bisect_left(starts, doc.end_at[body])
            previous = ends[before - 1] if before else 0
            following_ = starts[after] if after < len(starts) else doc.end_at[0] + 1
            yield Slot(body, previous, doc.start_at[body], doc.end_at[body], following_)

    def _wanted(self) -> tuple[dict[str, set[str]], set[str]]:
        wanted: dict[str, set[str]] = defaultdict(set)
        for rule, bodies in zip(self.wrapper.bodies, self.bodies, strict=True):
            if bodies:
                for wish in (*rule.dates, *rule.authors, *((rule.time,) if rule.time else ())):
                    key, _, way = wish.key.rpartition("|")
                    wanted[key].add(way)
        return wanted, {key.partition("<")[0] for key in wanted}

    def _record(self, rule: BodyRule, slot: Slot, values: Values, others: set[int], title: str | None) -> Record | None:
        heading = self._heading(rule, slot)
        address = self._permalink(rule, slot)
        if heading is not None:
            title = self.doc.string(heading)[:LONGEST_TITLE]
            address = address or heading_link(self.doc, heading) or self._own_address()
        elements = [slot.element, *self._continuations(rule, slot.element, others)]
        body = read_body(
            self.doc,
            elements,
            rule.kind,
            others,
            self.reader,
            keeps_quotes=rule.keeps_quotes,
            is_citation=lambda number: bool(rule.citations) and self.keyed.key(number) in rule.citations,
            is_head=lambda number: number == heading or (bool(rule.heads) and self.keyed.key(number) in rule.heads),
        )
        if inner := rule.labels_inside:
            body = replace(body, text=without_head(body.text, inner))
        if not body.text and not body.quotes:
            return None
        author, published = values.author, values.date.iso if values.date else None
        if rule.dates and rule.dates[0].side == "inside":
            body = replace(body, text=without_bylines(body.text, author, self.reader))
        return Record(
            rule.kind,
            body.text,
            _html(self.doc, elements),
            author,
            values.author_url,
            published,
            published if values.edited else None,
            title,
            address,
            native_id(self.doc, slot.element, rule.id_stem) if rule.id_stem else None,
            _path(self.doc, slot.element),
            body.quotes,
            references(self.doc, elements, "a", "href"),
            references(self.doc, elements, "img", "src"),
            _confidence(rule, body, values.date, author),
            tuple(_path(self.doc, element) for element in elements[1:]),
            tuple(_path(self.doc, element) for element in body.quoting),
            tuple(_path(self.doc, element) for element in body.heads),
        )

    def _continuations(self, rule: BodyRule, body: int, others: set[int]) -> Iterable[int]:
        if not rule.extensions:
            return
        for sibling in following(self.doc, body):
            if any(number in others for number in range(sibling, self.doc.stop[sibling])):
                return
            if self.keyed.key(sibling) in rule.extensions:
                yield sibling

    def _values(self, rule: BodyRule, slot: Slot, atoms: dict[str, list[Atom]]) -> Values:
        """Return date and author of a record."""
        date, edited, dated = self._date(rule, slot, atoms)
        author, named = self._author(rule, slot, atoms, dated)
        return Values(date, edited, author, self._link(named.element) if named else None, dated, named)

    def _date(
        self, rule: BodyRule, slot: Slot, atoms: dict[str, list[Atom]]
    ) -> tuple[ReadDate | None, bool, Atom | None]:
        for wish in rule.dates:
            some = nearest(atoms.get(wish.key, []), slot, wish.side)
            for atom in some if wish.edited else sorted(some, key=is_of_edit):
                way = wish.key.rpartition("|")[2]
                if date := self.reader.read_as(way, atom.value):
                    return self._timed(rule, slot, atoms, date), wish.edited, atom
        return None, False, None

    def _timed(self, rule: BodyRule, slot: Slot, atoms: dict[str, list[Atom]], date: ReadDate) -> ReadDate:
        if rule.time and date.precision == "day":
            for atom in nearest(atoms.get(rule.time.key, []), slot, rule.time.side):
                if timed := self.reader.read(f"{date.iso} {atom.value}"):
                    return timed
        return date

    def _author(
        self, rule: BodyRule, slot: Slot, atoms: dict[str, list[Atom]], dated: Atom | None
    ) -> tuple[str | None, Atom | None]:
        """Return the name; of several the one that shares most boxes with the date: others may have edited."""
        for wish in rule.authors:
            some = nearest(atoms.get(wish.key, []), slot, wish.side)
            if dated is not None and len(some) > 1:
                element = dated.element
                some = sorted(some, key=lambda atom: -common_boxes(self.doc, atom.element, element))
            for atom in some:
                name = strip_affixes(clean_name(atom.value), wish.first, wish.last)
                if is_name(name) and not self.reader.read(name):
                    return name, atom
        return None, None

    def _link(self, element: int) -> str | None:
        """Return the address of the link around an element, or of the first one inside it."""
        at = element
        for _ in range(3):
            if at >= 0 and self.doc.tags[at] == "a":
                return resolve(self.page.url, self.doc.elements[at].get("href") or "")
            at = self.doc.parent[at] if at >= 0 else at
        for number in range(element + 1, min(self.doc.stop[element], element + 6)):
            if self.doc.tags[number] == "a":
                return resolve(self.page.url, self.doc.elements[number].get("href") or "")
        return None

    def _permalink(self, rule: BodyRule, slot: Slot) -> str | None:
        if rule.kind == "single":
            return self._own_address()
        if rule.permalink:
            links, at = self._links(rule.permalink.key)
            low, high = slot.within(rule.permalink.side)
            first, stop = bisect_left(at, low), bisect_left(at, high)
            if first < stop:
                number = links[stop - 1 if rule.permalink.side == "before" else first]
                return absolute(self.page.url, self.doc.elements[number].get("href") or "")
        return None

    def _own_address(self) -> str:
        """Return the address that the page claims, else the one from which it was fetched."""
        link = self.doc.elements[0].find(".//link[@rel='canonical']") if self.doc.elements else None
        own = resolve(self.page.url, link.get("href") or "") if link is not None else None
        return own or self.page.url

    def _heading(self, rule: BodyRule, slot: Slot) -> int | None:
        """Return the heading of a record of a list; on the page of a record, it is part of the page's title."""
        if rule.heading is None or any(one.kind == "single" for one in self.wrapper.bodies):
            return None
        low, high = slot.within(rule.heading.side)
        alike = [one for one in self._headings(rule.heading.key) if low <= self.doc.start_at[one] < high]
        found = [one for one in alike if heading_link(self.doc, one)]
        if not found and sum(map(len, self.bodies)) == 1:
            whole = title_element(self.page).lower()
            inside = (
                n for n, tag in enumerate(self.doc.tags) if tag in HEADINGS and low <= self.doc.start_at[n] < high
            )
            found = [one for one in inside if len(text := self.doc.string(one).lower()) > 0 and text in whole]
        return found[-1 if rule.heading.side == "before" else 0] if found else None

    def _headings(self, key: str) -> list[int]:
        tag = tag_of(key.partition("<")[0])
        named = (number for number, one in enumerate(self.doc.tags) if one == tag)
        return [number for number in named if self.keyed.key(number) == key]

    def _links(self, key: str) -> tuple[list[int], list[int]]:
        """Return the links of a key and their positions."""
        if key not in self._known_links:
            doc, step = self.doc, key.partition("<")[0]
            links = [
                number
                for number, tag in enumerate(doc.tags)
                if tag == "a" and self.keyed.step(number) == step and self.keyed.key(number) == key
            ]
            links = [number for number in links if doc.elements[number].get("href")]
            self._known_links[key] = links, [doc.start_at[number] for number in links]
        return self._known_links[key]


def nearest(atoms: list[Atom], slot: Slot, side: str) -> list[Atom]:
    """Return the atoms in the slot on that side, the nearest to the body first."""
    low, high = slot.within(side)
    inside = [atom for atom in atoms if low <= atom.at < high]
    return inside[::-1] if side == "before" else inside


def _path(doc: Document, element: int) -> str:
    found: str = doc.elements[element].getroottree().getpath(doc.elements[element])
    return found


def _html(doc: Document, elements: list[int]) -> str:
    return "".join(
        etree.tostring(doc.elements[n], encoding="unicode", method="html", with_tail=False) for n in elements
    )


def _dates_of(page: Page, now: datetime | None, wrapper: Wrapper) -> DateContext:
    """Return what is known of the dates of a page: where its own do not decide, those of the site do."""
    context = replace(context_of(page), now=page.fetched_at or now)
    return context.or_order(wrapper.order) if wrapper.order else context


def _confidence(rule: BodyRule, body: BodyText, date: ReadDate | None, author: str | None) -> float:
    missing = (bool(rule.dates) and date is None) + (bool(rule.authors) and author is None) + (not body.text)
    return round(rule.confidence * 0.8**missing, 3)
