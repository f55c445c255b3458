"""Keeps pictures, fonts and style sheets that a live browser fetched, for its snapshots.

A snapshot is shown with what the session has fetched already: the browser of the person who looks never asks the site.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock

from siteseer.interfaces import Exchange

LARGEST = 4 * 2**20
ROOM = 64 * 2**20
"""Bytes that one session keeps; the oldest go first."""
TYPES = ("image/", "font/", "text/css", "application/font", "application/x-font", "application/vnd.ms-fontobject")


class Assets:
    """The assets of one session, by address."""

    def __init__(self) -> None:
        self._kept: OrderedDict[str, tuple[str, bytes]] = OrderedDict()
        self._bytes = 0
        self._lock = Lock()

    def keep(self, exchange: Exchange) -> None:
        """Keep what a snapshot may need; everything else is let go."""
        kind = next((value for name, value in exchange.headers if name.lower() == "content-type"), "")
        kind = kind.partition(";")[0].strip().lower()
        if exchange.status != 200 or exchange.body_length > LARGEST or not kind.startswith(TYPES):
            return
        exchange.body.seek(0)
        body = exchange.body.read(LARGEST)
        with self._lock:
            self._drop(exchange.url)
            self._kept[exchange.url] = (kind, body)
            self._bytes += len(body)
            while self._bytes > ROOM:
                self._drop(next(iter(self._kept)))

    def get(self, url: str) -> tuple[str, bytes] | None:
        """Return type and bytes of what was fetched from an address; None where nothing was."""
        with self._lock:
            return self._kept.get(url.partition("#")[0])

    def _drop(self, url: str) -> None:
        if url in self._kept:
            self._bytes -= len(self._kept.pop(url)[1])
