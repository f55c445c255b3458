"""Records in, text out: JSON, lines of JSON, XML, CSV or Turtle, piece by piece.

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
from siteseer.wrappers.records import Record
from siteseer.wrappers.shape import Shape
from siteseer.wrappers.turtle import TurtleOutput

_CONTROL = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\ud800-\udfff\ufffe\uffff]")
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
JOINED = "|"


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

    def __init__(self, shape: Shape, label: str) -> None:
        tables = [one for one in shape.below.values() if one.below] or list(shape.below.values())
        if label and label not in shape.below:
            raise UsageError(f"the wrapper extracts no {label}; choose one of {', '.join(shape.below) or 'nothing'}")
        table = shape.below[label] if label else tables[0] if tables else Shape("")
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


FORMATS: dict[str, Callable[[Shape, str, bool], Output]] = {
    "json": lambda shape, label, single: Json(single),
    "jsonl": lambda shape, label, single: JsonLines(single),
    "xml": lambda shape, label, single: Xml(),
    "csv": lambda shape, label, single: Csv(shape, label),
    "ttl": lambda shape, label, single: TurtleOutput(),
}


def output(form: str, shape: Shape, label: str = "", single: bool = False) -> Output:
    """Return what writes a format; `label` chooses the records of a table."""
    if form not in FORMATS:
        raise UsageError(f"there is no format {form!r}; choose one of {', '.join(FORMATS)}")
    return FORMATS[form](shape, label, single)
