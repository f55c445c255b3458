"""What a strategy learns, row by row: it knows what the rows say, so that a resumed crawl knows the same."""

from __future__ import annotations

from collections.abc import Callable

from siteseer.interfaces import Memory
from siteseer.model import JSON, Remember


class Journal:
    """Rows under one name, in order; each is handed to `take`, when it is written and when it is recalled.

    >>> known = []
    >>> journal = Journal("words", known.append)
    >>> journal.write(["oak"]).key, journal.write(["elm"]).key, known
    ('0', '1', [['oak'], ['elm']])
    """

    def __init__(self, name: str, take: Callable[[JSON], None]) -> None:
        self.name, self._take, self._rows = name, take, 0

    def write(self, row: JSON) -> Remember:
        """Take in a row, and return what remembers it."""
        key = str(self._rows)
        self._rows += 1
        self._take(row)
        return Remember(self.name, key, row)

    def recall(self, memory: Memory) -> None:
        """Take in the rows of the crawl that is gone on with."""
        for _, row in memory.recall(self.name):
            self._rows += 1
            self._take(row)
