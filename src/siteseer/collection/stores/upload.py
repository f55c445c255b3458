"""A collection in, its files on a shelf elsewhere, and back: each file once, checked by size and digest on both ways.

On the shelf lies the collection as it lies here (WARC files, indexes, pages, reports, logs, databases) and, written
last, `manifest.json` with size and SHA-256 of each file. A file is in the manifest when the bytes that the shelf gives
back are ours; so an interrupted copy goes on with the files that are missing. Nothing is ever deleted, here or there.
"""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from dataclasses import asdict, dataclass
from pathlib import Path

from siteseer.archive.shelf import Shelf, checked
from siteseer.crawl.copies import DATABASES, database_copy
from siteseer.crawl.lock import one_push, only_one
from siteseer.describe.stores import load_stores
from siteseer.errors import ArchiveError, BusyError, NotFoundError, SiteseerError, StoreError, UsageError
from siteseer.model import JSON

MANIFEST = "manifest.json"
FORMAT = "siteseer-manifest-1"
LARGEST_MANIFEST = 64 * 2**20
FOLDERS = ("archive", "indexes", "pages", "reports", "logs", "siteseer")
LEFT_OUT = ("siteseer/objects/rdf/", "siteseer/objects/rdf.", "siteseer/lock", "siteseer/push.lock")
"""Locks, and the RDF store: it is made again from the database."""
Tell = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Kept:
    """What the manifest says of a file."""

    size: int
    sha256: str
    changed: int
    """Its time of change here, in nanoseconds: an unchanged file is not read again."""


def push(collection: Path, tell: Tell = lambda line: None) -> JSON:
    """Copy what is new in a collection to its shelf; return counts of files and bytes.

    While another process crawls into it, only WARC files that are finished go: what it still writes follows later.
    """
    with ExitStack() as held:
        try:
            held.enter_context(only_one(collection))
            is_still = True
        except BusyError:
            is_still = False
        return push_held(collection, tell, is_still)


def push_held(collection: Path, tell: Tell = lambda line: None, is_still: bool = True) -> JSON:
    """Do the same where the caller knows whether anything is being written (`is_still`: nothing is)."""
    stores = load_stores(collection)
    if not stores.archive:
        raise UsageError(f"no place is chosen for {collection}; say siteseer store use {collection} --archive URL")
    shelf = Shelf(stores.archive)
    with one_push(collection), tempfile.TemporaryDirectory() as folder:
        there = manifest(shelf, stores.name)
        files = _files(collection, Path(folder)) if is_still else _finished(collection)
        here: dict[str, Kept] = {} if is_still else dict(there)
        sent = size = 0
        for name, path in files:
            here[name] = kept = _kept(path, there.get(name))
            if there.get(name) != kept and not _same_bytes(there.get(name), kept):
                tell(f"{name} ({kept.size:,} bytes)")
                send(shelf, path, name, kept)
                sent, size = sent + 1, size + kept.size
                if name.startswith("archive/"):
                    _write(shelf, stores.name, {**there, **here})
        if here != there:
            _write(shelf, stores.name, here)
    return {"archive": str(shelf), "files": len(here), "sent_files": sent, "sent_bytes": size}


def deliver(collection: Path) -> list[str]:
    """Copy a collection that this process holds to its shelf, if it has one; return what to say if that fails."""
    try:
        if load_stores(collection).archive:
            push_held(collection)
    except SiteseerError as error:
        return [str(error)]
    return []


def pull(url: str, collection: Path, tell: Tell = lambda line: None) -> JSON:
    """Fetch a collection from a shelf into a directory; files that are there already must be the same."""
    shelf = Shelf(url)
    there = manifest(shelf)
    if not there:
        raise NotFoundError(f"{shelf} holds no collection: it has no {MANIFEST}")
    collection.mkdir(parents=True, exist_ok=True)
    with only_one(collection):
        wanted = [(name, kept) for name, kept in there.items() if not _is_here(collection / name, kept)]
        for name, kept in wanted:
            tell(f"{name} ({kept.size:,} bytes)")
            _fetch(shelf, name, kept, collection / name)
    return {"collection": str(collection), "files": len(there), "fetched_files": len(wanted)}


def check(collection: Path) -> JSON:
    """Read everything back from the shelf of a collection; return the problems, one sentence each."""
    shelf = Shelf(load_stores(collection).archive)
    there = manifest(shelf, load_stores(collection).name)
    problems = [f"{name} has other bytes on {shelf}" for name, kept in there.items() if not _arrived(shelf, name, kept)]
    with tempfile.TemporaryDirectory() as folder:
        missing = [name for name, _ in _files(collection, Path(folder)) if name not in there]
    problems += [f"{name} is not on {shelf} yet" for name in missing]
    return {"archive": str(shelf), "files": len(there), "problems": problems}


def manifest(shelf: Shelf, collection: str = "") -> dict[str, Kept]:
    """Return what the shelf holds, empty where it is new; refuse the shelf of another collection."""
    if not shelf.exists(MANIFEST):
        return {}
    if shelf.size(MANIFEST) > LARGEST_MANIFEST:
        raise ArchiveError(f"{MANIFEST} on {shelf} is too long")
    try:
        found = json.loads(shelf.read(MANIFEST))
        files = {checked(str(name)): Kept(**kept) for name, kept in found["files"].items()}
        if found["format"] != FORMAT or not all(name.partition("/")[0] in FOLDERS for name in files):
            raise ValueError(found["format"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ArchiveError(f"{MANIFEST} on {shelf} is none of ours") from error
    if collection and found.get("collection") != collection:
        raise UsageError(f"{shelf} holds another collection; choose another place for this one")
    return files


def _files(collection: Path, temporary: Path) -> Iterator[tuple[str, Path]]:
    """Yield name and path of what is copied, the databases last: what they speak of is there before them."""
    for folder in FOLDERS:
        for path in sorted((collection / folder).rglob("*")):
            name = path.relative_to(collection).as_posix()
            hidden = any(part.startswith(".") for part in path.parts[len(collection.parts) :])
            if path.is_file() and not path.is_symlink() and not hidden and not name.startswith((*LEFT_OUT, *DATABASES)):
                yield name, path
    for name in DATABASES:
        if (collection / name).is_file():
            yield name, database_copy(collection / name, temporary / Path(name).name)


def _finished(collection: Path) -> list[tuple[str, Path]]:
    """The WARC files that nothing is added to any more: all but the newest."""
    return [(f"archive/{path.name}", path) for path in sorted((collection / "archive").glob("*.warc.gz"))[:-1]]


def _kept(path: Path, known: Kept | None) -> Kept:
    told = path.stat()
    if known is not None and (known.size, known.changed) == (told.st_size, told.st_mtime_ns):
        return known
    return Kept(told.st_size, _digest(path), told.st_mtime_ns)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _same_bytes(one: Kept | None, other: Kept) -> bool:
    return one is not None and (one.size, one.sha256) == (other.size, other.sha256)


def send(shelf: Shelf, path: Path, name: str, kept: Kept | None = None) -> None:
    """Copy a file to a shelf, read it back, and complain where it is not the same."""
    shelf.put(path, name)
    if not _arrived(shelf, name, kept or _kept(path, None)):
        raise StoreError(f"{name} came to {shelf} with other bytes; it is kept here, and the same command tries again")


def _arrived(shelf: Shelf, name: str, kept: Kept) -> bool:
    try:
        return shelf.size(name) == kept.size and shelf.digest(name) == kept.sha256
    except NotFoundError:
        return False


def _write(shelf: Shelf, collection: str, files: Mapping[str, Kept]) -> None:
    told = {"format": FORMAT, "collection": collection, "files": {name: asdict(kept) for name, kept in files.items()}}
    shelf.write(MANIFEST, json.dumps(told, indent=1).encode())


def _is_here(path: Path, kept: Kept) -> bool:
    if not path.exists():
        return False
    if not path.is_file() or path.stat().st_size != kept.size or _digest(path) != kept.sha256:
        raise UsageError(f"{path} is there already and differs from what is stored; fetch into another directory")
    return True


def _fetch(shelf: Shelf, name: str, kept: Kept, path: Path) -> None:
    arriving = path.with_name(f".{path.name}.new")
    shelf.get(name, arriving)
    try:
        if arriving.stat().st_size != kept.size or _digest(arriving) != kept.sha256:
            raise ArchiveError(f"{name} on {shelf} is damaged: its bytes are not those that were stored")
        os.utime(arriving, ns=(kept.changed, kept.changed))
        arriving.replace(path)
    finally:
        arriving.unlink(missing_ok=True)
