"""Stores records as lists in JSON, as workers send them, and counts their attributes."""

from __future__ import annotations

import json
from collections import Counter

from siteseer.model import JSON
from siteseer.wrapper.oxpath.output.record_formats import clean
from siteseer.wrapper.oxpath.output.records import Record


def dump(record: Record) -> str:
    """Return a record as text.

    >>> load(dump(Record("r", None, ("t",), (Record("n", "A", url="u"),), "u"))).children[0].value
    'A'
    """
    return json.dumps(_listed(record), ensure_ascii=False)


def _listed(record: Record) -> JSON:
    value = None if record.value is None else clean(record.value)
    return [record.label, value, list(record.types), record.url, [_listed(one) for one in record.children]]


def load(text: str) -> Record:
    """Return a record that was stored."""
    return _made(json.loads(text))


def _made(found: JSON) -> Record:
    label, value, types, url, children = found
    return Record(label, value, tuple(types), tuple(_made(one) for one in children), url)


def count(record: Record, records: Counter[str], filled: Counter[str]) -> None:
    """Count a record under its label, and each attribute of it that is not empty.

    >>> records, filled = Counter(), Counter()
    >>> count(Record("r", None, (), (Record("n", "A"), Record("n", "B"), Record("p", " "))), records, filled)
    >>> dict(records), dict(filled)
    ({'r': 1}, {'r/n': 1})
    """
    records[record.label] += 1
    if record.value is not None and record.value.strip():
        filled[record.label] += 1
    filled.update(_paths(record, record.label))


def _paths(record: Record, before: str) -> set[str]:
    found = set()
    for child in record.children:
        path = f"{before}/{child.label}"
        if child.value is not None and child.value.strip():
            found.add(path)
        found |= _paths(child, path)
    return found
