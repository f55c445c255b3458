"""Reads the records of a WARC file one after the other, with the offset of each, skipping damage.

Records are streams: a film of gigabytes costs a piece of memory.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterator

from siteseer.archive.warc_bytes import HEAD_BYTES, PIECE, DamagedStream, Source, open_source
from siteseer.archive.warc_sources import WarcFile

log = logging.getLogger(__name__)

UNREAD = -2
_NOT_UTF_8 = re.compile("[\udc80-\udcff]")
DAMAGES = 1000
"""A file with more damage than this is not read further."""


class Record:
    """One record: its named fields (lower-case), where it lies, and its block as a stream.

    `offset` is -1 where the record cannot be had by random access: inside a gzip member with others, or in zstd.
    """

    __slots__ = ("_end", "broken", "fields", "frame", "kind", "left", "offset", "source")

    def __init__(self, source: Source, offset: int, fields: dict[str, str]) -> None:
        self.source = source
        self.offset = offset
        self.frame = source.frame
        self.fields = fields
        self.kind = fields.get("warc-type", "").lower()
        self.left = _content_length(fields)
        self.broken = False
        self._end = UNREAD

    def read(self, size: int = PIECE) -> bytes:
        """Return at least one and at most `size` bytes of the block; none at its end."""
        if not self.left:
            return b""
        data = self._guarded(self.source.read, min(size, self.left))
        self.left -= len(data)
        if not data:
            self.broken, self.left = True, 0
        return data

    def line(self, size: int = HEAD_BYTES) -> bytes:
        """Return a line of the block with its end, at most `size` bytes of it; none at the end of the block."""
        data = self._guarded(self.source.line, min(size, self.left))
        self.left -= len(data)
        return data

    @property
    def length(self) -> int:
        """How many bytes of the file the record takes (0 if unknown); what is left of its block is read over."""
        self.finish()
        return max(0, self._end - self.offset) if self.offset >= 0 else 0

    def finish(self) -> None:
        """Read the rest of the block, and the line ends after it."""
        if self._end != UNREAD:
            return
        while self.read():
            pass
        if not self.broken:
            self._skip_line_ends()
        self._end = self.source.place()

    def _skip_line_ends(self) -> None:
        source = self.source
        try:
            while source.at < len(source.buffer) or source.fill():
                if source.buffer[source.at] not in b"\r\n":
                    return
                source.at += 1
        except DamagedStream:
            self.broken = source.frame == self.frame

    def _guarded(self, read: Callable[[int], bytes], size: int) -> bytes:
        try:
            return read(size)
        except DamagedStream:
            return b""


class Archive:
    """Iterates over the records of a file; `damage` lists what could not be read, with its offset.

    A record must be read before the next one is asked for.
    """

    def __init__(self, file: WarcFile, start: int = 0) -> None:
        self.file = file
        self.start = start
        self.damage: list[tuple[int, str]] = []

    def __iter__(self) -> Iterator[Record]:
        with self.file.open() as file:
            source = open_source(file, self.start)
            while True:
                offset = source.place()
                try:
                    record = _next(source)
                except DamagedStream as problem:
                    if self._give_up(source, offset, str(problem)):
                        return
                    continue
                if record is None:
                    return
                yield record
                record.finish()
                if record.broken and self._give_up(source, record.offset, "the record is cut short"):
                    return

    def _give_up(self, source: Source, offset: int, problem: str) -> bool:
        offset = offset if offset >= 0 else source.frame
        self.damage.append((offset, problem))
        log.warning("%s, offset %d: %s", self.file.name, offset, problem)
        return len(self.damage) >= DAMAGES or not source.skip_damage()


def _next(source: Source) -> Record | None:
    line = b"\n"
    while not line.strip(b"\r\n"):
        offset = source.place()
        line = source.line()
        if not line:
            return None
    if not line.startswith(b"WARC/"):
        raise DamagedStream(f"no WARC record begins here but {line[:20]!r}")
    source.mark = max(source.mark, offset)
    return Record(source, offset, _named_fields(source))


def _named_fields(source: Source) -> dict[str, str]:
    fields: dict[str, str] = {}
    name = ""
    room = HEAD_BYTES
    while (line := source.line()).strip(b"\r\n"):
        room -= len(line)
        if room < 0:
            raise DamagedStream("the record's head is too long")
        text = _text(line)
        if text[0] in " \t" and name:
            fields[name] += " " + text.strip()
            continue
        name, _, value = text.partition(":")
        name = name.strip().lower()
        fields[name] = (
            f"{fields[name]} {value.strip()}" if name == "warc-concurrent-to" and name in fields else value.strip()
        )
    return fields


def _text(line: bytes) -> str:
    """Return a line as text; old tools wrote addresses in other encodings than UTF-8, whose bytes are percent-encoded.

    >>> _text(b"WARC-Target-URI: http://e.org/caf\\xe9")
    'WARC-Target-URI: http://e.org/caf%E9'
    """
    text = line.decode("utf-8", "surrogateescape")
    return text if text.isascii() else _NOT_UTF_8.sub(lambda found: f"%{ord(found[0]) & 0xFF:02X}", text)


def _content_length(fields: dict[str, str]) -> int:
    length = fields.get("content-length", "")
    if not (length.isascii() and length.isdigit() and len(length) < 16):
        raise DamagedStream(f"no usable Content-Length ({length[:20]!r})")
    return int(length)
