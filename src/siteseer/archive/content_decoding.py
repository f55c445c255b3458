"""Content-encoded bytes in, the document out: gzip, deflate, br, zstd, in any number of layers, within a limit.

Every layer is a generator that asks the one below for the next piece, so a bomb costs one piece per layer and never
more than the limit in all. Damage is tolerated as browsers do: what could be decoded is returned, and it is said.
"""

from __future__ import annotations

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
ACCEPT_ENCODING = "gzip, deflate, br, zstd"
"""What may be asked for, since all of it can be decoded here."""

Pieces = Iterator[bytes]
Notes = list[str]
Decoder = Callable[[Pieces, Notes], Pieces]
_Reader = stream_io.BrotliReader | stream_io.ZstdReader


@dataclass(frozen=True, slots=True)
class Decoded:
    """The decoded body; `complete` is False where it was cut at the limit or its encoding was damaged."""

    body: bytes
    complete: bool = True
    note: str = ""


def decode(body: bytes | IO[bytes], encodings: str, limit: int = DECODED_BYTES) -> Decoded:
    """Undo a Content-Encoding; a file is read from where it stands.

    >>> decode(zlib.compress(b"<p>hi"), "deflate").body
    b'<p>hi'
    >>> decode(b"<p>not gzip at all", "gzip")
    Decoded(body=b'<p>not gzip at all', complete=False, note='not gzip')
    """
    notes: Notes = []
    pieces = _pieces_of(BytesIO(body) if isinstance(body, bytes) else body)
    for name in reversed(_names(encodings, notes)):
        pieces = DECODERS[name](pieces, notes)
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
    for piece in pieces:
        kept.append(piece[:room])
        room -= len(piece)
        if room < 0:
            notes.append(f"cut at {limit} decoded bytes")
            break
    return b"".join(kept)


def _gunzip(pieces: Pieces, notes: Notes) -> Pieces:
    return _inflate(pieces, notes, "gzip", lambda first: zlib.decompressobj(31))


def _undeflate(pieces: Pieces, notes: Notes) -> Pieces:
    return _inflate(pieces, notes, "deflate", _zlib_or_raw)


def _zlib_or_raw(first: bytes) -> zlib._Decompress:
    # RFC 9110 means zlib's format; servers have sent raw deflate for as long as there have been servers.
    try:
        zlib.decompressobj(15).decompress(first, PIECE)
    except zlib.error:
        return zlib.decompressobj(-15)
    return zlib.decompressobj(15)


def _inflate(pieces: Pieces, notes: Notes, name: str, make: Callable[[bytes], zlib._Decompress]) -> Pieces:
    engine: zlib._Decompress | None = None
    produced = False
    for piece in pieces:
        engine = engine or make(piece)
        data = piece
        while data:
            try:
                for decoded in _feed(engine, data):
                    produced = True
                    yield decoded
            except zlib.error as error:
                if produced:
                    notes.append(f"{name} damaged: {error}")
                    return
                notes.append(f"not {name}")
                yield piece
                yield from pieces
                return
            data = engine.unused_data if engine.eof else b""
            if engine.eof and data:
                if not data.startswith(b"\x1f\x8b"):
                    return  # padding after the last member, as some servers send
                engine = make(data)
    if engine is not None and not engine.eof:
        notes.append(f"{name} ends early")


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


def _by_reader(name: str, reader: type[_Reader]) -> Decoder:
    def decoder(pieces: Pieces, notes: Notes) -> Pieces:
        first = next(pieces, b"")
        if not first:
            return
        file = reader(_PiecesFile(_chain(first, pieces)))
        produced = False
        try:
            while piece := file.read(4096 if not produced else PIECE // 4):
                produced = True
                yield piece
        except OSError as error:
            notes.append(f"{name} damaged: {error}" if produced else f"not {name}")
            if not produced:
                yield first
                yield from pieces

    return decoder


def _chain(first: bytes, pieces: Pieces) -> Pieces:
    yield first
    yield from pieces


DECODERS: dict[str, Decoder] = {
    "gzip": _gunzip,
    "deflate": _undeflate,
    "br": _by_reader("br", stream_io.BrotliReader),
    "zstd": _by_reader("zstd", stream_io.ZstdReader),
}
