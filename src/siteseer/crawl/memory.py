"""What a strategy remembers, and what earlier crawls of the collection know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from siteseer.crawl.frontier import url_key
from siteseer.crawl.keep import objects_of
from siteseer.crawl.state import State
from siteseer.model import JSON, WebObject


class CollectionMemory:
    """The `Memory` of one crawl in a collection."""

    def __init__(self, state: State, crawl: int) -> None:
        self.state, self.crawl = state, crawl

    def recall(self, kind: str) -> list[tuple[str, JSON]]:
        """Return the rows remembered under a kind, oldest first."""
        return self.state.recall(self.crawl, kind)

    def earlier_objects(self, url: str) -> Sequence[WebObject]:
        """Return the objects that the newest earlier crawl found on a page."""
        return objects_of(self.state.objects_on(url_key(url), self.crawl)) if self.crawl > 1 else []

    def earlier_pages(self) -> Iterator[tuple[str, str]]:
        """Return URL and level of the pages that earlier crawls kept."""
        yield from self.state.rows(
            "SELECT DISTINCT url, coalesce(level, '') FROM captures WHERE crawl < ? AND status = 200", (self.crawl,)
        )


class NoMemory:
    """The memory of something that is not a crawl: a test, a call, a single page."""

    def recall(self, kind: str) -> list[tuple[str, JSON]]:
        """Return nothing."""
        return []

    def earlier_objects(self, url: str) -> Sequence[WebObject]:
        """Return nothing."""
        return ()

    def earlier_pages(self) -> Iterator[tuple[str, str]]:
        """Return nothing."""
        return iter(())
