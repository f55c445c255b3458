"""Copies selected records of a WARC file to another, byte for byte, with all records that belong to them."""

from __future__ import annotations

from collections.abc import Container
from pathlib import Path
from typing import IO

from siteseer.archive.warc_reader import Archive, Record
from siteseer.archive.warc_sources import WarcFile

PIECE = 1 << 20


def copy_records(source: Path, wanted: Container[str], target: Path) -> int:
    """Copy the records with these ids, and what was written beside them; return how many of them there were.

    The records about the file itself come along when anything does. Ids are as `Capture.record` has them.
    """
    about: list[tuple[int, int]] = []
    count = 0
    with source.open("rb") as bytes_:
        made: IO[bytes] | None = None
        try:
            for record in Archive(WarcFile(source.name, source)):
                if record.kind == "warcinfo" and record.offset >= 0:
                    about.append((record.offset, record.length))
                elif _belongs(record, wanted) and record.offset >= 0:
                    made = made or _begun(target, bytes_, about)
                    count += record.kind in ("response", "revisit", "resource")
                    _copy(bytes_, record.offset, record.length, made)
        finally:
            if made is not None:
                made.close()
    return count


def _begun(target: Path, source: IO[bytes], about: list[tuple[int, int]]) -> IO[bytes]:
    made = target.open("wb")
    for offset, length in about:
        _copy(source, offset, length, made)
    return made


def _belongs(record: Record, wanted: Container[str]) -> bool:
    names = (record.fields.get(name, "").strip("<> ") for name in ("warc-record-id", "warc-concurrent-to"))
    return any(name in wanted for name in names if name)


def _copy(source: IO[bytes], offset: int, length: int, target: IO[bytes]) -> None:
    source.seek(offset)
    while length > 0 and (piece := source.read(min(PIECE, length))):
        target.write(piece)
        length -= len(piece)
