"""Says where everything lies in the directory of a collection: no other file spells these names.

The directory is laid out as an unpacked WACZ (docs/collections.md); what is ours alone lies below `siteseer/`.
"""

from __future__ import annotations

import re
from pathlib import Path

from siteseer.page.text_hash import hash_of

# ── folders ───────────────────────────────────────────────────────────────────────────────────────────────────────────

ARCHIVE, INDEXES, PAGE_LISTS, REPORTS, LOGS, OWN = "archive", "indexes", "pages", "reports", "logs", "siteseer"
FOLDERS = (ARCHIVE, INDEXES, PAGE_LISTS, REPORTS, LOGS, OWN)
OBJECTS = f"{OWN}/objects"
LEARNED = f"{OWN}/knowledge"
"""What was learned here: knowledge that the next crawl uses."""
SET_ASIDE = f"{OWN}/set-aside"
"""What `repair` took out of WARC files."""
TRASH = f"{OWN}/.deleted"
"""Where `--overwrite` moves what it deletes."""

# ── the truth ─────────────────────────────────────────────────────────────────────────────────────────────────────────

DATABASE = "state.db"
STATE = f"{OWN}/{DATABASE}"
STORES = f"{OWN}/stores.json"
LOCK, PUSH_LOCK = f"{OWN}/lock", f"{OWN}/push.lock"
CORRECTIONS = f"{OWN}/corrections.jsonl"
"""What people said about a form."""

# ── what is derived ───────────────────────────────────────────────────────────────────────────────────────────────────

INDEX = f"{INDEXES}/index.cdxj"
PAGES = f"{PAGE_LISTS}/pages.jsonl"
SUMMARY, SKIPPED, FAILED = (f"{REPORTS}/{name}" for name in ("summary.json", "skipped.jsonl", "failed.jsonl"))
ADAPTATION, CERTIFICATE = f"{REPORTS}/adaptation.html", f"{REPORTS}/audit.json"
ENRICHMENT = f"{REPORTS}/enrichment.trig"
UNDERSTANDING = f"{OWN}/understanding.json"
STAMP = f"{OWN}/derived.json"
ROWS, RDF, OBJECTS_STAMP = "text.db", "rdf", "made_from.json"
"""Names in the folder of the objects, and in one that is made beside it."""
PACKED_OBJECTS = f"{OBJECTS}.nq.gz"
"""The objects in a WACZ package."""

_MARKS = (STATE, f"{OBJECTS}/{ROWS}", INDEX)


def is_collection(path: Path) -> bool:
    """Say whether a directory is a collection, of ours or of another tool."""
    return any((path / mark).is_file() for mark in _MARKS)


def may_be_collection(path: Path) -> bool:
    """Say whether a directory has a part of a collection, so that it can be looked at or repaired."""
    return any((path / part).is_dir() for part in (ARCHIVE, OWN))


def state_path(collection: Path) -> Path:
    """Return where a collection keeps its database."""
    return collection / STATE


def archive_of(collection: Path) -> Path:
    """Return where a collection keeps its WARC files."""
    return collection / ARCHIVE


def learned_folder(collection: Path) -> Path:
    """Return where a collection keeps what was learned in it."""
    return collection / LEARNED


def trash_of(collection: Path) -> Path:
    """Return where `--overwrite` moves what it deletes; while it exists, the collection is half deleted."""
    return collection / TRASH


def objects_folder(collection: Path) -> Path:
    """Return where a collection keeps its objects: rows, word index and RDF."""
    return collection / OBJECTS


def rows_of(collection: Path) -> Path:
    """Return where a collection keeps the rows of its objects."""
    return objects_folder(collection) / ROWS


def has_objects(collection: Path) -> bool:
    """Say whether a collection has a description."""
    return rows_of(collection).is_file()


def report_of(collection: Path, name: str, crawl: int | None = None) -> Path:
    """Return where a report lies: that of the whole, or the one of the same name of a single crawl.

    >>> report_of(Path("forum"), PAGES, 3).as_posix(), report_of(Path("forum"), PAGES).as_posix()
    ('forum/reports/crawls/3/pages.jsonl', 'forum/pages/pages.jsonl')
    """
    return collection / name if crawl is None else collection / REPORTS / "crawls" / str(crawl) / Path(name).name


def log_of(collection: Path, crawl: int) -> Path:
    """Return where a collection keeps what happened in one crawl."""
    return collection / LOGS / f"crawl-{crawl}.jsonl"


def folder_name(host: str) -> str:
    """Return the name of the directory that a site's collection gets.

    >>> folder_name("site7.localhost:8000"), folder_name("..").startswith("site-")
    ('site7.localhost_8000', True)
    """
    name = re.sub(r"[^a-z0-9.-]", "_", host.lower())
    return name if name[:1].isalnum() and len(name) <= 100 else f"site-{hash_of(host):x}"
