"""Connects to a collection's database, and translates SQLite's errors (damaged database, full disk).

It writes whole transactions or nothing. On a full disk SQLite takes back the whole transaction; what is written
afterwards would be committed statement by statement, without what it belongs to. So nothing is.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import Any, Self

from siteseer.collection.layout import OWN
from siteseer.errors import ArchiveError, DiskFullError, SiteseerError

FULL = ("full", "disk I/O")
DAMAGED = ("malformed", "not a database", "file is encrypted", "corrupt", "Could not decode")


def is_damage(error: sqlite3.Error) -> bool:
    """Say whether an error means that the file is not what was written."""
    return any(word in str(error) for word in DAMAGED)


def is_full(error: sqlite3.Error) -> bool:
    """Say whether an error means that there is no room left: nearly always where the disk refuses a write."""
    return any(word in str(error) for word in FULL)


def damage_sentence(path: Path, error: object) -> ArchiveError:
    """Return the sentence about a file below `siteseer/` that cannot be read."""
    return ArchiveError(f"{path} is damaged ({error}): `siteseer repair {collection_of(path)}` makes it again")


def collection_of(path: Path) -> Path:
    """Return the collection that a file below its folder `siteseer` belongs to.

    >>> str(collection_of(Path("forum/siteseer/objects/text.db")))
    'forum'
    """
    return next((folder.parent for folder in path.parents if folder.name == OWN), path.parent)


def translate_error(error: sqlite3.Error, path: Path | None = None) -> SiteseerError:
    """Return our error for one of the database's."""
    if is_full(error):
        return DiskFullError("the disk is full; make room and run the same command again: it goes on where it stopped")
    if path is not None and is_damage(error):
        return damage_sentence(path, error)
    return ArchiveError(f"the database cannot be written: {error}; what was reported done is saved")


def roll_back(db: sqlite3.Connection) -> None:
    """Take a transaction back, where the database has not done so already: it does where the disk is full."""
    if db.in_transaction:
        db.execute("ROLLBACK")


class WholeConnection(sqlite3.Connection):
    """A connection that writes whole transactions or nothing; damage is said in one sentence."""

    def execute(self, *given: Any) -> sqlite3.Cursor:
        """Run a statement; the first that costs us the transaction is the last that could write."""
        was_open = self.in_transaction
        try:
            return self.cursor(_DamageAwareCursor).execute(*given)
        except (sqlite3.Error, SiteseerError):
            if was_open and not self.in_transaction:
                super().execute("PRAGMA query_only = ON")
            raise


class _DamageAwareCursor(sqlite3.Cursor):
    """A cursor that says in our words that the file is damaged."""

    def execute(self, *given: Any) -> Self:
        try:
            return super().execute(*given)
        except sqlite3.DatabaseError as error:
            raise _own(error, self.connection) from error

    def fetchone(self) -> Any:
        try:
            return super().fetchone()
        except sqlite3.DatabaseError as error:
            raise _own(error, self.connection) from error

    def fetchall(self) -> list[Any]:
        try:
            return super().fetchall()
        except sqlite3.DatabaseError as error:
            raise _own(error, self.connection) from error

    def __next__(self) -> Any:
        try:
            return super().__next__()
        except sqlite3.DatabaseError as error:
            raise _own(error, self.connection) from error


def _own(error: sqlite3.DatabaseError, connection: sqlite3.Connection) -> Exception:
    """Return our error where the file is damaged or the disk full; all others are for the caller."""
    if is_full(error):
        return translate_error(error)
    if not is_damage(error):
        return error
    ((_, _, path), *_) = sqlite3.Connection.execute(connection, "PRAGMA database_list")
    return damage_sentence(Path(path), error)
