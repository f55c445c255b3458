"""Writes objects and answers as files: CSV, JSON or Parquet, the capture named in every row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from siteseer.collection.description import Answer
from siteseer.collection.objects.object_formats import csv_line
from siteseer.collection.objects.object_search import Filter
from siteseer.collection.rdf.sparql import Term
from siteseer.model import JSON
from siteseer.optional_dependencies import needs
from siteseer.verbs.opened_collection import Collection

ANSWER_FORMATS = ("csv", "json", "parquet")
CAPTURE = ("capture_file", "capture_offset", "capture_time", "capture_digest")
_WHOLE = ("integer", "int", "long", "nonNegativeInteger", "short")
_BROKEN = ("decimal", "double", "float")


def write_objects(collection: Collection, wanted: Filter, form: str, path: Path) -> None:
    """Write the objects that pass the filter into a file."""
    with path.open("wb") as out:
        out.writelines(collection.file(wanted, form))


def write_answer(answer: Answer, form: str, path: Path) -> None:
    """Write the rows of an answer into a file."""
    names, found = answer_rows(answer)
    if form == "parquet":
        _write_parquet(names, found, path)
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        if form == "csv":
            file.write(csv_line(names))
            file.writelines(csv_line(row) for row in found)
        else:
            shown = (dict(zip(names, row, strict=True)) for row in found)
            json.dump([{key: value for key, value in row.items() if value is not None} for row in shown], file)


def answer_rows(answer: Answer) -> tuple[list[str], Iterator[list[JSON]]]:
    """Return the columns of an answer, and its rows, each with the capture of the object that it names."""
    names = [*answer.result.variables, *(name for name in CAPTURE if name not in answer.result.variables)]

    def each() -> Iterator[list[JSON]]:
        for row in answer.result.rows:
            capture = answer.capture_of(row) or {}
            values: dict[str, JSON] = {name: capture.get(name.removeprefix("capture_")) for name in CAPTURE}
            values |= {name: plain(term) for name, term in zip(answer.result.variables, row, strict=True)}
            yield [values[name] for name in names]

    return names, each()


def plain(term: Term | None) -> JSON:
    """Return a term as a value: a number where it is one, else its text.

    >>> plain(Term("literal", "3", "http://www.w3.org/2001/XMLSchema#integer")), plain(Term("uri", "urn:a"))
    (3, 'urn:a')
    """
    if term is None:
        return None
    kind = term.datatype.rpartition("#")[2]
    try:
        if kind in _WHOLE:
            return int(term.value)
        return float(term.value) if kind in _BROKEN else term.value
    except ValueError:
        return term.value


def _write_parquet(names: Sequence[str], found: Iterable[Sequence[JSON]], path: Path) -> None:
    with needs("parquet", "tables in Parquet need pyarrow"):
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    rows = list(found)
    columns = {name: [row[at] for row in rows] for at, name in enumerate(names)}
    arrays = {name: pyarrow.array(*_typed(values, pyarrow)) for name, values in columns.items()}
    pyarrow.parquet.write_table(pyarrow.table(arrays), path)


def _typed(values: list[JSON], pyarrow: Any) -> tuple[list[JSON], Any]:
    """Return the values of a column and its type: numbers where all are, else texts."""
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, int) and abs(value) < 2**63 for value in known):
        return values, pyarrow.int64()
    if known and all(isinstance(value, int | float) for value in known):
        return [None if value is None else float(value) for value in values], pyarrow.float64()
    return [None if value is None else str(value) for value in values], pyarrow.string()
