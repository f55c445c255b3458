"""Exports a collection as one WACZ 1.1.1 file for replay tools.

WARCs are stored as they are, with a compressed index, the pages, and our objects and learned knowledge as extra
resources.

Written here rather than by py-wacz, which indexes every WARC again although the collection has its index.
"""

from __future__ import annotations

import errno
import hashlib
import json
import zipfile
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Any

from siteseer.archive.cdxj import Entry, entries_of, write_index
from siteseer.archive.warc_sources import WARC_ENDINGS, WarcFile
from siteseer.collection.layout import (
    ARCHIVE,
    INDEX,
    INDEXES,
    LEARNED,
    PACKED_OBJECTS,
    PAGES,
    archive_of,
    learned_folder,
)
from siteseer.errors import ArchiveError, DiskFullError
from siteseer.work_progress import tell_progress

WACZ_VERSION = "1.1.1"
LINES_PER_BLOCK = 1024
PIECE = 1 << 20
PAGES_HEAD = {"format": "json-pages-1.0", "id": "pages", "title": "All Pages"}


@dataclass(frozen=True, slots=True)
class Package:
    """What a WACZ says about itself."""

    title: str = ""
    description: str = ""
    main_url: str = ""
    created: datetime | None = None
    """Now, unless given."""
    software: str = "siteseer"
    objects: Path | None = None
    """N-Quads, gzipped: becomes `siteseer/objects.nq.gz`."""


_PLAIN = Package()


def export_wacz(collection: Path, target: Path, package: Package = _PLAIN) -> Path:
    """Pack a collection; an existing file is replaced in one step, or left as it was."""
    warcs = sorted(path for path in archive_of(collection).glob("*") if path.name.endswith(WARC_ENDINGS))
    if not warcs:
        raise ArchiveError(f"{collection} has no WARC files in its archive folder, so there is nothing to export.")
    made = target.with_name(f".{target.name}.new")
    try:
        with zipfile.ZipFile(made, "w", allowZip64=True) as archive:
            _Packer(archive, package.created or datetime.now(UTC)).pack(collection, warcs, package)
        made.replace(target)
    except OSError as error:
        if error.errno == errno.ENOSPC:
            raise DiskFullError(f"No room left while writing {target}.") from error
        raise ArchiveError(f"Could not write {target}: {error}.") from error
    finally:
        made.unlink(missing_ok=True)
    return target


class _Packer:
    """Puts files into the ZIP and notes their hashes."""

    def __init__(self, archive: zipfile.ZipFile, created: datetime) -> None:
        self.archive = archive
        self.created = created.astimezone(UTC)
        self.resources: list[dict[str, str | int]] = []

    def pack(self, collection: Path, warcs: list[Path], package: Package) -> None:
        done, total = 0, sum(path.stat().st_size for path in warcs)
        for path in warcs:
            self._add(f"{ARCHIVE}/{path.name}", _told(_pieces(path), done, total))
            done += path.stat().st_size
        index = _index_of(collection, warcs)
        places: list[bytes] = []
        self._add(f"{INDEXES}/index.cdx.gz", _blocks(index, places))
        self._add(f"{INDEXES}/index.idx", places, zipfile.ZIP_DEFLATED)
        self._add(PAGES, _pages(collection, index), zipfile.ZIP_DEFLATED)
        if package.objects:
            self._add(PACKED_OBJECTS, _pieces(package.objects))
        for path, name in _knowledge(collection):
            self._add(name, _pieces(path), zipfile.ZIP_DEFLATED)
        self._describe(package)

    def _add(self, path: str, pieces: Iterable[bytes], compression: int = zipfile.ZIP_STORED) -> str:
        info = zipfile.ZipInfo(path, self.created.timetuple()[:6])
        info.compress_type = compression
        info.external_attr = 0o644 << 16
        digest, size = hashlib.sha256(), 0
        with self.archive.open(info, "w", force_zip64=True) as file:
            for piece in pieces:
                file.write(piece)
                digest.update(piece)
                size += len(piece)
        written = f"sha256:{digest.hexdigest()}"
        self.resources.append({"name": path.rpartition("/")[2], "path": path, "hash": written, "bytes": size})
        return written

    def _describe(self, package: Package) -> None:
        stamp = f"{self.created:%Y-%m-%dT%H:%M:%SZ}"
        optional = {"title": package.title, "description": package.description, "mainPageUrl": package.main_url}
        described = {
            "profile": "data-package",
            "wacz_version": WACZ_VERSION,
            "software": package.software,
            "created": stamp,
            "modified": stamp,
            **{name: value for name, value in optional.items() if value},
            "resources": list(self.resources),
        }
        text = json.dumps(described, indent=2).encode()
        digest = {"path": "datapackage.json", "hash": self._add("datapackage.json", [text], zipfile.ZIP_DEFLATED)}
        self._add("datapackage-digest.json", [json.dumps(digest, indent=2).encode()], zipfile.ZIP_DEFLATED)


def _index_of(collection: Path, warcs: list[Path]) -> Path:
    index = collection / INDEX
    if not index.is_file():
        write_index((entry for path in warcs for entry in entries_of(WarcFile(path.name, path))), index)
    return index


def _pieces(path: Path) -> Iterator[bytes]:
    with path.open("rb") as file:
        while piece := file.read(PIECE):
            yield piece


def _told(pieces: Iterable[bytes], done: int, total: int) -> Iterator[bytes]:
    """Yield the pieces of a WARC file, and say how many bytes of all of them are packed."""
    for piece in pieces:
        yield piece
        done += len(piece)
        tell_progress("packing", done, total)


def _blocks(index: Path, places: list[bytes]) -> Iterator[bytes]:
    """Yield the index in gzip members of many lines; `places` becomes the index of that index."""
    meta = {"format": "cdxj-gzip-1.0", "filename": "index.cdx.gz"}
    places.append(f"!meta 0 {json.dumps(meta)}\n".encode())
    offset = 0
    with index.open("rb") as file:
        while lines := list(islice(file, LINES_PER_BLOCK)):
            engine = zlib.compressobj(wbits=31)
            block = engine.compress(b"".join(lines)) + engine.flush()
            digest = f"sha256:{hashlib.sha256(block).hexdigest()}"
            place = {"offset": offset, "length": len(block), "digest": digest}
            places.append(b" ".join([*lines[0].split(b" ", 2)[:2], json.dumps(place).encode()]) + b"\n")
            offset += len(block)
            yield block


def _pages(collection: Path, index: Path) -> Iterator[bytes]:
    """Yield the collection's own list of pages or, where it has none, the HTML captures of its index.

    Every line gets an id: validators read the list as a table whose columns are those of its head.
    """
    yield json.dumps(PAGES_HEAD).encode() + b"\n"
    listed = collection / PAGES
    for page in _listed_pages(listed) if listed.is_file() else _indexed_pages(index):
        name = hashlib.sha256(f"{page['url']} {page.get('ts')}".encode("utf-8", "replace")).hexdigest()[:20]
        yield json.dumps({"id": f"page-{name}"} | page).encode() + b"\n"


def _listed_pages(listed: Path) -> Iterator[dict[str, Any]]:
    with listed.open("rb") as file:
        for number, line in enumerate(file, 1):
            try:
                page = json.loads(line)
            except (ValueError, RecursionError) as error:
                raise ArchiveError(f"{listed}, line {number}, is not JSON: {error}.") from error
            if isinstance(page, dict) and "url" in page:
                yield page


def _indexed_pages(index: Path) -> Iterator[dict[str, Any]]:
    with index.open("rb") as file:
        for entry in map(Entry.parse, file):
            if entry.mime in ("text/html", "application/xhtml+xml") and entry.status == 200 and entry.method == "GET":
                yield {"url": entry.url, "ts": f"{entry.time:%Y-%m-%dT%H:%M:%SZ}"}


def _knowledge(collection: Path) -> Iterator[tuple[Path, str]]:
    """Yield learned knowledge under names without further folders: py-wacz compares two parts of a path only."""
    folder = learned_folder(collection)
    for path in sorted(found for found in folder.rglob("*") if found.is_file()):
        yield path, f"{LEARNED}-{'-'.join(path.relative_to(folder).parts)}"
