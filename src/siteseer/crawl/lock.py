"""One crawl at a time in a collection."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from siteseer.errors import UsageError


@contextmanager
def only_one(collection: Path) -> Iterator[None]:
    """Hold the collection; a second process is told so in one sentence."""
    folder = collection / "siteseer"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise UsageError(
                f"another process is writing to {collection}: wait for it, or use another directory"
            ) from None
        yield


@contextmanager
def one_push(collection: Path) -> Iterator[None]:
    """Wait until no other process copies the collection elsewhere."""
    with (collection / "siteseer" / "push.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
