"""A folder of WARC files after a crash in, the same folder as it was at the last commit out."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from siteseer.archive.holdings import WarcFile
from siteseer.archive.stream import Archive
from siteseer.archive.warc import OUR_NAME
from siteseer.errors import ArchiveError


@dataclass(frozen=True, slots=True)
class Cut:
    """What a repair took away: whole files, and bytes from the end of one."""

    files: tuple[str, ...] = ()
    bytes: int = 0


def repair(folder: Path, file: str, offset: int) -> Cut:
    """Cut the folder back to the last committed position; `("", 0)` says that nothing was ever committed.

    Only files that a `WarcWriter` made are touched. Bytes that were committed but are missing raise ArchiveError:
    then this archive and this state do not belong together, and nothing is changed.
    """
    torn = _excess(folder / file, offset) if file else 0
    committed = _serial(file) if file else 0
    later = sorted(path for path in folder.glob("*.warc.gz") if _serial(path.name) > committed)
    for path in later:
        path.unlink()
    if torn:
        _truncate(folder / file, offset)
    return Cut(tuple(path.name for path in later), torn)


def first_damage(path: Path) -> int | None:
    """Return the offset from which a file cannot be read; None if it ends cleanly."""
    archive = Archive(WarcFile(path.name, path))
    for record in archive:
        record.finish()
        if archive.damage:
            break
    return archive.damage[0][0] if archive.damage else None


def mend(path: Path) -> int:
    """Cut a torn last record off a file of a folder without state; return how many bytes were cut.

    Damage with whole records behind it is no torn tail: it raises ArchiveError and is left for a person to look at.
    """
    archive = Archive(WarcFile(path.name, path))
    last = -1
    for record in archive:
        record.finish()
        if record.offset < 0:
            raise ArchiveError(f"{path} does not keep one record per gzip member and cannot be mended.")
        last = last if record.broken else record.offset
    if not archive.damage:
        return 0
    start = archive.damage[0][0]
    if last > start:
        raise ArchiveError(f"{path} is damaged at offset {start} but goes on at {last}; restore it from a copy.")
    torn = path.stat().st_size - start
    _truncate(path, start)
    return torn


def _serial(name: str) -> int:
    found = OUR_NAME.fullmatch(name)
    return int(found[2]) if found else 0


def _excess(path: Path, offset: int) -> int:
    size = path.stat().st_size if path.is_file() else 0
    if size < offset:
        raise ArchiveError(f"{path} has {size} bytes where {offset} were committed; restore it from a copy.")
    if not _serial(path.name):
        raise ArchiveError(f"{path} was not written by siteseer and is not cut.")
    return size - offset


def _truncate(path: Path, offset: int) -> None:
    with path.open("r+b") as file:
        file.truncate(offset)
        os.fsync(file.fileno())
