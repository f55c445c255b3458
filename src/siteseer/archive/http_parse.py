"""Parses the block of an HTTP record into status, headers and body; lenient, as tools write many variants."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from siteseer.archive.warc_bytes import HEAD_BYTES
from siteseer.model import Headers


class Lines(Protocol):
    """A stream that can be read line by line."""

    def line(self, size: int = HEAD_BYTES) -> bytes:
        """Return the next line with its end; none at the end."""
        ...


@dataclass(frozen=True, slots=True)
class Head:
    """First line and headers of an HTTP message, and how many bytes they took."""

    first: str
    headers: Headers
    size: int

    @property
    def status(self) -> int:
        """The status code; 0 if the first line has none."""
        parts = self.first.split(None, 2)
        code = parts[1] if len(parts) > 1 and parts[0].upper().startswith("HTTP/") else ""
        return int(code) if code.isascii() and code.isdigit() and len(code) == 3 else 0

    @property
    def method(self) -> str:
        """The method of a request, upper-case."""
        return self.first.split(" ", 1)[0].upper()

    def header(self, name: str) -> str:
        """Return the first header of that (lower-case) name; empty if missing."""
        return next((value for key, value in self.headers if key.lower() == name), "")

    @property
    def chunked(self) -> bool:
        """Whether the headers say that the body is in chunks."""
        return "chunked" in self.header("transfer-encoding").lower()


def read_head(block: Lines) -> Head:
    """Read the head of an HTTP message up to and with its empty line."""
    first = block.line()
    size = len(first)
    headers: list[tuple[str, str]] = []
    while size < HEAD_BYTES * 4 and (line := block.line()):
        size += len(line)
        if not line.strip(b"\r\n"):
            break
        text = line.decode("utf-8", "surrogateescape").rstrip("\r\n")
        name, colon, value = text.partition(":")
        if text[0] in " \t" and headers:
            headers[-1] = (headers[-1][0], f"{headers[-1][1]} {text.strip()}")
        elif colon:
            headers.append((name.strip(), value.strip(" \t")))
    return Head(first.decode("utf-8", "surrogateescape").strip(), tuple(headers), size)


class Dechunker:
    """Takes a chunked body piece by piece and gives what is in the chunks.

    A body that only claims to be chunked (many tools store it decoded under the old header) comes out as it is.

    >>> Dechunker().feed(b"3\\r\\nabc\\r\\n2;x=y\\r\\nde\\r\\n0\\r\\n\\r\\n")
    b'abcde'
    >>> Dechunker().feed(b"<html>plain")
    b'<html>plain'
    """

    def __init__(self) -> None:
        self.waiting = b""
        self.left = 0
        self.state = "first"

    def feed(self, data: bytes) -> bytes:
        """Take the next piece of the body; return what it adds to the payload."""
        if self.state == "plain":
            return data
        if self.state == "end":
            return b""
        out: list[bytes] = []
        data = self.waiting + data
        self.waiting = b""
        while data and self.state not in ("end", "plain"):
            if self.state == "chunk":
                out.append(data[: self.left])
                data = data[len(out[-1]) :]
                self.left -= len(out[-1])
                self.state = "size" if not self.left else "chunk"
            else:
                data = self._size_line(data)
        if self.state == "plain":
            out.append(data)
        return b"".join(out)

    def finish(self) -> bytes:
        """Return what was held back, at the end of the body."""
        return self.waiting if self.state == "first" else b""

    def _size_line(self, data: bytes) -> bytes:
        line, newline, rest = data.partition(b"\n")
        if self.state == "size" and newline and not line.strip():
            return rest  # the line end after a chunk
        if (
            not newline
            and len(line) < 1024
            and not (self.state == "first" and line and not _is_size(line, partial=True))
        ):
            self.waiting = data
            return b""
        if not _is_size(line):
            self.state = "plain"  # also in the middle: rather too much than content lost
            return data
        self.left = int(line.split(b";")[0].strip(), 16)
        self.state = "chunk" if self.left else "end"
        return rest


def _is_size(line: bytes, partial: bool = False) -> bool:
    digits = line.split(b";")[0].strip()
    return (partial or bool(digits)) and len(digits) <= 15 and all(byte in b"0123456789abcdefABCDEF" for byte in digits)
