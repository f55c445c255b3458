"""Damages a collection on purpose, file by file, to see what `verify` and `repair` make of it.

Each kind of file has a pattern; each way of damage takes a path. What a collection holds is compared with `contents`.
"""

from __future__ import annotations

import json
import sqlite3
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

from siteseer.archive.archived_pages import pages

KINDS = {
    "WARC": "archive/*.warc.gz",
    "database": "siteseer/state.db",
    "index": "indexes/index.cdxj",
    "pages": "pages/pages.jsonl",
    "skipped": "reports/skipped.jsonl",
    "failed": "reports/failed.jsonl",
    "summary": "reports/summary.json",
    "reports of a crawl": "reports/crawls/*/*.jsonl",
    "summary of a crawl": "reports/crawls/*/summary.json",
    "stamp": "siteseer/derived.json",
    "objects": "siteseer/objects/text.db",
    "stamp of the objects": "siteseer/objects/made_from.json",
    "RDF": "siteseer/objects/rdf/*.sst",
}
"""The kinds of files of a collection, each with the pattern of its names."""


def flip(path: Path, share: float = 0.5) -> None:
    """Turn the bits of one byte, at that share of the file's length."""
    data = bytearray(path.read_bytes())
    if data:
        data[min(int(len(data) * share), len(data) - 1)] ^= 0xFF
        path.write_bytes(data)


def cut(path: Path, share: float = 0.5) -> None:
    """Cut a file off at that share of its length."""
    data = path.read_bytes()
    path.write_bytes(data[: int(len(data) * share)])


def empty(path: Path) -> None:
    """Leave a file without bytes."""
    path.write_bytes(b"")


def delete(path: Path) -> None:
    """Delete a file."""
    path.unlink()


def alter(path: Path) -> None:
    """Turn a digit or letter near the middle of a text into another: it reads as well as before."""
    data = bytearray(path.read_bytes())
    places = [place for place, sign in enumerate(data) if sign < 128 and chr(sign).isalnum()]
    place = places[len(places) // 2]
    data[place] = ord("1" if data[place] != ord("1") else "2") if chr(data[place]).isdigit() else data[place] ^ 0x20
    path.write_bytes(data)


WAYS: dict[str, Callable[[Path], None]] = {"flip": flip, "cut": cut, "empty": empty, "delete": delete}
OF_TEXTS: dict[str, Callable[[Path], None]] = {"alter": alter}
STAMPS = ("stamp", "stamp of the objects")
NO_TEXTS = ("WARC", "database", "objects", "RDF")


def files(collection: Path, kind: str) -> list[Path]:
    """Return the files of a kind, the largest first."""
    return sorted(collection.glob(KINDS[kind]), key=lambda path: -path.stat().st_size)


def damages() -> Iterator[tuple[str, str]]:
    """Yield every kind of file with every way of damage."""
    for kind in KINDS:
        for way in (*WAYS, *(OF_TEXTS if kind not in (*NO_TEXTS, *STAMPS) else ())):
            yield kind, way


def contents(collection: Path) -> dict[str, Any]:
    """Return what a collection holds, without times and places: archived pages, and objects with their pages."""
    archived = Counter((page.url, page.status, page.body) for page, _ in pages(collection / "archive"))
    with closing(sqlite3.connect(collection / "siteseer" / "state.db")) as db:
        captures = Counter(db.execute("SELECT url, status, digest, title FROM captures"))
        objects = {(name, kind): _text(told) for name, kind, told in db.execute("SELECT id, kind, object FROM objects")}
    return {"archived": archived, "captures": captures, "objects": objects}


def _text(told: str) -> str:
    return str(json.loads(told).get("text", ""))
