"""Writes objects as a Parquet table; pyarrow comes with the extra `parquet`."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any

from siteseer.collection.objects.object_formats import COLUMNS, spool
from siteseer.interfaces import ChosenObjects
from siteseer.model import JSON
from siteseer.optional_dependencies import needs

ROWS = 5_000
"""Rows that are held at once."""
NUMBERS = {"capture_offset": "int64", "confidence": "float64"}
LISTS = ("tags", "links", "media")


class Parquet:
    """A table with the columns of the CSV export."""

    media_type = "application/vnd.apache.parquet"

    def pieces(self, chosen: ChosenObjects) -> Iterator[bytes]:
        """Return what was written."""
        return spool(lambda out: _write(chosen.objects(), out))


def _write(found: Iterable[Mapping[str, JSON]], out: IO[bytes]) -> None:
    with needs("parquet", "tables in Parquet need pyarrow"):
        import pyarrow  # type: ignore[import-untyped]
        import pyarrow.parquet  # type: ignore[import-untyped]
    schema = pyarrow.schema([(name, _type(pyarrow, name)) for name in COLUMNS])
    rows = iter(found)
    with pyarrow.parquet.ParquetWriter(out, schema) as writer:
        while batch := [_flat(one) for one in islice(rows, ROWS)]:
            writer.write_table(pyarrow.Table.from_pylist(batch, schema=schema))


def _type(pyarrow: Any, name: str) -> Any:
    if name in LISTS:
        return pyarrow.list_(pyarrow.string())
    if name == "fields":
        return pyarrow.map_(pyarrow.string(), pyarrow.string())
    return getattr(pyarrow, NUMBERS.get(name, "string"))()


def _flat(one: Mapping[str, JSON]) -> dict[str, JSON]:
    capture = {f"capture_{name}": value for name, value in one.get("capture", {}).items()}
    found = {**one, **capture}
    if "fields" in found:
        found["fields"] = list(found["fields"].items())
    return {name: found.get(name) for name in COLUMNS}
