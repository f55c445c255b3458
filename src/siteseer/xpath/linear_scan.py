"""Tries every detection pattern on every page: the slow twin of `pattern_index.py`."""

from __future__ import annotations

from collections.abc import Iterable

from siteseer.model import Page
from siteseer.xpath.evaluation import matcher
from siteseer.xpath.pattern_index import IndexedPattern, rank
from siteseer.xpath.virtual_document import virtual_document


class LinearScan:
    """Detection patterns tried one after the other, best first."""

    def __init__(self, patterns: Iterable[IndexedPattern]) -> None:
        self._patterns = sorted(patterns, key=rank)

    def matches(self, page: Page) -> list[str]:
        """Return the ids of all patterns that match, best first, each once."""
        document = virtual_document(page)
        hits = (pattern.id for pattern in self._patterns if matcher(pattern.expression, "virtual")(document))
        return list(dict.fromkeys(hits))

    def first(self, page: Page) -> str | None:
        """Return the id of the best pattern that matches; None where none does."""
        document = virtual_document(page)
        for pattern in self._patterns:
            if matcher(pattern.expression, "virtual")(document):
                return pattern.id
        return None
