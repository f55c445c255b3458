"""Stores a campaign's index over all its sites: pages, links, authors and terms, in SQLite.

The index is made from the collections, and made again from them when it is deleted.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from siteseer.collection.database_errors import roll_back, translate_error
from siteseer.errors import ArchiveError
from siteseer.page.text_hash import hash_of
from siteseer.page.urls import identity

FILE = "analysis.db"
VERSION = 1
SCHEMA = """
CREATE TABLE IF NOT EXISTS done (site TEXT PRIMARY KEY, capture INTEGER, meeting INTEGER) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS page (
  key INTEGER PRIMARY KEY, site TEXT, host TEXT, url TEXT, title TEXT, capture INTEGER, time TEXT, digest TEXT,
  relevance REAL, because TEXT, referrer INTEGER, words INTEGER, author TEXT, published TEXT);
CREATE INDEX IF NOT EXISTS page_site ON page (site);
CREATE INDEX IF NOT EXISTS page_words ON page (words) WHERE words IS NOT NULL;
CREATE INDEX IF NOT EXISTS page_digest ON page (digest) WHERE words IS NULL;
CREATE TABLE IF NOT EXISTS link (
  source INTEGER, author TEXT, target INTEGER, origin TEXT, host TEXT, url TEXT, PRIMARY KEY (source, author, target))
  WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS link_target ON link (target);
CREATE TABLE IF NOT EXISTS author (key TEXT PRIMARY KEY, name TEXT, site TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS written (
  object INTEGER PRIMARY KEY, page INTEGER, author TEXT, published TEXT, captured TEXT, relevance REAL, kind TEXT);
CREATE INDEX IF NOT EXISTS written_author ON written (author);
CREATE INDEX IF NOT EXISTS written_page ON written (page);
CREATE TABLE IF NOT EXISTS mention (
  object INTEGER, term TEXT, count INTEGER, PRIMARY KEY (object, term)) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS reading (
  object INTEGER, analyser TEXT, kind TEXT, label TEXT, degree REAL, PRIMARY KEY (object, analyser, kind, label))
  WITHOUT ROWID;
"""


def page_key(url: str) -> int:
    """Return the number that identifies a page, however its URL is written.

    >>> page_key("http://E.org:80/a") == page_key("http://e.org/a#top")
    True
    """
    return hash_of(identity(url.partition("#")[0]))


class CampaignIndex:
    """The open index of a campaign."""

    def __init__(self, folder: Path) -> None:
        self.path = path = folder / FILE
        with self._translated():
            self.db = sqlite3.connect(path, isolation_level=None)
            self.db.execute("PRAGMA journal_mode = WAL")
            self.db.execute("PRAGMA synchronous = NORMAL")
            self.db.execute("PRAGMA cache_size = -32000")
            if self.db.execute("PRAGMA user_version").fetchone()[0] not in (0, VERSION):
                raise ArchiveError(f"{path} was written by another version of Siteseer; delete it, it is made again")
            self.db.executescript(f"{SCHEMA} PRAGMA user_version = {VERSION};")

    @classmethod
    @contextmanager
    def of(cls, folder: Path) -> Iterator[CampaignIndex]:
        """Open the index of a campaign."""
        made = cls(folder)
        try:
            yield made
        finally:
            made.db.close()

    @contextmanager
    def _translated(self) -> Iterator[None]:
        """Turn SQLite's complaints into ours."""
        try:
            yield
        except sqlite3.OperationalError as error:
            raise translate_error(error) from error
        except sqlite3.DatabaseError as error:
            raise ArchiveError(f"{self.path} cannot be read ({error}); delete it, it is made again") from error

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection inside a transaction that is committed at the end, or undone."""
        with self._translated():
            self.db.execute("BEGIN")
            try:
                yield self.db
                self.db.execute("COMMIT")
            except BaseException:
                roll_back(self.db)
                raise

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of an SQL query."""
        with self._translated():
            return self.db.execute(sql, tuple(values)).fetchall()

    def each(self, sql: str, values: Sequence[Any] = ()) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of an SQL query."""
        with self._translated():
            yield from self.db.execute(sql, tuple(values))

    def done(self, site: str) -> tuple[int, int]:
        """Return the last capture and the last observation of an object of a site that were indexed."""
        found = self.rows("SELECT capture, meeting FROM done WHERE site = ?", (site,))
        return (int(found[0][0]), int(found[0][1])) if found else (0, 0)
