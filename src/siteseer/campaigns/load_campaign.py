"""A campaign's directory in, its definition and the collections of its sites out."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from siteseer.crawl.lock import only_one
from siteseer.crawl.state import State, state_path
from siteseer.decide.focused.definition import Definition
from siteseer.errors import ArchiveError, UsageError
from siteseer.jobs.campaign.campaign import COPY, load_definition

PROGRESS = Path("siteseer") / "progress.txt"
"""The last sentence of who works on a campaign."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """What a campaign has brought together."""

    folder: Path
    definition: Definition
    text: str
    """Of the definition."""
    sites: tuple[Path, ...]
    """The collections, by name."""


def gathered(folder: Path) -> Gathered:
    """Return what a campaign has brought together; complain in one sentence where it has brought nothing."""
    if not (folder / COPY).is_file():
        raise UsageError(f"{folder} is no campaign: siteseer campaign run SPEC.toml -o {folder} makes one")
    definition, text = load_definition(folder / COPY)
    below = sorted(path for path in (folder / "sites").glob("*") if state_path(path).is_file())
    if not below:
        raise UsageError(f"{folder} holds no site yet: siteseer campaign run SPEC.toml -o {folder} crawls them")
    return Gathered(folder, definition, text, tuple(below))


@contextmanager
def held(folder: Path) -> Iterator[Gathered]:
    """Give what a campaign has brought together, while nobody crawls or analyses it."""
    found = gathered(folder)
    with only_one(folder):
        yield found


@contextmanager
def opened(site: Path) -> Iterator[State]:
    """Give the database of a site's collection."""
    state = State(site, create=False)
    try:
        yield state
    except sqlite3.DatabaseError as error:
        raise ArchiveError(
            f"the database of {site} cannot be read ({error}); restore it, or remove the site"
        ) from error
    finally:
        state.close()
