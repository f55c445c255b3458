"""Keeps collections private that were made with a login, cookies or a secret header: only their owner may read them.

What such a crawl saw is not for everyone. The mark is the directory itself, which nobody else may enter (0700): every
later command that writes there, or takes something out, makes files that only the owner may read (0600).
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from threading import Lock

from siteseer.collection.layout import state_path

OWNER_ONLY = 0o077
"""The bits of a mode that are taken from everybody else."""
_lock = Lock()
_before: list[int] = []
"""What the process would do by itself, once for each piece of work that is private."""


def is_private(path: Path) -> bool:
    """Say whether a path is a collection, or lies in one, that only its owner may read."""
    whole = path.absolute()
    try:
        root = next((one for one in (whole, *whole.parents) if state_path(one).exists()), None)
        return root is not None and not root.stat().st_mode & OWNER_ONLY
    except (OSError, ValueError):  # no path at all, such as a long query; or not ours to look at
        return False


def make_private(collection: Path) -> None:
    """Take a collection, with all that it holds, away from everybody but its owner."""
    for path in (collection, *collection.rglob("*")):
        if not path.is_symlink():
            path.chmod(path.stat().st_mode & 0o777 & ~OWNER_ONLY)


@contextmanager
def private_files(*paths: Path, is_secret: bool = False) -> Iterator[None]:
    """Make files that only the owner may read, if one of these paths is private, or what is done is secret.

    This holds for the whole process as long as it lasts: whatever libraries write then is private, too.
    """
    if not is_secret and not any(map(is_private, paths)):
        yield
        return
    with _lock:
        _before.append(os.umask(OWNER_ONLY))
    try:
        yield
    finally:
        with _lock:
            mask = _before.pop()
            if not _before:
                os.umask(mask)


@contextmanager
def kept_private(collection: Path, is_secret: bool) -> Iterator[None]:
    """Make a collection private where it holds secrets from now on, and whatever is written meanwhile."""
    if is_secret:
        make_private(collection)
    with private_files(collection, is_secret=is_secret):
        yield


def named_paths(arguments: Sequence[str]) -> list[Path]:
    """Return what may be paths among the words of a command.

    >>> [str(one) for one in named_paths(["export", "a/b", "--wacz=c.wacz", "--limit", "5"])]
    ['export', 'a/b', 'c.wacz', '5']
    """
    values = [word.partition("=")[2] if word.startswith("-") else word for word in arguments]
    return [Path(value) for value in values if value and "://" not in value and "\0" not in value]
