"""Finds the WARC files in a WARC, a WACZ or a directory, each ready to be opened."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, Any, cast

from siteseer.errors import ArchiveError

WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst")
LOCAL_HEADER = 30
"""The fixed part of a ZIP local file header; the lengths of name and extra field stand at 26 and 28."""


@dataclass(frozen=True, slots=True)
class WarcFile:
    """A WARC file, by itself or inside a WACZ."""

    name: str
    path: Path
    member: str = ""
    """Its name inside the WACZ at `path`; empty for a file by itself."""
    place: tuple[int, int] | None = None
    """Where its local header begins in the WACZ, and its size; None for a file by itself, or one that is compressed."""

    @property
    def size(self) -> int:
        """Its bytes; 0 where that is not known without reading it."""
        if self.member:
            return self.place[1] if self.place else 0
        return self.path.stat().st_size

    def open(self) -> IO[bytes]:
        """Open it for reading, seekable."""
        try:
            return self._open_member() if self.member else self.path.open("rb")
        except (OSError, zipfile.BadZipFile) as error:
            raise ArchiveError(f"Could not read {self.path}: {error}.") from error

    def _open_member(self) -> IO[bytes]:
        if self.place is None:
            return zipfile.ZipFile(self.path).open(self.member)
        offset, size = self.place
        file = self.path.open("rb", buffering=0)
        file.seek(offset)
        header = file.read(LOCAL_HEADER)
        start = offset + LOCAL_HEADER + int.from_bytes(header[26:28], "little")
        return cast(IO[bytes], io.BufferedReader(_Part(file, start + int.from_bytes(header[28:30], "little"), size)))


class _Part(io.RawIOBase):
    """A stretch of a file as a file."""

    def __init__(self, file: io.FileIO, start: int, size: int) -> None:
        self.file, self.start, self.size, self.position = file, start, size, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self.position, io.SEEK_END: self.size}[whence]
        self.position = max(0, base + offset)
        return self.position

    def readinto(self, buffer: Any) -> int:
        self.file.seek(self.start + self.position)
        data = self.file.read(min(len(buffer), max(0, self.size - self.position))) or b""
        buffer[: len(data)] = data
        self.position += len(data)
        return len(data)

    def close(self) -> None:
        self.file.close()
        super().close()


def warc_files(path: Path) -> list[WarcFile]:
    """Return the WARC files of a file, a WACZ or a directory (and its folders), in order of their names.

    Of a collection only its `archive` folder counts: an exported WACZ beside it holds the same again.
    """
    if (path / "archive").is_dir():
        path = path / "archive"
    if path.is_dir():
        return [file for found in sorted(_archives_below(path)) for file in warc_files(found)]
    if not path.is_file():
        raise ArchiveError(f"{path} does not exist; name a WARC file, a WACZ file or a directory of them.")
    if path.suffix.lower() != ".wacz":
        return [WarcFile(path.name, path)]
    try:
        with zipfile.ZipFile(path) as package:
            members = {
                name: package.getinfo(name) for name in package.namelist() if name.lower().endswith(WARC_ENDINGS)
            }
    except (OSError, zipfile.BadZipFile) as error:
        raise ArchiveError(f"{path} is not a readable WACZ file: {error}.") from error
    return [WarcFile(name.rpartition("/")[2], path, name, _place(info)) for name, info in sorted(members.items())]


def _place(info: zipfile.ZipInfo) -> tuple[int, int] | None:
    return (info.header_offset, info.file_size) if info.compress_type == zipfile.ZIP_STORED else None


def _archives_below(folder: Path) -> Iterator[Path]:
    endings = (*WARC_ENDINGS, ".wacz")
    return (found for found in folder.rglob("*") if found.name.lower().endswith(endings) and found.is_file())
