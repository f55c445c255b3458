"""Caches WARC files on a worker for the next slices of their site: most strategies read pages again."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
import threading
from collections import OrderedDict
from contextlib import suppress
from pathlib import Path

from siteseer.archive.storage import Storage
from siteseer.archive.storage_places import FolderStorage
from siteseer.campaigns.engines.checkpoints import download_file

MOST = 2 * 2**30
"""Bytes that are kept; what was used longest ago goes first."""


class WarcCache:
    """A local cache of files in shared storage that never change; not used where the storage is on this disk."""

    def __init__(self, most: int = MOST) -> None:
        self.most, self.folder = most, Path(tempfile.mkdtemp(prefix="siteseer-kept-"))
        self._sizes: OrderedDict[str, int] = OrderedDict()
        self._lock = threading.Lock()

    def bring(self, storage: Storage, stored: str, local: Path, size: int) -> None:
        """Copy a file of the storage to where a slice needs it."""
        name = _name(storage, stored)
        with suppress(OSError):
            os.link(self.folder / name, local)
            if local.stat().st_size == size:
                with self._lock:
                    self._sizes.move_to_end(name)
                return
            local.unlink()
        download_file(storage, stored, local)
        self.keep(storage, stored, local)

    def keep(self, storage: Storage, stored: str, local: Path) -> None:
        """Cache a file that is in the storage now."""
        if isinstance(storage.place, FolderStorage):
            return
        name = _name(storage, stored)
        with self._lock, suppress(OSError):
            (self.folder / name).unlink(missing_ok=True)
            os.link(local, self.folder / name)
            self._sizes[name] = local.stat().st_size
            while sum(self._sizes.values()) > self.most:
                (self.folder / self._sizes.popitem(last=False)[0]).unlink(missing_ok=True)

    def close(self) -> None:
        """Delete the cache."""
        shutil.rmtree(self.folder, ignore_errors=True)


def _name(storage: Storage, stored: str) -> str:
    return hashlib.sha256(f"{storage.url}\n{stored}".encode("utf-8", "replace")).hexdigest()
