"""Stores a site's checkpoints in shared storage, and restores and assembles collections from them.

Files of a slice lie under its token and never change. The database comes anew with each slice; WARC files and logs are
only added.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from siteseer.archive.storage import Storage
from siteseer.archive.storage_places import FolderStorage
from siteseer.campaigns.engines.messages import Order, slice_folder
from siteseer.collection import layout
from siteseer.collection.layout import STATE
from siteseer.collection.lock import hold_lock
from siteseer.errors import ArchiveError
from siteseer.workers.fencing_tokens import Checkpoint

ARCHIVE, LOGS = f"{layout.ARCHIVE}/", f"{layout.LOGS}/"
READS_NOTHING = ("blind",)
"""Strategies that never look into what was archived: their next slice needs no WARC files."""


Bring = Callable[[Storage, str, Path, int], None]
"""Brings a file of the storage, of this length, to a place on this machine."""


def unpack(storage: Storage, campaign: str, order: Order, scratch: Path, strategy: str, bring: Bring) -> None:
    """Restore the collection of a site as its last accepted slice left it.

    A strategy that does not read the archive gets an empty file of the right length in place of the last WARC: new
    records are written into a new one.
    """
    if not order.state:
        return
    download_file(storage, f"{slice_folder(campaign, order.host, order.state)}/{STATE}", scratch / STATE, shared=False)
    for token, name, size in order.archive:
        local = scratch / ARCHIVE / str(name)
        local.parent.mkdir(exist_ok=True)
        if strategy in READS_NOTHING:
            local.touch()
            os.truncate(local, int(size))
        else:
            bring(storage, f"{slice_folder(campaign, order.host, str(token))}/{ARCHIVE}{name}", local, int(size))


def pack(storage: Storage, folder: str, collection: Path, known: Iterable[str]) -> list[tuple[str, int]]:
    """Upload the files of a site under a folder of the storage, except files that are there already."""
    found = []
    for path in sorted(collection.rglob("*")):
        name = path.relative_to(collection).as_posix()
        if path.is_file() and name not in known and (name == STATE or name.startswith((ARCHIVE, LOGS))):
            storage.put(path, f"{folder}/{name}")
            found.append((name, path.stat().st_size))
    return found


def assemble(storage: Storage, campaign: str, host: str, parts: list[Checkpoint], collection: Path) -> None:
    """Make a site's collection of its accepted slices; what is there already is not fetched again."""
    with hold_lock(collection):
        _assemble(storage, campaign, host, parts, collection)


def _assemble(storage: Storage, campaign: str, host: str, parts: list[Checkpoint], collection: Path) -> None:
    logs: dict[str, bytes] = {}
    for part in parts:
        for name, size in part.files:
            stored = f"{slice_folder(campaign, host, part.token)}/{name}"
            if name.startswith(ARCHIVE):
                _bring(storage, stored, collection / name, size)
            elif name.startswith(LOGS):
                logs[name] = logs.get(name, b"") + storage.read(stored)
    for name, content in logs.items():
        (collection / name).parent.mkdir(parents=True, exist_ok=True)
        (collection / name).write_bytes(content)
    for end in ("-wal", "-shm"):
        (collection / f"{STATE}{end}").unlink(missing_ok=True)
    last = next(part.token for part in reversed(parts) if any(name == STATE for name, _ in part.files))
    download_file(storage, f"{slice_folder(campaign, host, last)}/{STATE}", collection / STATE, shared=False)


def _bring(storage: Storage, stored: str, local: Path, size: int) -> None:
    if not local.is_file() or local.stat().st_size != size:
        download_file(storage, stored, local)
    if local.stat().st_size != size:
        raise ArchiveError(f"{stored} in {storage} has not the {size} bytes that were put there")


def download_file(storage: Storage, stored: str, local: Path, shared: bool = True) -> None:
    """Copy a file from the storage; where the storage is a folder of this disk, a file that never changes is linked."""
    local.parent.mkdir(parents=True, exist_ok=True)
    if shared and isinstance(storage.place, FolderStorage):
        local.unlink(missing_ok=True)
        with suppress(OSError):
            os.link(storage.place.root / stored, local)
            return
    storage.get(stored, local)
