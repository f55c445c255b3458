"""Copies of a collection's databases, as they are at one moment, while others may read them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from siteseer.errors import ArchiveError

DATABASES = ("siteseer/objects/text.db", "siteseer/state.db")
"""Copied by SQLite itself: what is committed may still stand in a log beside the file."""


def database_copy(database: Path, target: Path) -> Path:
    """Copy a database with everything committed; the same content gives the same bytes."""
    target.unlink(missing_ok=True)
    try:
        source = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=60)
        with closing(source), closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        raise ArchiveError(f"{database} cannot be copied: {error}") from error
    return target
