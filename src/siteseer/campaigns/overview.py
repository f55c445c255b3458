"""Reads the progress of a campaign from its directory, read only, whichever process runs it."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siteseer.campaigns.engines.site_slice import RELEVANT
from siteseer.campaigns.ledger_schema import RUNNING, SET_ASIDE, WAITING, SiteRow
from siteseer.collection.layout import folder_name, state_path
from siteseer.errors import ArchiveError
from siteseer.workers.registry import WorkerRow

MOST_POINTS = 300
"""Points of a curve that is drawn."""
Curve = list[tuple[int, int]]


@dataclass(frozen=True, slots=True)
class CampaignTotals:
    """Figures of all sites together."""

    sites: int = 0
    waiting: int = 0
    running: int = 0
    set_aside: int = 0
    requests: int = 0
    pages: int = 0
    relevant: int = 0
    bytes: int = 0


def totals(folder: Path) -> CampaignTotals:
    """Return the figures of a campaign; zeros where it has not begun."""
    rows = read_rows(
        folder / "campaign.db",
        "SELECT count(*), total(status = ? AND best > 0), total(status = ?), total(status = ?), total(requests), "
        "total(pages), total(relevant), total(bytes) FROM sites",
        (WAITING, RUNNING, SET_ASIDE),
    )
    return CampaignTotals(*map(int, rows[0])) if rows else CampaignTotals()


def sites(folder: Path, limit: int = 100, offset: int = 0, words: str = "") -> list[SiteRow]:
    """Return sites of a campaign, those with the highest scores first; `words` must occur in the host."""
    rows = read_rows(
        folder / "campaign.db",
        f"SELECT {', '.join(SiteRow.__slots__)} FROM sites WHERE instr(host, ?) ORDER BY status = ? DESC, "
        "best * coalesce(trust, 1) DESC, relevant DESC, host LIMIT ? OFFSET ?",
        (words.strip().lower(), RUNNING, limit, offset),
    )
    return [SiteRow(*row) for row in rows]


def count_sites(folder: Path, words: str = "") -> int:
    """Return how many sites of a campaign have these words in their host."""
    rows = read_rows(
        folder / "campaign.db", "SELECT count(*) FROM sites WHERE instr(host, ?)", (words.strip().lower(),)
    )
    return int(rows[0][0]) if rows else 0


def workers(folder: Path) -> list[WorkerRow]:
    """Return the workers that registered; a campaign in one process has none."""
    columns = ", ".join(WorkerRow.__slots__)
    rows = read_rows(folder / "campaign.db", f"SELECT {columns} FROM workers ORDER BY seen DESC, name")
    return [WorkerRow(*row) for row in rows]


def curve(folder: Path) -> Curve:
    """Return the number of relevant pages as a curve over the number of requests, for all sites together."""
    found: list[tuple[str, int]] = []
    for path in sorted((folder / "sites").glob("*")):
        found += read_rows(
            state_path(path),
            "SELECT time, coalesce(degree, 0) >= ? FROM captures LEFT JOIN relevance ON capture = id",
            (RELEVANT,),
        )
    points: Curve = [(0, 0)]
    for number, (_, is_relevant) in enumerate(sorted(found), 1):
        points.append((number, points[-1][1] + is_relevant))
    step = max(1, len(points) // MOST_POINTS)
    return points[::step] + (points[-1:] if (len(points) - 1) % step else [])


def site_folder(folder: Path, host: str) -> Path:
    """Return the folder of a site's collection."""
    return folder / "sites" / folder_name(host)


def read_rows(path: Path, question: str, values: Sequence[Any] = ()) -> list[Any]:
    """Return the rows of a query on a database opened read only; none where it, or its table, does not exist yet."""
    if not path.is_file():
        return []
    try:
        with closing(sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=5)) as db:
            return db.execute(question, values).fetchall()
    except sqlite3.DatabaseError as error:
        if "no such table" in str(error):
            return []
        raise ArchiveError(f"{path} cannot be read ({error})") from error
