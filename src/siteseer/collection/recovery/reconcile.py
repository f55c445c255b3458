"""Reconciles a database with the WARC files beside it, so that both agree.

Captures that the database does not know are written into it; of captures that the WARC files have lost the URLs wait
again. The WARC files are not touched.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from siteseer.archive.warc_sources import warc_files
from siteseer.collection.checks.state_checks import CAPTURES, record_uri
from siteseer.collection.events import ROBOTS_MEMORY
from siteseer.collection.layout import archive_of
from siteseer.collection.recovery.archived_captures import CaptureRows, FoundCapture
from siteseer.collection.state import capture_of
from siteseer.collection.url_status import DONE, FAILED, WAITING
from siteseer.collection.verify import Checks, Places, check_file, is_told_right
from siteseer.page.two_grams import DistinctGrams
from siteseer.page.urls import host_of, url_key

AGAIN = "asked for again: its capture was lost"
ROBOTS_TXT = "/robots.txt"
LOGGED_ELSEWHERE = "recovered"
"""The family of URLs of which no log says where they belong."""


@dataclass(slots=True)
class Reconciliation:
    """What was done to make a database agree with the WARC files."""

    added: int = 0
    corrected: int = 0
    """Captures of which the database had said something else than their records."""
    lost: list[str] = field(default_factory=list)
    """The URLs of captures that are in no WARC file any more."""
    objects_lost: int = 0
    waiting_again: int = 0
    gram_sets: dict[int, DistinctGrams] = field(default_factory=dict)


def whole_records(collection: Path) -> Places:
    """Return the places of all captures that can be read."""
    checks = Checks()
    folder = archive_of(collection)
    for file in warc_files(folder) if folder.is_dir() else ():
        check_file(file, checks)
    return checks.places


def reconcile(db: sqlite3.Connection, collection: Path) -> Reconciliation:
    """Make a database agree with the WARC files, inside the caller's transaction."""
    done = Reconciliation()
    places = whole_records(collection)
    known: dict[tuple[str, int], list[int]] = {}
    wrong = set(_told_wrong(db, places))
    for table, number in (("captures", "id"), ("renderings", "capture")):
        for row, file, offset in db.execute(f"SELECT {number}, file, offset FROM {table}").fetchall():
            if (file, offset) in places:
                known.setdefault((file, offset), []).append(row)
            elif table == "captures":
                _forget(db, row, done)
            else:
                db.execute("DELETE FROM renderings WHERE capture = ?", (row,))
    unknown = places.keys() - known.keys()
    if unknown or wrong:
        for found in CaptureRows(collection).found(done.gram_sets):
            place = found.row["file"], found.row["offset"]
            if place in unknown:
                done.added += _add(db, found)
            elif place in wrong and not found.is_rendering:
                done.corrected += _correct(db, found)
    _mend_originals(db)
    return done


def _told_wrong(db: sqlite3.Connection, places: Places) -> Iterator[tuple[str, int]]:
    """Yield the places of captures of which the database says something else than the record."""
    for url, status, original, *row in db.execute(CAPTURES).fetchall():
        place = row[0], row[1]
        try:
            is_right = is_told_right(capture_of(row), record_uri(url), 0 if original else status or 0, places)
        except (ValueError, TypeError, AttributeError):  # a damaged row gives anything
            is_right = False
        if place in places and not is_right:
            yield place


def _correct(db: sqlite3.Connection, found: FoundCapture) -> int:
    """Write what a record says of a capture into its row; a URL with a fragment is a view of the page, and stays."""
    row, place = found.row, (found.row["file"], found.row["offset"])
    fixed = ("time", "length", "record", "status", "digest")
    changed = db.execute(
        f"UPDATE captures SET {', '.join(f'{name} = ?' for name in fixed)} WHERE file = ? AND offset = ?",
        (*(row[name] for name in fixed), *place),
    ).rowcount
    db.execute(
        "UPDATE captures SET url = ?, key = ? WHERE file = ? AND offset = ? AND instr(url, '#') = 0",
        (row["url"], row["key"], *place),
    )
    return changed


def _forget(db: sqlite3.Connection, capture: int, done: Reconciliation) -> None:
    """Take a capture out that is nowhere any more; its URL waits again, if it belongs to the last crawl."""
    url, crawl = db.execute("SELECT url, crawl FROM captures WHERE id = ?", (capture,)).fetchone()
    done.lost.append(str(url))
    done.objects_lost += db.execute("DELETE FROM objects WHERE capture = ?", (capture,)).rowcount
    for table in ("relevance", "renderings"):
        db.execute(f"DELETE FROM {table} WHERE capture = ?", (capture,))
    (last,) = db.execute("SELECT max(id) FROM crawls").fetchone()
    if crawl == last:
        done.waiting_again += db.execute(
            "UPDATE urls SET status = ?, because = ?, rule = NULL, capture = NULL WHERE capture = ? AND crawl = ? "
            "AND family IS NOT NULL",
            (WAITING, AGAIN, capture, crawl),
        ).rowcount
        db.execute("UPDATE crawls SET finished = NULL WHERE id = ?", (crawl,))
    if str(url).endswith(ROBOTS_TXT):  # its rules are asked for again, too
        db.execute("DELETE FROM memory WHERE kind = ? AND key || ? = ?", (ROBOTS_MEMORY, ROBOTS_TXT, url))
    db.execute("UPDATE urls SET capture = NULL WHERE capture = ?", (capture,))
    db.execute("DELETE FROM captures WHERE id = ?", (capture,))


def _add(db: sqlite3.Connection, found: FoundCapture) -> int:
    """Write a capture of the archive into the database; return how many there are now more."""
    row = found.row
    beside = db.execute("SELECT id, size FROM captures WHERE record = ?", (found.refers_to,)).fetchone()
    if found.is_rendering:
        place = (row["url"], *(row[name] for name in ("time", "file", "offset", "length", "record", "digest")))
        if beside is not None:
            db.execute("INSERT OR REPLACE INTO renderings VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
                       (beside[0], *place, "recovered from the WARC file"))  # fmt: skip
            db.execute("UPDATE captures SET title = coalesce(?, title) WHERE id = ?", (row.get("title"), beside[0]))
        return 0
    values = dict(row)
    if beside is not None:
        values |= {"original": beside[0], "size": beside[1] if row["status"] != 304 else 0}
    ((before,),) = db.execute("SELECT count(*) FROM captures WHERE crawl = ?", (row["crawl"],))
    values["requests"] = before + 1
    if (earlier := _number_before(db, row)) is not None:
        values["id"] = earlier
    number = insert(db, "captures", values)
    _add_url(db, found, number)
    return 1


def _number_before(db: sqlite3.Connection, row: dict[str, Any]) -> int | None:
    """Return the number that the capture of a URL had, where its row is lost and others still name it."""
    found = db.execute(
        "SELECT capture FROM urls WHERE crawl = ? AND key = ? AND capture IS NOT NULL "
        "AND capture NOT IN (SELECT id FROM captures)",
        (row["crawl"], row["key"]),
    ).fetchone()
    return int(found[0]) if found else None


def _add_url(db: sqlite3.Connection, found: FoundCapture, capture: int) -> None:
    row, sought = found.row, found.sought
    family = family_of(db, row["crawl"], found.family or LOGGED_ELSEWHERE) if sought.because else None
    db.execute(
        "INSERT INTO urls (crawl, key, url, host, status, family, priority, depth, hops, because, rule, referrer, "
        "capture) VALUES (?, ?, ?, ?, ?, ?, 0, ?, 0, ?, ?, ?, ?) ON CONFLICT (crawl, key) DO UPDATE SET "
        "status = excluded.status, capture = excluded.capture WHERE urls.capture IS NULL",
        (
            *(row["crawl"], row["key"] if row["request"] else url_key(row["url"]), row["url"], host_of(row["url"])),
            *(DONE if row["status"] < 400 else FAILED, family, sought.depth, sought.because),
            *(str(row["status"]), sought.referrer, capture),
        ),
    )


def family_of(db: sqlite3.Connection, crawl: int, name: str) -> int:
    """Return the number of a family of URLs."""
    db.execute("INSERT OR IGNORE INTO families (crawl, name, priority) VALUES (?, ?, 0)", (crawl, name))
    return int(db.execute("SELECT id FROM families WHERE crawl = ? AND name = ?", (crawl, name)).fetchone()[0])


def _mend_originals(db: sqlite3.Connection) -> None:
    """Let revisits whose original is gone name another capture of the same payload, or none."""
    gone = "original IS NOT NULL AND original NOT IN (SELECT id FROM captures)"
    for capture, digest in list(db.execute(f"SELECT id, digest FROM captures WHERE {gone}")):
        other = db.execute(
            "SELECT id FROM captures WHERE digest = ? AND original IS NULL AND id <> ?", (digest, capture)
        ).fetchone()
        db.execute("UPDATE captures SET original = ? WHERE id = ?", (other[0] if other else None, capture))


def insert(db: sqlite3.Connection, table: str, values: dict[str, Any]) -> int:
    """Write one row; return its number."""
    marks = ", ".join("?" * len(values))
    cursor = db.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
    return int(cursor.lastrowid or 0)
