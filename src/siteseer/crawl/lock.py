"""One crawl at a time in a collection."""

from __future__ import annotations

import fcntl
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from siteseer.errors import UsageError

GLANCE = 0.1


@contextmanager
def only_one(collection: Path, patience: float = 0.0) -> Iterator[TextIO]:
    """Hold the collection; a second process is told so in one sentence, after so many seconds.

    The file that is given holds it for as long as any process has it open: also one that inherited it.
    """
    folder = collection / "siteseer"
    folder.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + patience
    with (folder / "lock").open("w") as file:
        while True:
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                break
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise UsageError(
                        f"another process is writing to {collection}: wait for it, or use another directory"
                    ) from None
                time.sleep(GLANCE)
        yield file


@contextmanager
def one_push(collection: Path) -> Iterator[None]:
    """Wait until no other process copies the collection elsewhere."""
    with (collection / "siteseer" / "push.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
