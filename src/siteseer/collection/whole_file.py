"""Writes files atomically, so that each is there as a whole or not at all; exchanges folders in one step.

Everything derived is made beside its place and renamed, so that a kill at any moment leaves the old or the new one.
"""

from __future__ import annotations

import ctypes
import json
import os
import shutil
from collections.abc import Iterable
from pathlib import Path

from siteseer.errors import NO_ROOM, ArchiveError, DiskFullError, SiteseerError
from siteseer.model import JSON

AT_CURRENT_FOLDER = -100
EXCHANGE = 2


def write_whole(path: Path, pieces: Iterable[bytes]) -> None:
    """Write a file; an existing one is replaced in one step, or left as it was."""
    made = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with made.open("wb") as file:
            file.writelines(pieces)
            file.flush()
            os.fsync(file.fileno())
        made.replace(path)
    except OSError as error:
        raise not_written(error, path) from error
    finally:
        if made.exists():
            made.unlink()


def write_text(path: Path, text: str) -> None:
    """Write a text file; an existing one is replaced in one step, or left as it was."""
    write_whole(path, [text.encode("utf-8", "replace")])


def write_lines(path: Path, lines: Iterable[JSON]) -> None:
    """Write JSON lines; an existing file is replaced in one step, or left as it was."""
    write_whole(path, ((json.dumps(line, ensure_ascii=False) + "\n").encode("utf-8", "replace") for line in lines))


def not_written(error: OSError, path: Path) -> SiteseerError:
    """Return our error for one of the system's."""
    if error.errno in NO_ROOM:
        return DiskFullError(f"the disk is full: {path} could not be written; make room and run the command again")
    return ArchiveError(f"{path} could not be written: {error.strerror or error}")


def swap_in(made: Path, folder: Path) -> None:
    """Put a folder that was made beside in the place of another, and delete that one.

    Where the system cannot exchange two names in one step, there is a moment without the folder: `swap_back` mends it.
    """
    if not folder.exists():
        made.rename(folder)
        return
    gone = old_name(folder)
    shutil.rmtree(gone, ignore_errors=True)
    if _exchange(made, folder):
        made.rename(gone)
    else:
        folder.rename(gone)
        made.rename(folder)
    shutil.rmtree(gone, ignore_errors=True)


def swap_back(folder: Path) -> None:
    """Put the old folder back where a kill came between the two renames of `swap_in`."""
    if not folder.exists() and old_name(folder).exists():
        old_name(folder).rename(folder)


def old_name(folder: Path) -> Path:
    """Return where a folder is while another takes its place."""
    return folder.with_name(f".{folder.name}.old")


def new_name(folder: Path) -> Path:
    """Return where a folder is made before it takes its place."""
    return folder.with_name(f".{folder.name}.new")


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two names in one step, where system and file system can."""
    function = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if function is None:
        return False
    names = os.fsencode(one), os.fsencode(other)
    return bool(function(AT_CURRENT_FOLDER, names[0], AT_CURRENT_FOLDER, names[1], ctypes.c_uint(EXCHANGE)) == 0)
