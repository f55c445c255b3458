"""Locks a collection, so that one process at a time writes to it; the lock file holds the number of that process.

The lock is the kernel's (`flock`): that of a process that is gone, however it went, is free.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from siteseer.collection.layout import LOCK, PUSH_LOCK
from siteseer.collection.private_files import private_files
from siteseer.errors import BusyError

GLANCE = 0.1
LONGEST_NUMBER = 20


@contextmanager
def hold_lock(collection: Path, patience: float = 0.0) -> Iterator[TextIO]:
    """Hold the collection; a second process is told who does in one sentence, after so many seconds.

    The file that is given holds it for as long as any process has it open: also one that inherited it.
    """
    path = collection / LOCK
    path.parent.mkdir(parents=True, exist_ok=True)
    until = time.monotonic() + patience
    while True:
        with path.open("a+") as file:  # never emptied before it is held: it names the holder
            if _is_taken(file, path):
                _sign(file)
                with private_files(collection):
                    yield file
                return
            holder = _signature(file)
        if time.monotonic() >= until:
            raise BusyError(f"{holder} is writing to {collection}: wait for it, or use another directory")
        time.sleep(GLANCE)


def _is_taken(file: TextIO, path: Path) -> bool:
    """Take the lock if it is free; a file that was deleted after it was opened holds nothing."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except (BlockingIOError, FileNotFoundError):
        return False


def is_held(collection: Path) -> bool:
    """Say whether a process writes to the collection now."""
    try:
        with (collection / LOCK).open() as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return False
    except BlockingIOError:
        return True
    return False


def _sign(file: TextIO) -> None:
    file.truncate(0)
    file.write(f"{os.getpid()}\n")
    file.flush()


def _signature(file: TextIO) -> str:
    """Return who holds the lock, in words: a process, or what it started where it is gone itself."""
    file.seek(0)
    text = file.read(LONGEST_NUMBER).strip()
    if not text.isdecimal():
        return "another process"
    try:
        os.kill(int(text), 0)
    except ProcessLookupError:
        return f"a process that process {text} started"
    except (OSError, OverflowError):
        pass  # of another user, or on another machine
    return f"process {text}"


@contextmanager
def one_push(collection: Path) -> Iterator[None]:
    """Wait until no other process copies the collection elsewhere."""
    with (collection / PUSH_LOCK).open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
