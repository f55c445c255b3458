"""Decodes Content-Encoding: gzip, deflate, br, zstd, in any number of layers, within a size limit.

Every layer is a generator that asks the one below for the next piece, so a bomb costs one piece per layer and never
more than the limit in all. The work is bounded, too: empty members and frames bring no bytes, and cost time. Damage is
tolerated as browsers do: what could be decoded is returned, and it is said.
"""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from io import BytesIO
from typing import IO

from fastwarc import stream_io

from siteseer.model import Headers
from siteseer.settings import FetchLimits

PIECE = 64 * 1024
DECODED_BYTES = FetchLimits().decoded_bytes
LAYERS = 4
"""Nobody honest encodes a body more often than this; further layers are left on."""
MOST_MEMBERS = 10_000
"""Members or frames of one layer: an honest body of 32 MB in blocks of 64 kB has 512."""
SLACK_BYTES = 256 * 1024
"""A layer that has taken this much more than twice what it brought is no way to send a page."""
MOST_SECONDS = 5.0
"""Of this thread, for all layers together: the last resort. Pages need a hundredth of it."""
ACCEPT_ENCODING = "gzip, deflate, br, zstd"
"""What may be asked for, since all of it can be decoded here."""

Pieces = Iterator[bytes]
Notes = list[str]
Decoder = Callable[[Pieces, "_Layer"], Pieces]
GZIP = b"\x1f\x8b"
"""How a member begins."""
ZSTD_FRAMES = (b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18")
"""How frames begin, and those that are skipped."""
_Reader = stream_io.BrotliReader | stream_io.ZstdReader


@dataclass(frozen=True, slots=True)
class Decoded:
    """The decoded body; `complete` is False where it was cut at the limit or its encoding was damaged."""

    body: bytes
    complete: bool = True
    note: str = ""

    @property
    def cut(self) -> str:
        """Why the end of the document is missing; empty where it is there, or where nothing was encoded in truth."""
        return "" if self.note.startswith(("not ", "unknown ")) else self.note


def decode(body: bytes | IO[bytes], encodings: str, limit: int = DECODED_BYTES) -> Decoded:
    """Undo a Content-Encoding; a file is read from where it stands.

    >>> decode(zlib.compress(b"<p>hi"), "deflate").body
    b'<p>hi'
    >>> decode(b"<p>not gzip at all", "gzip")
    Decoded(body=b'<p>not gzip at all', complete=False, note='not gzip')
    """
    notes: Notes = []
    pieces = _pieces_of(BytesIO(body) if isinstance(body, bytes) else body)
    until = time.thread_time() + MOST_SECONDS
    for name in reversed(_names(encodings, notes)):
        pieces = _Layer(name, notes, until).decoded(pieces)
    decoded = _collect(pieces, limit, notes)
    return Decoded(decoded, not notes, "; ".join(notes))


def content_encoding(headers: Headers) -> str:
    """Return the content encodings of a message, in the order in which they were applied.

    >>> content_encoding((("content-encoding", "gzip"), ("Content-Encoding", "br")))
    'gzip, br'
    """
    return ", ".join(value for name, value in headers if name.lower() == "content-encoding")


def _names(encodings: str, notes: Notes) -> list[str]:
    names = [name.strip().lower().removeprefix("x-") for name in encodings.split(",")]
    names = [name for name in names if name and name not in ("identity", "none")]
    unknown = [name for name in names if name not in DECODERS]
    if unknown:
        notes.append(f"unknown content encoding {unknown[0][:40]}")
        names = names[names.index(unknown[-1]) + 1 :]
    return names[-LAYERS:]


def _pieces_of(file: IO[bytes]) -> Pieces:
    while piece := file.read(PIECE):
        yield piece


def _collect(pieces: Pieces, limit: int, notes: Notes) -> bytes:
    kept: list[bytes] = []
    room = limit
    try:
        for piece in pieces:
            kept.append(piece[:room])
            room -= len(piece)
            if room < 0:
                notes.append(f"cut at {limit} decoded bytes")
                break
    except _TooMuchWorkError as error:
        notes.append(str(error))
    return b"".join(kept)


class _TooMuchWorkError(Exception):
    """A body takes more work to decode than any page is worth."""


class _Layer:
    """One encoding of a body, and what undoing it has cost so far."""

    def __init__(self, name: str, notes: Notes, until: float) -> None:
        self.name, self.notes, self.until = name, notes, until
        self.taken = self.brought = self.members = 0

    def decoded(self, pieces: Pieces) -> Pieces:
        """Yield what a layer brings; raise where it costs too much."""
        for piece in DECODERS[self.name](self._weighed(pieces), self):
            self.brought += len(piece)
            yield piece

    def begin_members(self, count: int = 1) -> None:
        """Count members that begin."""
        self.members += count
        if self.members > MOST_MEMBERS:
            raise _TooMuchWorkError(f"{self.name} of more than {MOST_MEMBERS:,} members")

    def _weighed(self, pieces: Pieces) -> Pieces:
        for piece in pieces:
            if self.taken > 2 * self.brought + SLACK_BYTES:
                raise _TooMuchWorkError(f"{self.name} that unpacks to less than it holds")
            if time.thread_time() > self.until:
                raise _TooMuchWorkError(f"{self.name} that takes more than {MOST_SECONDS:.0f} seconds to unpack")
            self.taken += len(piece)
            yield piece


def _gunzip(pieces: Pieces, layer: _Layer) -> Pieces:
    return _inflate(pieces, layer, lambda first: zlib.decompressobj(31))


def _undeflate(pieces: Pieces, layer: _Layer) -> Pieces:
    return _inflate(pieces, layer, _zlib_or_raw)


def _zlib_or_raw(first: bytes) -> zlib._Decompress:
    # RFC 9110 means zlib's format; servers have sent raw deflate for as long as there have been servers.
    try:
        zlib.decompressobj(15).decompress(first, PIECE)
    except zlib.error:
        return zlib.decompressobj(-15)
    return zlib.decompressobj(15)


def _inflate(pieces: Pieces, layer: _Layer, make: Callable[[bytes], zlib._Decompress]) -> Pieces:
    engine: zlib._Decompress | None = None
    data = b""
    for piece in pieces:
        data += piece
        engine = engine or make(data)
        while data:
            if engine.eof:
                if len(data) < len(GZIP):
                    break  # the next piece tells whether another member begins here
                if not data.startswith(GZIP):
                    return  # padding after the last member, as some servers send
                layer.begin_members()
                engine = make(data)
            try:
                yield from _feed(engine, data)
            except zlib.error as error:
                if layer.brought:
                    layer.notes.append(f"{layer.name} damaged: {error}")
                    return
                layer.notes.append(f"not {layer.name}")
                yield data
                yield from pieces
                return
            data = engine.unused_data if engine.eof else b""
    if engine is not None and not engine.eof:
        layer.notes.append(f"{layer.name} ends early")


def _feed(engine: zlib._Decompress, data: bytes) -> Pieces:
    while True:
        decoded = engine.decompress(data, PIECE)
        if decoded:
            yield decoded
        data = engine.unconsumed_tail
        if engine.eof or (not data and len(decoded) < PIECE):
            return


class _PiecesFile:
    """Pieces as the file that the brotli and zstd readers want."""

    def __init__(self, pieces: Pieces) -> None:
        self.pieces = pieces
        self.rest = b""
        self.position = 0

    def read(self, size: int = -1) -> bytes:
        if not self.rest:
            self.rest = next(self.pieces, b"")
        size = len(self.rest) if size < 0 else size
        taken, self.rest = self.rest[:size], self.rest[size:]
        self.position += len(taken)
        return taken

    def seek(self, offset: int, whence: int = 0) -> int:
        raise OSError("a stream of pieces cannot go back")

    def tell(self) -> int:
        return self.position

    def close(self) -> None:
        pass


def _by_reader(reader: type[_Reader], frames: tuple[bytes, ...] = ()) -> Decoder:
    def counted(pieces: Pieces, layer: _Layer) -> Pieces:
        for piece in pieces:
            layer.begin_members(sum(map(piece.count, frames)))
            yield piece

    def decoder(pieces: Pieces, layer: _Layer) -> Pieces:
        pieces = counted(pieces, layer)
        first = next(pieces, b"")
        if not first:
            return
        file = reader(_PiecesFile(_chain(first, pieces)))
        try:
            while piece := file.read(4096 if not layer.brought else PIECE // 4):
                yield piece
        except OSError as error:
            layer.notes.append(f"{layer.name} damaged: {error}" if layer.brought else f"not {layer.name}")
            if not layer.brought:
                yield first
                yield from pieces

    return decoder


def _chain(first: bytes, pieces: Pieces) -> Pieces:
    yield first
    yield from pieces


DECODERS: dict[str, Decoder] = {
    "gzip": _gunzip,
    "deflate": _undeflate,
    "br": _by_reader(stream_io.BrotliReader),
    "zstd": _by_reader(stream_io.ZstdReader, ZSTD_FRAMES),
}
