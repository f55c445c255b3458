"""Adds WARC files of any tool to a collection's archive: hard links where the disk allows, otherwise copies.

A collection holds its bytes: it can be moved, packed and checked without the place where they came from. A file whose
records cannot be reached one by one (zstd, or gzip as a whole) is written anew with a gzip member for each record.
"""

from __future__ import annotations

import logging
import os
import tempfile
from collections.abc import Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import IO

from siteseer.archive import gzip_member
from siteseer.archive.warc_bytes import PIECE, DamagedStream, open_source
from siteseer.archive.warc_reader import Archive
from siteseer.archive.warc_sources import WarcFile, warc_files
from siteseer.archive.warc_writer import OUR_NAME
from siteseer.collection.collection import Collection
from siteseer.collection.layout import ARCHIVE, state_path
from siteseer.errors import NO_ROOM, ArchiveError, DiskFullError

log = logging.getLogger(__name__)

FOREIGN = "from-"
"""Before the name of a file that Siteseer wrote in another collection: here it is no file of ours to go on with."""


def import_archives(sources: Iterable[Path], archive: Path) -> None:
    """Bring the WARC files of files, WACZ packages, folders and collections into an archive folder.

    What is there already is not brought again; two files of one name stand side by side. A kill leaves whole files.
    """
    archive.mkdir(parents=True, exist_ok=True)
    for source in sources:
        written = _still_written(source)
        for file in warc_files(source):
            try:
                _take_in(file, archive, written.get(file.name))
            except OSError as error:
                if error.errno in NO_ROOM:
                    raise DiskFullError(f"the disk is full: {file.name} does not fit into {archive}") from error
                raise ArchiveError(f"{file.name} could not be brought into {archive}: {error}") from error


def _still_written(source: Path) -> dict[str, int]:
    """Return the file that a collection may still grow at, with the length up to which it is good."""
    folder = source.parent if source.name == ARCHIVE else source
    if not state_path(folder).is_file():
        return {}
    with Collection.open(folder) as collection:
        position = collection.state.position()
    return dict([position]) if position else {}


def _take_in(file: WarcFile, archive: Path, most: int | None) -> None:
    if most is None and is_addressable(file):
        _keep(file, archive, file.name)
        return
    with tempfile.NamedTemporaryFile(dir=archive, prefix=".arriving-") as made:
        _copy(file, made, most) if most is not None else _write_by_record(file, made)
        made.flush()
        os.fsync(made.fileno())
        stem = file.name.removesuffix(".zst").removesuffix(".gz")
        _keep(WarcFile(f"{stem}.gz" if most is None else file.name, Path(made.name)), archive, "")


def is_addressable(file: WarcFile) -> bool:
    """Say whether each record of a file can be read by itself: the second one is not inside the first one's member."""
    for number, record in enumerate(Archive(file)):
        if record.offset < 0:
            return False
        if number:
            break
    return True


def _keep(file: WarcFile, archive: Path, linked: str) -> None:
    """Give a file a name in the archive, unless its bytes are there already."""
    for name in _names(file.name):
        target = archive / name
        if not target.exists():
            if linked and not file.member and _is_linked(file.path, target):
                return
            _replace(file, target)
            return
        if _same_bytes(file, target):
            return


def _names(name: str) -> Iterator[str]:
    """Yield the names that a file may get: its own, if Siteseer would not take it for one that it goes on writing."""
    name = f"{FOREIGN}{name}" if OUR_NAME.fullmatch(name) else name
    yield name
    yield from (f"{number}-{name}" for number in count(2))


def _is_linked(path: Path, target: Path) -> bool:
    try:
        os.link(path.resolve(), target)
    except OSError as error:
        if error.errno in NO_ROOM:
            raise
        return False  # another disk, or one without links
    return True


def _replace(file: WarcFile, target: Path) -> None:
    arriving = target.with_name(f".{target.name}.new")
    try:
        with arriving.open("wb") as made:
            _copy(file, made)
            made.flush()
            os.fsync(made.fileno())
        arriving.replace(target)
    finally:
        arriving.unlink(missing_ok=True)


def _copy(file: WarcFile, made: IO[bytes], most: int | None = None) -> None:
    with file.open() as source:
        while piece := source.read(PIECE if most is None else min(PIECE, most)):
            made.write(piece)
            most = None if most is None else most - len(piece)


def _same_bytes(file: WarcFile, target: Path) -> bool:
    if not file.member and (file.path.samefile(target) or file.path.stat().st_size != target.stat().st_size):
        return file.path.samefile(target)
    with file.open() as left, target.open("rb") as right:
        while True:
            one, other = left.read(PIECE), right.read(PIECE)
            if one != other:
                return False
            if not one:
                return True


def _write_by_record(file: WarcFile, made: IO[bytes]) -> None:
    """Write the records of a file anew, a gzip member for each; what is damaged ends it."""
    with tempfile.NamedTemporaryFile(dir=Path(made.name).parent, prefix=".plain-") as plain:
        with file.open() as stream:
            source = open_source(stream, 0)
            try:
                while piece := source.read(PIECE):
                    plain.write(piece)
            except DamagedStream as problem:
                log.warning("%s: what follows is left out: %s", file.name, problem)
        plain.flush()
        with Path(plain.name).open("rb") as bytes_:
            for record in Archive(WarcFile(file.name, Path(plain.name))):
                record.finish()
                if not record.broken:
                    _write_member(bytes_, record.offset, record.length, made)


def _write_member(source: IO[bytes], offset: int, length: int, made: IO[bytes]) -> None:
    engine = gzip_member.compressor()
    source.seek(offset)
    while length > 0 and (piece := source.read(min(PIECE, length))):
        made.write(engine.compress(piece))
        length -= len(piece)
    made.write(engine.flush())
