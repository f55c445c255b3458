"""Writes the heads of WARC/1.1 records, and of the HTTP messages inside them.

Names and values of HTTP headers are text as `bytes.decode("utf-8", "surrogateescape")` gives it, so that any byte a
server sends goes into the archive and comes out of it unchanged.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import IO

from siteseer.interfaces import Exchange
from siteseer.model import Headers

Fields = Iterable[tuple[str, str]]

VERSION = b"WARC/1.1\r\n"
RECORD_END = b"\r\n\r\n"
PIECE = 1 << 20
REDACTED = "redacted"
SECRET_HEADERS = frozenset({"cookie", "authorization", "proxy-authorization"})
RENDERED = "urn:rendered:"
"""Before the URL of a page as its scripts made it: archived beside the responses, never replayed in their place."""
IDENTICAL_PAYLOAD = "http://netpreserve.org/warc/1.1/revisit/identical-payload-digest"
NOT_MODIFIED = "http://netpreserve.org/warc/1.1/revisit/server-not-modified"

_LINE_BREAKS = re.compile(r"[\r\n\0]+[ \t]*")
_UNSAFE_IN_URL = re.compile(r"[\x00-\x20\x7f<>\"]")


def new_record_id() -> str:
    """Return `urn:uuid:...` with a random (version 4) UUID.

    >>> new_record_id()[:9], len(new_record_id())
    ('urn:uuid:', 45)
    """
    digits = os.urandom(16).hex()  # a tenth of the price of uuid.uuid4
    variant = "89ab"[int(digits[16], 16) & 3]
    return f"urn:uuid:{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def warc_date(time: datetime) -> str:
    """Write a time as WARC-Date does.

    >>> warc_date(datetime(2026, 1, 2, 3, 4, 5, 600000, tzinfo=UTC))
    '2026-01-02T03:04:05.600000Z'
    """
    return time.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def record_head(kind: str, fields: Fields, length: int) -> bytes:
    """Return the head of a record up to and with the empty line; fields without a value are left out.

    >>> record_head("metadata", [("WARC-Record-ID", "<urn:x>"), ("WARC-Truncated", "")], 5)
    b'WARC/1.1\\r\\nWARC-Type: metadata\\r\\nWARC-Record-ID: <urn:x>\\r\\nContent-Length: 5\\r\\n\\r\\n'
    """
    lines = [f"{name}: {value}\r\n" for name, value in fields if value]
    return VERSION + _encode(f"WARC-Type: {kind}\r\n{''.join(lines)}Content-Length: {length}\r\n\r\n")


def named_fields(values: Mapping[str, str]) -> bytes:
    """Return a block of `application/warc-fields`.

    >>> named_fields({"software": "siteseer", "description": "two\\nlines"})
    b'software: siteseer\\r\\ndescription: two lines\\r\\n'
    """
    return _encode("".join(f"{_one_line(name)}: {_one_line(value)}\r\n" for name, value in values.items()))


def target_uri(url: str) -> str:
    """Return the URL with what would break a record head percent-encoded.

    >>> target_uri("http://a/x y")
    'http://a/x%20y'
    """
    return _UNSAFE_IN_URL.sub(lambda found: f"%{ord(found[0]):02X}", url)


def response_head(exchange: Exchange) -> bytes:
    """Return status line and headers: as received, except that they fit a body without transfer coding."""
    version = "HTTP/1.0" if exchange.protocol.lower() == "http/1.0" else "HTTP/1.1"
    lines = [f"{version} {exchange.status:03d} {_one_line(exchange.reason)}\r\n"]
    for name, value in _fitted(exchange):
        lines.append(f"{_one_line(name)}: {_one_line(value)}\r\n")
    lines.append("\r\n")
    return _encode("".join(lines))


def _fitted(exchange: Exchange) -> Headers:
    headers = exchange.headers
    chunked = any(name.lower() == "transfer-encoding" for name, _ in headers)
    bodiless = exchange.body_length == 0 and (
        exchange.status in (204, 304) or exchange.request_head[:5].upper() == b"HEAD "
    )
    length = str(exchange.body_length)
    claimed = [value.strip() for name, value in headers if name.lower() == "content-length"]
    wrong = not bodiless and bool(claimed) and claimed != [length]
    if not chunked and not wrong:
        return headers
    moved = {"transfer-encoding"} | ({"content-length"} if wrong else set())
    kept = [(f"X-Archive-Orig-{name}" if name.lower() in moved else name, value) for name, value in headers]
    return (*kept, *((("Content-Length", length),) if not bodiless and (wrong or not claimed) else ()))


def redact_head(request_head: bytes) -> bytes:
    """Return a request head without the values that would let a reader of the archive log in.

    >>> redact_head(b"GET / HTTP/1.1\\r\\nHost: a\\r\\nCookie: s=1\\r\\n\\r\\n")
    b'GET / HTTP/1.1\\r\\nHost: a\\r\\nCookie: redacted\\r\\n\\r\\n'
    """
    kept: list[bytes] = []
    secret = False
    for line in request_head.split(b"\r\n"):
        folded = line[:1] in (b" ", b"\t")
        if folded and secret:
            continue
        name, colon, _ = line.partition(b":")
        secret = bool(colon) and name.strip().lower().decode("latin-1") in SECRET_HEADERS
        kept.append(name + b": " + REDACTED.encode() if secret else line)
    return b"\r\n".join(kept)


def digest_of(head: bytes, body: IO[bytes], length: int) -> str:
    """Return `sha256:hex` of some bytes followed by the first `length` bytes of a file, read from its start.

    >>> from io import BytesIO
    >>> digest_of(b"", BytesIO(b"abc"), 3)[:20]
    'sha256:ba7816bf8f01c'
    """
    digest = hashlib.sha256(head)
    for piece in pieces(body, length):
        digest.update(piece)
    return "sha256:" + digest.hexdigest()


def pieces(body: IO[bytes], length: int) -> Iterable[bytes]:
    """Read the first `length` bytes of a file, a piece at a time."""
    body.seek(0)
    while length > 0 and (piece := body.read(min(PIECE, length))):
        length -= len(piece)
        yield piece


def _one_line(text: str) -> str:
    return _LINE_BREAKS.sub(" ", text) if not text.isprintable() else text


def _encode(text: str) -> bytes:
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:  # half a surrogate pair, as scripts put into URLs
        return text.encode("utf-8", "replace")
