"""Pages of several sites on disk, to be read again site by site: an archive is then read once for all of them."""

from __future__ import annotations

import pickle
import tempfile
import zlib
from array import array
from collections.abc import Iterator
from pathlib import Path

from siteseer.model import Capture, Page

Stored = tuple[Page, Capture]
FAST = 1
"""The level of compression: pages shrink to a fifth, in less time than reading them takes."""


class PageSpool:
    """A file without a name that is gone when it is closed; in memory are 12 bytes a page.

    Only what `add` has written is ever unpickled, from a file that no other process can open by name.
    """

    def __init__(self, folder: Path) -> None:
        self._file = tempfile.TemporaryFile(dir=folder)  # noqa: SIM115
        self._places: dict[str, array[int]] = {}

    def add(self, site: str, page: Page, capture: Capture) -> None:
        """Keep a page as one of that site."""
        told = (page.url, page.status, page.headers, page.body, page.fetched_at), capture
        data = zlib.compress(pickle.dumps(told), FAST)
        self._places.setdefault(site, array("q")).append(self._file.tell())
        self._file.write(len(data).to_bytes(8, "big") + data)

    def of_site(self, site: str) -> Iterator[Stored]:
        """Yield the pages of a site in the order in which they came."""
        for place in self._places.get(site, ()):
            self._file.seek(place)
            length = int.from_bytes(self._file.read(8), "big")
            page, capture = pickle.loads(zlib.decompress(self._file.read(length)))
            yield Page(*page), capture

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()
