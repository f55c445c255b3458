"""Stores objects with their captures in SQLite, one row per object, merged from all observations.

`object` and `told` hold each object once, merged from all meetings with it: what filters look at in narrow rows, which
are scanned faster than many indexes are kept, and the whole as JSON. `observation` holds every meeting, in order, so
that the full-text index and the RDF store can be brought up to date from it later, in bulk: adding during a crawl stays
cheap, and a kill between two steps loses nothing. A *described* observation told something new; its own words stand in
`json`, or, where that is empty, in the object's row.
"""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from threading import RLock

from siteseer.collection.database_errors import damage_sentence, is_damage, is_full, roll_back
from siteseer.collection.objects import merge_observations, object_json
from siteseer.collection.rdf.object_triples import Site
from siteseer.collection.upgrade import open_read_only
from siteseer.errors import ArchiveError, DiskFullError
from siteseer.model import JSON, Capture, WebObject
from siteseer.page.object_iris import legal, site_key
from siteseer.page.urls import identity

WORDS = """
CREATE VIRTUAL TABLE IF NOT EXISTS words USING fts5 (
    title, author, text, tags, content = '', tokenize = 'unicode61 remove_diacritics 2')
"""
SCHEMA = f"""
PRAGMA journal_mode = WAL;
CREATE TABLE IF NOT EXISTS object (
    key INTEGER PRIMARY KEY AUTOINCREMENT, id TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, site TEXT NOT NULL, author TEXT,
    published TEXT, thread TEXT, capture INTEGER NOT NULL, state TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS told (key INTEGER PRIMARY KEY, json TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS capture (
    key INTEGER PRIMARY KEY, record TEXT NOT NULL UNIQUE, file TEXT NOT NULL, offset INTEGER NOT NULL,
    length INTEGER NOT NULL, time TEXT NOT NULL, digest TEXT NOT NULL, url TEXT NOT NULL, page TEXT NOT NULL);
CREATE INDEX IF NOT EXISTS capture_page ON capture (page);
CREATE TABLE IF NOT EXISTS observation (
    seq INTEGER PRIMARY KEY AUTOINCREMENT, object INTEGER NOT NULL, capture INTEGER NOT NULL, state TEXT NOT NULL,
    described INTEGER NOT NULL, json TEXT, UNIQUE (object, capture));
CREATE INDEX IF NOT EXISTS observation_capture ON observation (capture);
CREATE TABLE IF NOT EXISTS annotation (
    row INTEGER PRIMARY KEY AUTOINCREMENT, object INTEGER NOT NULL, analyser TEXT NOT NULL, version TEXT NOT NULL,
    again INTEGER NOT NULL, json TEXT NOT NULL, UNIQUE (object, analyser));
CREATE TABLE IF NOT EXISTS site (key TEXT PRIMARY KEY, url TEXT, title TEXT, category TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS mark (name TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID;
{WORDS};
"""

RETOLD = "retold"
"""The mark of a description whose RDF store still says what objects said before they were told anew."""
Pair = tuple[WebObject, Capture]


@dataclass(frozen=True, slots=True)
class Observation:
    """One meeting with an object: what it said, in which state, and whether that was new."""

    seq: int
    thing: WebObject
    capture: Capture
    url: str
    state: str
    described: bool


class ObjectStore:
    """The tables of one collection, in one file."""

    def __init__(self, path: Path) -> None:
        self.path = path
        path.parent.mkdir(parents=True, exist_ok=True)
        self._lock = RLock()
        self._just_added: dict[str, WebObject] = {}
        """What the last call of `add` wrote for new objects, by its text: indexes made next need not read it again."""
        with _translated(path):
            self._connection = connect(path)
            try:
                self._connection.executescript(SCHEMA)
            except BaseException:
                self._connection.close()  # a file that stays open keeps its disk from being taken away
                raise

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    @contextmanager
    def transaction(self) -> Iterator[sqlite3.Connection]:
        """Give the connection inside a transaction that is committed at the end, or undone."""
        with self._lock, _translated(self.path):
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield self._connection
                self._connection.execute("COMMIT")
            except BaseException:
                roll_back(self._connection)
                raise

    def read(self, sql: str, values: Iterable[JSON] = ()) -> Iterator[tuple[JSON, ...]]:
        """Answer from a snapshot of its own, row by row, while others go on writing."""
        with _translated(self.path), closing(connect(self.path)) as connection:
            yield from connection.execute(sql, tuple(values))

    def add(self, pairs: Iterable[Pair]) -> None:
        """Add meetings with objects; all or none of them are in when this returns or fails."""
        met = [(object_json.cleaned(thing), capture) for thing, capture in pairs]
        with self.transaction() as db:
            self._just_added = merge_observations.add(db, met, mark(db, "words"))

    def rewrite_objects(self, change: Callable[[WebObject], WebObject]) -> None:
        """Change the fields of all objects."""
        with self.transaction() as db:
            self._just_added = {}
            if merge_observations.rewrite_objects(db, change, mark(db, "words")):
                set_mark(db, RETOLD, 1)

    def object_of_row(self, text: str) -> WebObject:
        """Return the object that a row tells of."""
        return self._just_added.get(text) or object_json.from_json(json.loads(text))

    def mark(self, name: str) -> int:
        """Return how far something derived from the rows has come."""
        with _translated(self.path):
            return mark(self._connection, name)

    def note_site(self, site: Site) -> None:
        """Keep what is known of a site as a whole."""
        row = (
            site_key(site.url),
            object_json.clean(site.url),
            object_json.clean(site.title or "") or None,
            site.category,
        )
        with self.transaction() as db:
            db.execute("INSERT OR REPLACE INTO site VALUES (?,?,?,?)", row)

    def sites(self) -> dict[str, Site]:
        """Return what is known of sites, by the key of their host."""
        return {key: Site(url, title, category) for key, url, title, category in self.read("SELECT * FROM site")}

    def observations(self, after: int, most: int) -> list[Observation]:
        """Return the next meetings after that number, in order."""
        return self._observations("o.seq > ? ORDER BY o.seq LIMIT ?", (after, most))

    def on_page(self, url: str) -> list[Observation]:
        """Return what was met on the latest capture of that page."""
        latest = "SELECT key FROM capture WHERE page = ? ORDER BY time DESC LIMIT 1"
        return self._observations(f"o.capture = ({latest}) ORDER BY o.seq", (identity(url),))

    def first_observations(self, ids: list[str]) -> list[Observation]:
        """Return the object as it is known now together with its first capture, in the order of the ids."""
        first = "b.id IN (SELECT value FROM json_each(?)) AND o.capture = b.capture"
        found = self._observations(first, (json.dumps(ids),), told="t.json")
        place = {each: number for number, each in enumerate(ids)}
        return sorted(found, key=lambda each: place[each.thing.id])

    def forget(self, record: str) -> list[Observation]:
        """Remove a capture; return the meetings that now have to tell what only it had told."""
        with self.transaction() as db:
            indexed = mark(db, "words")
            (key,) = db.execute("SELECT key FROM capture WHERE record = ?", (legal(record),)).fetchone() or (None,)
            rows = db.execute("SELECT object, described FROM observation WHERE capture = ?", (key,)).fetchall()
            db.execute("DELETE FROM observation WHERE capture = ?", (key,))
            db.execute("DELETE FROM capture WHERE key = ?", (key,))
            heirs = [
                seq for key, described in rows if (seq := merge_observations.inherit(db, key, indexed)) and described
            ]
        return [found for seq in heirs for found in self._observations("o.seq = ?", (seq,))]

    def _observations(
        self, where: str, values: tuple[JSON, ...], told: str = "coalesce(o.json, t.json)"
    ) -> list[Observation]:
        sql = f"""SELECT o.seq, {told}, c.file, c.offset, c.length, c.time, c.digest, c.record, c.url, o.state,
                  o.described FROM observation o JOIN object b ON b.key = o.object JOIN told t ON t.key = b.key
                  JOIN capture c ON c.key = o.capture WHERE {where}"""
        return [
            Observation(
                seq,
                self.object_of_row(told),
                merge_observations.capture_at(*rest[:6]),
                rest[6],
                rest[7],
                bool(rest[8]),
            )
            for seq, told, *rest in self.read(sql, values)
        ]


def connect(path: Path) -> sqlite3.Connection:
    """Open the file; writers of other processes are waited for. On a disk that is read-only it can be read."""
    connection = sqlite3.connect(path, timeout=60, isolation_level=None, check_same_thread=False)
    try:
        connection.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        if os.access(path, os.W_OK):
            raise
        connection = open_read_only(path, sqlite3.Connection)
    except BaseException:
        connection.close()
        raise
    connection.execute("PRAGMA synchronous = NORMAL")
    connection.execute("PRAGMA cache_size = -16000")
    return connection


def mark(db: sqlite3.Connection, name: str) -> int:
    """Return how far something derived from the rows has come."""
    row = db.execute("SELECT value FROM mark WHERE name = ?", (name,)).fetchone()
    return int(row[0]) if row else 0


def set_mark(db: sqlite3.Connection, name: str, value: int) -> None:
    """Say how far something derived from the rows has come."""
    db.execute("INSERT OR REPLACE INTO mark VALUES (?, ?)", (name, value))


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    """Turn SQLite's complaints into ours."""
    try:
        yield
    except sqlite3.Error as error:
        if is_full(error):
            raise DiskFullError(
                f"the disk is full: {path} could not be written; make room and run the command again"
            ) from error
        if is_damage(error):
            raise damage_sentence(path, error) from error
        raise ArchiveError(f"{path} cannot be used: {error}") from error
