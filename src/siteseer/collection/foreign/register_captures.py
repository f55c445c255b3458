"""Registers the captures of a collection's WARC files in its database, one row each, as a crawl writes them."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

from siteseer.archive.archived_pages import ArchivedResponse, records
from siteseer.archive.warc_sources import WarcFile, warc_files
from siteseer.collection.state import State
from siteseer.model import JSON, Capture
from siteseer.page.urls import capture_key

DESCRIBED = "describe"
"""What stands for a strategy where nothing was crawled: the archive came from elsewhere."""
APPLICATION = "application "
REVISIT = "warc/revisit"


def crawl_of_archives(state: State) -> int:
    """Return the number under which captures from elsewhere are written down."""
    last = state.last_crawl(DESCRIBED)
    return last[0] if last is not None else state.new_crawl(DESCRIBED, {})


def unregistered(state: State, archive: Path) -> list[WarcFile]:
    """Return the files of the archive of which the database knows no capture."""
    known = {name for (name,) in state.rows("SELECT DISTINCT file FROM captures")}
    return [file for file in warc_files(archive) if file.name not in known] if archive.is_dir() else []


def register(state: State, crawl: int, files: list[WarcFile]) -> None:
    """Write down every capture of these files, and count them; the caller commits."""
    row = next(iter(state.rows("SELECT counts FROM crawls WHERE id = ?", (crawl,))))
    counts: Counter[str] = Counter(json.loads(row[0]))
    for file in files:
        for stored in records(file):
            if stored.capture.offset >= 0:
                _add(state, crawl, stored, counts)
    state.save_counts(crawl, counts)


def _add(state: State, crawl: int, stored: ArchivedResponse, counts: Counter[str]) -> None:
    if stored.is_rendering and (of := _newest(state, stored.page_url)) is not None:
        state.add_rendering(of, stored.page_url, stored.capture, "shown by a browser")
        return
    place, request = stored.capture, _request(stored)
    original = state.original_of(place.digest) if stored.kind == "revisit" else None
    counts["requests"] += 1
    counts["bytes"] += len(stored.payload)
    counts["duplicates"] += stored.kind == "revisit"
    counts[f"status {stored.status}"] += 1
    state.add_capture(
        {
            "crawl": crawl, "url": stored.url, "key": capture_key(stored.url, request), "time": place.time.isoformat(),
            "file": place.file, "offset": place.offset, "length": place.length, "record": place.record,
            "status": stored.status, "mime": _mime(stored, original is not None), "digest": place.digest,
            "size": len(stored.payload), "original": original[0] if original else None,
            "requests": counts["requests"], "request": json.dumps(request) if request else None,
        }
    )  # fmt: skip


def _mime(stored: ArchivedResponse, has_original: bool) -> str:
    """Return the media type; of a revisit its own only where the original is known, whose bytes are then shown."""
    if stored.kind != "revisit":
        return "" if stored.mime == "unk" else stored.mime[:100]
    return stored.head.header("content-type").partition(";")[0].strip().lower()[:100] if has_original else REVISIT


def _request(stored: ArchivedResponse) -> JSON:
    if stored.asked is None or stored.method in ("GET", "HEAD", ""):
        return None
    body = stored.asked.body.decode("utf-8", "replace")
    return {"method": stored.method, "body": body, "type": stored.asked.head.header("content-type")}


def _newest(state: State, url: str) -> int | None:
    rows = state.rows("SELECT id FROM captures WHERE key = ? ORDER BY id DESC LIMIT 1", (capture_key(url, None),))
    return next((int(number) for (number,) in rows), None)


def finish_registering(state: State, crawl: int, applications: Mapping[str, int]) -> None:
    """Write down what was found in the archives, once their pages and objects are known."""
    row = next(iter(state.rows("SELECT counts FROM crawls WHERE id = ?", (crawl,))))
    counts: Counter[str] = Counter(
        {name: count for name, count in json.loads(row[0]).items() if not name.startswith(APPLICATION)}
    )
    counts |= {f"{APPLICATION}{name}": count for name, count in applications.items()}
    pages = next(iter(state.rows("SELECT count(*), min(id) FROM captures WHERE crawl = ? AND title NOTNULL", (crawl,))))
    objects = next(iter(state.rows("SELECT count(*), max(row) FROM objects WHERE crawl = ?", (crawl,))))
    counts["pages"], counts["objects"] = pages[0], objects[0]
    first = [url for (url,) in state.rows("SELECT url FROM captures WHERE id = ?", (pages[1],))]
    state.save_counts(crawl, counts)
    state.db.execute("UPDATE crawls SET options = ? WHERE id = ?", (json.dumps({"seeds": first}), crawl))
    state.say("described", str(objects[1] or 0))
    state.end_crawl(crawl, None)
    state.commit()


class CapturePlaces:
    """Where each capture of a database lies, to be asked for by place: in a table that is gone when it is closed."""

    def __init__(self, state: State) -> None:
        self._state = state
        state.db.execute(
            "CREATE TEMP TABLE place (file TEXT, offset INTEGER, capture INTEGER, PRIMARY KEY (file, offset)) "
            "WITHOUT ROWID"
        )
        state.db.execute("INSERT OR REPLACE INTO place SELECT file, offset, id FROM captures")
        state.db.execute("INSERT OR REPLACE INTO place SELECT file, offset, capture FROM renderings")

    def capture(self, place: Capture) -> int | None:
        """Return the number of the capture that lies there."""
        rows = self._state.rows("SELECT capture FROM place WHERE file = ? AND offset = ?", (place.file, place.offset))
        return next((int(number) for (number,) in rows), None)

    def close(self) -> None:
        """Forget the table."""
        self._state.db.execute("DROP TABLE place")
