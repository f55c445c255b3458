"""Reads a WARC file without compression (plain, gzip or zstd), with the offset of every member.

Written here because damage must be found and stepped over, and both ends of every member known, which the readers of
the field do not tell.
"""

from __future__ import annotations

import zlib
from typing import IO

from fastwarc.stream_io import ZstdReader

PIECE = 64 * 1024
HEAD_BYTES = 64 * 1024
"""The head of a record or of an HTTP message is no longer than this."""
GZIP_MAGIC = b"\x1f\x8b\x08"
ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
ZSTD_DICTIONARY = b"\x5d\x2a\x4d\x18"


class DamagedStream(Exception):
    """The compressed stream is damaged here."""


class Source:
    """The bytes of a plain file.

    `frame` is where the bytes at hand begin in the file, `mark` where the last record did.
    """

    magic = b"\nWARC/1."

    def __init__(self, file: IO[bytes], start: int = 0) -> None:
        self.file = file
        self.mark = self.frame = start
        self.buffer = b""
        self.at = 0
        self.file.seek(start)

    def place(self) -> int:
        """Return the offset by which the record that begins at the next byte can be found again, -1 if by none."""
        return self.frame + self.at

    def fill(self) -> bool:
        """Get more bytes; False at the end of the file."""
        self.frame += len(self.buffer)
        self.buffer, self.at = self.file.read(PIECE), 0
        return bool(self.buffer)

    def read(self, size: int) -> bytes:
        """Return at least one and at most `size` bytes; none at the end."""
        if self.at == len(self.buffer) and not self.fill():
            return b""
        taken = self.buffer[self.at : self.at + size]
        self.at += len(taken)
        return taken

    def line(self, size: int = HEAD_BYTES) -> bytes:
        """Return a line with its end, at most `size` bytes of it; none at the end."""
        parts: list[bytes] = []
        while size > 0 and (self.at < len(self.buffer) or self.fill()):
            end = self.buffer.find(b"\n", self.at, self.at + size) + 1
            parts.append(self.buffer[self.at : end or self.at + size])
            self.at += len(parts[-1])
            size -= len(parts[-1])
            if end:
                break
        return b"".join(parts)

    def skip_damage(self) -> bool:
        """Go to the next offset after the last record's beginning where a record may begin; False if there is none."""
        position, tail = self.mark + 1, b""
        self.file.seek(position)
        while data := self.file.read(PIECE):
            found = (tail + data).find(self.magic)
            if found >= 0:
                start = position - len(tail) + found + (self.magic[:1] == b"\n")
                self.__init__(self.file, start)  # type: ignore[misc]
                return True
            position += len(data)
            tail = (tail + data)[1 - len(self.magic) :]
        return False


class GzipSource(Source):
    """The bytes of a gzip file, member by member."""

    magic = GZIP_MAGIC

    def __init__(self, file: IO[bytes], start: int = 0) -> None:
        super().__init__(file, start)
        self.next_frame = start
        self.packed = b""
        self.before = 0
        self.engine: zlib._Decompress | None = None

    def place(self) -> int:
        """Return where the member begins; past its last byte, where the next one does; -1 in its middle."""
        if self.at == len(self.buffer) and self.engine is None:
            return self.next_frame
        return -1 if self.before + self.at else self.frame

    def fill(self) -> bool:
        """Unpack a piece, never across the end of a member."""
        while True:
            self.packed = self.packed or self.file.read(PIECE)
            if not self.packed:
                if self.engine is not None:
                    raise DamagedStream("the last gzip member is cut short")
                return False
            self.before += len(self.buffer)
            if self.engine is None:
                self.engine, self.before = zlib.decompressobj(31), 0
                self.frame = self.mark = self.next_frame
            try:
                self.buffer, self.at = self.engine.decompress(self.packed, PIECE * 4), 0
            except zlib.error as error:
                self.buffer, self.at = b"", 0
                raise DamagedStream(str(error)) from error
            self.packed = self.engine.unused_data if self.engine.eof else self.engine.unconsumed_tail
            if self.engine.eof:
                self.engine, self.next_frame = None, self.file.tell() - len(self.packed)
            if self.buffer:
                return True


class ZstdSource(Source):
    """The bytes of a zstd file as fastwarc unpacks them, from beginning to end only."""

    magic = ZSTD_MAGIC

    def __init__(self, file: IO[bytes], start: int = 0) -> None:
        super().__init__(file, start)
        self.reader = ZstdReader(file)

    def place(self) -> int:
        """Return -1: the offsets of frames are not known."""
        return -1

    def fill(self) -> bool:
        """Unpack a piece."""
        try:
            self.buffer, self.at = self.reader.read(PIECE), 0
        except OSError as error:
            raise DamagedStream(str(error)) from error
        return bool(self.buffer)


def open_source(file: IO[bytes], start: int) -> Source:
    """Return the source that suits the file's first bytes."""
    file.seek(start)
    magic = file.read(4)
    if magic.startswith(GZIP_MAGIC):
        return GzipSource(file, start)
    return ZstdSource(file, start) if magic in (ZSTD_MAGIC, ZSTD_DICTIONARY) else Source(file, start)
