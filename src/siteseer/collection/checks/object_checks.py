"""Checks the objects of a collection: rows, word index and RDF, each whole and complete."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from itertools import islice
from pathlib import Path

from siteseer.collection import layout
from siteseer.collection.checks.state_checks import StateSnapshot
from siteseer.collection.derived import BY_CRAWL, objects_stamp_path, read_stamp
from siteseer.collection.description import Description
from siteseer.collection.layout import objects_folder, rows_of
from siteseer.collection.objects.object_json import from_json, state
from siteseer.collection.objects.object_store import connect
from siteseer.collection.stores.store_config import load_stores
from siteseer.collection.verify import Checks
from siteseer.errors import ConfigurationError, SiteseerError
from siteseer.model import JSON
from siteseer.page.object_iris import legal
from siteseer.version import __version__

NAME, GRAPHS = (f"objects/{name}" for name in (layout.ROWS, layout.RDF))
WORDS = f"{NAME} (words)"
MADE_FROM = f"objects/{layout.OBJECTS_STAMP}"
MOST_STATEMENTS = 20
"""More statements that are missing are not told one by one."""


def check_objects(collection: Path, known: StateSnapshot | None, checks: Checks) -> None:
    """Check the objects of a collection, where there are any."""
    database = rows_of(collection)
    if not database.is_file():
        if known is not None and _count(known, "SELECT count(*) FROM objects"):
            checks.say(NAME, -1, "the objects are missing")
        return
    path = objects_stamp_path(objects_folder(collection))
    stamp = read_stamp(path)
    if not stamp and path.exists():
        checks.say(MADE_FROM, -1, "cannot be read")
    try:
        with closing(connect(database)) as db:
            _check_rows(db, stamp, checks)
            _check_words(db, checks)
            if known is not None:
                _check_described(db, known, stamp, checks)
        if not load_stores(collection).objects:
            _check_rdf(collection, stamp, checks)
    except ConfigurationError as error:
        checks.say(layout.STORES, -1, str(error), "choose the stores again")
    except (sqlite3.Error, SiteseerError, ValueError, TypeError) as error:
        checks.say(NAME, -1, f"the objects are damaged: {error}")


def _count(known: StateSnapshot, sql: str) -> int:
    try:
        return int(known.rows(sql).fetchone()[0])
    except sqlite3.Error:
        return 0


def _check_rows(db: sqlite3.Connection, stamp: JSON, checks: Checks) -> None:
    for (message,) in db.execute("PRAGMA integrity_check(20)"):
        if message != "ok":
            checks.say(NAME, -1, f"the objects are damaged: {message.splitlines()[0]}")
    rows = db.execute("SELECT o.key, o.id, o.state, t.json FROM object o LEFT JOIN told t ON t.key = o.key")
    for key, identity, told_state, text in rows:
        if not _is_told(identity, told_state, text):
            checks.say(NAME, key, f"the row of {identity} is damaged")
    for table, name in (("object", "objects"), ("observation", "observations")):
        (count,) = db.execute(f"SELECT count(*) FROM {table}").fetchone()
        if count < stamp.get(name, 0):
            checks.say(NAME, -1, f"{stamp[name] - count} of {stamp[name]} {name} are missing")


def _is_told(identity: str, told_state: str, text: str | None) -> bool:
    """Say whether a row tells of the object that it is said to tell of."""
    try:
        thing = from_json(json.loads(text or ""))
    except (ValueError, TypeError, AttributeError):
        return False
    return thing.id == identity and state(thing) == told_state


def _check_words(db: sqlite3.Connection, checks: Checks) -> None:
    sql = "SELECT key FROM object EXCEPT SELECT id FROM words_docsize"
    if missing := len(db.execute(sql).fetchall()):
        checks.say(WORDS, -1, f"{missing} objects are missing from the word index")
    try:
        db.execute("BEGIN IMMEDIATE")
        db.execute("INSERT INTO words (words) VALUES ('integrity-check')")
    except sqlite3.OperationalError:
        return  # nobody may write here, or somebody does: the index was read all the same
    except sqlite3.DatabaseError as error:
        checks.say(WORDS, -1, f"the word index is damaged: {error}")
    finally:
        if db.in_transaction:
            db.execute("ROLLBACK")


def _check_described(db: sqlite3.Connection, known: StateSnapshot, stamp: JSON, checks: Checks) -> None:
    described = int(known.about("described") or 0)
    if behind := _count(known, f"SELECT count(*) FROM objects WHERE row > {described}"):
        checks.say(NAME, -1, f"{behind} objects of the last crawl are not described yet")
    if stamp.get("made_by", BY_CRAWL) != BY_CRAWL:
        return  # made from the WARC files, by the knowledge of that day: other objects than the crawl's
    sql = "SELECT 1 FROM observation b JOIN object o ON o.key = b.object JOIN capture c ON c.key = b.capture "
    sql += "WHERE o.id = ? AND c.record = ?"
    rows = known.rows("SELECT o.id, c.record FROM objects o JOIN captures c ON c.id = o.capture WHERE row <= ?",
                      (described,))  # fmt: skip
    for identity, record in rows:
        if db.execute(sql, (legal(identity), legal(record))).fetchone() is None:
            checks.say(NAME, -1, f"the database knows {identity}, the description does not")


def _check_rdf(collection: Path, stamp: JSON, checks: Checks) -> None:
    from siteseer.collection.rdf.rdf_store import RdfStore

    store = RdfStore(objects_folder(collection) / layout.RDF)
    with Description(collection) as description:
        if not store.exists():
            if stamp and description.has_rdf_mark:  # older collections make it when it is first asked
                checks.say(GRAPHS, -1, "the RDF store is missing")
            return
        if (behind := description.not_in_rdf()) > 0:
            checks.say(GRAPHS, -1, f"{behind} meetings with objects are missing from the RDF store")
            return
        is_comparable = stamp.get("software", __version__) == __version__
        expected: Iterator[str] = description.statements_expected() if is_comparable else iter(())
        for problem in islice(store.problems(expected), MOST_STATEMENTS):
            checks.say(GRAPHS, -1, problem)
