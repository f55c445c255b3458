"""Objects as JSON in, lines of JSON, CSV, N-Quads or Turtle out; every row names its capture.

Spreadsheets run cells that begin like a formula, and pages can be written by anybody: such cells get an apostrophe.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import IO

from siteseer.describe.describe import Description
from siteseer.describe.objects import clean
from siteseer.describe.search import Filter
from siteseer.model import JSON

COLUMNS = (
    "kind", "id", "url", "permalink", "title", "author", "author_url", "published", "modified", "text", "parent",
    "thread", "tags", "links", "media", "fields", "capture_file", "capture_offset", "capture_time", "capture_digest",
    "because", "confidence",
)  # fmt: skip
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


def rows(found: Iterable[Mapping[str, JSON]]) -> Iterator[str]:
    """Return objects as lines of CSV, the names of the columns first."""
    yield csv_line(COLUMNS)
    for each in found:
        flat = {**each, **{f"capture_{name}": value for name, value in each.get("capture", {}).items()}}
        yield csv_line(flat.get(column) for column in COLUMNS)


def lines(found: Iterable[Mapping[str, JSON]]) -> Iterator[str]:
    """Return objects as lines of JSON."""
    return (json.dumps(each, ensure_ascii=False) + "\n" for each in found)


def _jsonl(description: Description, wanted: Filter, out: IO[bytes]) -> None:
    out.writelines(line.encode() for line in lines(description.objects(wanted)))


def _csv(description: Description, wanted: Filter, out: IO[bytes]) -> None:
    out.writelines(line.encode() for line in rows(description.objects(wanted)))


def _nquads(description: Description, wanted: Filter, out: IO[bytes]) -> None:
    out.writelines(text.encode() for text in _statements(description, wanted))


def _turtle(description: Description, wanted: Filter, out: IO[bytes]) -> None:
    from siteseer.describe.store import turtle

    turtle(_statements(description, wanted), out)


def _statements(description: Description, wanted: Filter) -> Iterator[str]:
    return description.statements(each["id"] for each in description.objects(wanted))


WRITERS: dict[str, Callable[[Description, Filter, IO[bytes]], None]] = {
    "jsonl": _jsonl,
    "csv": _csv,
    "nq": _nquads,
    "ttl": _turtle,
}


def write(description: Description, wanted: Filter, form: str, out: IO[bytes]) -> None:
    """Write the objects that pass the filter, in one of the formats of `WRITERS`, piece by piece."""
    WRITERS[form](description, wanted, out)
