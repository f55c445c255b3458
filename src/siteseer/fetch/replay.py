"""Fetches pages from an archive instead of the network (WARC, WACZ or a directory of them), by the same interface."""

from __future__ import annotations

import asyncio
import io
from pathlib import Path

from siteseer.archive.archived_pages import ArchivedResponse, read_stored, records
from siteseer.archive.warc_sources import WarcFile, warc_files
from siteseer.errors import ArchiveError, FetchError, UsageError
from siteseer.interfaces import Exchange, Request
from siteseer.page.urls import identity

Place = tuple[WarcFile, int]
NOT_HELD = "not in the archive"
"""What is said of pages that the archive does not hold."""


class ReplayFetcher:
    """Answers from an archive; what it does not hold could not be fetched."""

    def __init__(self, archive: Path) -> None:
        if not archive.exists():
            raise UsageError(f"--offline {archive}: there is no such file or directory")
        self._places: dict[bytes, Place] = {}
        self._originals: dict[str, Place] = {}
        for file in warc_files(archive):
            for stored in records(file, limit=0):
                self._enter(file, stored)

    def _enter(self, file: WarcFile, stored: ArchivedResponse) -> None:
        if stored.capture.offset < 0:
            raise ArchiveError(f"{file.name} is compressed as a whole: no record of it can be found again. Unpack it.")
        place = (file, stored.capture.offset)
        body = stored.asked.body if stored.asked else b""
        self._places[_key(stored.page_url, stored.method, body)] = place
        if stored.kind != "revisit":
            self._originals.setdefault(stored.capture.record, place)
            self._originals.setdefault(stored.capture.digest, place)

    async def fetch(self, request: Request, sent: asyncio.Event | None = None) -> Exchange:
        """Return the newest capture of that URL."""
        if sent is not None:
            sent.set()
        place = self._places.get(_key(request.url, request.method, request.body))
        if place is None:
            raise FetchError(NOT_HELD)
        stored = read_stored(*place)
        payload = self._payload(stored)
        head = f"{request.method} {request.url} HTTP/1.1\r\n\r\n".encode("utf-8", "replace")
        return Exchange(
            url=request.url,
            started=stored.capture.time,
            milliseconds=0,
            ip=stored.fields.get("warc-ip-address", ""),
            request_head=head,
            request_body=request.body,
            status=stored.status,
            reason=stored.head.first.partition(" ")[2].partition(" ")[2],
            headers=stored.head.headers,
            body=io.BytesIO(payload),
            body_length=len(payload),
        )

    def _payload(self, stored: ArchivedResponse) -> bytes:
        if stored.kind != "revisit":
            return stored.payload
        refers_to = stored.fields.get("warc-refers-to", "").strip("<>")
        original = self._originals.get(refers_to) or self._originals.get(stored.capture.digest)
        if original is None:
            raise FetchError("the archive holds only a revisit record, not the page that it refers to")
        return read_stored(*original).payload

    async def close(self) -> None:
        """Have nothing to close."""


def _key(url: str, method: str, body: bytes) -> bytes:
    name = identity(url).encode("utf-8", "replace")
    return name if method in ("GET", "HEAD") else b"%b %b\n%b" % (method.encode(), name, body)
