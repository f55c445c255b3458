"""Writes CDXJ indexes, sorted bytewise in bounded memory, and looks URLs up in them."""

from __future__ import annotations

import heapq
import json
import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from siteseer.archive.archived_pages import ArchivedResponse, records
from siteseer.archive.request_keys import request_key, request_query
from siteseer.archive.warc_sources import WarcFile
from siteseer.errors import ArchiveError
from siteseer.page.whole_number import whole_number

LINES_IN_MEMORY = 100_000
"""About 50 MB; more lines are sorted in pieces on disk."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the index."""

    url: str
    time: datetime
    status: int
    mime: str
    digest: str
    filename: str
    offset: int
    length: int
    method: str = "GET"
    query: str = ""
    """The request body as the convention encodes it."""

    @property
    def key(self) -> str:
        """The searchable URL, with method and body of what is not a GET."""
        return request_key(self.url, self.method, self.query)

    def line(self) -> bytes:
        """Return the CDXJ line with its end."""
        fields: dict[str, Any] = {"url": self.url, "mime": self.mime, "status": self.status, "digest": self.digest}
        fields |= {"length": self.length, "offset": self.offset, "filename": self.filename}
        if self.method != "GET":
            fields |= {"method": self.method} | ({"requestBody": self.query} if self.query else {})
        stamp = f"{self.time.astimezone(UTC):%Y%m%d%H%M%S}"
        return f"{self.key} {stamp} {json.dumps(fields)}\n".encode("utf-8", "replace")

    @staticmethod
    def parse(line: bytes) -> Entry:
        """Read a line, ours or another tool's (which may write numbers as strings)."""
        try:
            _, stamp, text = line.decode("utf-8").split(" ", 2)
            fields = json.loads(text)
            time = datetime.strptime(stamp[:14], "%Y%m%d%H%M%S").replace(tzinfo=UTC)
            status = str(fields.get("status", ""))
            place = str(fields["filename"]), int(fields["offset"]), int(fields.get("length", 0))
            method, query = str(fields.get("method", "GET")), str(fields.get("requestBody", ""))
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
            raise ArchiveError(f"Not a CDXJ line ({error}): {line[:100]!r}.") from error
        mime, digest = str(fields.get("mime", "")), str(fields.get("digest", ""))
        return Entry(fields.get("url", ""), time, whole_number(status) or 0, mime, digest, *place, method, query)


def entries_of(file: WarcFile) -> Iterator[Entry]:
    """Yield the index lines of a WARC file, in file order; what random access cannot reach has none."""
    for stored in records(file, limit=0):
        if stored.capture.offset >= 0:
            yield _entry_of_record(stored)


def write_index(entries: Iterable[Entry], target: Path) -> None:
    """Write a sorted index; an existing one is replaced in one step, or left as it was."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=target.parent, prefix=".index-") as folder:
        lines = (entry.line() for entry in entries)
        parts: list[Path] = []
        while part := sorted(islice(lines, LINES_IN_MEMORY)):
            parts.append(Path(folder) / f"{len(parts):06d}")
            with parts[-1].open("wb") as file:
                file.writelines(part)
        merge_indexes(parts, target)


def merge_indexes(parts: Iterable[Path], target: Path) -> None:
    """Merge sorted indexes into one, without equal lines; the target may be one of them."""
    made = target.with_name(f".{target.name}.new")
    last = b""
    try:
        with ExitStack() as stack, made.open("wb") as file:
            for line in heapq.merge(*(stack.enter_context(part.open("rb")) for part in parts)):
                if line != last:
                    file.write(line)
                last = line
            file.flush()
            os.fsync(file.fileno())
        made.replace(target)
    finally:
        made.unlink(missing_ok=True)


def lookup(index: Path, url: str, method: str = "GET", query: str = "") -> Iterator[Entry]:
    """Yield the lines of a URL, oldest first, found by binary search in the file."""
    prefix = request_key(url, method, query).encode("utf-8", "replace") + b" "
    with index.open("rb") as file:
        low, high = 0, index.stat().st_size
        while low < high:  # the first line that is not before the prefix begins in (low, high]
            middle = (low + high) // 2
            file.seek(middle)
            if middle:
                file.readline()
            line = file.readline()
            if line and line < prefix:
                low = middle + 1
            else:
                high = middle
        file.seek(low)
        if low:
            file.readline()
        for line in file:
            if not line.startswith(prefix):
                return
            yield Entry.parse(line)


def _entry_of_record(stored: ArchivedResponse) -> Entry:
    capture, asked = stored.capture, stored.asked
    query = request_query(stored.method, asked.head.header("content-type"), asked.body) if asked else ""
    place = capture.digest, capture.file, capture.offset, capture.length
    return Entry(stored.url, capture.time, stored.status, stored.mime, *place, stored.method, query)
