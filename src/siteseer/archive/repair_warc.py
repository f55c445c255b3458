"""Repairs a folder of WARC files after a crash: cuts it back to the last commit."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from siteseer.archive.warc_reader import Archive
from siteseer.archive.warc_sources import WarcFile
from siteseer.archive.warc_writer import OUR_NAME
from siteseer.errors import ArchiveError


@dataclass(frozen=True, slots=True)
class RemovedParts:
    """What a repair removed: whole files, and bytes from the end of one."""

    files: tuple[str, ...] = ()
    bytes: int = 0


def repair(folder: Path, file: str, offset: int) -> RemovedParts:
    """Cut the folder back to the last committed position; `("", 0)` says that nothing was ever committed.

    Only files that a `WarcWriter` made are touched. Bytes that were committed but are missing raise ArchiveError:
    then this archive and this state do not belong together, and nothing is changed.
    """
    torn = _excess(folder / file, offset) if file else 0
    committed = serial(file) if file else 0
    later = sorted(path for path in folder.glob("*.warc.gz") if serial(path.name) > committed)
    for path in later:
        path.unlink()
    if torn:
        _truncate(folder / file, offset)
    return RemovedParts(tuple(path.name for path in later), torn)


def damage_of(file: WarcFile) -> list[tuple[int, str]]:
    """Return what cannot be read of a file: offset and reason of each place."""
    archive = Archive(file)
    for record in archive:
        record.finish()
    return archive.damage


def serial(name: str) -> int:
    """Return the number of a file that a `WarcWriter` made, 0 for any other."""
    found = OUR_NAME.fullmatch(name)
    return int(found[2]) if found else 0


def _excess(path: Path, offset: int) -> int:
    size = path.stat().st_size if path.is_file() else 0
    if size < offset:
        raise ArchiveError(f"{path} has {size} bytes where {offset} were committed; restore it from a copy.")
    if not serial(path.name):
        raise ArchiveError(f"{path} was not written by siteseer and is not cut.")
    return size - offset


def _truncate(path: Path, offset: int) -> None:
    with path.open("r+b") as file:
        file.truncate(offset)
        os.fsync(file.fileno())
