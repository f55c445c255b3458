"""Writes exchanges as WARC/1.1: one gzip member per record, several records per exchange, nothing half written.

The record heads are written here rather than by warcio: a page then costs a fifth (`bench/warc.py`), and the offset
of every member is known without asking the file.
"""

from __future__ import annotations

import os
import re
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from types import TracebackType
from typing import Self

from siteseer.archive import gzip_member
from siteseer.archive import warc_record as record
from siteseer.errors import NO_ROOM, ArchiveError, DiskFullError, SiteseerError
from siteseer.interfaces import Exchange
from siteseer.model import Capture, Page
from siteseer.settings import WARC_ROLLOVER_BYTES

PREFIX = "siteseer"
OUR_NAME = re.compile(rf"{PREFIX}-(\d{{14}})-(\d{{5,}})-.+\.warc\.gz")
FORMAT = {
    "format": "WARC File Format 1.1",
    "conformsTo": "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/",
    "digest-algorithm": "sha256, lower-case hexadecimal",
    "redacted-request-headers": ", ".join(sorted(record.SECRET_HEADERS)),
    "transfer-coding": "removed; original headers kept as X-Archive-Orig-*",
    "cdx-key-function": "SURT of the canonical URL",
}
"""What every warcinfo of ours says, besides what the caller knows."""


@dataclass(frozen=True, slots=True)
class Original:
    """The response that a revisit record refers to: never itself a revisit."""

    record: str
    url: str
    time: datetime
    digest: str = ""
    """Its payload digest; needed for a 304, which has no payload of its own."""


class WarcWriter:
    """Appends exchanges to `folder`, in files of about one gigabyte, beginning a new file with each run.

    Each run has its own file because its warcinfo tells under which user agent and rules it ran.
    """

    def __init__(self, folder: Path, info: Mapping[str, str], rollover: int = WARC_ROLLOVER_BYTES) -> None:
        self.folder = folder
        self.info = {**info, **FORMAT}
        self.rollover = rollover
        self.is_synced = True
        """Whether a flush waits for the disk."""
        self._serial = last_serial(folder)
        self._file = -1
        self._name = ""
        self._offset = 0
        self._info_id = ""

    def write(
        self,
        exchange: Exchange,
        *,
        payload_digest: str = "",
        revisit_of: Original | None = None,
        metadata: Mapping[str, str] | None = None,
    ) -> Capture:
        """Write response (or revisit), request and, when given, metadata; return where the response lies.

        `payload_digest` is computed when the caller has not done so already. With `revisit_of` the payload is not
        stored again; the profile is server-not-modified for status 304, else identical-payload-digest.
        """
        if self._file < 0 or self._offset >= self.rollover:
            self._begin_file(exchange.started)
        if revisit_of and exchange.status == 304:
            payload_digest = payload_digest or revisit_of.digest
        digest = payload_digest or record.digest_of(b"", exchange.body, exchange.body_length)
        start, name = self._offset, self._name
        identity = record.new_record_id()
        try:
            self._write_response(exchange, identity, digest, revisit_of)
            length = self._offset - start
            self._append(self._companions(exchange, identity, metadata))
        except OSError as error:
            self._cut_back(start)
            raise _translated(error, self.folder / name) from error
        except BaseException:
            self._cut_back(start)
            raise
        return Capture(name, start, length, exchange.started, digest, identity)

    def write_rendering(self, page: Page, made: datetime, of: str) -> Capture:
        """Write a page as its scripts made it, a resource record beside the response record `of`; return its place."""
        if self._file < 0 or self._offset >= self.rollover:
            self._begin_file(made)
        start, name, identity = self._offset, self._name, record.new_record_id()
        digest = record.digest_of(page.body, BytesIO(), 0)
        fields = [
            ("WARC-Record-ID", f"<{identity}>"),
            ("WARC-Date", record.warc_date(made)),
            ("WARC-Target-URI", record.target_uri(record.RENDERED + page.url)),
            ("WARC-Warcinfo-ID", f"<{self._info_id}>"),
            ("WARC-Concurrent-To", f"<{of}>"),
            ("WARC-Payload-Digest", digest),
            ("Content-Type", page.header("content-type")),
        ]
        try:
            self._append(_whole("resource", fields, page.body))
        except OSError as error:
            self._cut_back(start)
            raise _translated(error, self.folder / name) from error
        return Capture(name, start, self._offset - start, made, digest, identity)

    def flush(self, sync: bool = True) -> None:
        """Make sure that everything written is in the file and, with `sync`, on the disk."""
        if self._file >= 0 and not self._is_there():
            raise ArchiveError(
                f"{self.folder / self._name} was deleted or moved while it was written: nothing is saved."
            )
        if sync and self.is_synced and self._file >= 0:
            try:
                os.fsync(self._file)
            except OSError as error:
                raise _translated(error, self.folder / self._name) from error

    def _is_there(self) -> bool:
        """Say whether the file being written still has its name."""
        try:
            return os.path.samestat(os.fstat(self._file), (self.folder / self._name).stat())
        except FileNotFoundError:
            return False

    def position(self) -> tuple[str, int]:
        """Return the file being written and how long it is; `("", 0)` before the first record."""
        return self._name, self._offset

    def close(self) -> None:
        """Flush to the disk and let go of the file."""
        if self._file >= 0:
            try:
                self.flush()
            finally:
                os.close(self._file)
                self._file = -1

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        self.close()

    def _begin_file(self, time: datetime) -> None:
        self.close()
        self._serial += 1
        host = re.sub(r"[^A-Za-z0-9.]+", "_", socket.gethostname()) or "localhost"
        self._name = f"{PREFIX}-{time.astimezone(UTC):%Y%m%d%H%M%S}-{self._serial:05d}-{host}.warc.gz"
        self._offset = 0
        path = self.folder / self._name
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND, 0o644)
            self._info_id = record.new_record_id()
            self._append(_warcinfo(self._info_id, self._name, time, self.info))
            _sync_folder(self.folder)
        except OSError as error:
            self._cut_back(0)
            self._abandon(path)
            raise _translated(error, path) from error

    def _abandon(self, path: Path) -> None:
        if self._file >= 0:
            os.close(self._file)
            path.unlink(missing_ok=True)
        self._file, self._name, self._serial = -1, "", self._serial - 1

    def _write_response(self, exchange: Exchange, identity: str, digest: str, original: Original | None) -> None:
        head = record.response_head(exchange)
        length = 0 if original else exchange.body_length
        fields = [
            *self._common(exchange, identity, "application/http;msgtype=response"),
            ("WARC-Payload-Digest", digest),
            ("WARC-IP-Address", exchange.ip),
            ("WARC-Protocol", exchange.protocol),
            *_revisit_fields(exchange, original),
        ]
        level = gzip_member.STORED if length and gzip_member.is_compressed(exchange.headers) else gzip_member.LEVEL
        kind = "revisit" if original else "response"
        if length <= record.PIECE:
            exchange.body.seek(0)
            block = head + exchange.body.read(length)
            if len(block) != len(head) + length:
                raise ArchiveError(f"The body of {exchange.url} is shorter than the {length} bytes announced for it.")
            self._append(_whole(kind, fields, block, level))
        else:
            self._stream(kind, fields, head, exchange, level)

    def _stream(self, kind: str, fields: list[tuple[str, str]], head: bytes, exchange: Exchange, level: int) -> None:
        length = exchange.body_length
        fields.append(("WARC-Block-Digest", record.digest_of(head, exchange.body, length)))
        packed = gzip_member.compressor(level)
        self._append(packed.compress(record.record_head(kind, fields, len(head) + length) + head))
        for piece in record.pieces(exchange.body, length):
            self._append(packed.compress(piece))
            length -= len(piece)
        if length:
            raise ArchiveError(f"The body of {exchange.url} is {length} bytes shorter than announced.")
        self._append(packed.compress(record.RECORD_END) + packed.flush())

    def _companions(self, exchange: Exchange, identity: str, metadata: Mapping[str, str] | None) -> bytes:
        beside = ("WARC-Concurrent-To", f"<{identity}>")
        request = self._common(exchange, record.new_record_id(), "application/http;msgtype=request")
        request[3:3] = [beside, ("WARC-IP-Address", exchange.ip)]
        written = _whole("request", request, record.redact_head(exchange.request_head) + exchange.request_body)
        if metadata:
            fields = [*self._common(exchange, record.new_record_id(), "application/warc-fields"), beside]
            written += _whole("metadata", fields, record.named_fields(metadata))
        return written

    def _common(self, exchange: Exchange, identity: str, content_type: str) -> list[tuple[str, str]]:
        return [
            ("WARC-Record-ID", f"<{identity}>"),
            ("WARC-Date", record.warc_date(exchange.started)),
            ("WARC-Target-URI", record.target_uri(exchange.url)),
            ("WARC-Warcinfo-ID", f"<{self._info_id}>"),
            ("Content-Type", content_type),
        ]

    def _append(self, data: bytes) -> None:
        left = memoryview(data)
        while left:
            written = os.write(self._file, left)
            self._offset += written
            left = left[written:]

    def _cut_back(self, offset: int) -> None:
        self._offset = offset
        if self._file >= 0:
            os.ftruncate(self._file, offset)


def last_serial(folder: Path) -> int:
    """Return the highest serial number among the files that we wrote into a folder, 0 if none."""
    if not folder.is_dir():
        return 0
    return max((int(found[2]) for path in folder.iterdir() if (found := OUR_NAME.fullmatch(path.name))), default=0)


def payload_digest(exchange: Exchange) -> str:
    """Return `sha256:hex` of the body as received: what duplicates are found by."""
    return record.digest_of(b"", exchange.body, exchange.body_length)


def _whole(kind: str, fields: list[tuple[str, str]], block: bytes, level: int = gzip_member.LEVEL) -> bytes:
    digest = ("WARC-Block-Digest", record.digest_of(block, BytesIO(), 0))
    head = record.record_head(kind, [*fields, digest], len(block))
    return gzip_member.compress(head + block + record.RECORD_END, level)


def _warcinfo(identity: str, name: str, time: datetime, info: Mapping[str, str]) -> bytes:
    fields = [
        ("WARC-Record-ID", f"<{identity}>"),
        ("WARC-Date", record.warc_date(time)),
        ("WARC-Filename", name),
        ("Content-Type", "application/warc-fields"),
    ]
    return _whole("warcinfo", fields, record.named_fields(info))


def _revisit_fields(exchange: Exchange, original: Original | None) -> list[tuple[str, str]]:
    if original is None:
        return [("WARC-Truncated", exchange.truncated)]
    return [
        ("WARC-Profile", record.NOT_MODIFIED if exchange.status == 304 else record.IDENTICAL_PAYLOAD),
        ("WARC-Refers-To", f"<{original.record}>"),
        ("WARC-Refers-To-Target-URI", record.target_uri(original.url)),
        ("WARC-Refers-To-Date", record.warc_date(original.time)),
        ("WARC-Truncated", "length" if exchange.status != 304 else ""),
    ]


def _sync_folder(folder: Path) -> None:
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _translated(error: OSError, path: Path) -> SiteseerError:
    if error.errno in NO_ROOM:
        return DiskFullError(f"No room left while writing {path}; free some space and run the same command again.")
    return ArchiveError(f"Could not write {path}: {error.strerror or error}.")
