"""A site's collection in shared storage: what each slice added, and how collections are made of it.

Files of a slice lie under its token and never change. The database comes anew with each slice; WARC files and logs are
only added.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path

from siteseer.archive.places import Folder
from siteseer.archive.shelf import Shelf
from siteseer.errors import ArchiveError
from siteseer.jobs.campaign.tokens import Checkpoint
from siteseer.jobs.cluster.order import Order, slice_folder

STATE = "siteseer/state.db"
ARCHIVE, LOGS = "archive/", "logs/"
READS_NOTHING = ("blind",)
"""Strategies that never look into what was archived: their next slice needs no WARC files."""


Bring = Callable[[Shelf, str, Path, int], None]
"""Brings a file of the storage, of this length, to a place on this machine."""


def unpack(shelf: Shelf, campaign: str, order: Order, scratch: Path, strategy: str, bring: Bring) -> None:
    """Bring a site to where its last accepted slice left it.

    A strategy that does not read the archive gets an empty file of the right length in place of the last WARC: what
    comes next is written into a new one.
    """
    if not order.state:
        return
    take(shelf, f"{slice_folder(campaign, order.host, order.state)}/{STATE}", scratch / STATE, shared=False)
    for token, name, size in order.archive:
        local = scratch / ARCHIVE / str(name)
        local.parent.mkdir(exist_ok=True)
        if strategy in READS_NOTHING:
            local.touch()
            os.truncate(local, int(size))
        else:
            bring(shelf, f"{slice_folder(campaign, order.host, str(token))}/{ARCHIVE}{name}", local, int(size))


def pack(shelf: Shelf, folder: str, collection: Path, known: Iterable[str]) -> list[tuple[str, int]]:
    """Put what belongs to a site under a folder of the storage, except files that are there already."""
    found = []
    for path in sorted(collection.rglob("*")):
        name = path.relative_to(collection).as_posix()
        if path.is_file() and name not in known and (name == STATE or name.startswith((ARCHIVE, LOGS))):
            shelf.put(path, f"{folder}/{name}")
            found.append((name, path.stat().st_size))
    return found


def assemble(shelf: Shelf, campaign: str, host: str, parts: list[Checkpoint], collection: Path) -> None:
    """Make a site's collection of its accepted slices; what is there already is not fetched again."""
    logs: dict[str, bytes] = {}
    for part in parts:
        for name, size in part.files:
            stored = f"{slice_folder(campaign, host, part.token)}/{name}"
            if name.startswith(ARCHIVE):
                _bring(shelf, stored, collection / name, size)
            elif name.startswith(LOGS):
                logs[name] = logs.get(name, b"") + shelf.read(stored)
    for name, content in logs.items():
        (collection / name).parent.mkdir(parents=True, exist_ok=True)
        (collection / name).write_bytes(content)
    for end in ("-wal", "-shm"):
        (collection / f"{STATE}{end}").unlink(missing_ok=True)
    last = next(part.token for part in reversed(parts) if any(name == STATE for name, _ in part.files))
    take(shelf, f"{slice_folder(campaign, host, last)}/{STATE}", collection / STATE, shared=False)


def _bring(shelf: Shelf, stored: str, local: Path, size: int) -> None:
    if not local.is_file() or local.stat().st_size != size:
        take(shelf, stored, local)
    if local.stat().st_size != size:
        raise ArchiveError(f"{stored} in {shelf} has not the {size} bytes that were put there")


def take(shelf: Shelf, stored: str, local: Path, shared: bool = True) -> None:
    """Bring a file here; one that nobody will change can be the same file, where storage is a folder of this disk."""
    local.parent.mkdir(parents=True, exist_ok=True)
    if shared and isinstance(shelf.place, Folder):
        local.unlink(missing_ok=True)
        with suppress(OSError):
            os.link(shelf.place.root / stored, local)
            return
    shelf.get(stored, local)
