"""Reads the pages of a WARC, WACZ or directory, whatever tool archived them, as if they had just been fetched.

Requests are paired with responses so that a POST is known; revisits are resolved to the payload they stand for.
"""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from siteseer.archive.content_decoding import DECODED_BYTES, content_encoding, decode
from siteseer.archive.http_parse import Dechunker, Head, read_head
from siteseer.archive.warc_reader import Archive, Record
from siteseer.archive.warc_record import RENDERED
from siteseer.archive.warc_sources import WarcFile, warc_files
from siteseer.errors import ArchiveError
from siteseer.model import Capture, Page

log = logging.getLogger(__name__)

REQUEST_BYTES = 1 << 20
"""A longer request body is cut: it only serves to tell one POST from another."""
DOCUMENTS = ("response", "revisit", "resource")
NO_TIME = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class ArchivedRequest:
    """A request record: method, headers and body."""

    identity: str
    concurrent_to: str
    url: str
    head: Head
    body: bytes


@dataclass(frozen=True, slots=True)
class ArchivedResponse:
    """A response, revisit or resource record: `payload` is without transfer coding, cut at the limit."""

    kind: str
    url: str
    capture: Capture
    head: Head
    payload: bytes
    fields: dict[str, str]
    asked: ArchivedRequest | None = None

    @property
    def status(self) -> int:
        """The HTTP status; 200 for a resource."""
        return 200 if self.kind == "resource" else self.head.status

    @property
    def is_rendering(self) -> bool:
        """Whether it is a page as its scripts made it, beside the response."""
        return self.kind == "resource" and self.url.startswith(RENDERED)

    @property
    def page_url(self) -> str:
        """The URL of the page that it is, or is a rendering of."""
        return self.url.removeprefix(RENDERED) if self.is_rendering else self.url

    @property
    def method(self) -> str:
        """The method of the request."""
        return self.asked.head.method if self.asked else "GET"

    @property
    def mime(self) -> str:
        """The media type without parameters; `warc/revisit` for a revisit, `unk` where unknown."""
        if self.kind == "revisit":
            return "warc/revisit"
        return self.head.header("content-type").split(";")[0].strip().lower() or "unk"


def check_holds_records(path: Path) -> None:
    """Raise for an archive without any WARC record: it is something else."""
    if not any(True for file in warc_files(path) for _ in Archive(file)):
        raise ArchiveError(f"{path} holds no WARC record")


def pages(path: Path, limit: int = DECODED_BYTES) -> Iterator[tuple[Page, Capture]]:
    """Yield every page of an archive with its place, in the order in which they were stored.

    Revisits come where they stand, those whose original comes later at the end; without an original they are left
    out, with a warning.
    """
    for stored, page in exchanges(path, limit):
        yield page, stored.capture


def exchanges(path: Path, limit: int = DECODED_BYTES) -> Iterator[tuple[ArchivedResponse, Page]]:
    """Yield every page with its record, including the request."""
    files = warc_files(path)
    originals: dict[int, tuple[WarcFile, int]] = {}
    waiting: list[tuple[WarcFile, ArchivedResponse]] = []
    for file in files:
        for stored in records(file, limit):
            if not stored.page_url.lower().startswith(("http://", "https://")):
                continue
            if stored.kind != "revisit":
                keys = (stored.capture.record, stored.capture.digest) if stored.capture.offset >= 0 else ()
                for key in keys:
                    originals.setdefault(hash(key), (file, stored.capture.offset))
                yield stored, page_of(stored, limit)
            elif page := _resolved(stored, originals, limit):
                yield stored, page
            else:
                waiting.append((file, stored))
    for file, stored in waiting:
        if page := _resolved(stored, originals, limit):
            yield stored, page
        else:
            log.warning("%s, offset %d: the original of this revisit is not here", file.name, stored.capture.offset)


def read_capture(file: Path | WarcFile, offset: int, limit: int = DECODED_BYTES) -> Page:
    """Return the page whose record begins at that offset; a revisit has an empty body."""
    return page_of(read_stored(file, offset, limit), limit)


def read_stored(file: Path | WarcFile, offset: int, limit: int = DECODED_BYTES) -> ArchivedResponse:
    """Return the record that begins at that offset; raise ArchiveError if no response does."""
    file = WarcFile(file.name, file) if isinstance(file, Path) else file
    for record in Archive(file, offset) if offset >= 0 else ():
        stored = _stored(file, record, limit) if record.offset == offset else None
        if stored:
            return stored
        break
    raise ArchiveError(f"No whole response, revisit or resource record begins at offset {offset} of {file.name}.")


def records(file: WarcFile, limit: int = DECODED_BYTES) -> Iterator[ArchivedResponse]:
    """Yield the responses, revisits and resources of one file, each with the request beside it."""
    asked: ArchivedRequest | None = None
    waiting: ArchivedResponse | None = None
    for record in Archive(file):
        if record.kind == "request":
            asked = _asked(record)
            if waiting and _belong(asked, waiting):
                yield replace(waiting, asked=asked)
                asked = waiting = None
        elif record.kind in DOCUMENTS and (stored := _stored(file, record, limit)):
            if waiting:
                yield waiting
            waiting = stored
            if asked and _belong(asked, stored):
                yield replace(stored, asked=asked)
                asked = waiting = None
    if waiting:
        yield waiting


def page_of(stored: ArchivedResponse, limit: int = DECODED_BYTES) -> Page:
    """Return the page of a record: headers as received, body decoded within the limit."""
    decoded = decode(stored.payload, content_encoding(stored.head.headers), limit)
    if decoded.note:
        log.info("%s: %s", stored.url, decoded.note)
    return Page(stored.page_url, stored.status, stored.head.headers, decoded.body, stored.capture.time)


def _resolved(revisit: ArchivedResponse, originals: dict[int, tuple[WarcFile, int]], limit: int) -> Page | None:
    refers_to = revisit.fields.get("warc-refers-to", "").strip("<>")
    place = originals.get(hash(refers_to)) or originals.get(hash(revisit.capture.digest))
    return _merged(revisit, read_stored(*place, limit), limit) if place else None


def _merged(revisit: ArchivedResponse, original: ArchivedResponse, limit: int) -> Page:
    page = page_of(original, limit)
    if revisit.status in (0, 304):
        return replace(page, url=revisit.url, fetched_at=revisit.capture.time, memo={})
    return Page(revisit.url, revisit.status, revisit.head.headers, page.body, revisit.capture.time)


def _belong(asked: ArchivedRequest, stored: ArchivedResponse) -> bool:
    if stored.capture.record in asked.concurrent_to or asked.identity in stored.fields.get("warc-concurrent-to", "-"):
        return True
    return asked.url == stored.url and not asked.concurrent_to


def _asked(record: Record) -> ArchivedRequest:
    head = read_head(record)
    body = _payload(record, head, REQUEST_BYTES)[0]
    return ArchivedRequest(_identity(record), record.fields.get("warc-concurrent-to", ""), _url(record), head, body)


def _stored(file: WarcFile, record: Record, limit: int) -> ArchivedResponse | None:
    """Return None for a record that holds no document: cut short, DNS answers, unreadable HTTP."""
    content_type = record.fields.get("content-type", "").lower()
    if record.kind not in DOCUMENTS:
        return None
    if record.kind == "resource":
        head = Head("", (("Content-Type", content_type),), 0)
    elif "http" in content_type or not content_type or record.kind == "revisit":
        head = read_head(record)
    else:
        return None
    payload, digest = _payload(record, head, limit, not record.fields.get("warc-payload-digest"))
    length = record.length
    if record.broken or (record.kind == "response" and not head.status):
        return None
    digest = record.fields.get("warc-payload-digest") or digest
    capture = Capture(file.name, record.offset, length, _time(record), digest, _identity(record))
    return ArchivedResponse(record.kind, _url(record), capture, head, payload, record.fields)


def _payload(record: Record, head: Head, limit: int, digesting: bool = False) -> tuple[bytes, str]:
    dechunker = Dechunker() if head.chunked else None
    digest = hashlib.sha256()
    kept: list[bytes] = []
    room = limit
    while room > 0 or digesting:
        piece = record.read()
        if not piece:
            break
        piece = dechunker.feed(piece) if dechunker else piece
        digest.update(piece) if digesting else None
        kept.append(piece[: max(0, room)])
        room -= len(piece)
    if dechunker:
        kept.append(dechunker.finish())
    return b"".join(kept), f"sha256:{digest.hexdigest()}"


def _identity(record: Record) -> str:
    return record.fields.get("warc-record-id", "").strip("<>")


def _url(record: Record) -> str:
    return record.fields.get("warc-target-uri", "").strip("<> ")


def _time(record: Record) -> datetime:
    try:
        time = datetime.fromisoformat(record.fields.get("warc-date", ""))
    except ValueError:
        return NO_TIME
    return time if time.tzinfo else time.replace(tzinfo=UTC)
