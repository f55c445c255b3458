"""Writes records as JSON, JSON lines, XML, CSV or Turtle, piece by piece.

What comes from pages is cleaned: no control characters, and no cell that a spreadsheet would run.
"""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from typing import Protocol
from xml.sax.saxutils import escape

from siteseer.errors import UsageError
from siteseer.model import JSON
from siteseer.wrapper.oxpath.language.result_schema import ResultSchema
from siteseer.wrapper.oxpath.output.records import Record

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
JOINED = "|"
PREFIXES = {
    "schema": "https://schema.org/",
    "dcterms": "http://purl.org/dc/terms/",
    "dc": "http://purl.org/dc/elements/1.1/",
    "foaf": "http://xmlns.com/foaf/0.1/",
    "sioc": "http://rdfs.org/sioc/ns#",
    "bibo": "http://purl.org/ontology/bibo/",
    "gr": "http://purl.org/goodrelations/v1#",
    "rdfs": "http://www.w3.org/2000/01/rdf-schema#",
}
"""Prefixes that labels and types may use; what has another prefix, or none, is named in a namespace of its own."""
OWN = "urn:x-siteseer:label:"
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_SPECIAL = re.compile(r"[\\\"\n\r\t\x00-\x1f\x7f\ud800-\udfff\ufffe\uffff]")
_UNSAFE = re.compile(r"[\x00-\x20<>\"{}|^`\\\ud800-\udfff]")


class Output(Protocol):
    """Writes records as text: what comes before, each record, what comes after."""

    def begin(self) -> str:
        """Return what stands before the first record."""
        ...

    def record(self, record: Record) -> str:
        """Return one record."""
        ...

    def end(self) -> str:
        """Return what stands behind the last record."""
        ...


def clean(text: str) -> str:
    r"""Return text without control characters and half characters.

    >>> clean("a\x00b\r\nc")
    'ab\r\nc'
    """
    return _CONTROL.sub("", text)


def as_json(record: Record, single: bool = False) -> JSON:
    """Return a record as JSON: a text, or an object with a list for each label; with `single` no lists of one.

    >>> as_json(Record("r", children=(Record("n", "A"), Record("n", "B"))))
    {'n': ['A', 'B']}
    """
    if not record.children and record.value is not None:
        return clean(record.value)
    found: dict[str, list[JSON]] = {}
    for child in record.children:
        found.setdefault(child.label, []).append(as_json(child, single))
    return {name: values[0] if single and len(values) == 1 else values for name, values in found.items()}


class JsonLines:
    """One record a line: `{"label": {...}}`."""

    def __init__(self, single: bool) -> None:
        self.single = single

    def begin(self) -> str:
        """Return nothing."""
        return ""

    def record(self, record: Record) -> str:
        """Return one line."""
        return json.dumps({record.label: as_json(record, self.single)}, ensure_ascii=False) + "\n"

    def end(self) -> str:
        """Return nothing."""
        return ""


class Json:
    """One object with a list for each label: all records are held until the end."""

    def __init__(self, single: bool) -> None:
        self.single = single
        self._found: dict[str, list[JSON]] = {}

    def begin(self) -> str:
        """Return nothing yet."""
        return ""

    def record(self, record: Record) -> str:
        """Keep a record."""
        self._found.setdefault(record.label, []).append(as_json(record, self.single))
        return ""

    def end(self) -> str:
        """Return all of it."""
        return json.dumps(self._found, ensure_ascii=False) + "\n"


class Xml:
    """`<results>` with an element for each record."""

    def begin(self) -> str:
        """Return the head."""
        return '<?xml version="1.0" encoding="UTF-8"?>\n<results>\n'

    def record(self, record: Record) -> str:
        """Return one element."""
        return self._element(record) + "\n"

    def _element(self, record: Record) -> str:
        name = record.label.replace(":", "_")
        inside = escape(clean(record.value or "")) + "".join(self._element(one) for one in record.children)
        return f"<{name}>{inside}</{name}>" if inside else f"<{name}/>"

    def end(self) -> str:
        """Return the foot."""
        return "</results>\n"


class Csv:
    """A row for each record of one label; its columns are known from the wrapper, many values are joined by `|`."""

    def __init__(self, shape: ResultSchema, label: str) -> None:
        tables = [one for one in shape.below.values() if one.below] or list(shape.below.values())
        if label and label not in shape.below:
            raise UsageError(f"the wrapper extracts no {label}; choose one of {', '.join(shape.below) or 'nothing'}")
        table = shape.below[label] if label else tables[0] if tables else ResultSchema("")
        self.label = table.label
        self.columns = table.columns() or [self.label]

    def begin(self) -> str:
        """Return the names of the columns."""
        return self._line(self.columns)

    def record(self, record: Record) -> str:
        """Return one row; records of other labels are left out."""
        if record.label != self.label:
            return ""
        if not record.children and record.value is not None:
            return self._line([_cell(record.value)])
        values: dict[str, list[str]] = {}
        _flatten(record, "", values)
        return self._line([_cell(JOINED.join(values.get(name, ()))) for name in self.columns])

    @staticmethod
    def _line(cells: list[str]) -> str:
        line = io.StringIO()
        csv.writer(line).writerow(cells)
        return line.getvalue()

    def end(self) -> str:
        """Return nothing."""
        return ""


def _flatten(record: Record, before: str, values: dict[str, list[str]]) -> None:
    for child in record.children:
        name = before + child.label
        if child.value is not None:
            values.setdefault(name, []).append(child.value)
        _flatten(child, name + "/", values)


def _cell(text: str) -> str:
    plain = clean(text)
    return "'" + plain if plain.startswith(FORMULA_SIGNS) else plain


FORMATS: dict[str, Callable[[ResultSchema, str, bool], Output]] = {
    "json": lambda shape, label, single: Json(single),
    "jsonl": lambda shape, label, single: JsonLines(single),
    "xml": lambda shape, label, single: Xml(),
    "csv": lambda shape, label, single: Csv(shape, label),
    "ttl": lambda shape, label, single: TurtleOutput(),
}


def output(form: str, shape: ResultSchema, label: str = "", single: bool = False) -> Output:
    """Return what writes a format; `label` chooses the records of a table."""
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}; choose one of {', '.join(FORMATS)}")
    return FORMATS[form](shape, label, single)


def name(label: str) -> str:
    """Return the IRI of a label.

    >>> name("schema:price"), name("Price")
    ('<https://schema.org/price>', '<urn:x-siteseer:label:Price>')
    """
    prefix, _, local = label.rpartition(":")
    return f"<{PREFIXES[prefix]}{local}>" if prefix in PREFIXES else f"<{OWN}{label}>"


def literal(text: str) -> str:
    r"""Write a text as a literal.

    >>> print(literal('say "hi"\n'))
    "say \"hi\"\n"
    """
    return '"' + _SPECIAL.sub(lambda found: _ESCAPES.get(found[0], ""), text) + '"'


class TurtleOutput:
    """Writes records as Turtle; blank nodes are numbered through the whole file."""

    def __init__(self) -> None:
        self._count = 0

    def begin(self) -> str:
        """Return nothing: all names are written out."""
        return ""

    def record(self, record: Record) -> str:
        """Return the statements about a record."""
        return "".join(self._statements(record, self._new())) + "\n"

    def _new(self) -> str:
        self._count += 1
        return f"_:r{self._count}"

    def _statements(self, record: Record, node: str) -> list[str]:
        types = record.types or (record.label,)
        found = [f"{node} a {', '.join(map(name, types))} .\n"]
        if record.value is not None:
            found.append(f"{node} <http://www.w3.org/1999/02/22-rdf-syntax-ns#value> {literal(record.value)} .\n")
        if record.url:
            found.append(f"{node} <http://purl.org/dc/terms/source> <{_UNSAFE.sub(_percent, record.url)}> .\n")
        for child in record.children:
            if child.value is not None and not child.children:
                found.append(f"{node} {name(child.label)} {literal(child.value)} .\n")
            else:
                inner = self._new()
                found += [f"{node} {name(child.label)} {inner} .\n", *self._statements(child, inner)]
        return found

    def end(self) -> str:
        """Return nothing."""
        return ""


def _percent(found: re.Match[str]) -> str:
    return "".join(f"%{byte:02X}" for byte in found[0].encode("utf-8", "replace"))
