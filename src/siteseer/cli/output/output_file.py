"""Writes the file that a command was told to write: never over another one, and never half of it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TextIO

from siteseer.errors import UsageError


def check_new_file(path: Path, overwrite: bool) -> None:
    """Raise UsageError where a file cannot be written, or exists and may not be replaced."""
    if path.is_dir():
        raise UsageError(f"{path} is a directory; name a file")
    if not path.parent.is_dir():
        raise UsageError(f"{path} cannot be written: there is no directory {path.parent}")
    if path.exists() and not overwrite:
        raise UsageError(f"{path} exists already; name another file, or add --overwrite to replace it")


@contextmanager
def new_file(path: Path) -> Iterator[TextIO]:
    """Open a file that takes the place of `path` when everything is written."""
    made = path.with_name(f".{path.name}.new")
    try:
        with made.open("w", encoding="utf-8", newline="") as to:
            yield to
        made.replace(path)
    finally:
        made.unlink(missing_ok=True)
