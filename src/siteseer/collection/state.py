"""The database of a collection: crawls, every URL with its status and reason, captures, objects, strategy memory.

Together with the WARC files it is the truth. All writes of a group of pages are one transaction, committed after the
WARC is on disk, together with the position up to which the WARC is good.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siteseer.archive.warc_writer import OUR_NAME
from siteseer.collection.database_errors import WholeConnection, damage_sentence, translate_error
from siteseer.collection.layout import STAMP, STATE, archive_of, state_path, trash_of
from siteseer.collection.objects import object_json
from siteseer.collection.upgrade import apply_steps, connect_to_read, missing_steps
from siteseer.errors import ArchiveError, UsageError
from siteseer.model import JSON, Capture, WebObject

SCHEMA = """
CREATE TABLE IF NOT EXISTS about (name TEXT PRIMARY KEY, value TEXT) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS crawls (
  id INTEGER PRIMARY KEY, started TEXT, finished TEXT, strategy TEXT, options TEXT, counts TEXT, stopped_by TEXT);
CREATE TABLE IF NOT EXISTS families (
  id INTEGER PRIMARY KEY, crawl INTEGER, name TEXT, priority REAL, UNIQUE (crawl, name));
CREATE TABLE IF NOT EXISTS urls (
  id INTEGER PRIMARY KEY, crawl INTEGER, key BLOB, url TEXT, host TEXT, status INTEGER, family INTEGER, priority REAL,
  depth INTEGER, hops INTEGER, state TEXT, because TEXT, rule TEXT, referrer TEXT, request TEXT, capture INTEGER);
CREATE UNIQUE INDEX IF NOT EXISTS urls_key ON urls (crawl, key);
CREATE INDEX IF NOT EXISTS urls_waiting ON urls (crawl, host, family, priority DESC, id) WHERE status = 0;
CREATE INDEX IF NOT EXISTS urls_skipped ON urls (crawl, rule) WHERE status = 4;
CREATE TABLE IF NOT EXISTS tries (id INTEGER PRIMARY KEY, count INTEGER);
CREATE TABLE IF NOT EXISTS captures (
  id INTEGER PRIMARY KEY, crawl INTEGER, url TEXT, key BLOB, time TEXT, file TEXT, offset INTEGER, length INTEGER,
  record TEXT, status INTEGER, mime TEXT, digest TEXT, size INTEGER, original INTEGER, etag TEXT, modified TEXT,
  title TEXT, level TEXT, requests INTEGER, grams BLOB, request TEXT);
CREATE INDEX IF NOT EXISTS captures_digest ON captures (digest) WHERE original IS NULL;
CREATE INDEX IF NOT EXISTS captures_key ON captures (key);
CREATE TABLE IF NOT EXISTS renderings (
  capture INTEGER PRIMARY KEY, url TEXT, time TEXT, file TEXT, offset INTEGER, length INTEGER, record TEXT, digest TEXT,
  because TEXT);
CREATE TABLE IF NOT EXISTS objects (
  row INTEGER PRIMARY KEY, crawl INTEGER, capture INTEGER, id TEXT, kind TEXT, object TEXT);
CREATE INDEX IF NOT EXISTS objects_id ON objects (id);
CREATE INDEX IF NOT EXISTS objects_capture ON objects (capture);
CREATE TABLE IF NOT EXISTS memory (
  row INTEGER PRIMARY KEY, crawl INTEGER, kind TEXT, key TEXT, value TEXT, UNIQUE (crawl, kind, key));
CREATE TABLE IF NOT EXISTS notes (
  row INTEGER PRIMARY KEY, crawl INTEGER, url TEXT, event TEXT, because TEXT, details TEXT);
CREATE TABLE IF NOT EXISTS relevance (capture INTEGER PRIMARY KEY, degree REAL, because TEXT);
CREATE TABLE IF NOT EXISTS votes (
  crawl INTEGER, key BLOB, source INTEGER, score REAL, team INTEGER, PRIMARY KEY (crawl, key, source)) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS votes_team ON votes (crawl, team) WHERE team <> 0;
CREATE TABLE IF NOT EXISTS teams (
  crawl INTEGER, team INTEGER, pages INTEGER, degrees REAL, told REAL, PRIMARY KEY (crawl, team)) WITHOUT ROWID;
"""
LEDGER = "campaign.db"
"""The file by which the directory of a campaign is known: its sites have collections of their own below."""


def is_half_deleted(collection: Path) -> bool:
    """Say whether a deletion of the collection was interrupted."""
    return trash_of(collection).exists()


def is_lost(collection: Path) -> bool:
    """Say whether a collection has WARC files, and has lost the database that goes with them."""
    path = state_path(collection)
    if is_half_deleted(collection) or (path.is_file() and path.stat().st_size):
        return False
    folder = archive_of(collection)
    names = [file.name for file in folder.iterdir()] if folder.is_dir() else []
    is_marked = (collection / STAMP).is_file()  # written only where there was a database
    return any(map(OUR_NAME.fullmatch, names)) or (is_marked and bool(names))


def refuse_campaign(collection: Path) -> None:
    """Raise UsageError for the directory of a campaign, which holds collections and is none."""
    if (collection / LEDGER).is_file():
        raise UsageError(f"{collection} is a campaign: name one of its sites, {collection / 'sites'}/HOST")


def check_exists(collection: Path) -> None:
    """Raise UsageError where a directory has no database, or no longer all that belongs to it."""
    refuse_campaign(collection)
    if is_half_deleted(collection):
        raise UsageError(
            f"{collection} is half deleted, because --overwrite was interrupted: crawl with --overwrite once more"
        )
    check_not_lost(collection)
    if not state_path(collection).exists():
        raise UsageError(f"{collection} is no collection: it has no {STATE}")


def check_not_lost(collection: Path) -> None:
    """Raise ArchiveError where a collection has lost its database, or that is empty."""
    if is_lost(collection):
        path = state_path(collection)
        raise ArchiveError(f"{path} is lost: `siteseer repair {collection}` makes it again from the WARC files")


class State:
    """The open database of one collection. Used by one thread; every write waits for `commit`.

    One that is opened to be read sees the collection as it is at its first question, whatever is written meanwhile.
    """

    def __init__(self, collection: Path, create: bool = True, read_only: bool = False) -> None:
        path = state_path(collection)
        if not create or read_only or is_half_deleted(collection):
            check_exists(collection)
        self.collection = collection
        try:
            if read_only:
                self.db = connect_to_read(path)
                self.db.execute("BEGIN")
            else:
                path.parent.mkdir(parents=True, exist_ok=True)
                self.db = sqlite3.connect(path, isolation_level=None, cached_statements=256, factory=WholeConnection)
                self._prepare(path)
        except sqlite3.OperationalError as error:
            raise translate_error(error) from error
        except sqlite3.DatabaseError as error:
            raise damage_sentence(path, error) from error

    def _prepare(self, path: Path) -> None:
        """Make the tables, or bring those of an older format to today's, in one transaction."""
        self.db.execute("PRAGMA journal_mode = WAL")
        self.db.execute("PRAGMA synchronous = FULL")
        self.db.execute("PRAGMA cache_size = -16000")
        self.db.execute("BEGIN")
        steps = missing_steps(self.db, path)
        for statement in SCHEMA.split(";"):
            self.db.execute(statement)
        apply_steps(steps, self.db)
        self.db.execute("COMMIT")
        self.db.execute("BEGIN")

    @property
    def archive(self) -> Path:
        """The folder of the collection's WARC files."""
        return archive_of(self.collection)

    def about(self, name: str) -> str | None:
        """Return one fact about the collection."""
        row = self.db.execute("SELECT value FROM about WHERE name = ?", (name,)).fetchone()
        return row[0] if row else None

    def say(self, name: str, value: str) -> None:
        """Set one fact about the collection."""
        self.db.execute("INSERT OR REPLACE INTO about VALUES (?, ?)", (name, value))

    def position(self) -> tuple[str, int] | None:
        """Return the file of the archive and the offset in it up to which it is good; None where nothing was kept."""
        stored = self.about("archive")
        return tuple(json.loads(stored)) if stored is not None else None

    def keep_position(self, file: str, offset: int) -> None:
        """Write down how far the archive is good; a run that has written nothing leaves the last run's position."""
        if file or self.about("archive") is None:
            self.say("archive", json.dumps([file, offset]))

    def commit(self) -> None:
        """Make everything since the last commit durable."""
        try:
            self.db.execute("COMMIT")
            self.db.execute("BEGIN")
        except sqlite3.OperationalError as error:
            raise translate_error(error) from error

    def write_behind(self) -> None:
        """Leave it to the operating system when commits reach the disk: for collections that are only scratch."""
        self.commit()
        self.db.execute("COMMIT")
        self.db.execute("PRAGMA synchronous = OFF")
        self.db.execute("BEGIN")

    def close(self) -> None:
        """Close without committing; SQLite rolls back what is open."""
        self.db.close()

    # ── crawls ────────────────────────────────────────────────────────────────────────────────────────────────────

    def last_crawl(self, strategy: str | None = None) -> tuple[int, str, bool, Counter[str]] | None:
        """Return number, strategy, whether it finished, and counts of the newest crawl, of all or of a strategy."""
        row = self.db.execute(
            "SELECT id, strategy, finished, counts FROM crawls WHERE strategy = coalesce(?, strategy) "
            "ORDER BY id DESC LIMIT 1",
            (strategy,),
        ).fetchone()
        return (row[0], row[1], row[2] is not None, Counter(json.loads(row[3]))) if row else None

    def new_crawl(self, strategy: str, options: JSON) -> int:
        """Begin a crawl; return its number."""
        cursor = self.db.execute(
            "INSERT INTO crawls (started, strategy, options, counts) VALUES (?, ?, ?, '{}')",
            (datetime.now(UTC).isoformat(), strategy, json.dumps(options)),
        )
        return int(cursor.lastrowid or 0)

    def add_seeds(self, crawl: int, seeds: Sequence[str]) -> None:
        """Write the seeds with which a crawl goes on beside those that it began with."""
        (text,) = self.db.execute("SELECT options FROM crawls WHERE id = ?", (crawl,)).fetchone()
        options = json.loads(text)
        options["seeds"] = list(dict.fromkeys([*options.get("seeds", ()), *seeds]))
        self.db.execute("UPDATE crawls SET options = ? WHERE id = ?", (json.dumps(options), crawl))

    def save_counts(self, crawl: int, counts: Counter[str]) -> None:
        """Write the counts of a crawl."""
        self.db.execute("UPDATE crawls SET counts = ? WHERE id = ?", (json.dumps(counts), crawl))

    def go_on(self, crawl: int) -> None:
        """Write down that a crawl runs: until it ends again, nothing says why it stopped before."""
        self.db.execute("UPDATE crawls SET stopped_by = NULL WHERE id = ?", (crawl,))

    def end_crawl(self, crawl: int, stopped_by: str | None) -> None:
        """Write down that a crawl finished, or why it stopped."""
        finished = None if stopped_by else datetime.now(UTC).isoformat()
        self.db.execute("UPDATE crawls SET finished = ?, stopped_by = ? WHERE id = ?", (finished, stopped_by, crawl))

    # ── captures ──────────────────────────────────────────────────────────────────────────────────────────────────

    def relabel(self, capture: int, level: str | None) -> None:
        """Write down that a page is of another level than was thought when it came."""
        self.db.execute("UPDATE captures SET level = ? WHERE id = ?", (level, capture))

    def add_capture(self, values: dict[str, Any]) -> int:
        """Write one capture; return its number."""
        names = ", ".join(values)
        marks = ", ".join("?" * len(values))
        cursor = self.db.execute(f"INSERT INTO captures ({names}) VALUES ({marks})", tuple(values.values()))
        return int(cursor.lastrowid or 0)

    def add_rendering(self, capture: int, page_url: str, place: Capture, because: str) -> None:
        """Write down where the page of a capture lies as its scripts made it."""
        self.db.execute(
            "INSERT OR REPLACE INTO renderings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            (capture, page_url, place.time.isoformat(), place.file, place.offset, place.length, place.record,
             place.digest, because),
        )  # fmt: skip

    def renderings(self) -> Iterator[tuple[str, Capture]]:
        """Return URL and place of every page as its scripts made it."""
        rows = self.db.execute(
            "SELECT url, file, offset, length, time, digest, record FROM renderings ORDER BY capture"
        )
        for row in rows:
            yield row[0], capture_of(row[1:])

    def copy_capture(self, capture: int, page_url: str, key: bytes, requests: int) -> int:
        """Write a capture of a view of a page's script: its bytes are those of the page; return its number."""
        cursor = self.db.execute(
            "INSERT INTO captures (crawl, url, key, time, file, offset, length, record, status, mime, digest, size, "
            "original, requests) SELECT crawl, ?, ?, time, file, offset, length, record, status, mime, digest, size, "
            "original, ? FROM captures WHERE id = ?",
            (page_url, key, requests, capture),
        )
        return int(cursor.lastrowid or 0)

    def body_of(self, key: bytes, crawl: int) -> tuple[int, str, int] | None:
        """Return number, file and offset of the newest good capture of a URL in a crawl: where its bytes lie."""
        return self._body("c.key = ? AND c.crawl = ? AND c.status = 200", (key, crawl))

    def body_at(self, capture: int) -> tuple[int, str, int] | None:
        """Return number, file and offset of a capture: where its bytes lie."""
        return self._body("c.id = ?", (capture,))

    def _body(self, where: str, values: tuple[Any, ...]) -> tuple[int, str, int] | None:
        row = self.db.execute(
            "SELECT c.id, coalesce(o.file, c.file), coalesce(o.offset, c.offset) FROM captures c LEFT JOIN captures o "
            f"ON o.id = c.original WHERE {where} ORDER BY c.id DESC LIMIT 1",
            values,
        ).fetchone()
        return (int(row[0]), str(row[1]), int(row[2])) if row else None

    def redraw(self, capture: int, title: str, grams: bytes | None) -> None:
        """Write down title and new 2-grams of a page as its scripts made it."""
        self.db.execute("UPDATE captures SET title = ?, grams = ? WHERE id = ?", (title, grams, capture))

    def withdraw(self, capture: int) -> tuple[bytes, int]:
        """Let a capture be evidence only: no page, no content of its URL; return its 2-grams and how many objects went.

        It stays in the WARC and in the index. A capture without a key belongs to no URL.
        """
        (grams,) = self.db.execute("SELECT grams FROM captures WHERE id = ?", (capture,)).fetchone()
        self.db.execute(
            "UPDATE captures SET key = NULL, title = NULL, level = NULL, grams = NULL WHERE id = ?", (capture,)
        )
        self.db.execute("DELETE FROM relevance WHERE capture = ?", (capture,))
        gone = self.db.execute("DELETE FROM objects WHERE capture = ?", (capture,)).rowcount
        return grams or b"", gone

    def readmit(self, capture: int, key: bytes, title: str | None, grams: bytes | None) -> None:
        """Let a capture that was withdrawn count again."""
        self.db.execute("UPDATE captures SET key = ?, title = ?, grams = ? WHERE id = ?", (key, title, grams, capture))

    def original_of(self, digest: str) -> tuple[int, str, Capture] | None:
        """Return number, URL and place of the first capture with this payload."""
        row = self.db.execute(
            "SELECT id, url, file, offset, length, time, digest, record FROM captures "
            "WHERE digest = ? AND original IS NULL LIMIT 1",
            (digest,),
        ).fetchone()
        return (row[0], row[1], capture_of(row[2:])) if row else None

    def earlier_capture(self, key: bytes, crawl: int) -> dict[str, Any] | None:
        """Return the newest capture of a URL from an earlier crawl, with its validators."""
        cursor = self.db.execute(
            "SELECT * FROM captures WHERE key = ? AND crawl < ? AND status = 200 ORDER BY id DESC LIMIT 1", (key, crawl)
        )
        row = cursor.fetchone()
        return dict(zip((column[0] for column in cursor.description), row, strict=True)) if row else None

    def captures(self, crawl: int | None = None) -> Iterator[dict[str, Any]]:
        """Return all captures, of one crawl or of all, in the order in which they were made, without their 2-grams."""
        columns = (
            "id, crawl, url, time, file, offset, length, record, status, mime, digest, size, original, title, level, "
            "requests, request, length(grams) / 8 AS new_grams"
        )
        where, values = ("WHERE crawl = ?", (crawl,)) if crawl is not None else ("", ())
        cursor = self.db.execute(f"SELECT {columns} FROM captures {where} ORDER BY id", values)
        names = [column[0] for column in cursor.description]
        for row in cursor:
            yield dict(zip(names, row, strict=True))

    def gram_blobs(self, crawl: int) -> Iterator[bytes]:
        """Return the new 2-grams of every page, in order."""
        for (blob,) in self.db.execute(
            "SELECT grams FROM captures WHERE crawl = ? AND grams IS NOT NULL ORDER BY id", (crawl,)
        ):
            yield blob

    # ── objects, memory, notes ────────────────────────────────────────────────────────────────────────────────────

    def add_object(self, crawl: int, capture: int | None, found: WebObject) -> None:
        """Write one observation of an object."""
        name = found.id.encode("utf-8", "replace").decode("utf-8")
        self.db.execute(
            "INSERT INTO objects (crawl, capture, id, kind, object) VALUES (?, ?, ?, ?, ?)",
            (crawl, capture, name, found.kind, object_json.dumps(found)),
        )

    def objects(self, after: int = 0, crawl: int | None = None) -> Iterator[tuple[int, WebObject, Capture]]:
        """Return the observations of objects after a row: row, the object, where it was captured."""
        where = "AND o.crawl = ?" if crawl is not None else ""
        cursor = self.db.execute(
            "SELECT o.row, o.object, c.file, c.offset, c.length, c.time, c.digest, c.record FROM objects o "
            f"JOIN captures c ON c.id = o.capture WHERE o.row > ? {where} ORDER BY o.row",
            (after,) if crawl is None else (after, crawl),
        )
        for row in cursor:
            yield row[0], object_json.loads(row[1]), capture_of(row[2:])

    def objects_on(self, key: bytes, before_crawl: int) -> list[WebObject]:
        """Return the objects that the newest earlier crawl found on a page."""
        row = self.db.execute(
            "SELECT c.crawl FROM captures c WHERE c.key = ? AND c.crawl < ? "
            "AND EXISTS (SELECT 1 FROM objects o WHERE o.capture = c.id) ORDER BY c.id DESC LIMIT 1",
            (key, before_crawl),
        ).fetchone()
        if row is None:
            return []
        found = self.db.execute(
            "SELECT o.object FROM objects o JOIN captures c ON c.id = o.capture WHERE c.key = ? AND c.crawl = ? "
            "ORDER BY o.row",
            (key, row[0]),
        )
        return [object_json.loads(text) for (text,) in found]

    def remember(self, crawl: int, kind: str, key: str, value: JSON) -> None:
        """Write one row of a strategy's memory; a row of the same key keeps its place and gets the new value."""
        self.db.execute(
            "INSERT INTO memory (crawl, kind, key, value) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (crawl, kind, key) DO UPDATE SET value = excluded.value",
            (crawl, kind, key, json.dumps(value, ensure_ascii=False)),
        )

    def recall(self, crawl: int, kind: str) -> list[tuple[str, JSON]]:
        """Return what was remembered under a kind, oldest first."""
        rows = self.db.execute("SELECT key, value FROM memory WHERE crawl = ? AND kind = ? ORDER BY row", (crawl, kind))
        return [(key, json.loads(value)) for key, value in rows]

    def recall_one(self, crawl: int, kind: str, key: str) -> JSON:
        """Return one remembered value, or None."""
        row = self.db.execute(
            "SELECT value FROM memory WHERE crawl = ? AND kind = ? AND key = ?", (crawl, kind, key)
        ).fetchone()
        return json.loads(row[0]) if row else None

    def note(self, crawl: int, url: str, event: str, because: str, details: JSON) -> None:
        """Write down something that happened."""
        self.db.execute(
            "INSERT INTO notes (crawl, url, event, because, details) VALUES (?, ?, ?, ?, ?)",
            (crawl, url, event, because, json.dumps(details, ensure_ascii=False)),
        )

    def forget_notes(self, crawl: int, events: Sequence[str]) -> None:
        """Forget what was noted of some events."""
        marks = ", ".join("?" * len(events))
        self.db.execute(f"DELETE FROM notes WHERE crawl = ? AND event IN ({marks})", (crawl, *events))

    def rows(self, query: str, values: Sequence[Any] = ()) -> Iterable[tuple[Any, ...]]:
        """Return the rows of a reading query."""
        return self.db.execute(query, values)


def capture_of(row: Sequence[Any]) -> Capture:
    """Return a capture from its columns file, offset, length, time, digest, record."""
    file, offset, length, time, digest, record = row
    return Capture(file, offset, length, datetime.fromisoformat(time), digest, record)
