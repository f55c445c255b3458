"""Stores what a strategy learns as rows, so that a resumed crawl knows the same (event sourcing)."""

from __future__ import annotations

from collections.abc import Callable

from siteseer.interfaces import Memory
from siteseer.model import JSON, Remember


class EventLog:
    """Rows under one name, in order; each is passed to `take` when it is written and when it is recalled.

    >>> known = []
    >>> journal = EventLog("words", known.append)
    >>> journal.write(["oak"]).key, journal.write(["elm"]).key, known
    ('0', '1', [['oak'], ['elm']])
    """

    def __init__(self, name: str, take: Callable[[JSON], None]) -> None:
        self.name, self._take, self._rows = name, take, 0

    def write(self, row: JSON) -> Remember:
        """Apply a row, and return the action that stores it."""
        key = str(self._rows)
        self._rows += 1
        self._take(row)
        return Remember(self.name, key, row)

    def recall(self, memory: Memory) -> None:
        """Apply the stored rows of the crawl that is resumed."""
        for _, row in memory.recall(self.name):
            self._rows += 1
            self._take(row)
