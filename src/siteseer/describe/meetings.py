"""A meeting with an object in, rows out: how what is told now joins what was told before.

A new object gets a row. One that is known is merged into its row, and the meeting is noted: in full where it changed
something, else only that it took place.
"""

from __future__ import annotations

import json
import sqlite3
from datetime import datetime

from siteseer.describe import dates, objects, words
from siteseer.model import JSON, Capture, WebObject
from siteseer.page.iris import legal, site_key
from siteseer.page.urls import identity


def capture_row(capture: Capture, record: str, thing: WebObject) -> tuple[JSON, ...]:
    """Return the row of the capture in which the object was met."""
    at = objects.place(capture)
    file, digest = objects.clean(capture.file), objects.clean(capture.digest)
    return record, file, capture.offset, capture.length, at["time"], digest, thing.url, identity(thing.url)


def capture_at(file: str, offset: int, length: int, time: str, digest: str, record: str) -> Capture:
    """Return the capture that a row describes."""
    return Capture(file, offset, length, datetime.fromisoformat(time), digest, record)


def _columns(thing: WebObject) -> tuple[JSON, ...]:
    when = dates.read(thing.published) if thing.published else None
    author = (thing.author or (thing.title if thing.kind == "user" else None) or "").casefold() or None
    site = site_key(thing.url)
    return (
        thing.kind,
        site,
        author,
        when and when.text,
        thing.title,
        thing.url,
        thing.permalink,
        thing.thread,
        thing.parent,
    )


def meet(db: sqlite3.Connection, thing: WebObject, capture: Capture, indexed: int) -> None:
    """Note a meeting with an object; `indexed` is the key up to which objects are in the full-text index."""
    record = legal(capture.record)
    told = json.dumps(objects.as_json(thing, capture), ensure_ascii=False)
    state = objects.state(thing)
    cursor = db.execute(
        "INSERT OR IGNORE INTO object (id, kind, site, author, published, title, url, permalink, thread, parent,"
        " record, state, json) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)",
        (thing.id, *_columns(thing), record, state, told),
    )
    if cursor.rowcount:
        row = (cursor.lastrowid, record, state, 1)
        db.execute("INSERT INTO observation (object, record, state, described) VALUES (?,?,?,?)", row)
    else:
        _meet_again(db, thing, record, indexed)


def _meet_again(db: sqlite3.Connection, thing: WebObject, record: str, indexed: int) -> None:
    """Merge what is told now into the row, and note the meeting: in full where it changed something."""
    sql = "SELECT key, record, state, json FROM object WHERE id = ?"
    key, first, state, told = db.execute(sql, (thing.id,)).fetchone()
    found = json.loads(told)
    known = objects.from_json(found)
    same_page = record != first and identity(known.url) == identity(thing.url)
    whole = objects.merged(known, thing, same_page=same_page)
    if whole != known:
        now = objects.state(whole)
        db.execute("UPDATE observation SET json = ? WHERE object = ? AND described AND json IS NULL", (told, key))
        row = {**objects.facts(whole), "capture": found["capture"]}
        text = json.dumps({name: row[name] for name in objects.KEYS if name in row}, ensure_ascii=False)
        db.execute(
            "UPDATE object SET (kind, site, author, published, title, url, permalink, thread, parent, state, json)"
            " = (?,?,?,?,?,?,?,?,?,?,?) WHERE key = ?",
            (*_columns(whole), now, text, key),
        )
        if key <= indexed:
            words.replace(db, key, known, whole)
        state = now
    # Told anew by the same capture, the meeting gets a new number, so that the RDF store hears of it.
    how, note = ("REPLACE" if whole != known else "IGNORE"), (key, record, state, int(whole != known))
    db.execute(f"INSERT OR {how} INTO observation (object, record, state, described) VALUES (?,?,?,?)", note)


def inherit(db: sqlite3.Connection, key: int, indexed: int) -> int | None:
    """Let the next meeting with the object stand for it; without one the object goes. Return the meeting's number."""
    sql = """SELECT o.seq, c.file, c.offset, c.length, c.time, c.digest, c.record
             FROM observation o JOIN capture c USING (record) WHERE o.object = ? ORDER BY o.seq LIMIT 1"""
    heir = db.execute(sql, (key,)).fetchone()
    told = json.loads(db.execute("SELECT json FROM object WHERE key = ?", (key,)).fetchone()[0])
    if heir is None:
        if key <= indexed:
            words.remove(db, key, objects.from_json(told))
        db.execute("DELETE FROM object WHERE key = ?", (key,))
        return None
    seq, *place = heir
    text = json.dumps({**told, "capture": objects.place(capture_at(*place))}, ensure_ascii=False)
    db.execute("UPDATE object SET record = ?, json = ? WHERE key = ?", (place[-1], text, key))
    db.execute("UPDATE observation SET described = 1 WHERE seq = ?", (seq,))
    return int(seq)
