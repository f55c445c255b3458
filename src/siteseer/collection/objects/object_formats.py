"""Writes objects as JSON lines, CSV, N-Quads or Turtle; every row names its capture.

A format is one class, here or elsewhere, and one row in `plugins.OBJECT_FORMATS`; it is offered wherever objects are.

Spreadsheets run cells that begin like a formula, and pages can be written by anybody: such cells get an apostrophe.
"""

from __future__ import annotations

import csv
import io
import json
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from itertools import chain
from typing import IO

from siteseer.collection.description import Description
from siteseer.collection.objects.object_json import clean
from siteseer.collection.objects.object_search import Filter
from siteseer.interfaces import ChosenObjects
from siteseer.model import JSON
from siteseer.plugins import object_format

COLUMNS = (
    "kind", "id", "url", "permalink", "title", "author", "author_url", "published", "modified", "text", "parent",
    "thread", "tags", "links", "media", "fields", "capture_file", "capture_offset", "capture_time", "capture_digest",
    "because", "confidence",
)  # fmt: skip
IN_MEMORY, PIECE = 16 * 2**20, 2**16
"""Bytes of a file that is written as a whole: kept in memory, handed on at once."""
FORMULA_SIGNS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def cell(value: JSON) -> str:
    """Return a value as a cell that no spreadsheet runs.

    >>> cell("=1+1"), cell(3), cell(["a", "b"]), cell(None)
    ("'=1+1", '3', 'a b', '')
    """
    if value is None:
        return ""
    if isinstance(value, list):
        value = " ".join(str(item) for item in value)
    if isinstance(value, Mapping):
        value = json.dumps(value, ensure_ascii=False)
    if isinstance(value, int | float):
        return str(value)
    text = clean(str(value))
    return "'" + text if text.startswith(FORMULA_SIGNS) else text


def csv_line(cells: Iterable[JSON]) -> str:
    """Return one line of CSV, as RFC 4180 writes it.

    >>> csv_line(["a,b", 1])
    '"a,b",1\\r\\n'
    """
    line = io.StringIO()
    csv.writer(line).writerow([cell(value) for value in cells])
    return line.getvalue()


class JsonLines:
    """A line of JSON for each object."""

    media_type = "application/x-ndjson"

    def pieces(self, chosen: ChosenObjects) -> Iterator[bytes]:
        """Return the lines."""
        return ((json.dumps(each, ensure_ascii=False) + "\n").encode("utf-8", "replace") for each in chosen.objects())


class Csv:
    """A line of CSV for each object, the names of the columns first."""

    media_type = "text/csv; charset=utf-8"

    def pieces(self, chosen: ChosenObjects) -> Iterator[bytes]:
        """Return the lines."""
        yield csv_line(COLUMNS).encode()
        for each in chosen.objects():
            flat = {**each, **{f"capture_{name}": value for name, value in each.get("capture", {}).items()}}
            yield csv_line(flat.get(column) for column in COLUMNS).encode("utf-8", "replace")


class NQuads:
    """The statements about the objects, each with the capture that it is from."""

    media_type = "application/n-quads"

    def pieces(self, chosen: ChosenObjects) -> Iterator[bytes]:
        """Return the statements."""
        return (text.encode() for text in chosen.statements())


class Turtle:
    """The statements about the objects in Turtle."""

    media_type = "text/turtle; charset=utf-8"

    def pieces(self, chosen: ChosenObjects) -> Iterator[bytes]:
        """Return what was written."""
        from siteseer.collection.rdf.rdf_store import turtle

        return spool(lambda out: turtle(chosen.statements(), out))


def spool(write: Callable[[IO[bytes]], object]) -> Iterator[bytes]:
    """Return what a function writes, piece by piece: what is long waits in a temporary file.

    >>> list(spool(lambda out: out.write(b"hello")))
    [b'hello']
    """
    with tempfile.SpooledTemporaryFile(IN_MEMORY) as out:
        write(out)
        out.seek(0)
        while piece := out.read(PIECE):
            yield piece


@dataclass(frozen=True, slots=True)
class FilteredObjects:
    """The objects of a description that pass a filter; none where nothing was described."""

    description: Description | None
    wanted: Filter

    def objects(self) -> Iterator[Mapping[str, JSON]]:
        """Return the objects as JSON."""
        return self.description.objects(self.wanted) if self.description is not None else iter(())

    def statements(self) -> Iterator[str]:
        """Return the statements about the objects."""
        if self.description is None:
            return iter(())
        return self.description.statements(each["id"] for each in self.objects())


def object_pieces(description: Description | None, wanted: Filter, form: str) -> Iterator[bytes]:
    """Return the objects that pass the filter, in one of the formats of `plugins.OBJECT_FORMATS`, piece by piece.

    What is wrong with the format or the filter is raised now, before the first piece is used.
    """
    pieces = iter(object_format(form).pieces(FilteredObjects(description, wanted)))
    return chain([next(pieces, b"")], pieces)


def write(description: Description, wanted: Filter, form: str, out: IO[bytes]) -> None:
    """Write the objects that pass the filter, piece by piece."""
    out.writelines(object_pieces(description, wanted, form))
