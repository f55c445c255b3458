"""WARC files that a worker has had, kept for the next slices of their site: most strategies read pages again."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

from siteseer.archive.places import Folder
from siteseer.archive.shelf import Shelf
from siteseer.jobs.cluster.checkpoint import take

MOST = 2 * 2**30
"""Bytes that are kept; what was used longest ago goes first."""


class Kept:
    """Files of shared storage that never change, on this machine's own disk; a storage on that disk needs none."""

    def __init__(self, most: int = MOST) -> None:
        self.most, self.folder = most, Path(tempfile.mkdtemp(prefix="siteseer-kept-"))
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()

    def bring(self, shelf: Shelf, stored: str, local: Path, size: int) -> None:
        """Bring a file of the storage to where a slice needs it."""
        name = _name(shelf, stored)
        with suppress(OSError):
            os.link(self.folder / name, local)
            if local.stat().st_size == size:
                with self._lock:
                    self._sizes.move_to_end(name)
                return
            local.unlink()
        take(shelf, stored, local)
        self.keep(shelf, stored, local)

    def keep(self, shelf: Shelf, stored: str, local: Path) -> None:
        """Keep a file that is in the storage now."""
        if isinstance(shelf.place, Folder):
            return
        name = _name(shelf, stored)
        with self._lock, suppress(OSError):
            (self.folder / name).unlink(missing_ok=True)
            os.link(local, self.folder / name)
            self._sizes[name] = local.stat().st_size
            while sum(self._sizes.values()) > self.most:
                (self.folder / self._sizes.popitem(last=False)[0]).unlink(missing_ok=True)

    def close(self) -> None:
        """Throw all away."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _name(shelf: Shelf, stored: str) -> str:
    return hashlib.sha256(f"{shelf.url}\n{stored}".encode("utf-8", "replace")).hexdigest()
