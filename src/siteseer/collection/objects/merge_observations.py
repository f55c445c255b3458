"""Merges a new observation of an object with what is already stored of it.

A new object gets a row. One that is known is merged into its row, and the meeting is noted: in full where it changed
something, else only that it took place.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable
from datetime import datetime

from siteseer.collection.objects import full_text, object_json
from siteseer.model import JSON, Capture, WebObject
from siteseer.page.dates import normal_form
from siteseer.page.object_iris import legal, site_key
from siteseer.page.urls import identity

_CAPTURE = "record, file, offset, length, time, digest"


def capture_at(file: str, offset: int, length: int, time: str, digest: str, record: str) -> Capture:
    """Return the capture that a row describes."""
    return Capture(file, offset, length, datetime.fromisoformat(time), digest, record)


def add(db: sqlite3.Connection, met: list[tuple[WebObject, Capture]], indexed: int) -> dict[str, WebObject]:
    """Note meetings with objects; return the new ones by the text of their rows.

    `indexed` is the key up to which objects are in the full-text index.
    """
    captures = _captures(db, met)
    sql = "SELECT id FROM object WHERE id IN (SELECT value FROM json_each(?))"
    known = {found for (found,) in db.execute(sql, (json.dumps([thing.id for thing, _ in met]),))}
    new: dict[str, tuple[WebObject, Capture]] = {}
    again: list[tuple[WebObject, int]] = []
    for thing, capture in met:
        if thing.id in known or thing.id in new:
            again.append((thing, captures[capture.record]))
        else:
            new[thing.id] = thing, capture
    told = _meet_first(db, new.values(), captures)
    for thing, capture_key in again:
        _meet_again(db, thing, capture_key, indexed)
    return told


def _captures(db: sqlite3.Connection, met: list[tuple[WebObject, Capture]]) -> dict[str, int]:
    """Write the captures that are new; return their keys by record."""
    keys: dict[str, int] = {}
    for thing, capture in met:
        if capture.record not in keys:
            record, at = legal(capture.record), object_json.place(capture)
            file, digest = object_json.clean(capture.file), object_json.clean(capture.digest)
            row = (record, file, capture.offset, capture.length, at["time"], digest, thing.url, identity(thing.url))
            db.execute(f"INSERT OR IGNORE INTO capture ({_CAPTURE}, url, page) VALUES (?,?,?,?,?,?,?,?)", row)
            (keys[capture.record],) = db.execute("SELECT key FROM capture WHERE record = ?", (record,)).fetchone()
    return keys


def _meet_first(
    db: sqlite3.Connection, new: Iterable[tuple[WebObject, Capture]], captures: dict[str, int]
) -> dict[str, WebObject]:
    """Write the rows of objects that were never met before; return these by the text of their rows."""
    (last,) = db.execute("SELECT seq FROM sqlite_sequence WHERE name = 'object'").fetchone() or (0,)
    rows, notes, told = [], [], list[tuple[int, str]]()
    by_text: dict[str, WebObject] = {}
    for key, (thing, capture) in enumerate(new, last + 1):
        capture_key, state = captures[capture.record], object_json.state(thing)
        rows.append((key, thing.id, *_columns(thing), capture_key, state))
        text = json.dumps(object_json.as_json(thing, capture), ensure_ascii=False)
        told.append((key, text))
        by_text[text] = thing
        notes.append((key, capture_key, state))
    columns = "key, id, kind, site, author, published, thread, capture, state"
    db.executemany(f"INSERT INTO object ({columns}) VALUES (?,?,?,?,?,?,?,?,?)", rows)
    db.executemany("INSERT INTO told (key, json) VALUES (?,?)", told)
    db.executemany("INSERT INTO observation (object, capture, state, described) VALUES (?,?,?,1)", notes)
    return by_text


def _meet_again(db: sqlite3.Connection, thing: WebObject, capture: int, indexed: int) -> None:
    """Merge what is told now into the row, and note the meeting: in full where it changed something."""
    sql = "SELECT key, capture, state, json FROM object JOIN told USING (key) WHERE id = ?"
    key, first, state, told = db.execute(sql, (thing.id,)).fetchone()
    found = json.loads(told)
    known = object_json.from_json(found)
    same_page = capture != first and identity(known.url) == identity(thing.url)
    whole = object_json.merged(known, thing, same_page=same_page)
    changed = whole != known
    if changed:
        state = object_json.state(whole)
        db.execute("UPDATE observation SET json = ? WHERE object = ? AND described AND json IS NULL", (told, key))
        row = {**object_json.facts(whole), "capture": found["capture"]}
        text = json.dumps({name: row[name] for name in object_json.KEYS if name in row}, ensure_ascii=False)
        db.execute("UPDATE told SET json = ? WHERE key = ?", (text, key))
        columns = "(kind, site, author, published, thread, state)"
        db.execute(f"UPDATE object SET {columns} = (?,?,?,?,?,?) WHERE key = ?", (*_columns(whole), state, key))
        if key <= indexed:
            full_text.replace(db, key, known, whole)
    # Told anew by the same capture, the meeting gets a new number, so that the RDF store hears of it.
    how, note = ("REPLACE" if changed else "IGNORE"), (key, capture, state, int(changed))
    db.execute(f"INSERT OR {how} INTO observation (object, capture, state, described) VALUES (?,?,?,?)", note)


def rewrite_objects(db: sqlite3.Connection, change: Callable[[WebObject], WebObject], indexed: int) -> bool:
    """Change the fields of all objects, as they are now and as each meeting told them; return whether any changed."""
    has_changed = False
    last = 0
    while rows := db.execute("SELECT key, json FROM told WHERE key > ? ORDER BY key LIMIT 500", (last,)).fetchall():
        for key, told in rows:
            known, whole, text = _retold(told, change)
            if whole != known:
                has_changed = True
                db.execute("UPDATE told SET json = ? WHERE key = ?", (text, key))
                db.execute("UPDATE object SET state = ? WHERE key = ?", (object_json.state(whole), key))
                _restate(db, key, known, whole)
                if key <= indexed:
                    full_text.replace(db, key, known, whole)
            sql = "SELECT seq, json FROM observation WHERE object = ? AND json IS NOT NULL"
            for seq, earlier in db.execute(sql, (key,)).fetchall():
                known, whole, text = _retold(earlier, change)
                db.execute("UPDATE observation SET json = ? WHERE seq = ?", (text, seq))
                _restate(db, key, known, whole)
        last = rows[-1][0]
    return has_changed


def _retold(told: str, change: Callable[[WebObject], WebObject]) -> tuple[WebObject, WebObject, str]:
    """Return the object that a row tells of, as it is told now, and the row's new text."""
    found = json.loads(told)
    known = object_json.from_json(found)
    whole = change(known)
    return known, whole, json.dumps({**found, "fields": dict(whole.fields)}, ensure_ascii=False)


def _restate(db: sqlite3.Connection, key: int, known: WebObject, whole: WebObject) -> None:
    """Let meetings that found the object in a state find it in the one that this is called now: nobody edited it."""
    row = object_json.state(whole), key, object_json.state(known)
    db.execute("UPDATE observation SET state = ? WHERE object = ? AND state = ?", row)


def _columns(thing: WebObject) -> tuple[JSON, ...]:
    when = normal_form.read(thing.published) if thing.published else None
    author = (thing.author or (thing.title if thing.kind == "user" else None) or "").casefold() or None
    return thing.kind, site_key(thing.url), author, when and when.text, thing.thread


def inherit(db: sqlite3.Connection, key: int, indexed: int) -> int | None:
    """Let the next meeting with the object stand for it; without one the object goes. Return the meeting's number."""
    sql = f"""SELECT o.seq, c.key, {_CAPTURE} FROM observation o JOIN capture c ON c.key = o.capture
              WHERE o.object = ? ORDER BY o.seq LIMIT 1"""
    heir = db.execute(sql, (key,)).fetchone()
    told = json.loads(db.execute("SELECT json FROM told WHERE key = ?", (key,)).fetchone()[0])
    if heir is None:
        if key <= indexed:
            full_text.remove(db, key, object_json.from_json(told))
        db.execute("DELETE FROM object WHERE key = ?", (key,))
        db.execute("DELETE FROM told WHERE key = ?", (key,))
        return None
    seq, capture, record, file, offset, length, time, digest = heir
    place = object_json.place(capture_at(file, offset, length, time, digest, record))
    text = json.dumps({**told, "capture": place}, ensure_ascii=False)
    db.execute("UPDATE object SET capture = ? WHERE key = ?", (capture, key))
    db.execute("UPDATE told SET json = ? WHERE key = ?", (text, key))
    db.execute("UPDATE observation SET described = 1 WHERE seq = ?", (seq,))
    return int(seq)
