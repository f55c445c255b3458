"""The full-text index of objects (SQLite FTS5), and the translation of user searches into its query language.

Scripts that are written without spaces are indexed sign by sign, so that any stretch of them can be found. What a
person types is always quoted: no word of it is an operator.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Callable

from siteseer.collection.objects.object_json import clean
from siteseer.model import WebObject

MAX_WORDS = 64
"""Words of one search that are looked at."""

_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
_TYPED = re.compile(r'"([^"]*)"?|([^\s"]+)')
_INSERT = "INSERT INTO words (rowid, title, author, text, tags) VALUES (?,?,?,?,?)"
_DELETE = "INSERT INTO words (words, rowid, title, author, text, tags) VALUES ('delete',?,?,?,?,?)"


def space_cjk(text: str) -> str:
    """Return the text with spaces around the signs of scripts that are written without them.

    >>> space_cjk("lens 镜头")
    'lens  镜  头 '
    """
    return text if text.isascii() else _UNSPACED.sub(r" \g<0> ", text)


def fts_query(typed: str) -> str | None:
    """Return what a person typed as an expression of the index: every word, "whole phrases", and beginnings (`fest*`).

    >>> fts_query('lens "50 mm" fest* OR'), fts_query("?!")
    ('"lens" AND "50 mm" AND "fest"* AND "OR"', None)
    """
    parts = []
    for phrase, word in _TYPED.findall(clean(typed))[:MAX_WORDS]:
        sought = space_cjk(phrase or word.rstrip("*")).strip()
        if re.search(r"\w", sought):
            quoted = sought.replace('"', '""')
            parts.append(f'"{quoted}"' + ("*" if word.endswith("*") else ""))
    return " AND ".join(parts) or None


def replace(db: sqlite3.Connection, key: int, old: WebObject, new: WebObject) -> None:
    """Index an object anew whose texts have changed."""
    if _texts(old) != _texts(new):
        db.execute(_DELETE, (key, *_texts(old)))
        db.execute(_INSERT, (key, *_texts(new)))


def remove(db: sqlite3.Connection, key: int, old: WebObject) -> None:
    """Take an object out of the index."""
    db.execute(_DELETE, (key, *_texts(old)))


def index(db: sqlite3.Connection, after: int, most: int, read: Callable[[str], WebObject]) -> int | None:
    """Index the next objects after that key; return the last key, or None where there was nothing left.

    `read` makes an object from the text of its row.
    """
    rows = db.execute("SELECT key, json FROM told WHERE key > ? ORDER BY key LIMIT ?", (after, most)).fetchall()
    db.executemany(_INSERT, ((key, *_texts(read(told))) for key, told in rows))
    return rows[-1][0] if rows else None


def _texts(thing: WebObject) -> tuple[str, str, str, str]:
    said = thing.text or ""
    if thing.fields:
        said = "\n".join([said, *thing.fields.values()])
    return (
        space_cjk(thing.title or ""),
        space_cjk(thing.author or ""),
        space_cjk(said),
        space_cjk("\n".join(thing.tags)),
    )
