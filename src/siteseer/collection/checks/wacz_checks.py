"""Checks a WACZ package: its manifest, its index and its list of pages."""

from __future__ import annotations

import gzip
import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from siteseer.archive.warc_sources import warc_files
from siteseer.collection.layout import INDEXES, PAGE_LISTS
from siteseer.collection.verify import Checks, check_file, check_index
from siteseer.errors import ArchiveError

PACKAGE, DIGEST = "datapackage.json", "datapackage-digest.json"
PIECE = 1 << 20
LARGEST_DESCRIPTION = 64 << 20
UNREADABLE = (
    OSError,
    EOFError,
    ValueError,
    KeyError,
    zlib.error,
    zipfile.BadZipFile,
    NotImplementedError,
    RecursionError,
)


def check_wacz(path: Path, checks: Checks) -> None:
    """Check a package: every file against what it says of it, every record, the index against the records."""
    try:
        files = warc_files(path)
        with zipfile.ZipFile(path) as package:
            names = {info.filename for info in package.infolist() if not info.is_dir()}
            _check_resources(package, names, checks)
            for file in files:
                check_file(file, checks)
            if not files:
                checks.say(path.name, -1, "the package holds no WARC file")
            _check_lists(package, names, checks)
    except (ArchiveError, *UNREADABLE) as error:
        checks.say(path.name, -1, f"the package cannot be read: {error}")


def _check_resources(package: zipfile.ZipFile, names: set[str], checks: Checks) -> None:
    if PACKAGE not in names:
        checks.say(PACKAGE, -1, "is missing: the package says nothing of its files")
        return
    described = _json(package, PACKAGE, checks)
    resources = described.get("resources", ()) if isinstance(described, dict) else ()
    told = {str(one["path"]): one for one in resources if isinstance(one, dict) and "path" in one}
    for name, one in sorted(told.items()):
        if name not in names:
            checks.say(name, -1, "is named by the package and missing from it")
        elif found := _differs(package, name, str(one.get("hash", "")), one.get("bytes")):
            checks.say(name, -1, found)
    for name in sorted(names - told.keys() - {PACKAGE, DIGEST}):
        checks.say(name, -1, f"is not named by {PACKAGE}")
    digest = _json(package, DIGEST, checks) if DIGEST in names else None
    if isinstance(digest, dict) and (found := _differs(package, PACKAGE, str(digest.get("hash", "")), None)):
        checks.say(PACKAGE, -1, found)


def _differs(package: zipfile.ZipFile, name: str, claim: str, size: object) -> str:
    """Return in which way a file of the package is not what was said of it; nothing where it is."""
    algorithm, _, value = claim.partition(":")
    engine = hashlib.new(algorithm) if algorithm in ("sha256", "sha512", "sha1", "md5") else hashlib.sha256()
    length = 0
    try:
        with package.open(name) as file:
            while piece := file.read(PIECE):
                engine.update(piece)
                length += len(piece)
    except UNREADABLE as error:
        return f"cannot be read: {error}"
    if isinstance(size, int) and size != length:
        return f"has {length} bytes where {size} were written down"
    return f"its hash does not match {claim}" if value and engine.hexdigest() != value else ""


def _json(package: zipfile.ZipFile, name: str, checks: Checks) -> object:
    try:
        with package.open(name) as file:
            return json.loads(file.read(LARGEST_DESCRIPTION))
    except UNREADABLE as error:
        checks.say(name, -1, f"cannot be read as JSON: {error}")
        return None


def _check_lists(package: zipfile.ZipFile, names: set[str], checks: Checks) -> None:
    indexes = sorted(
        name for name in names if name.startswith(f"{INDEXES}/") and name.endswith((".cdx.gz", ".cdx", ".cdxj"))
    )
    if not indexes:
        checks.say(INDEXES, -1, "the package has no index")
    for name in indexes:
        try:
            with _opened(package, name) as lines:
                check_index(name, (line for line in lines if not line.startswith(b"!meta")), checks)
        except UNREADABLE as error:
            checks.say(name, -1, f"cannot be read: {error}")
    for name in sorted(name for name in names if name.startswith(f"{PAGE_LISTS}/") and name.endswith(".jsonl")):
        with package.open(name) as lines:
            check_json_lines(name, lines, checks)


@contextmanager
def _opened(package: zipfile.ZipFile, name: str) -> Iterator[IO[bytes]]:
    with package.open(name) as file:
        if name.endswith(".gz"):
            with gzip.open(file) as unpacked:
                yield unpacked  # type: ignore[misc]
        else:
            yield file


def check_json_lines(name: str, lines: IO[bytes], checks: Checks) -> None:
    """Check that every line of a file is JSON."""
    try:
        for number, line in enumerate(lines, 1):
            try:
                json.loads(line)
            except (ValueError, RecursionError) as error:
                checks.say(name, number, f"the line is not JSON: {error}")
    except UNREADABLE as error:
        checks.say(name, -1, f"cannot be read: {error}")
