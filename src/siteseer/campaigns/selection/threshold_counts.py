"""Counts how many pages and bytes of a proposal each threshold would accept, in one pass."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path

from siteseer.campaigns.analysis.campaign_index import FILE as CATALOGUE
from siteseer.campaigns.analysis.campaign_index import page_key
from siteseer.campaigns.overview import read_rows
from siteseer.campaigns.selection.proposal import MOST_STEPS
from siteseer.campaigns.selection.proposal_marks import read_lines
from siteseer.collection.layout import state_path
from siteseer.model import JSON

STEPS = 1_000
"""Degrees have three digits."""
ALWAYS = STEPS + 1
"""The step of what a person accepted."""
NEVER = -1

Known = dict[int, tuple[int | None, int]]
"""Of each page the one that led to it, and the bytes of its captures."""
Keys = dict[int, int]
"""The key of a page by the hash of its URL as it is written: quicker than finding it anew."""


@dataclass(frozen=True, slots=True)
class ThresholdCounts:
    """What enters the archive, for each threshold."""

    proposed: int
    """Pages in all."""
    accepted: int
    rejected: int
    pages: tuple[int, ...]
    """That enter from step to step: at place 500 those that a threshold of 0.5 takes."""
    ways: tuple[int, ...]
    """That only lead there."""
    bytes: tuple[int, ...]

    def at(self, threshold: float | None) -> JSON:
        """Return what a threshold accepts; without one, what a person accepted."""
        place = ALWAYS if threshold is None else _step(threshold)
        return {
            "threshold": threshold, "pages": self.pages[place], "on_the_way": self.ways[place],
            "bytes": self.bytes[place], "proposed": self.proposed, "accepted": self.accepted, "rejected": self.rejected,
        }  # fmt: skip


def count_thresholds(folder: Path, proposal: Path) -> ThresholdCounts:
    """Count what each threshold accepts: pages, the pages that lead to them, and their records in bytes.

    Page requisites are not counted: they are known only when pages are copied.
    """
    known, keys = _known(folder)
    enters: dict[int, int] = {}
    counts = {"accept": 0, "reject": 0, "?": 0}
    for line in read_lines(proposal):
        if line.proposed.kind == "page":
            counts[line.counts_as] += 1
            step = {"accept": ALWAYS, "reject": NEVER}.get(line.counts_as, _step(line.proposed.degree))
            address = line.proposed.address
            enters[keys.get(hash(address)) or page_key(address)] = step
    pages, ways, size = ([0] * (ALWAYS + 1) for _ in range(3))
    for key, step in enters.items():
        if step != NEVER:
            pages[step] += 1
            size[step] += known.get(key, (None, 0))[1]
    for key, leads in _reached(enters, known).items():
        own = enters.get(key)
        if own is None or NEVER < own < leads:
            _add(ways, own, leads, 1)
            _add(size, own, leads, known[key][1])
    total = [tuple(reversed(list(accumulate(reversed(one))))) for one in (pages, ways, size)]
    return ThresholdCounts(sum(counts.values()), counts["accept"], counts["reject"], *total)


def _add(counts: list[int], after: int | None, to: int, what: int) -> None:
    """Add something for the thresholds up to a step; after another one it is counted already, as a page."""
    counts[to] += what
    if after is not None:
        counts[after] -= what


def _step(degree: float) -> int:
    return min(STEPS, max(0, round(degree * STEPS)))


def _reached(enters: dict[int, int], known: Known) -> dict[int, int]:
    """Return for each page that leads to others the highest step at which one of them enters."""
    found: dict[int, int] = {}
    for key, step in enters.items():
        at = key
        for _ in range(MOST_STEPS if step != NEVER else 0):
            before = known.get(at, (None, 0))[0]
            if before is None or before not in known or before == key or found.get(before, NEVER) >= step:
                break
            found[before] = step
            at = before
    return found


def _known(folder: Path) -> tuple[Known, Keys]:
    known: Known = {}
    keys: Keys = {}
    for (site,) in read_rows(folder / CATALOGUE, "SELECT DISTINCT site FROM page"):
        sizes = _sizes(state_path(folder / "sites" / site))
        for key, url, capture, referrer in read_rows(
            folder / CATALOGUE, "SELECT key, url, capture, referrer FROM page WHERE site = ?", (site,)
        ):
            known[key] = referrer, sizes.get(capture, 0)
            keys[hash(url)] = key
    return known, keys


def _sizes(path: Path) -> dict[int, int]:
    """Return of each capture of a page the bytes of all captures of that page, with what was written beside them."""
    rows = read_rows(
        path,
        "WITH lengths AS (SELECT id, key, status, title, "
        "coalesce(lead(offset) OVER (PARTITION BY file ORDER BY offset) - offset, length) AS bytes FROM captures) "
        "SELECT id, total(bytes) OVER (PARTITION BY key) FROM lengths WHERE status IN (200, 304) AND title IS NOT NULL",
    )
    return {number: int(size) for number, size in rows}
