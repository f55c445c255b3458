"""Checks a collection's database: whether it is whole, and agrees with the WARC files both ways."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

from siteseer.archive.warc_record import RENDERED, target_uri
from siteseer.collection.layout import DATABASE
from siteseer.collection.state import capture_of
from siteseer.collection.upgrade import FIRST, format_of, open_read_only, todays_format
from siteseer.collection.verify import Checks, check_capture
from siteseer.errors import SiteseerError
from siteseer.page.urls import url_key

NAME = DATABASE
MOST_MESSAGES = 20
CAPTURES = "SELECT url, status, original, file, offset, length, time, digest, record FROM captures ORDER BY id"
NEVER_BEGUN = "nothing was written yet: the command that made the directory was interrupted"
GO_ON = "run the same command again: it goes on where it was interrupted"
JSON_COLUMNS = (("objects", "object"), ("memory", "value"), ("notes", "details"), ("crawls", "options"))
DANGLING = (
    ("an object", "objects", "capture IS NOT NULL AND capture NOT IN (SELECT id FROM captures)"),
    ("a rendering", "renderings", "capture NOT IN (SELECT id FROM captures)"),
    ("a URL", "urls", "capture IS NOT NULL AND capture NOT IN (SELECT id FROM captures)"),
    ("a revisit", "captures", "original IS NOT NULL AND original NOT IN (SELECT id FROM captures)"),
)


def record_uri(url: str) -> str:
    """Return the URL that the record of a capture names; none of a view by a script, which has that of its page."""
    return "" if "#" in url else target_uri(url)


class StateSnapshot:
    """The database as it is at one moment, read only."""

    def __init__(self, db: sqlite3.Connection) -> None:
        self.db = db

    def rows(self, sql: str, values: Sequence[Any] = ()) -> sqlite3.Cursor:
        """Return the rows of a reading query."""
        return self.db.execute(sql, values)

    def about(self, name: str) -> str | None:
        """Return one fact about the collection."""
        row = self.db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    @property
    def position(self) -> tuple[str, int] | None:
        """Last committed WARC file and its length; `("", 0)`: nothing was committed. None: it was never said."""
        told = self.about("archive")
        if told is None:
            return None
        file, offset = json.loads(told)
        return str(file), int(offset)


@contextmanager
def snapshot(path: Path) -> Iterator[StateSnapshot]:
    """Open a database to read it as it is now, while others go on writing."""
    with closing(open_read_only(path, sqlite3.Connection)) as db:
        db.execute("BEGIN")
        yield StateSnapshot(db)


def check_state(state: StateSnapshot, checks: Checks) -> bool:
    """Check the database by itself; return whether it can be read on."""
    try:
        messages = [text for (text,) in state.rows(f"PRAGMA integrity_check({MOST_MESSAGES})") if text != "ok"]
        for message in messages:
            checks.say(NAME, -1, f"the database is damaged: {message.splitlines()[0]}")
        _check_values(state, checks)
        _check_texts(state, checks)
    except sqlite3.Error as error:
        checks.say(NAME, -1, f"the database is damaged: {error}")
        return False
    return not messages


def _check_values(state: StateSnapshot, checks: Checks) -> None:
    for table, column in JSON_COLUMNS:
        for (row,) in state.rows(f"SELECT rowid FROM {table} WHERE NOT json_valid({column})"):
            checks.say(NAME, row, f"a row of {table} is damaged: {column} is not JSON")
    wrong = "SELECT row FROM objects WHERE json_valid(object) AND json_extract(object, '$.id') IS NOT id"
    for (row,) in state.rows(wrong):
        checks.say(NAME, row, "a row of objects is damaged: it names another object")
    for number, url, key in state.rows("SELECT id, url, key FROM urls WHERE request IS NULL"):
        if not isinstance(url, str) or url_key(url) != key:
            checks.say(NAME, number, "a row of urls is damaged: URL and key do not belong together")


def _check_texts(state: StateSnapshot, checks: Checks) -> None:
    """Read every row: SQLite keeps no checksums, but a text that is no UTF-8 was not written so."""
    tables = state.rows("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite%'").fetchall()
    for (table,) in tables:
        try:
            for _ in state.rows(f"SELECT * FROM {table}"):
                pass
        except (sqlite3.Error, SiteseerError) as error:
            checks.say(NAME, -1, f"a row of {table} is damaged: {error}")


def check_links(state: StateSnapshot, checks: Checks) -> None:
    """Check that what names a capture names one that is there."""
    try:
        found = format_of(state.db)
        if found is None or not FIRST <= found <= todays_format():
            is_newer = found is not None and found > todays_format()
            advice = "install the version of Siteseer that wrote it" if is_newer else None
            checks.say(NAME, -1, f"the database has the format {found}; this version knows {todays_format()}", advice)
        for what, table, where in DANGLING:
            for (row,) in state.rows(f"SELECT rowid FROM {table} WHERE {where}"):
                checks.say(NAME, row, f"{what} names a capture that is not there")
    except sqlite3.Error as error:
        checks.say(NAME, -1, f"the database is damaged: {error}")


def check_ends(state: StateSnapshot, checks: Checks) -> None:
    """Check that the newest crawl of each strategy came to an end, if only to a limit: one that was killed did not.

    The site of a campaign is never over, and is left out.
    """
    sql = (
        "SELECT id, strategy FROM crawls WHERE finished IS NULL AND stopped_by IS NULL AND strategy <> 'focused' "
        "AND id IN (SELECT max(id) FROM crawls GROUP BY strategy) ORDER BY id"
    )
    try:
        if not state.rows("SELECT 1 FROM crawls LIMIT 1").fetchone():
            checks.say(NAME, -1, NEVER_BEGUN, GO_ON)
        for number, strategy in state.rows(sql):
            checks.say(NAME, -1, f"crawl {number} ({strategy}) did not come to its end", GO_ON)
    except sqlite3.Error as error:
        checks.say(NAME, -1, f"the crawls of the database cannot be read: {error}")


def check_captures(state: StateSnapshot, checks: Checks) -> None:
    """Check that each capture of the database lies in the WARC files, and each of these is in the database."""
    known: set[tuple[str, int]] = set()
    try:
        for url, status, original, *row in state.rows(CAPTURES):
            known.add((row[0], row[1]))
            check_capture(capture_of(row), record_uri(url), checks, 0 if original else status or 0)
        for url, *row in state.rows("SELECT url, file, offset, length, time, digest, record FROM renderings"):
            known.add((row[0], row[1]))
            check_capture(capture_of(row), target_uri(RENDERED + url), checks)
    except (sqlite3.Error, ValueError, TypeError) as error:
        checks.say(NAME, -1, f"the captures of the database cannot be read: {error}")
        return
    for file, offset in sorted(checks.places.keys() - known):
        checks.say(file, offset, "the database does not know this capture")
