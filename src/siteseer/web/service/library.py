"""The library: the collections in a folder that the service and the web interface may open, and nothing else."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

from siteseer.collection.history.crawl_history import totals, whole_crawls
from siteseer.collection.layout import is_collection
from siteseer.collection.read_only_state import ReadOnlyState
from siteseer.crawler.results.derived_files import software
from siteseer.errors import ArchiveError, NotFoundError, UsageError
from siteseer.model import JSON
from siteseer.verbs.opened_collection import Collection

NAME = re.compile(r"\w[\w.-]{0,99}\Z")
"""What a new collection may be called."""
BETWEEN = "~"
"""Stands in names between a folder and a collection inside it: `compare` writes one per strategy into a folder."""


@dataclass(frozen=True, slots=True)
class LastVisit:
    """The newest crawl of a collection at a glance."""

    crawl: int
    kind: str
    when: str
    """When it began: ISO 8601."""
    requests: int
    new_pages: int
    changed_pages: int
    new_objects: int


@dataclass(frozen=True, slots=True)
class CollectionCard:
    """A collection at a glance: what all its crawls brought, and the newest of them beside that."""

    name: str
    path: Path
    seed: str
    strategy: str
    """That of the newest crawl that was no revisit."""
    application: str | None
    requests: int
    pages: int
    objects: int
    finished: bool
    when: str
    """When its newest crawl began: ISO 8601, empty where unknown."""
    crawls: int = 0
    last: LastVisit | None = None


class Library:
    """The collections below one folder; a collection itself is a library of one.

    >>> import tempfile
    >>> library = Library(Path(tempfile.mkdtemp()))
    >>> library.collections()
    []
    """

    def __init__(self, root: Path) -> None:
        self.root = root.resolve()
        self._open: dict[str, Collection] = {}
        self._lock = Lock()

    @property
    def is_single(self) -> bool:
        """Say whether the root is itself a collection."""
        return is_collection(self.root)

    def collections(self) -> list[CollectionCard]:
        """Return what there is, the newest first."""
        cards = [card(name, path) for name, path in self._found().items()]
        return sorted(cards, key=lambda one: one.when, reverse=True)

    def names(self) -> list[str]:
        """Return the names of all collections."""
        return sorted(self._found())

    def open(self, name: str) -> Collection:
        """Return a collection, opened once and shared; raise UsageError where there is none of that name."""
        with self._lock:
            if name not in self._open or not is_collection(self._open[name].path):
                found = self._found() | self._sites(name)
                if name not in found:
                    raise NotFoundError(f"there is no collection {name[:100]!r} here")
                self._open[name] = Collection(name, found[name])
            return self._open[name]

    def place(self, name: str) -> Path:
        """Return where a new collection of that name goes, always directly below the root."""
        if self.is_single:
            raise UsageError("this is a single collection; open the folder above it to make new ones beside it")
        if not NAME.match(name):
            raise UsageError(f"{name[:100]!r} cannot be a name: use letters, digits, dots, dashes and underscores")
        path = self.root / name
        if path.is_symlink():
            raise UsageError(f"{name} leads elsewhere; choose another name")
        return path

    def _found(self) -> dict[str, Path]:
        """Return every collection by name: looked for, never made from a name, so that no name leads outside."""
        if self.is_single:
            return {self.root.name or "collection": self.root}
        return {self._named(path): path for path in _below(self.root, 2)}

    def _sites(self, name: str) -> dict[str, Path]:
        """Return the sites of the campaign that a name begins with: thousands, so they are opened, never listed."""
        campaign = name.partition(BETWEEN)[0]
        folders = (one for one in _folders(self.root) if one.name == campaign)
        return {self._named(path): path for folder in folders for path in _below(folder / "sites", 1)}

    def _named(self, path: Path) -> str:
        return BETWEEN.join(path.relative_to(self.root).parts)


def card(name: str, path: Path) -> CollectionCard:
    """Return a collection at a glance; one whose database cannot be read is listed without figures."""
    look = ReadOnlyState(path)
    try:
        crawls = look.crawls()
    except ArchiveError:
        crawls = []
    if not crawls:
        return CollectionCard(name, path, "", "", None, 0, 0, 0, True, "")
    held = totals(look)
    counts = sum((one.counts for one in crawls), Counter[str]())
    return CollectionCard(
        name=name,
        path=path,
        seed=next(iter(held["seeds"]), ""),
        strategy=whole_crawls(crawls)[-1].strategy,
        application=software(counts)["application"],
        requests=held["requests"],
        pages=held["pages"],
        objects=sum(held["objects"].values()),
        finished=look.has_all_finished(),
        when=crawls[-1].started,
        crawls=len(crawls),
        last=_last_visit(look.history()[-1]),
    )


def _last_visit(told: JSON) -> LastVisit:
    return LastVisit(
        *(told[name] for name in ("crawl", "kind", "began", "requests", "new_pages", "changed_pages", "new_objects"))
    )


def _below(folder: Path, depth: int) -> Iterator[Path]:
    for path in _folders(folder):
        if is_collection(path):
            yield path
        elif depth > 1:
            yield from _below(path, depth - 1)


def _folders(folder: Path) -> list[Path]:
    if not folder.is_dir():
        return []
    found = (path for path in folder.iterdir() if path.is_dir() and not path.is_symlink())
    return sorted(path for path in found if not path.name.startswith("."))
