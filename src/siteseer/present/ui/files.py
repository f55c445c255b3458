"""Objects and answers in, files for people out: CSV, JSON or Parquet, the capture named in every row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from siteseer.describe.describe import Answer
from siteseer.describe.exports import COLUMNS, csv_line, lines, rows
from siteseer.describe.search import Filter
from siteseer.describe.sparql import Term
from siteseer.errors import UsageError
from siteseer.model import JSON
from siteseer.present.service.collection import Collection

FORMS = ("csv", "json", "parquet")
CAPTURE = ("capture_file", "capture_offset", "capture_time", "capture_digest")
PARQUET_ROWS = 5_000
_WHOLE = ("integer", "int", "long", "nonNegativeInteger", "short")
_BROKEN = ("decimal", "double", "float")


def write_objects(collection: Collection, wanted: Filter, form: str, path: Path) -> None:
    """Write the objects that pass the filter into a file."""
    found = collection.stream(wanted)
    if form == "parquet":
        _write_parquet(COLUMNS, ([_flat(one).get(name) for name in COLUMNS] for one in found), path)
        return
    with path.open("w", encoding="utf-8", newline="") as file:
        file.writelines(rows(found) if form == "csv" else lines(found))


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


def _flat(one: Mapping[str, JSON]) -> dict[str, JSON]:
    flat = {**one, **{f"capture_{name}": value for name, value in one.get("capture", {}).items()}}
    return {
        name: json.dumps(value, ensure_ascii=False) if isinstance(value, dict) else value
        for name, value in flat.items()
    }


def _write_parquet(names: Sequence[str], found: Iterable[Sequence[JSON]], path: Path) -> None:
    try:
        import pyarrow as pa  # type: ignore[import-untyped]
        import pyarrow.parquet as pq  # type: ignore[import-untyped]
    except ModuleNotFoundError as error:
        raise UsageError("Parquet needs pyarrow; install it with: pip install 'siteseer[parquet]'") from error
    waiting = iter(found)
    writer: Any = None
    while True:
        batch = list(islice(waiting, PARQUET_ROWS))
        if writer is None:
            columns = {name: [row[at] for row in batch] for at, name in enumerate(names)}
            schema = pa.schema([(name, _type(values, pa)) for name, values in columns.items()])
            writer = pq.ParquetWriter(path, schema)
        if not batch:
            break
        arrays = [
            pa.array([_cast(row[at], kind.type, pa) for row in batch], kind.type) for at, kind in enumerate(schema)
        ]
        writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
    writer.close()


def _type(values: list[JSON], pa: Any) -> Any:
    known = [value for value in values if value is not None]
    if known and all(isinstance(value, list) for value in known):
        return pa.list_(pa.string())
    if known and all(isinstance(value, int) for value in known):
        return pa.int64()
    if known and all(isinstance(value, int | float) for value in known):
        return pa.float64()
    return pa.string()


def _cast(value: JSON, kind: Any, pa: Any) -> JSON:
    """Return a value that fits the column, whose type the first rows decided."""
    if value is None:
        return None
    if pa.types.is_list(kind):
        return [str(one) for one in value] if isinstance(value, list) else [str(value)]
    if pa.types.is_integer(kind):
        return value if isinstance(value, int) and abs(value) < 2**63 else None
    if pa.types.is_floating(kind):
        return float(value) if isinstance(value, int | float) else None
    return " ".join(map(str, value)) if isinstance(value, list) else str(value)
