"""Reads and writes stored navigation patterns as JSON lines."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from siteseer.errors import ConfigurationError
from siteseer.model import JSON
from siteseer.strategies.acebot.oxpath_patterns import Pattern, PatternSyntaxError, parse_pattern

PATTERNS = "patterns.jsonl"
"""The file of patterns among what a collection learned."""
MAX_PATTERNS = 10_000


def patterns_of(source: str | Iterable[JSON], name: str = "stored patterns") -> list[Pattern]:
    """Read stored patterns in the order in which they were selected: JSON lines, or a pattern alone on its line.

    >>> [len(one.steps) for one in patterns_of('doc("http://e.org/")/(/html/body/a/@href{click/})+')]
    [1]
    """
    rows = enumerate(source.splitlines() if isinstance(source, str) else source, 1)
    found = [_read(row, f"{name}, line {number}") for number, row in rows if not isinstance(row, str) or row.strip()]
    if not found and isinstance(source, str):
        raise ConfigurationError(f"{name} holds no navigation patterns; make some with siteseer learn")
    if len(found) > MAX_PATTERNS:
        raise ConfigurationError(f"{name} holds more than {MAX_PATTERNS} navigation patterns")
    return found


def lines_of(rows: Sequence[JSON]) -> str:
    """Return the text of a file of stored patterns."""
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)


def _read(row: JSON, where: str) -> Pattern:
    try:
        line = json.loads(row) if isinstance(row, str) and row.lstrip().startswith("{") else row
        text = line["pattern"] if isinstance(line, dict) else line
        return parse_pattern(text.strip())
    except PatternSyntaxError as error:
        raise ConfigurationError(f"{where}, {error}") from error
    except (ValueError, KeyError, AttributeError, RecursionError) as error:
        raise ConfigurationError(f"{where} is no stored navigation pattern: {error!r}") from error
