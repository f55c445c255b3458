"""Verifies the fixity of a collection: checks digests, index and state against the bytes."""

from __future__ import annotations

import base64
import hashlib
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from siteseer.archive.cdxj import Entry
from siteseer.archive.http_parse import Dechunker, read_head
from siteseer.archive.warc_reader import Archive, Record
from siteseer.archive.warc_sources import WarcFile, warc_files
from siteseer.collection.layout import INDEX
from siteseer.errors import ArchiveError
from siteseer.model import Capture

CAPTURED = ("response", "revisit", "resource")
ALGORITHMS = {"sha1": "sha1", "sha256": "sha256", "sha-256": "sha256", "sha512": "sha512", "md5": "md5"}


@dataclass(frozen=True, slots=True)
class Problem:
    """Something that does not hold, where, and what to do."""

    file: str
    offset: int
    what: str
    next: str = ""


@dataclass(frozen=True, slots=True)
class FixityReport:
    """What was checked, and what did not hold."""

    files: int
    records: int
    captures: int
    digests: int
    index_lines: int
    state_rows: int
    problems: tuple[Problem, ...]

    @property
    def is_sound(self) -> bool:
        """Whether everything held."""
        return not self.problems


@dataclass(frozen=True, slots=True)
class _Place:
    """What lies at an offset; small, as there are millions."""

    url: int
    digest: str
    length: int
    record: int
    """The hash of its id and second."""
    status: int
    """0 where it has none, or was not read."""


@dataclass(frozen=True, slots=True)
class _Claim:
    """What the index or the state says of a place."""

    by: str
    file: str
    offset: int
    length: int
    digest: str
    url: str = ""
    record: int = 0
    status: int = 0


Places = dict[tuple[str, int], _Place]


class Checks:
    """Counts and problems while they grow; `advice` is what to do about the next ones."""

    def __init__(self, advice: str = "") -> None:
        self.files = self.records = self.digests = self.index_lines = self.state_rows = 0
        self.places: Places = {}
        self.problems: list[Problem] = []
        self.advice = advice

    def say(self, file: str, offset: int, what: str, advice: str | None = None) -> None:
        """Write a problem down."""
        self.problems.append(Problem(file, offset, what, self.advice if advice is None else advice))

    def report(self) -> FixityReport:
        """Return what was checked so far."""
        counts = self.records, len(self.places), self.digests, self.index_lines, self.state_rows
        return FixityReport(self.files, *counts, tuple(self.problems))


def verify(collection: Path, state: Iterable[Capture] = ()) -> FixityReport:
    """Check every record of a collection's archive, its index, and the captures that the state claims.

    Digests are recomputed with the algorithm that the record names; `state` may be left out.
    """
    checks = Checks()
    for file in warc_files(collection):
        check_file(file, checks)
    index = collection / INDEX
    if index.is_file():
        with index.open("rb") as lines:
            check_index(index.name, lines, checks)
    for capture in state:
        check_capture(capture, "", checks)
    return checks.report()


def check_file(file: WarcFile, checks: Checks, end: int | None = None) -> None:
    """Check every record of a file; what lies behind `end` is not looked at."""
    checks.files += 1
    archive = Archive(file)
    try:
        for record in archive:
            if end is not None and record.offset >= end:
                break
            checks.records += 1
            _check_record(file.name, record, checks)
    except (OSError, EOFError, zlib.error, KeyError, ArchiveError) as error:
        checks.say(file.name, -1, f"cannot be read: {error}")
    for offset, problem in archive.damage:
        if end is None or offset < end:
            checks.say(file.name, offset, problem)


def check_capture(capture: Capture, url: str, checks: Checks, status: int = 0) -> None:
    """Check what the database says of a capture."""
    checks.state_rows += 1
    _check_claim(_claim_of(capture, url, status), checks)


def is_told_right(capture: Capture, url: str, status: int, places: Places) -> bool:
    """Say whether a place holds the capture that the database says lies there."""
    return _wrong(_claim_of(capture, url, status), places.get((capture.file, capture.offset))) is None


def _claim_of(capture: Capture, url: str, status: int) -> _Claim:
    place = capture.file, capture.offset, capture.length, capture.digest
    return _Claim("the database", *place, url, _identity(capture.record, capture.time.isoformat()), status)


def _identity(record: str, time: str) -> int:
    return hash((record, time[:19]))


def _check_record(name: str, record: Record, checks: Checks) -> None:
    fields = record.fields
    claims = {"block": fields.get("warc-block-digest", ""), "payload": fields.get("warc-payload-digest", "")}
    if record.kind == "revisit":
        claims["payload"] = ""  # it is the digest of the original's payload
    found, status = _digests(record, claims)
    length = record.length
    if record.broken:
        return
    for part, claim in claims.items():
        if claim and found[part]:
            checks.digests += 1
            if _plain(claim) not in found[part]:
                checks.say(name, record.offset, f"the {part} digest does not match {claim}")
    if record.kind in CAPTURED and record.offset >= 0 and _is_document(record):
        url = fields.get("warc-target-uri", "").strip("<> ")
        digest = fields.get("warc-payload-digest", "")
        told = _identity(fields.get("warc-record-id", "").strip("<> "), fields.get("warc-date", ""))
        checks.places[name, record.offset] = _Place(hash(url), digest, length, told, status)


def _is_document(record: Record) -> bool:
    """Say whether a record answers for a URL: an index does not name the answers of name servers."""
    content_type = record.fields.get("content-type", "").lower()
    return record.kind != "response" or not content_type or "http" in content_type


def _digests(record: Record, claims: dict[str, str]) -> tuple[dict[str, set[str]], int]:
    """Return the digests found and the status of an answer.

    Digests of a payload are found both with and without its chunks: tools differ in what they mean.
    """
    block, payload, dechunked = _engine(claims["block"]), _engine(claims["payload"]), _engine(claims["payload"])
    dechunker: Dechunker | None = None
    status = 0
    if payload is not None and "http" in record.fields.get("content-type", "").lower():
        head = read_head(_Tee(record, block))
        dechunker = Dechunker() if head.chunked else None
        status = head.status if record.kind == "response" else 0
    while piece := record.read():
        for engine in (block, payload):
            if engine is not None:
                engine.update(piece)
        if dechunker and dechunked is not None:
            dechunked.update(dechunker.feed(piece))
    engines = {"block": [block], "payload": [payload, dechunked if dechunker else None]}
    return {part: set(_written(some)) for part, some in engines.items()}, status


class _Tee:
    """Reads lines of a record and digests them on the way."""

    def __init__(self, record: Record, engine: hashlib._Hash | None) -> None:
        self.record, self.engine = record, engine

    def line(self, size: int = 1 << 16) -> bytes:
        line = self.record.line(size)
        if self.engine is not None:
            self.engine.update(line)
        return line


def _engine(claim: str) -> hashlib._Hash | None:
    name = ALGORITHMS.get(claim.partition(":")[0].strip().lower())
    return hashlib.new(name) if name else None


def _written(engines: list[hashlib._Hash | None]) -> Iterator[str]:
    for engine in engines:
        if engine is not None:
            yield engine.hexdigest()
            yield base64.b32encode(engine.digest()).decode("ascii").rstrip("=").lower()


def _plain(claim: str) -> str:
    return claim.partition(":")[2].strip().rstrip("=").lower()


def check_index(name: str, lines: Iterable[bytes], checks: Checks) -> None:
    """Check the lines of an index, and that it names every capture."""
    indexed: set[tuple[str, int]] = set()
    last = b""
    for number, line in enumerate(lines, 1):
        checks.index_lines += 1
        if line < last:
            checks.say(name, number, "the line is out of order")
        last = line
        try:
            entry = Entry.parse(line)
        except ArchiveError as error:
            checks.say(name, number, str(error))
            continue
        indexed.add((entry.filename, entry.offset))
        place = entry.filename, entry.offset, entry.length, entry.digest
        _check_claim(_Claim("the index", *place, entry.url), checks)
    for file, offset in sorted(checks.places.keys() - indexed):
        checks.say(file, offset, "the capture is missing from the index")


def _check_claim(claim: _Claim, checks: Checks) -> None:
    if problem := _wrong(claim, checks.places.get((claim.file, claim.offset))):
        checks.say(claim.file, claim.offset, f"{claim.by} names {problem}")


def _wrong(claim: _Claim, place: _Place | None) -> str | None:
    """Return what is wrong with what is said of a place."""
    if place is None:
        return "a capture, but there is none"
    if claim.url and hash(claim.url) != place.url:
        return f"{claim.url}, but another URL was captured"
    if not _is_same_digest(claim.digest, place.digest):
        return f"the digest {claim.digest}, but the record has {place.digest}"
    if claim.length and claim.length != place.length:
        return f"a length of {claim.length}, but the record has {place.length}"
    if claim.record and claim.record != place.record:
        return "a record or a time that are not those of the capture"
    if claim.status and place.status and claim.status != place.status:
        return f"the status {claim.status}, but the answer had {place.status}"
    return None


def _is_same_digest(one: str, other: str) -> bool:
    """Say whether two digests may be of the same bytes: those of different algorithms may.

    >>> _is_same_digest("sha1:ABC=", "ABC"), _is_same_digest("sha1:ABC", "sha1:ABD"), _is_same_digest("", "md5:00")
    (True, False, True)
    """
    (kind, _, value), (other_kind, _, other_value) = (digest.rpartition(":") for digest in (one, other))
    value, other_value = value.rstrip("=").lower(), other_value.rstrip("=").lower()
    is_named = bool(kind and other_kind)
    is_same_kind = ALGORITHMS.get(kind) == ALGORITHMS.get(other_kind) if is_named else len(value) == len(other_value)
    return not (value and other_value and is_same_kind) or value == other_value
