"""Reads a record's body as plain text with line breaks, without quotes, signatures and edit notes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from lxml import etree, html

from siteseer.extract.records.bodies.mail_head import split_head
from siteseer.extract.records.fields.field_atoms import DateReader
from siteseer.extract.records.record_document import LEFT_OUT, Document
from siteseer.extract.records.record_model import RecordKind
from siteseer.extract.records.role_words import EDITED, QUOTE, SIGNATURE
from siteseer.page.text import BLOCKS, WORD
from siteseer.page.urls import resolve

EDIT_NOTE = (10, 140)
"""Lengths of a note such as `Last edited by Ann on 5 May 2015`."""
MOST_LINKS = 200
LONGEST_BYLINE, MOST_OTHER_WORDS = 100, 3
"""A line such as `Ann wrote on 5 May 2015:` has few words besides the name and the date."""


@dataclass(frozen=True, slots=True)
class BodyText:
    """The text of a record and what it quotes."""

    text: str
    quotes: tuple[str, ...] = ()
    quoting: tuple[int, ...] = ()
    """The elements that quote."""
    heads: tuple[int, ...] = ()
    """The elements that only tell about the record."""


def read_body(
    doc: Document,
    elements: Iterable[int],
    kind: RecordKind,
    others: set[int],
    reader: DateReader,
    *,
    keeps_quotes: bool,
    is_citation: Callable[[int], bool] = lambda element: False,
    is_head: Callable[[int], bool] = lambda element: False,
) -> BodyText:
    """Return the text of a record whose body is these elements; `others` are bodies of other kinds inside it.

    `is_citation` knows quotations that neither their tag nor their class names, `is_head` boxes that only tell about
    the record; they are text where nothing else is.
    """
    parts: list[str] = []
    quotes: list[str] = []
    quoting: list[int] = []
    heads: list[int] = []
    for element in elements:
        leaves_quotes = kind == "list" and not keeps_quotes
        dropped, quoted = _left_out(doc, element, leaves_quotes, others, reader, is_citation)
        quoting += sorted(quoted)
        told = _outermost(doc, element, is_head)
        without = {doc.elements[number] for number in dropped | quoted}
        lines = _lines(doc.elements[element], without | {doc.elements[number] for number in told}) if told else ""
        heads += told if lines else []
        parts.append(lines or _lines(doc.elements[element], without))
        quotes += [_lines(doc.elements[number], set()) for number in sorted(quoted)]
    text = "\n".join(part for part in parts if part)
    return BodyText(text, tuple(quote for quote in quotes if quote), tuple(quoting), tuple(heads))


def _outermost(doc: Document, element: int, is_wanted: Callable[[int], bool]) -> list[int]:
    """Return the elements inside another that are wanted, none inside one of them."""
    found: list[int] = []
    at = element + 1
    while at < doc.stop[element]:
        if is_wanted(at):
            found.append(at)
            at = doc.stop[at]
        else:
            at += 1
    return found


def _left_out(
    doc: Document,
    element: int,
    without_quotes: bool,
    others: set[int],
    reader: DateReader,
    is_citation: Callable[[int], bool],
) -> tuple[set[int], set[int]]:
    dropped: set[int] = set()
    quoted: set[int] = set()
    at, stop = element + 1, doc.stop[element]
    while at < stop:
        if at in others or _is_signature(doc, at) or _is_edit_note(doc, at, reader):
            dropped.add(at)
        elif without_quotes and (is_quote(doc, at) or is_citation(at)):
            quoted.add(at)
        else:
            at += 1
            continue
        at = doc.stop[at]
    return dropped, quoted


def is_quote(doc: Document, element: int) -> bool:
    """Say whether an element quotes somebody else."""
    return doc.tags[element] == "blockquote" or bool((class_ := doc.classes[element]) and QUOTE.search(class_))


def _is_signature(doc: Document, element: int) -> bool:
    class_, id_ = doc.classes[element], doc.ids[element]
    return bool((class_ and SIGNATURE.search(class_)) or (id_ and SIGNATURE.search(id_)))


def _is_edit_note(doc: Document, element: int, reader: DateReader) -> bool:
    first, stop = doc.first_text[element], doc.stop_text[element]
    if not 0 < stop - first <= 8:
        return False
    length = sum(len(text) for text in doc.texts[first:stop])
    if not EDIT_NOTE[0] <= length <= EDIT_NOTE[1]:
        return False
    note = doc.string(element)
    return bool(EDITED.search(note)) and reader.read(note) is not None


def _lines(root: html.HtmlElement, without: set[html.HtmlElement]) -> str:
    parts: list[str] = []
    walk = etree.iterwalk(root, events=("start", "end", "comment"))
    for event, element in walk:
        block = event != "comment" and element.tag in BLOCKS
        if block:
            parts.append("\n")
        if event == "start":
            if element.tag in LEFT_OUT or element in without:
                walk.skip_subtree()
            elif element.text:
                is_mail = element.tag == "pre" and not any(part.strip() for part in parts)
                parts.append(_folded(split_head(element.text)[1] if is_mail else element.text))
        elif element.tail and element is not root:
            parts.append(_folded(element.tail))
    lines = (" ".join(line.split()) for line in "".join(parts).split("\n"))
    return "\n".join(line for line in lines if line)


def _folded(text: str) -> str:
    """Line breaks in the source are spaces on the page."""
    return text.replace("\n", " ").replace("\r", " ") if "\n" in text or "\r" in text else text


def references(doc: Document, elements: Iterable[int], tag: str, attribute: str) -> tuple[str, ...]:
    """Return the absolute addresses that the body refers to, each once."""
    return tuple(dict.fromkeys(_references(doc, elements, tag, attribute)))[:MOST_LINKS]


def _references(doc: Document, elements: Iterable[int], tag: str, attribute: str) -> Iterator[str]:
    for element in elements:
        for number in range(element, doc.stop[element]):
            value = doc.elements[number].get(attribute) if doc.tags[number] == tag else None
            if value and (url := resolve(doc.page.url, value)):
                yield url


def without_bylines(text: str, author: str | None, reader: DateReader) -> str:
    """Return a text without a first or last line that says no more than who wrote it and when.

    >>> without_bylines("Ann wrote on 5 May 2015:\\nIt is late.\\nSent on 6 May 2015", "Ann", DateReader())
    'It is late.'
    """
    lines = text.split("\n")
    if len(lines) > 1 and _is_byline(lines[0], author, reader):
        lines = lines[1:]
    if len(lines) > 1 and _is_byline(lines[-1], author, reader):
        lines = lines[:-1]
    return "\n".join(lines)


def _is_byline(line: str, author: str | None, reader: DateReader) -> bool:
    found = reader.read(line) if len(line) <= LONGEST_BYLINE else None
    if found is None:
        return False
    rest = f"{line[: found.span[0]]} {line[found.span[1] :]}"
    return len(WORD.findall(rest.replace(author, " ") if author else rest)) <= MOST_OTHER_WORDS
