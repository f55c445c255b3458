"""Gives a strategy its memory: rows of its own, and what earlier crawls of the collection know."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from siteseer.archive.archived_pages import read_capture
from siteseer.collection.state import State
from siteseer.model import JSON, Page, WebObject
from siteseer.page.urls import url_key


class CollectionMemory:
    """The `Memory` of one crawl in a collection."""

    def __init__(self, state: State, crawl: int) -> None:
        self.state, self.crawl = state, crawl

    def recall(self, kind: str) -> list[tuple[str, JSON]]:
        """Return the rows remembered under a kind, oldest first."""
        return self.state.recall(self.crawl, kind)

    def earlier_objects(self, url: str) -> Sequence[WebObject]:
        """Return the objects that the newest earlier crawl found on a page."""
        return self.state.objects_on(url_key(url), self.crawl) if self.crawl > 1 else []

    def earlier_pages(self) -> Iterator[tuple[str, str]]:
        """Return URL and level of the pages that earlier crawls kept."""
        yield from self.state.rows(
            "SELECT DISTINCT url, coalesce(level, '') FROM captures WHERE crawl < ? AND status = 200", (self.crawl,)
        )

    def earlier_page(self, url: str) -> Page | None:
        """Return the newest capture of a URL from an earlier crawl, as a page."""
        row = self.state.earlier_capture(url_key(url), self.crawl)
        if row is None:
            return None
        for place in self.state.rows("SELECT file, offset FROM renderings WHERE capture = ?", (row["id"],)):
            return replace(read_capture(self.state.archive / place[0], place[1]), url=url, memo={})
        kept = self.state.original_of(row["digest"])
        file, offset = (kept[2].file, kept[2].offset) if kept and row["original"] else (row["file"], row["offset"])
        page = read_capture(self.state.archive / file, offset)
        return replace(page, url=url, memo={})

    def visits(self) -> Iterator[tuple[str, str, str]]:
        """Return URL, time and digest of every earlier capture of a page, oldest first."""
        yield from self.state.rows(
            "SELECT url, time, digest FROM captures WHERE crawl < ? AND status IN (200, 304) ORDER BY time, id",
            (self.crawl,),
        )

    def kept_page(self, url: str) -> Page | None:
        """Return the page that this crawl kept under a URL, from the archive."""
        rows = self.state.rows(
            "SELECT coalesce(r.file, o.file, c.file), coalesce(r.offset, o.offset, c.offset) FROM captures c "
            "LEFT JOIN captures o ON o.id = c.original LEFT JOIN renderings r ON r.capture = c.id "
            "WHERE c.key = ? AND c.crawl = ? ORDER BY c.id DESC LIMIT 1",
            (url_key(url), self.crawl),
        )
        for file, offset in rows:
            return replace(read_capture(self.state.archive / file, offset), url=url, memo={})
        return None
