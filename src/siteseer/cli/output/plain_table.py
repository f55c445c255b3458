"""Prints tables that fit the terminal: a heading, columns as wide as they need, one column that gives way."""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Sequence
from typing import Any

from siteseer.cli.terminal import plain

NARROWEST = 60
GAP = 2
FEWEST = 12
"""Letters that the column that gives way keeps."""


def print_table(headings: Sequence[str], rows: Sequence[Sequence[Any]], gives_way: int = -1) -> None:
    """Print rows below headings; numbers stand at the right of their columns."""
    for line in table_lines(headings, rows, max(NARROWEST, shutil.get_terminal_size().columns), gives_way):
        print(line)


def table_lines(
    headings: Sequence[str], rows: Sequence[Sequence[Any]], width: int, gives_way: int = -1
) -> Iterator[str]:
    """Yield the lines of a table.

    >>> list(table_lines(("page", "count"), [("a long name indeed", 7)], 20, 0))
    ['page           count', 'a long name …      7']
    """
    cells = [[_shown(value) for value in row] for row in rows]
    columns = list(zip(headings, *cells, strict=True))
    widths = [max(map(len, column)) for column in columns]
    spare = width - sum(widths) - GAP * (len(widths) - 1)
    if spare < 0:
        widths[gives_way] = max(FEWEST, widths[gives_way] + spare)
    is_number = [bool(rows) and all(isinstance(row[at], int | float) for row in rows) for at in range(len(headings))]
    for line in (list(headings), *cells):
        yield (" " * GAP).join(map(_placed, line, widths, is_number)).rstrip()


def _placed(text: str, width: int, is_number: bool) -> str:
    text = text if len(text) <= width else text[: width - 1] + "…"
    return f"{text:>{width}}" if is_number else f"{text:<{width}}"


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:,.2f}"
    return plain(" ".join(str("" if value is None else value).split()))
