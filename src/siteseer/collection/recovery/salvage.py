"""Salvages the rows of a damaged SQLite database that can still be read.

Tables are read from both ends; where a page of the file cannot be read, the search goes on behind it in steps that
double, and comes back from there.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any

Row = tuple[Any, ...]


class DamagedDatabase:
    """Reads a database of which parts are unreadable; it is never written to."""

    def __init__(self, path: Path) -> None:
        self.db = sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True, isolation_level=None)
        self.db.text_factory = lambda data: data.decode("utf-8", "surrogateescape")
        self.torn: set[str] = set()
        """Tables of which something could not be read."""

    def close(self) -> None:
        """Let go of the file."""
        self.db.close()

    def columns(self, table: str) -> list[str]:
        """Return the columns of a table; none where it cannot be found."""
        try:
            return [str(name) for _, name, *_ in self.db.execute(f"PRAGMA table_info({table})")]
        except sqlite3.Error:
            return []

    def rows(self, table: str, columns: list[str]) -> Iterator[Row]:
        """Yield the readable rows of a table; `torn` names it afterwards if there were others."""
        listed = ", ".join(columns)
        if not columns:
            self.torn.add(table)
            return
        try:
            self.db.execute(f"SELECT rowid FROM {table} LIMIT 0")
        except sqlite3.Error as error:
            if "no such column" not in str(error):
                self.torn.add(table)
                return
            yield from self._without_numbers(table, listed)
            return
        yield from self._numbered(table, listed)

    def _without_numbers(self, table: str, listed: str) -> Iterator[Row]:
        """Yield the rows of a table that has no row numbers, up to the first that cannot be read."""
        try:
            yield from self.db.execute(f"SELECT {listed} FROM {table}")
        except sqlite3.Error:
            self.torn.add(table)

    def _numbered(self, table: str, listed: str) -> Iterator[Row]:
        last = self._end(table, "DESC")
        after = 0
        if last is None:
            return
        while after < last:
            reached = after
            for number, *row in self._up_to_damage(table, f"SELECT rowid, {listed} FROM {table} NOT INDEXED "
                                                   f"WHERE rowid > {after} ORDER BY rowid"):  # fmt: skip
                reached = max(reached, number)
                yield tuple(row)
            if reached >= last or table not in self.torn:
                return
            beyond = self._first_readable(table, listed, max(reached, after + 1), last)
            yield from self._back(table, listed, reached, beyond)
            after = max(beyond - 1, after + 1)  # onwards, whatever a damaged page says of its rows

    def _up_to_damage(self, table: str, sql: str) -> Iterator[Row]:
        try:
            yield from self.db.execute(sql)
        except sqlite3.Error:
            self.torn.add(table)

    def _end(self, table: str, order: str) -> int | None:
        """Return the number of the last row; a guess where that cannot be read."""
        try:
            row = self.db.execute(f"SELECT rowid FROM {table} NOT INDEXED ORDER BY rowid {order} LIMIT 1").fetchone()
            return int(row[0]) if row else None
        except sqlite3.Error:
            self.torn.add(table)
            return 1 << 40

    def _first_readable(self, table: str, listed: str, reached: int, last: int) -> int:
        """Return the number of a row behind the damage."""
        step = 1
        while reached + step <= last:
            behind = f"FROM {table} NOT INDEXED WHERE rowid >= {reached + step}"
            sql = f"SELECT rowid, {listed} {behind} ORDER BY rowid LIMIT 1"
            try:
                row = self.db.execute(sql).fetchone()
                return int(row[0]) if row else last + 1
            except sqlite3.Error:
                step *= 2
        return last + 1

    def _back(self, table: str, listed: str, reached: int, beyond: int) -> list[Row]:
        """Return the rows between damage and a row behind it, in their order."""
        sql = (
            f"SELECT {listed} FROM {table} NOT INDEXED WHERE rowid > {reached} AND rowid < {beyond} ORDER BY rowid DESC"
        )
        return list(self._up_to_damage(table, sql))[::-1]
