"""Deletes the contents of a collection for `--overwrite`, so that a kill at any moment leaves nothing that looks valid.

Everything is moved into one folder first and deleted there. As long as that folder exists, the collection is half
deleted: `State` refuses to open it, and `--overwrite` goes on deleting. The locks stay where they are: a lock file that
is deleted and made again can be held by two processes at once.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

from siteseer.collection.layout import CORRECTIONS, FOLDERS, LOCK, OWN, PUSH_LOCK, state_path, trash_of
from siteseer.collection.lock import hold_lock, one_push
from siteseer.collection.state import is_half_deleted
from siteseer.collection.stores.store_config import load_stores
from siteseer.errors import UsageError

KEPT = (LOCK, PUSH_LOCK, CORRECTIONS)
"""What stays: the locks, and what people said about a form, which nothing can make again."""


def check_is_ours(collection: Path) -> None:
    """Raise UsageError where a directory holds anything but a collection."""
    if is_half_deleted(collection) or state_path(collection).exists():
        return
    locks = [collection / name for name in (LOCK, PUSH_LOCK)]
    if collection.exists() and any(path not in locks for path in collection.rglob("*") if not path.is_dir()):
        raise UsageError(f"{collection} holds other things than a collection: --overwrite will not remove them")


def delete_contents(collection: Path) -> None:
    """Delete what an earlier crawl left; only the process that holds the collection's lock may call this."""
    check_is_ours(collection)
    if (stores := load_stores(collection)).objects:
        from siteseer.collection.rdf.sparql_endpoint import SparqlEndpointStore

        SparqlEndpointStore(stores).clear()
    with one_push(collection):
        trash = trash_of(collection)
        trash.mkdir(exist_ok=True)
        for path in _contents(collection):
            path.rename(_free_name(trash, path.name))
        shutil.rmtree(trash)


def delete_collection(collection: Path) -> None:
    """Delete a collection with its directory; raise where another process writes to it, or it holds other things."""
    if not collection.is_dir():
        return
    check_is_ours(collection)
    with hold_lock(collection):
        delete_contents(collection)
        shutil.rmtree(collection)


def _contents(collection: Path) -> Iterator[Path]:
    """Yield what is to be deleted, the database first: without it nothing takes the rest for a collection."""
    database, trash = state_path(collection), trash_of(collection)
    kept = [*(collection / name for name in KEPT), trash]
    inside = [path for path in sorted((collection / OWN).iterdir()) if path not in kept]
    yield from sorted(inside, key=lambda path: path != database)
    yield from (path for name in FOLDERS if name != OWN and ((path := collection / name).exists() or path.is_symlink()))


def _free_name(folder: Path, name: str) -> Path:
    """Return a name that no interrupted deletion has used already."""
    number = 0
    while (path := folder / f"{number}-{name}").exists() or path.is_symlink():
        number += 1
    return path
