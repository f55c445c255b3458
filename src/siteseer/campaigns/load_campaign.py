"""Loads a campaign from its directory: its definition and the collections of its sites."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from siteseer.campaigns.relevance.definition import Definition
from siteseer.campaigns.run_campaign import COPY, load_definition
from siteseer.collection.collection import Collection
from siteseer.collection.layout import OWN, state_path
from siteseer.collection.lock import hold_lock
from siteseer.collection.state import State
from siteseer.errors import ArchiveError, UsageError

PROGRESS = Path(OWN) / "progress.txt"
"""The last sentence of who works on a campaign."""


@dataclass(frozen=True, slots=True)
class LoadedCampaign:
    """The definition and the site collections of a campaign."""

    folder: Path
    definition: Definition
    text: str
    """Of the definition."""
    sites: tuple[Path, ...]
    """The collections, by name."""


def load_campaign(folder: Path) -> LoadedCampaign:
    """Return a campaign with its collections; raise where there are none."""
    if not (folder / COPY).is_file():
        raise UsageError(f"{folder} is no campaign: siteseer campaign run SPEC.toml -o {folder} makes one")
    definition, text = load_definition(folder / COPY)
    below = sorted(path for path in (folder / "sites").glob("*") if state_path(path).is_file())
    if not below:
        raise UsageError(f"{folder} holds no site yet: siteseer campaign run SPEC.toml -o {folder} crawls them")
    return LoadedCampaign(folder, definition, text, tuple(below))


@contextmanager
def locked_campaign(folder: Path) -> Iterator[LoadedCampaign]:
    """Give a campaign with its collections, locked against crawls and analyses."""
    found = load_campaign(folder)
    with hold_lock(folder):
        yield found


@contextmanager
def open_site_state(site: Path) -> Iterator[State]:
    """Give the database of a site's collection, to be read."""
    try:
        with Collection.open(site) as collection:
            yield collection.state
    except sqlite3.DatabaseError as error:
        raise ArchiveError(
            f"the database of {site} cannot be read ({error}); restore it, or remove the site"
        ) from error
