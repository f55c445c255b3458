"""A wrapper and a page in, records out: plain matching of what was learned."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime

from lxml import etree

from siteseer.extract.records.atoms import Atom, DateReader, clean_name, is_name, strip_affixes, wanted_atoms
from siteseer.extract.records.document import Document, document
from siteseer.extract.records.extensions import following
from siteseer.extract.records.keys import KeyedDocument, carries_attribute, tag_of
from siteseer.extract.records.labels import without_head
from siteseer.extract.records.permalinks import absolute, native_id
from siteseer.extract.records.reading import BodyText, read_body, references, without_bylines
from siteseer.extract.records.rules import BodyRule, Record, Wrapper
from siteseer.extract.records.titles import read_title, without_reply
from siteseer.model import Page
from siteseer.page.dates import ReadDate
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


class Application:
    """One wrapper at work on one page."""

    def __init__(self, wrapper: Wrapper, page: Page, now: datetime | None) -> None:
        self.wrapper = wrapper
        self.page = page
        self.doc: Document = document(page)
        self.keyed = KeyedDocument(self.doc, wrapper.scheme)
        self.reader = DateReader(page.fetched_at or now, wrapper.order)
        self.bodies = [self._find(rule) for rule in wrapper.bodies]
        self._known_links: dict[str, tuple[list[int], list[int]]] = {}

    def records(self) -> list[Record]:
        """Return the records in page order."""
        if not any(self.bodies):
            return []
        atoms = wanted_atoms(self.keyed, self.reader, *self._wanted())
        whole = read_title(self.keyed, self.wrapper.title)
        found: list[tuple[int, Record]] = []
        for rule, bodies in zip(self.wrapper.bodies, self.bodies, strict=True):
            others = {body for mine in self.bodies if mine is not bodies for body in mine}
            # A page of one message has its subject as title; the posts of a list share that of their thread.
            title = whole if rule.kind == "single" else without_reply(whole or "") or None
            for slot in self._slots(bodies):
                if record := self._record(rule, slot, atoms, others, title):
                    found.append((slot.start, record))
        found.sort(key=lambda item: item[0])
        return [record for _, record in found[:MOST_RECORDS]]

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

    def _slots(self, bodies: list[int]) -> Iterable[Slot]:
        doc = self.doc
        for place, body in enumerate(bodies):
            previous = doc.end_at[bodies[place - 1]] if place else 0
            following_ = doc.start_at[bodies[place + 1]] if place + 1 < len(bodies) else doc.end_at[0] + 1
            yield Slot(body, previous, doc.start_at[body], doc.end_at[body], following_)

    def _wanted(self) -> tuple[dict[str, set[str]], set[str]]:
        wanted: dict[str, set[str]] = defaultdict(set)
        for rule, bodies in zip(self.wrapper.bodies, self.bodies, strict=True):
            if bodies:
                for wish in (*rule.dates, *rule.authors, *((rule.time,) if rule.time else ())):
                    key, _, way = wish.key.rpartition("|")
                    wanted[key].add(way)
        return wanted, {key.partition("<")[0] for key in wanted}

    def _record(
        self, rule: BodyRule, slot: Slot, atoms: dict[str, list[Atom]], others: set[int], title: str | None
    ) -> Record | None:
        elements = [slot.element, *self._continuations(rule, slot.element, others)]
        body = read_body(
            self.doc,
            elements,
            rule.kind,
            others,
            self.reader,
            keeps_quotes=rule.keeps_quotes,
            is_citation=lambda number: bool(rule.citations) and self.keyed.key(number) in rule.citations,
        )
        if inner := rule.labels_inside:
            body = replace(body, text=without_head(body.text, inner))
        if not body.text and not body.quotes:
            return None
        date, edited = self._date(rule, slot, atoms)
        author, author_url = self._author(rule, slot, atoms)
        if rule.dates and rule.dates[0].side == "inside":
            body = replace(body, text=without_bylines(body.text, author, self.reader))
        published = date.iso if date else None
        return Record(
            rule.kind,
            body.text,
            _html(self.doc, elements),
            author,
            author_url,
            published,
            published if edited else None,
            title,
            self._permalink(rule, slot),
            native_id(self.doc, slot.element, rule.id_stem) if rule.id_stem else None,
            _path(self.doc, slot.element),
            body.quotes,
            references(self.doc, elements, "a", "href"),
            references(self.doc, elements, "img", "src"),
            _confidence(rule, body, date, author),
            tuple(_path(self.doc, element) for element in elements[1:]),
            tuple(_path(self.doc, element) for element in body.quoting),
        )

    def _continuations(self, rule: BodyRule, body: int, others: set[int]) -> Iterable[int]:
        if not rule.extensions:
            return
        for sibling in following(self.doc, body):
            if any(number in others for number in range(sibling, self.doc.stop[sibling])):
                return
            if self.keyed.key(sibling) in rule.extensions:
                yield sibling

    def _date(self, rule: BodyRule, slot: Slot, atoms: dict[str, list[Atom]]) -> tuple[ReadDate | None, bool]:
        for wish in rule.dates:
            for atom in nearest(atoms.get(wish.key, []), slot, wish.side):
                way = wish.key.rpartition("|")[2]
                if date := self.reader.read_as(way, atom.value):
                    return self._timed(rule, slot, atoms, date), wish.edited
        return None, False

    def _timed(self, rule: BodyRule, slot: Slot, atoms: dict[str, list[Atom]], date: ReadDate) -> ReadDate:
        if rule.time and date.precision == "day":
            for atom in nearest(atoms.get(rule.time.key, []), slot, rule.time.side):
                if timed := self.reader.read(f"{date.iso} {atom.value}"):
                    return timed
        return date

    def _author(self, rule: BodyRule, slot: Slot, atoms: dict[str, list[Atom]]) -> tuple[str | None, str | None]:
        for wish in rule.authors:
            for atom in nearest(atoms.get(wish.key, []), slot, wish.side):
                name = strip_affixes(clean_name(atom.value), wish.first, wish.last)
                if is_name(name) and not self.reader.read(name):
                    return name, self._link(atom.element)
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
            link = self.doc.elements[0].find(".//link[@rel='canonical']") if self.doc.elements else None
            own = resolve(self.page.url, link.get("href") or "") if link is not None else None
            return own or self.page.url
        if rule.permalink:
            links, at = self._links(rule.permalink.key)
            low, high = slot.within(rule.permalink.side)
            first, stop = bisect_left(at, low), bisect_left(at, high)
            if first < stop:
                number = links[stop - 1 if rule.permalink.side == "before" else first]
                return absolute(self.page.url, self.doc.elements[number].get("href") or "")
        return None

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


def _confidence(rule: BodyRule, body: BodyText, date: ReadDate | None, author: str | None) -> float:
    missing = (bool(rule.dates) and date is None) + (bool(rule.authors) and author is None) + (not body.text)
    return round(rule.confidence * 0.8**missing, 3)
