"""Uploads the files of a collection to other storage, and downloads them: each once, checked by size and digest.

In the storage lies the collection as it lies here (WARC files, indexes, pages, reports, logs, databases) and, written
last, `manifest.json` with size and SHA-256 of each file. A file is in the manifest when the storage gives back our
bytes; so an interrupted copy goes on with the files that are missing. Nothing is ever deleted, here or there.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, closing
from dataclasses import asdict, dataclass
from pathlib import Path

from siteseer.archive.storage import Storage, check_name
from siteseer.collection.database_errors import damage_sentence, is_damage
from siteseer.collection.layout import ARCHIVE, FOLDERS, LOCK, OBJECTS, PUSH_LOCK, RDF, ROWS, STATE, archive_of
from siteseer.collection.lock import hold_lock, one_push
from siteseer.collection.stores.store_config import load_stores
from siteseer.errors import ArchiveError, BusyError, NotFoundError, SiteseerError, StoreError, UsageError
from siteseer.model import JSON
from siteseer.work_progress import tell_progress

MANIFEST = "manifest.json"
FORMAT = "siteseer-manifest-1"
LARGEST_MANIFEST = 64 * 2**20
LEFT_OUT = (f"{OBJECTS}/{RDF}/", f"{OBJECTS}/{RDF}.", LOCK, PUSH_LOCK)
"""Locks, and the RDF store: it is made again from the database."""
Tell = Callable[[str], None]
DATABASES = (f"{OBJECTS}/{ROWS}", STATE)
"""Copied by SQLite itself: what is committed may still stand in a log beside the file."""


@dataclass(frozen=True, slots=True)
class UploadedFile:
    """What the manifest says of a file."""

    size: int
    sha256: str
    changed: int
    """Its time of change here, in nanoseconds: an unchanged file is not read again."""


def push(collection: Path, tell: Tell = lambda line: None) -> JSON:
    """Copy what is new in a collection to its storage; return counts of files and bytes.

    While another process crawls into it, only WARC files that are finished go: what it still writes follows later.
    """
    with ExitStack() as held:
        try:
            held.enter_context(hold_lock(collection))
            is_still = True
        except BusyError:
            is_still = False
        return push_held(collection, tell, is_still)


def push_held(collection: Path, tell: Tell = lambda line: None, is_still: bool = True) -> JSON:
    """Do the same where the caller knows whether anything is being written (`is_still`: nothing is)."""
    stores = load_stores(collection)
    if not stores.archive:
        raise UsageError(f"no place is chosen for {collection}; say siteseer store use {collection} --archive URL")
    storage = Storage(stores.archive)
    with one_push(collection), tempfile.TemporaryDirectory() as folder:
        there = manifest(storage, stores.name)
        files = list(_files(collection, Path(folder)) if is_still else _finished(collection))
        done, total = 0, sum(path.stat().st_size for _, path in files)
        here: dict[str, UploadedFile] = {} if is_still else dict(there)
        sent = size = 0
        for name, path in files:
            here[name] = kept = _kept(path, there.get(name))
            if there.get(name) != kept and not _same_bytes(there.get(name), kept):
                tell(f"{name} ({kept.size:,} bytes)")
                send(storage, path, name, kept)
                sent, size = sent + 1, size + kept.size
                if name.startswith(f"{ARCHIVE}/"):
                    _write(storage, stores.name, {**there, **here})
            done += kept.size
            tell_progress("copying", done, total)
        if here != there:
            _write(storage, stores.name, here)
    return {"archive": str(storage), "files": len(here), "sent_files": sent, "sent_bytes": size}


def deliver(collection: Path) -> list[str]:
    """Copy a collection that this process holds to its storage, if it has one; return what to say if that fails."""
    try:
        if load_stores(collection).archive:
            push_held(collection)
    except SiteseerError as error:
        return [str(error)]
    return []


def pull(url: str, collection: Path, tell: Tell = lambda line: None) -> JSON:
    """Fetch a collection from a storage into a directory; files that are there already must be the same."""
    storage = Storage(url)
    there = manifest(storage)
    if not there:
        raise NotFoundError(f"{storage} holds no collection: it has no {MANIFEST}")
    collection.mkdir(parents=True, exist_ok=True)
    with hold_lock(collection):
        wanted = [(name, kept) for name, kept in there.items() if not _is_here(collection / name, kept)]
        for name, kept in wanted:
            tell(f"{name} ({kept.size:,} bytes)")
            _fetch(storage, name, kept, collection / name)
    return {"collection": str(collection), "files": len(there), "fetched_files": len(wanted)}


def check(collection: Path) -> JSON:
    """Read everything back from the storage of a collection; return the problems, one sentence each."""
    storage = Storage(load_stores(collection).archive)
    there = manifest(storage, load_stores(collection).name)
    problems = [
        f"{name} has other bytes on {storage}" for name, kept in there.items() if not _arrived(storage, name, kept)
    ]
    with tempfile.TemporaryDirectory() as folder:
        missing = [name for name, _ in _files(collection, Path(folder)) if name not in there]
    problems += [f"{name} is not on {storage} yet" for name in missing]
    return {"archive": str(storage), "files": len(there), "problems": problems}


def manifest(storage: Storage, collection: str = "") -> dict[str, UploadedFile]:
    """Return what the storage holds, empty where it is new; refuse the storage of another collection."""
    if not storage.exists(MANIFEST):
        return {}
    if storage.size(MANIFEST) > LARGEST_MANIFEST:
        raise ArchiveError(f"{MANIFEST} on {storage} is too long")
    try:
        found = json.loads(storage.read(MANIFEST))
        files = {check_name(str(name)): UploadedFile(**kept) for name, kept in found["files"].items()}
        if found["format"] != FORMAT or not all(name.partition("/")[0] in FOLDERS for name in files):
            raise ValueError(found["format"])
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ArchiveError(f"{MANIFEST} on {storage} is none of ours") from error
    if collection and found.get("collection") != collection:
        raise UsageError(f"{storage} holds another collection; choose another place for this one")
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
    return [(f"archive/{path.name}", path) for path in sorted(archive_of(collection).glob("*.warc.gz"))[:-1]]


def _kept(path: Path, known: UploadedFile | None) -> UploadedFile:
    told = path.stat()
    if known is not None and (known.size, known.changed) == (told.st_size, told.st_mtime_ns):
        return known
    return UploadedFile(told.st_size, _digest(path), told.st_mtime_ns)


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _same_bytes(one: UploadedFile | None, other: UploadedFile) -> bool:
    return one is not None and (one.size, one.sha256) == (other.size, other.sha256)


def send(storage: Storage, path: Path, name: str, kept: UploadedFile | None = None) -> None:
    """Copy a file to a storage, read it back, and complain where it is not the same."""
    storage.put(path, name)
    if not _arrived(storage, name, kept or _kept(path, None)):
        raise StoreError(
            f"{name} came to {storage} with other bytes; it is kept here, and the same command tries again"
        )


def _arrived(storage: Storage, name: str, kept: UploadedFile) -> bool:
    try:
        return storage.size(name) == kept.size and storage.digest(name) == kept.sha256
    except NotFoundError:
        return False


def _write(storage: Storage, collection: str, files: Mapping[str, UploadedFile]) -> None:
    told = {"format": FORMAT, "collection": collection, "files": {name: asdict(kept) for name, kept in files.items()}}
    storage.write(MANIFEST, json.dumps(told, indent=1).encode())


def _is_here(path: Path, kept: UploadedFile) -> bool:
    if not path.exists():
        return False
    if not path.is_file() or path.stat().st_size != kept.size or _digest(path) != kept.sha256:
        raise UsageError(f"{path} is there already and differs from what is stored; fetch into another directory")
    return True


def _fetch(storage: Storage, name: str, kept: UploadedFile, path: Path) -> None:
    arriving = path.with_name(f".{path.name}.new")
    storage.get(name, arriving)
    try:
        if arriving.stat().st_size != kept.size or _digest(arriving) != kept.sha256:
            raise ArchiveError(f"{name} on {storage} is damaged: its bytes are not those that were stored")
        os.utime(arriving, ns=(kept.changed, kept.changed))
        arriving.replace(path)
    finally:
        arriving.unlink(missing_ok=True)


def database_copy(database: Path, target: Path) -> Path:
    """Copy a database with everything committed; the same content gives the same bytes."""
    target.unlink(missing_ok=True)
    try:
        source = sqlite3.connect(f"{database.absolute().as_uri()}?mode=ro", uri=True, timeout=60)
        with closing(source), closing(sqlite3.connect(target)) as copy:
            source.backup(copy)
            copy.execute("PRAGMA journal_mode = DELETE")
    except sqlite3.Error as error:
        if is_damage(error):
            raise damage_sentence(database, error) from error
        raise ArchiveError(f"{database} cannot be copied: {error}") from error
    return target
