"""Holds back the paths of a host below which every URL fails: a few more are tried later, then the rest is left."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from siteseer.crawler.frontier import Entry
from siteseer.page.urls import origin_of

UNTRUSTED = 5
"""So many URLs in a row that fail, below a path where none has come, put the path in doubt."""
TRUSTED = 20
"""As many where some have come."""
MOST_PATHS = 50_000
MOST_DEPTH = 6


@dataclass(slots=True)
class FailingPath:
    """A path in doubt: what waits below it, and how often it was tried since."""

    path: str
    good_answers: int
    """What the host had answered well when the doubt arose."""
    due: float
    """When the next URL below it may be tried."""
    held: list[Entry] = field(default_factory=list)
    trials: int = 0
    trial: int | None = None
    """The number of the URL that is tried now."""


class FailingPaths:
    """Knows below which paths URLs fail one after the other."""

    def __init__(self) -> None:
        self._failures: dict[str, set[int]] = {}
        self._good: set[str] = set()
        self.doubted: dict[str, FailingPath] = {}
        self.left: dict[str, str] = {}
        """Why nothing more is asked for below a path."""

    def path_of(self, url: str) -> FailingPath | None:
        """Return the path in doubt that a URL lies below."""
        if not self.doubted:
            return None
        return next((self.doubted[path] for path in paths_above(url) if path in self.doubted), None)

    def why_left(self, url: str) -> str:
        """Return why a URL is not asked for, where its path was left."""
        return next((self.left[path] for path in paths_above(url) if path in self.left), "") if self.left else ""

    def fail(self, entry: Entry) -> str:
        """Note that a URL failed; return the path that is in doubt from now on, the widest one."""
        found = ""
        for path in paths_above(entry.action.url):
            failed = self._failures.setdefault(path, set())
            failed.add(entry.id)
            if len(failed) >= (TRUSTED if path in self._good else UNTRUSTED):
                found = path  # the paths come from the longest to the shortest
        if len(self._failures) > MOST_PATHS:
            self._failures.clear()
        return found

    def succeed(self, url: str) -> list[Entry]:
        """Note that a URL was answered well; return what was held back below its paths."""
        released: list[Entry] = []
        for path in paths_above(url):
            self._failures.pop(path, None)
            if len(self._good) < MOST_PATHS:
                self._good.add(path)
            if (doubted := self.doubted.pop(path, None)) is not None:
                released += doubted.held
        return released


def paths_above(url: str) -> Iterator[str]:
    """Return the paths that a URL lies below, the longest first, without the whole host.

    >>> list(paths_above("http://e.org/forum/topic/5")), list(paths_above("http://e.org/view.php?id=5"))
    (['http://e.org/forum/topic/', 'http://e.org/forum/'], ['http://e.org/view.php?'])
    """
    head, mark, _ = url.partition("?")
    if mark:
        yield head + mark
    root = len(origin_of(url)) + 1
    path = head.rstrip("/")
    for _ in range(MOST_DEPTH):
        path = path.rpartition("/")[0]
        if len(path) < root:
            return
        yield path + "/"
