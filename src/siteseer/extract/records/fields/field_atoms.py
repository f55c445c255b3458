"""Collects the field atoms of a document: every short value that may be the author or the date of a record.

An atom is a text, a tail, an attribute or the whole string of a short element, under the key of its element and the
way in which it was read; where a string holds a date, what stands before and after it are atoms too, for lines such
as "Ann on 5 May 2015:".
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from siteseer.extract.article.declared_metadata import claims
from siteseer.extract.records.element_keys import KeyedDocument, tag_of
from siteseer.extract.records.fields.labels import labelled_values, person_name
from siteseer.extract.records.record_document import Document
from siteseer.extract.records.role_words import EDITED
from siteseer.model import Page
from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.read_dates import NOTHING_KNOWN, ReadDate, read_date, read_timestamp

ATTRIBUTES = ("datetime", "title", "content", "data-time", "data-timestamp", "data-date")
HEAD = "head"
"""The key of what the head of a page says: of what the page is about, never of one record of a list."""
LONGEST_STRING = 90
LONGEST_TEXT = 200
LONGEST_BEFORE = 40
_EDGE = " \t\n,;:|/–—-»«·•()[]{}@→>~*"
_ORDINAL = re.compile(r"^(?:#\s?\d+|\d+[.):])\s+(?=\S)")
_AFTER_NAME = " \t\n,;:|/–—-»«·•(){}@→>~*"


@dataclass(frozen=True, slots=True)
class Atom:
    """A value, its position, the element it was read from, and the text that stands before it."""

    at: int
    element: int
    value: str
    before: str = ""


class DateReader:
    """Reads dates as one site writes them, each distinct string once."""

    def __init__(self, context: DateContext = NOTHING_KNOWN) -> None:
        self.context = context
        self._known: dict[str, ReadDate | None] = {}

    def read(self, value: str) -> ReadDate | None:
        """Return the date in the value if it names at least a day."""
        if value in self._known:
            return self._known[value]
        found = read_date(value, self.context)
        found = found if found and found.names_a_day else None
        if len(self._known) < 50_000:
            self._known[value] = found
        return found

    def read_as(self, kind: str, value: str) -> ReadDate | None:
        """Return the date of an atom: machine attributes may hold a Unix time."""
        if kind.startswith("@data-") and value.isdigit():
            return read_timestamp(value)
        return self.read(value)


def all_atoms(keyed: KeyedDocument, reader: DateReader) -> Iterator[tuple[str, Atom]]:
    """Return every atom of a document with its atom key: `element key|way of reading`."""
    doc = keyed.doc
    for number in range(len(doc.texts)):
        element, kind = _place(doc, number)
        if element >= 0:
            for way, atom in text_atoms(doc, number, element, kind, reader):
                yield f"{keyed.key(element)}|{way}", atom
    for element in range(len(doc.tags)):
        for way, atom in element_atoms(doc, element, reader):
            yield f"{keyed.key(element)}|{way}", atom
    yield from label_atoms(keyed)
    for way, value in head_values(doc.page):
        yield f"{HEAD}|{way}", Atom(0, 0, value)


def label_atoms(keyed: KeyedDocument) -> Iterator[tuple[str, Atom]]:
    """Return the labelled values of a document, each under the key of its label."""
    for found in labelled_values(keyed.doc):
        if found.role != "other" and found.value:
            atom = Atom(found.at, found.element, found.value, found.label)
            yield f"{keyed.key(found.holder)}|{found.way}", atom


def head_values(page: Page) -> Iterator[tuple[str, str]]:
    """Return author and date that the head of a page claims, with their ways of reading."""
    said = claims(page)
    if said.author and len(said.author) <= LONGEST_STRING:
        yield "@author", person_name(said.author)
    if said.published:
        yield "@published", said.published


def wanted_atoms(
    keyed: KeyedDocument, reader: DateReader, wanted: Mapping[str, set[str]], steps: set[str]
) -> dict[str, list[Atom]]:
    """Return only the atoms that rules ask for: `wanted` holds ways of reading by element key."""
    doc, found = keyed.doc, defaultdict(list)
    tags = set(map(tag_of, steps))
    for element, tag in enumerate(doc.tags):
        if tag not in tags or keyed.step(element) not in steps or not (ways := wanted.get(keyed.key(element))):
            continue
        key = keyed.key(element)
        candidates = list(element_atoms(doc, element, reader))
        end = doc.stop_text[element]
        for number in range(doc.first_text[element], end):
            if doc.owner[number] == element and doc.after[number] < 0:
                candidates += text_atoms(doc, number, element, "text", reader)
        if end < len(doc.texts) and doc.after[end] == element:
            candidates += text_atoms(doc, end, element, "tail", reader)
        for way, atom in candidates:
            if way in ways:
                found[f"{key}|{way}"].append(atom)
    if any(way.startswith("label:") for ways in wanted.values() for way in ways):
        for key, atom in label_atoms(keyed):
            place, _, way = key.rpartition("|")
            if way in wanted.get(place, ()):
                found[key].append(atom)
    for way, value in head_values(doc.page) if HEAD in wanted else ():
        found[f"{HEAD}|{way}"].append(Atom(0, 0, value))
    for atoms in found.values():
        atoms.sort(key=lambda atom: atom.at)
    return found


def _place(doc: Document, number: int) -> tuple[int, str]:
    after = doc.after[number]
    return (after, "tail") if after >= 0 else (doc.owner[number], "text")


def text_atoms(doc: Document, number: int, element: int, kind: str, reader: DateReader) -> Iterator[tuple[str, Atom]]:
    """Return the atoms of one text."""
    value = doc.texts[number]
    if len(value) > LONGEST_TEXT:
        return
    yield from _with_parts(kind, Atom(doc.text_at[number], element, value, _before(doc, number)), reader)


def element_atoms(doc: Document, element: int, reader: DateReader) -> Iterator[tuple[str, Atom]]:
    """Return the atoms of an element: its attributes, and its string where it is short."""
    lxml_element = doc.elements[element]
    first, stop = doc.first_text[element], doc.stop_text[element]
    if len(lxml_element.keys()) > 0:
        for name in ATTRIBUTES:
            if (value := lxml_element.get(name)) and len(value) <= LONGEST_STRING:
                yield f"@{name}", Atom(doc.start_at[element], element, " ".join(value.split()), _before(doc, first))
    if 0 < stop - first <= 12:
        value = doc.texts[first] if stop - first == 1 else doc.string(element)
        if len(value) <= LONGEST_STRING:
            yield from _with_parts("string", Atom(doc.start_at[element], element, value, _before(doc, first)), reader)


def _with_parts(kind: str, atom: Atom, reader: DateReader) -> Iterator[tuple[str, Atom]]:
    yield kind, atom
    if (found := reader.read(atom.value)) and found.span[1] - found.span[0] < len(atom.value):
        start, end = found.span
        if before := atom.value[:start].strip(_EDGE):
            yield f"{kind}:before", Atom(atom.at, atom.element, before, atom.before)
        if after := atom.value[end:].strip(_EDGE):
            yield f"{kind}:after", Atom(atom.at, atom.element, after, atom.value[:end])


def _before(doc: Document, number: int) -> str:
    return doc.texts[number - 1][-LONGEST_BEFORE:] if 0 < number <= len(doc.texts) else ""


def is_of_edit(atom: Atom) -> bool:
    """Say whether the words of a date, or those before it, tell of an edit.

    >>> is_of_edit(Atom(0, 0, "5 May 2015", "edited")), is_of_edit(Atom(0, 0, "5 May 2015", "asked"))
    (True, False)
    """
    return EDITED.search(f"{atom.before} {atom.value}") is not None


def clean_name(value: str) -> str:
    """Return a name without the punctuation around it, and without the number of its record.

    >>> clean_name("Ann's: "), clean_name("3. Ann"), clean_name("#12 Ann"), clean_name("(Ann)"), clean_name("Ann (Ulm)")
    ('Ann', 'Ann', 'Ann', 'Ann', 'Ann (Ulm)')
    """
    name = _ORDINAL.sub("", value.strip(_AFTER_NAME))
    name += ")" if name.count("(") > name.count(")") and ")" in value else ""
    return name[:-2] if name.endswith(("'s", "’s")) else name


def is_name(value: str) -> bool:
    """Say whether a value can be the name of a person or account."""
    return 0 < len(value) <= 40 and value.count(" ") <= 3 and any(c.isalnum() for c in value)


_TOKEN = re.compile(r"\S+")


def strip_affixes(value: str, first: tuple[str, ...], last: tuple[str, ...]) -> str:
    """Return the value without the words that all values of its key begin or end with.

    >>> strip_affixes("Posted by Ann on", ("posted", "by"), ("on",))
    'Ann'
    """
    words = _TOKEN.findall(value)
    begin = 0
    for token in first:
        if begin < len(words) and words[begin].lower() == token:
            begin += 1
        else:
            break
    end = len(words)
    for token in last:
        if end - 1 > begin - 1 and words[end - 1].lower() == token:
            end -= 1
        else:
            break
    return clean_name(" ".join(words[begin:end]))
