"""Cuts torn ends off WARC files, so that each ends with a whole record; what is cut off is kept beside.

No whole record is deleted: what was never committed, and what cannot be read, goes to `siteseer/set-aside/`.
"""

from __future__ import annotations

import os
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import IO

from siteseer.archive.repair_warc import serial
from siteseer.archive.warc_reader import Archive
from siteseer.archive.warc_record import RECORD_END, digest_of, named_fields, new_record_id, record_head, warc_date
from siteseer.archive.warc_sources import WARC_ENDINGS, WarcFile
from siteseer.collection.layout import SET_ASIDE, archive_of
from siteseer.collection.whole_file import not_written, write_whole
from siteseer.version import __version__

Position = tuple[str, int]
GZIP_FRAME = 19
"""The bytes of a gzip member beside comment and data."""
HAS_COMMENT = 0x10


@dataclass(frozen=True, slots=True)
class SetAside:
    """A stretch of a WARC file that was kept beside."""

    file: str
    offset: int
    bytes: int
    kept: Path


def set_aside_uncommitted(collection: Path, position: Position) -> Iterator[SetAside]:
    """Take away what an interrupted run wrote after the last commit, as going on with the crawl would."""
    last, offset = position
    for path in warcs_of(collection):
        if serial(path.name) > serial(last):
            yield _cut(collection, path, 0)
        elif path.name == last and path.stat().st_size > offset:
            yield _cut(collection, path, offset)


def set_aside_torn(collection: Path) -> Iterator[SetAside]:
    """Take away the torn last record of each file."""
    for path in warcs_of(collection):
        start = torn_end(path)
        if start is not None:
            yield _cut(collection, path, start)


def warcs_of(collection: Path) -> list[Path]:
    """Return the WARC files of a collection, in the order of their names."""
    folder = archive_of(collection)
    found = folder.iterdir() if folder.is_dir() else ()
    return sorted(path for path in found if path.name.lower().endswith(WARC_ENDINGS))


def last_position(collection: Path) -> Position:
    """Return the newest WARC file that we wrote, and its length."""
    ours = [path for path in warcs_of(collection) if serial(path.name)]
    newest = max(ours, key=lambda path: serial(path.name), default=None)
    return (newest.name, newest.stat().st_size) if newest else ("", 0)


def torn_end(path: Path) -> int | None:
    """Return where damage begins behind which no whole record follows; None where the file ends well."""
    archive = Archive(WarcFile(path.name, path))
    last = -1
    for record in archive:
        record.finish()
        if record.offset < 0:
            return None  # many records in one gzip member: nothing can be cut
        last = last if record.broken else record.offset
    ends = [offset for offset, _ in archive.damage if offset > last]
    return min(ends) if ends else None


def _cut(collection: Path, path: Path, offset: int) -> SetAside:
    """Move the end of a file, or all of it, to the files set aside; it is there before it is cut here."""
    found = _keep(collection, path, offset, path.stat().st_size - offset)
    try:
        if offset:
            with path.open("r+b") as file:
                file.truncate(offset)
                os.fsync(file.fileno())
        else:
            path.unlink()
    except OSError as error:
        raise not_written(error, path) from error
    return found


def _keep(collection: Path, path: Path, offset: int, size: int) -> SetAside:
    """Copy a stretch of a file to the files set aside."""
    folder = collection / SET_ASIDE
    kept = _free_name(folder, f"{path.name}.{offset}")
    with path.open("rb") as source:
        source.seek(offset)
        write_whole(kept, _pieces(source, size))
    return SetAside(path.name, offset, size, kept)


def _pieces(source: IO[bytes], size: int) -> Iterator[bytes]:
    while size > 0 and (piece := source.read(min(size, 1 << 20))):
        size -= len(piece)
        yield piece


def _free_name(folder: Path, name: str) -> Path:
    number = 0
    while (path := folder / (f"{name}-{number}" if number else name)).exists():
        number += 1
    return path


def replace_damaged(collection: Path) -> Iterator[SetAside]:
    """Put a record that says what was lost in the place of each stretch that cannot be read; nothing else moves.

    The record has exactly the length of what it replaces, so that all offsets hold; the damaged bytes are kept beside.
    """
    for path in warcs_of(collection):
        if serial(path.name):
            for start, end in damaged_stretches(path):
                found = _keep(collection, path, start, end - start)
                if (filler := lost_record(path.name, start, end - start, found.kept.name)) is not None:
                    _overwrite(path, start, filler)
                    yield found


def damaged_stretches(path: Path) -> list[tuple[int, int]]:
    """Return where a file cannot be read, up to the next whole record."""
    archive, whole = Archive(WarcFile(path.name, path)), list[int]()
    for record in archive:
        record.finish()
        if not record.broken and record.offset >= 0:
            whole.append(record.offset)
    starts = sorted({offset for offset, _ in archive.damage})
    ends = [next((place for place in whole if place > start), path.stat().st_size) for start in starts]
    found = list[tuple[int, int]]()
    for start, end in zip(starts, ends, strict=True):
        if not found or start >= found[-1][1]:
            found.append((start, end))
    return found


def lost_record(name: str, offset: int, length: int, kept: str) -> bytes | None:
    """Return a record of so many bytes that tells of damage; None where there is no room for one.

    A gzip member may carry a comment of any length, which readers pass over: it fills the room that is left.
    """
    told = {
        "software": f"siteseer/{__version__}",
        "damaged": f"{length} bytes at offset {offset} of {name}",
        "kept": kept,
    }
    block = named_fields(told)
    fields = [
        ("WARC-Record-ID", f"<{new_record_id()}>"),
        ("WARC-Date", warc_date(datetime.now(UTC))),
        ("Content-Type", "application/warc-fields"),
        ("WARC-Block-Digest", digest_of(block, BytesIO(), 0)),
    ]
    data = record_head("metadata", fields, len(block)) + block + RECORD_END
    engine = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed = engine.compress(data) + engine.flush()
    room = length - len(packed) - GZIP_FRAME
    if room < 0:
        return None
    head = b"\x1f\x8b\x08" + bytes([HAS_COMMENT]) + bytes(5) + b"\xff" + b"-" * room + b"\0"
    return head + packed + zlib.crc32(data).to_bytes(4, "little") + len(data).to_bytes(4, "little")


def _overwrite(path: Path, offset: int, data: bytes) -> None:
    try:
        with path.open("r+b") as file:
            file.seek(offset)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise not_written(error, path) from error
