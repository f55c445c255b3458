"""Opens the SQLite database of a folder's jobs; the threads of a process share one connection.

Every change is one transaction and durable when the call returns: a process may be killed at any moment.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import RLock
from typing import Any

from siteseer.collection.database_errors import roll_back, translate_error
from siteseer.errors import ArchiveError

SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS jobs (name TEXT PRIMARY KEY, job TEXT, made TEXT, due REAL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (
  id INTEGER PRIMARY KEY, job TEXT, number INTEGER, phase TEXT, because TEXT, wrapper TEXT, columns TEXT, began TEXT,
  ended TEXT, seconds REAL, error TEXT, note TEXT, stop INTEGER DEFAULT 0, UNIQUE (job, number));
CREATE TABLE IF NOT EXISTS tasks (
  run INTEGER, number INTEGER, key TEXT, start TEXT, variables TEXT, hosts TEXT, phase TEXT, attempts INTEGER DEFAULT 0,
  not_before REAL DEFAULT 0, worker TEXT, pages INTEGER DEFAULT 0, records INTEGER DEFAULT 0, counts TEXT,
  seconds REAL DEFAULT 0, memory INTEGER DEFAULT 0, ended REAL, error TEXT, step TEXT, url TEXT, screenshot TEXT,
  warnings TEXT, PRIMARY KEY (run, number)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS tasks_phase ON tasks (run, phase, hosts, number);
CREATE TABLE IF NOT EXISTS records (row INTEGER PRIMARY KEY, run INTEGER, task INTEGER, record TEXT);
CREATE INDEX IF NOT EXISTS records_task ON records (run, task, row);
CREATE TABLE IF NOT EXISTS alerts (
  id INTEGER PRIMARY KEY, job TEXT, run INTEGER, number INTEGER, sentences TEXT, repair TEXT, why TEXT, state TEXT,
  made TEXT);
"""
VERSION = "1"


class Database:
    """The open database; `transaction` is how it is read and written."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)  # variables may be passwords
        self._path = folder / "jobs.db"
        self._lock = RLock()
        try:
            self._db = sqlite3.connect(self._path, isolation_level=None, check_same_thread=False, timeout=30)
            self._path.chmod(0o600)
            self._db.row_factory = sqlite3.Row
            self._prepare()
        except sqlite3.OperationalError as error:
            raise translate_error(error) from error
        except sqlite3.DatabaseError as error:
            raise ArchiveError(f"{self._path} cannot be read ({error}); restore it, or remove it") from error

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")
        self._db.executescript(SCHEMA)
        self._db.execute("INSERT OR IGNORE INTO about VALUES ('version', ?)", (VERSION,))
        found = self._db.execute("SELECT value FROM about WHERE name = 'version'").fetchone()[0]
        if found != VERSION:
            raise ArchiveError(f"{self._path} was written by another version of Siteseer (format {found})")

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection for one change: all of it is written, or nothing."""
        with self._lock:
            try:
                self._db.execute("BEGIN IMMEDIATE")
                try:
                    yield self._db
                except BaseException:
                    roll_back(self._db)
                    raise
                self._db.execute("COMMIT")
            except sqlite3.OperationalError as error:
                raise translate_error(error) from error

    def rows(self, query: str, *values: Any) -> list[sqlite3.Row]:
        """Return the rows of a query."""
        with self._lock:
            try:
                return self._db.execute(query, values).fetchall()
            except sqlite3.OperationalError as error:
                raise translate_error(error) from error

    def close(self) -> None:
        """Close it."""
        with self._lock:
            self._db.close()
