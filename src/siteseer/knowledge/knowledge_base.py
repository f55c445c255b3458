"""Joins knowledge files into one knowledge base: the shipped applications, and additions of people and learning.

A file whose application id is already known adds to it: its patterns, actions and rules are tried first, the known
ones stay (`merge.py`). Shipped files are read when they are first needed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from difflib import get_close_matches
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path

from siteseer.errors import KnowledgeError, NotFoundError
from siteseer.knowledge.load import load, load_trusted
from siteseer.knowledge.merge import for_host, merge
from siteseer.knowledge.types import Application


class KnowledgeBase:
    """The application types that are known, by id, in order: those of later files first.

    >>> KnowledgeBase.shipped()["phpbb"].category
    'forum'
    """

    def __init__(self, applications: Iterable[Application] = ()) -> None:
        self._applications: dict[str, Application] = {}
        for application in applications:
            known = self._applications.get(application.id)
            self._applications[application.id] = merge(known, application) if known else application
        self._sites: dict[tuple[str, str], Application] = {}

    @classmethod
    def shipped(cls) -> KnowledgeBase:
        """Return the knowledge base that comes with Siteseer."""
        return _shipped()

    @classmethod
    def with_files(cls, paths: Iterable[Path | str]) -> KnowledgeBase:
        """Return the shipped knowledge base with further files or folders; `none` leaves the shipped ones out."""
        named = [str(path) for path in paths]
        added = [load(file) for name in named if name != "none" for file in knowledge_files(Path(name))]
        if not named:
            return cls.shipped()
        return cls((*(() if "none" in named else shipped_applications()), *added))

    @cached_property
    def applications(self) -> tuple[Application, ...]:
        """All application types; named software before generic entries."""
        return tuple(sorted(self._applications.values(), key=lambda application: application.is_generic))

    def __getitem__(self, name: str) -> Application:
        try:
            return self._applications[name]
        except KeyError:
            near = get_close_matches(name, list(self._applications), 1)
            advice = f"did you mean {near[0]}?" if near else "see `siteseer kb list`"
            raise NotFoundError(f"no application is called {name!r}; {advice}") from None

    def __contains__(self, name: object) -> bool:
        return name in self._applications

    def __iter__(self) -> Iterator[Application]:
        return iter(self.applications)

    def __len__(self) -> int:
        return len(self._applications)

    def of_site(self, name: str, host: str) -> Application:
        """Return an application together with what is known of one of its sites."""
        key = (name, host)
        if key not in self._sites:
            self._sites[key] = for_host(self[name], host)
        return self._sites[key]


def knowledge_files(path: Path) -> list[Path]:
    """Return the knowledge files that a path names: itself, or the XML files of a folder."""
    if path.is_dir():
        return sorted(path.glob("*.xml"))
    if not path.exists():
        raise KnowledgeError(f"{path}: there is no such file; name a knowledge file, a folder of them, or none")
    return [path]


@cache
def shipped_applications() -> tuple[Application, ...]:
    """Read the shipped files."""
    folder = files("siteseer.knowledge").joinpath("cms")
    names = sorted(item.name for item in folder.iterdir() if item.name.endswith(".xml"))
    return tuple(load_trusted(folder.joinpath(name).read_bytes(), name) for name in names)


@cache
def _shipped() -> KnowledgeBase:
    return KnowledgeBase(shipped_applications())
