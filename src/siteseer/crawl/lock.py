"""One crawl at a time in a collection."""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from siteseer.errors import BusyError

GLANCE = 0.1
LOCKS = ("lock", "push.lock")
"""The lock files below `siteseer/`: never deleted while the collection exists."""


@contextmanager
def only_one(collection: Path, patience: float = 0.0) -> Iterator[TextIO]:
    """Hold the collection; a second process is told so in one sentence, after so many seconds.

    The file that is given holds it for as long as any process has it open: also one that inherited it.
    """
    folder = collection / "siteseer"
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + patience
    while True:
        with (folder / LOCKS[0]).open("w") as file:
            if _is_taken(file, folder / LOCKS[0]):
                yield file
                return
        if time.monotonic() >= until:
            raise BusyError(f"another process is writing to {collection}: wait for it, or use another directory")
        time.sleep(GLANCE)


def _is_taken(file: TextIO, path: Path) -> bool:
    """Take the lock if it is free; a file that was deleted after it was opened holds nothing."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


@contextmanager
def one_push(collection: Path) -> Iterator[None]:
    """Wait until no other process copies the collection elsewhere."""
    with (collection / "siteseer" / LOCKS[1]).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
