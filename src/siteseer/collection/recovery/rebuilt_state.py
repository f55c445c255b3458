"""Rebuilds a lost or damaged database from its readable rows, WARC files, logs, reports and described objects."""

from __future__ import annotations

import json
import re
import sqlite3
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from siteseer.collection import layout
from siteseer.collection.derived import read_stamp, stamp_path
from siteseer.collection.layout import SUMMARY, archive_of
from siteseer.collection.recovery.archived_captures import CrawlInfo, archive_facts
from siteseer.collection.recovery.reconcile import Reconciliation, insert, reconcile
from siteseer.collection.recovery.salvage import DamagedDatabase, Row
from siteseer.collection.state import SCHEMA
from siteseer.collection.upgrade import todays_format
from siteseer.collection.url_status import FAILED, SKIPPED
from siteseer.model import JSON, Capture, WebObject
from siteseer.page.urls import host_of, url_key

TABLES = (
    "crawls", "families", "urls", "tries", "captures", "renderings", "objects", "memory", "notes", "relevance",
    "votes", "teams",
)  # fmt: skip
JSON_COLUMNS = {"objects": "object", "memory": "value", "notes": "details", "crawls": "options"}
NOT_UTF8 = re.compile("[\udc80-\udcff]")
NOT_RESUMED = ("wrapper", "focused")
"""Strategies that no crawl goes on with by itself."""


@dataclass(slots=True)
class RebuiltState:
    """What became of a database."""

    agreed: Reconciliation
    rows: Counter[str] = field(default_factory=Counter)
    """How many rows of each table could be read."""
    torn: tuple[str, ...] = ()
    """Tables of which rows are lost."""
    is_frontier_lost: bool = False
    """Whether it is unknown which URLs waited."""


def rebuild(collection: Path, damaged: Path | None, target: Path, position: tuple[str, int]) -> RebuiltState:
    """Write a new database beside the collection's own; `damaged` is what is left of that one."""
    target.unlink(missing_ok=True)
    db = sqlite3.connect(target, isolation_level=None)
    try:
        db.execute("PRAGMA synchronous = FULL")
        db.executescript(SCHEMA)
        db.execute("BEGIN")
        db.execute("INSERT INTO about VALUES ('version', ?)", (str(todays_format()),))
        db.execute("INSERT INTO about VALUES ('archive', ?)", (json.dumps(position),))
        rows, torn = _salvage(db, damaged) if damaged is not None else (Counter[str](), TABLES)
        crawls = _crawls(db, collection)
        done = RebuiltState(reconcile(db, collection), rows, torn)
        if _drop_dangling(db):
            done.torn = (*torn, "objects")
        _end(db, collection, done, crawls, position)
        db.execute("COMMIT")
    finally:
        db.close()
    return done


def _salvage(db: sqlite3.Connection, damaged: Path) -> tuple[Counter[str], tuple[str, ...]]:
    """Copy what can be read of the old database."""
    old, rows = DamagedDatabase(damaged), Counter[str]()
    try:
        for table in TABLES:
            wanted = [str(name) for _, name, *_ in db.execute(f"PRAGMA table_info({table})")]
            columns = [name for name in old.columns(table) if name in wanted]
            marks = ", ".join("?" * len(columns))
            for row in old.rows(table, columns):
                if _is_sound(table, dict(zip(columns, row, strict=True))):
                    sql = f"INSERT OR IGNORE INTO {table} ({', '.join(columns)}) VALUES ({marks})"
                    rows[table] += db.execute(sql, row).rowcount
                else:
                    old.torn.add(table)
        _keep_facts(db, old)
        return rows, tuple(name for name in TABLES if name in old.torn)
    finally:
        old.close()


def _drop_dangling(db: sqlite3.Connection) -> int:
    """Take out what names captures that are not there; return how many objects went."""
    gone = "capture IS NOT NULL AND capture NOT IN (SELECT id FROM captures)"
    db.execute(f"UPDATE urls SET capture = NULL WHERE {gone}")
    for table in ("renderings", "relevance"):
        db.execute(f"DELETE FROM {table} WHERE {gone}")
    return db.execute(f"DELETE FROM objects WHERE {gone}").rowcount


def _keep_facts(db: sqlite3.Connection, old: DamagedDatabase) -> None:
    """Keep what is known of the collection as a whole, beside format and position, which are known better."""
    found: Iterator[Row] = old.rows("about", ["name", "value"] if old.columns("about") else [])
    unknown = ("version", "archive", *(("described",) if "objects" in old.torn else ()))
    for name, value in found:
        if name not in unknown and isinstance(value, str):
            db.execute("INSERT OR IGNORE INTO about VALUES (?, ?)", (name, value))


def _is_sound(table: str, row: dict[str, Any]) -> bool:
    """Say whether a row is what was written, as far as that can be told."""
    if any(isinstance(value, str) and NOT_UTF8.search(value) for value in row.values()):
        return False
    if table in JSON_COLUMNS:
        try:
            told = json.loads(row[JSON_COLUMNS[table]])
        except (ValueError, TypeError):
            return False
        return table != "objects" or told.get("id") == row["id"]
    if table == "urls" and isinstance(row["url"], str) and row["request"] is None:
        return bool(url_key(row["url"]) == row["key"])
    return True


def _crawls(db: sqlite3.Connection, collection: Path) -> set[int]:
    """Write the crawls down that only the WARC files know of; return their numbers."""
    folder = archive_of(collection)
    found: dict[int, CrawlInfo] = {}
    for _, info in sorted(archive_facts(folder).crawls.items() if folder.is_dir() else ()):
        found.setdefault(info.number, info)
    known = {number for (number,) in db.execute("SELECT id FROM crawls")}
    for number in sorted(found.keys() - known):
        info = found[number]
        values = {"id": number, "started": info.date, "strategy": info.strategy, "options": json.dumps(info.options)}
        insert(db, "crawls", {**values, "counts": "{}"})
    return set(found) - known


def _end(
    db: sqlite3.Connection, collection: Path, done: RebuiltState, crawls: set[int], position: tuple[str, int]
) -> None:
    """Write down how the crawls ended; where it is unknown what waited, another crawl is begun that looks again."""
    (last,) = db.execute("SELECT max(id) FROM crawls").fetchone()
    if last is None:
        return
    summary = _summary(collection, position)
    _from_reports(db, collection, last)
    for number in sorted(crawls):
        db.execute("UPDATE crawls SET counts = ? WHERE id = ?", (json.dumps(_counts(db, number, done)), number))
        was_whole = number < last or (summary is not None and summary.get("stopped_by") is None)
        ended = (datetime.now(UTC).isoformat(), None if was_whole else "error")
        db.execute("UPDATE crawls SET finished = ?, stopped_by = ? WHERE id = ?", (*ended, number))
    strategy, finished, stopped_by, options = db.execute(
        "SELECT strategy, finished, stopped_by, options FROM crawls WHERE id = ?", (last,)
    ).fetchone()
    is_over = finished is not None and stopped_by is None
    done.is_frontier_lost = not is_over and (last in crawls or "urls" in done.torn or done.agreed.added > 0)
    if done.is_frontier_lost and strategy not in NOT_RESUMED:
        db.execute(
            "UPDATE crawls SET finished = coalesce(finished, ?), stopped_by = 'error' WHERE id = ?",
            (datetime.now(UTC).isoformat(), last),
        )
        started = datetime.now(UTC).isoformat()
        insert(db, "crawls", {"started": started, "strategy": strategy, "options": options, "counts": "{}"})


def _summary(collection: Path, position: tuple[str, int]) -> JSON | None:
    """Return the summary of the last run; None where the archive went on after it, or it cannot be read."""
    stamp = read_stamp(stamp_path(collection))
    if stamp.get("made_from", {}).get("position") != list(position):
        return None
    try:
        found: JSON = json.loads((collection / SUMMARY).read_bytes())
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def _from_reports(db: sqlite3.Connection, collection: Path, crawl: int) -> None:
    """Write the URLs that the reports of the last run name: skipped ones and those asked for in vain."""
    for name, status in ((layout.SKIPPED, SKIPPED), (layout.FAILED, FAILED)):
        for line in _lines(collection / name):
            url, because = str(line.get("url", "")), str(line.get("because", ""))
            values = (crawl, url_key(url), url, host_of(url), status, because, str(line.get("rule") or because),
                      str(line.get("from") or ""))  # fmt: skip
            db.execute(
                "INSERT OR IGNORE INTO urls (crawl, key, url, host, status, because, rule, referrer) "
                "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                values,
            )


def _lines(path: Path) -> Iterator[JSON]:
    try:
        lines = path.read_bytes().splitlines()
    except OSError:
        return
    for line in lines:
        try:
            told = json.loads(line)
        except ValueError:
            continue
        if isinstance(told, dict) and told.get("url"):
            yield told


def _counts(db: sqlite3.Connection, crawl: int, done: RebuiltState) -> dict[str, int]:
    """Return the counts of a crawl as far as its captures tell them."""
    requests, pages, size, copies = db.execute(
        "SELECT count(*), count(title), coalesce(sum(size), 0), count(original) FROM captures WHERE crawl = ?", (crawl,)
    ).fetchone()
    found = {"requests": requests, "pages": pages, "bytes": size, "duplicates": copies, "milliseconds": 0}
    sql = "SELECT status, count(*) FROM captures WHERE crawl = ? GROUP BY status"
    for status, count in db.execute(sql, (crawl,)):
        found[f"status {status}"] = count
    if crawl in done.agreed.gram_sets:
        found["two grams"] = found["new grams"] = len(done.agreed.gram_sets[crawl])
    return found


def stored_object(thing: WebObject) -> JSON:
    """Return an object as the database keeps it."""
    values = ((one.name, getattr(thing, one.name)) for one in fields(WebObject))
    return {name: value for name, value in values if value or isinstance(value, float)}


def write_objects(db: sqlite3.Connection, pairs: Iterator[tuple[WebObject, Capture]]) -> int:
    """Write objects whose captures the database knows; return how many."""
    count = 0
    for thing, capture in pairs:
        row = db.execute("SELECT id, crawl FROM captures WHERE record = ?", (capture.record,)).fetchone()
        sql = "SELECT 1 FROM objects WHERE id = ? AND capture = ?"
        if row is not None and db.execute(sql, (thing.id, row[0])).fetchone() is None:
            told = json.dumps(stored_object(thing), ensure_ascii=False)
            values = {"crawl": row[1], "capture": row[0], "id": thing.id, "kind": thing.kind, "object": told}
            insert(db, "objects", values)
            count += 1
    return count
