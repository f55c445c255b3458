"""Reports failing actions of the knowledge base, each once per site, however many pages show the failure."""

from __future__ import annotations

from collections.abc import Iterator

from siteseer.interfaces import Memory
from siteseer.model import Action, Note, Remember
from siteseer.page.urls import origin_of

TOLD = "failed-action"


class Failures:
    """Which actions were reported as failing, and which worked.

    >>> failures, page = Failures(), "http://e.org/1"
    >>> [len(list(failures.doubt(page, "post", "post/record", "nothing found"))) for _ in range(2)]
    [2, 0]
    >>> failures.works(page, "list", "child")
    >>> list(failures.doubt(page, "list", "child", "no link found"))
    []
    """

    def __init__(self) -> None:
        self._told: set[str] = set()
        self._works: set[str] = set()

    def restore(self, memory: Memory) -> None:
        """Restore after an interruption what was reported."""
        self._told.update(place for place, _ in memory.recall(TOLD))

    def works(self, url: str, level: str, field: str) -> None:
        """Record that an action worked on a page: where it yields nothing on another, there is nothing."""
        self._works.add(_place(url, level, field))

    def doubt(self, url: str, level: str, field: str, because: str) -> Iterator[Action]:
        """Report that an action yields nothing on a page, unless it worked on another."""
        if _place(url, level, field) not in self._works:
            yield from self.tell(url, level, field, because)

    def tell(self, url: str, level: str, field: str, because: str) -> Iterator[Action]:
        """Report that an action fails, unless it was reported before."""
        place = _place(url, level, field)
        if place not in self._told:
            self._told.add(place)
            yield Remember(TOLD, place, True, because)
            yield Note(because, event="failed_action", details={"level": level, "field": field, "example": url})


def _place(url: str, level: str, field: str) -> str:
    return f"{origin_of(url)} {level} {field}"
