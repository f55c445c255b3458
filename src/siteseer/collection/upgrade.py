"""Upgrades the database of an older format step by step, in one transaction that a kill cannot spoil.

Format 1 is that of Siteseer 0.1.0. A step is a function that changes the database of one format into that of the next;
append it to `STEPS`, and today's format is one higher. A writer takes all missing steps before it does anything else.
Readers change nothing: they see an older database as it would be, in a copy.
"""

from __future__ import annotations

import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Sequence
from contextlib import closing
from pathlib import Path

from siteseer.collection.database_errors import WholeConnection
from siteseer.errors import ArchiveError, DiskFullError

Step = Callable[[sqlite3.Connection], None]
FIRST = 1
STEPS: list[Step] = []
"""The first makes format 2 of format 1, the second format 3 of format 2, and so on."""


def todays_format() -> int:
    """Return the format that this version of Siteseer writes."""
    return FIRST + len(STEPS)


def format_of(db: sqlite3.Connection) -> int | None:
    """Return the format of a database; None where it is new."""
    if not db.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'about'").fetchone():
        return None
    row = db.execute("SELECT value FROM about WHERE name = 'version'").fetchone()
    return int(row[0]) if row and str(row[0]).isdecimal() else None


def missing_steps(db: sqlite3.Connection, path: Path) -> Sequence[Step]:
    """Return the steps from the format of a database to today's; refuse one that a later version wrote."""
    found = format_of(db)
    if found is None:
        return ()
    if not FIRST <= found <= todays_format():
        raise ArchiveError(
            f"{path} was written by a newer version of Siteseer (format {found}, this one knows {todays_format()}): "
            "install that version"
        )
    return tuple(STEPS[found - FIRST :])


def apply_steps(steps: Sequence[Step], db: sqlite3.Connection) -> None:
    """Take steps inside the transaction of the caller, and write down the format that this makes."""
    for step in steps:
        step(db)
    if format_of(db) != todays_format():
        db.execute("INSERT OR REPLACE INTO about VALUES ('version', ?)", (str(todays_format()),))


def connect_to_read(path: Path) -> sqlite3.Connection:
    """Open a database to look at it: nothing is written, not even beside a running crawl or on a read-only disk."""
    db = open_read_only(path)
    try:
        steps = missing_steps(db, path)
        return _as_today(db, steps) if steps else db
    except BaseException:
        db.close()
        raise


def open_read_only(path: Path, factory: type[sqlite3.Connection] = WholeConnection) -> sqlite3.Connection:
    """Open a database without writing beside it; what is committed may still stand in the log of a killed process."""
    address = f"{path.resolve().as_uri()}?mode=ro"
    db = sqlite3.connect(address, uri=True, timeout=10, isolation_level=None, factory=factory, check_same_thread=False)
    try:
        db.execute("SELECT 1 FROM sqlite_master").fetchone()
    except (sqlite3.OperationalError, DiskFullError):
        db.close()
        log = path.with_name(f"{path.name}-wal")
        if not path.is_file():
            raise
        if log.exists() and log.stat().st_size:
            return _copy_with_log(path, log, factory)
        # where nothing can be written
        db = sqlite3.connect(
            f"{address}&immutable=1", uri=True, isolation_level=None, factory=factory, check_same_thread=False
        )
    return db


def _copy_with_log(path: Path, log: Path, factory: type[sqlite3.Connection]) -> sqlite3.Connection:
    """Return a copy of a database into which its log is taken: SQLite reads no log where it cannot write beside it."""
    with tempfile.TemporaryDirectory() as folder:  # gone at once: the open file stays until it is closed
        copy = Path(folder) / path.name
        shutil.copyfile(path, copy)
        shutil.copyfile(log, copy.with_name(log.name))
        db = sqlite3.connect(copy, isolation_level=None, factory=factory, check_same_thread=False)
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA query_only = ON")
    return db


def _as_today(db: sqlite3.Connection, steps: Sequence[Step]) -> sqlite3.Connection:
    """Return a copy in memory, brought to today's format."""
    copy = sqlite3.connect(":memory:", isolation_level=None)
    with closing(db):
        db.backup(copy)
    copy.execute("BEGIN")
    apply_steps(steps, copy)
    copy.execute("COMMIT")
    copy.execute("PRAGMA query_only = ON")
    return copy
