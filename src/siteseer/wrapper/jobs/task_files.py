"""Reads files of start URLs and of variables: lines, CSV with a header, JSON lines."""

from __future__ import annotations

import csv
import json
from itertools import islice
from pathlib import Path

from siteseer.errors import ConfigurationError
from siteseer.wrapper.jobs.job import LONGEST_VALUE, MOST_TASKS

MOST_BYTES = 32 * 2**20


def read_starts(path: Path) -> list[str]:
    """Return the URLs of a file, one a line; empty lines and those that begin with # are left out."""
    lines = (line.strip() for line in _lines(path))
    return _bounded(path, [line for line in lines if line and not line.startswith("#")])


def read_sets(path: Path) -> list[dict[str, str]]:
    """Return the sets of variables of a file: a row of CSV each, or a JSON object on a line of its own."""
    lines = _lines(path)
    first = next((line for line in lines if line.strip()), "")
    return _bounded(path, _objects(path, lines) if first.lstrip().startswith("{") else _rows(path, lines))


def _lines(path: Path) -> list[str]:
    try:
        if path.stat().st_size > MOST_BYTES:
            raise ConfigurationError(f"{path} is larger than {MOST_BYTES // 2**20} MB; make several jobs of it")
        return path.read_text(encoding="utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        raise ConfigurationError(f"{path} is no text in UTF-8") from error
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror}") from error


def _bounded(path: Path, found: list[str] | list[dict[str, str]]) -> list:  # type: ignore[type-arg]
    if not found:
        raise ConfigurationError(f"{path} holds nothing")
    if len(found) > MOST_TASKS:
        raise ConfigurationError(f"{path} holds more than the {MOST_TASKS:,} tasks of one job; make several of it")
    return found


def _rows(path: Path, lines: list[str]) -> list[dict[str, str]]:
    csv.field_size_limit(10 * LONGEST_VALUE)
    reader = csv.reader(lines)
    try:
        head = [name.strip().removeprefix("$") for name in next(reader, [])]
        found = []
        for row in islice(reader, 2 * MOST_TASKS):
            if row and len(row) != len(head):
                raise ConfigurationError(f"{path}, line {reader.line_num}: {len(row)} values for {len(head)} names")
            found += [dict(zip(head, row, strict=True))] if row else []
    except csv.Error as error:
        raise ConfigurationError(f"{path}, line {reader.line_num}: {error}") from error
    return found


def _objects(path: Path, lines: list[str]) -> list[dict[str, str]]:
    found = []
    for number, line in enumerate(lines[: 2 * MOST_TASKS], 1):
        if not line.strip():
            continue
        try:
            one = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise ConfigurationError(f"{path}, line {number} is no JSON object") from error
        if not isinstance(one, dict) or not all(isinstance(value, str | int | float) for value in one.values()):
            raise ConfigurationError(f"{path}, line {number} is no JSON object of texts and numbers")
        found.append({name.removeprefix("$"): str(value) for name, value in one.items()})
    return found
