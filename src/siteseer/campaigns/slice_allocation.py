"""Allocates slices to sites: which sites are crawled next, and with how many requests.

With a budget, a request spent on a poor site is lost to a good one: a site waits while another has a clearly higher
score, unless few sites are being crawled, and slices shrink as the budget runs out. Without a budget every site is
crawled in the end, and none waits. Among sites with similar scores, the one comes first whose last slice was longest
ago.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from siteseer.campaigns.campaign_ledger import SiteRow

SLICE = 64
"""Requests of one slice: about a minute of a polite crawl."""
SMALLEST_SLICE = 4
CLEARLY = 0.85
"""A site whose best URL promises less than this share of the best of all waits."""
NEVER_IDLE, STILL = 4, 0.7
"""So many sites are crawled at a time even where only one promises so much, if they promise this share of it."""
SHARES = 24
"""So many slices are always left in the budget, until slices are at their smallest."""


@dataclass(frozen=True, slots=True)
class SliceTurn:
    """A slice for a site: how many requests, for URLs with which least score."""

    host: str
    requests: int
    least: float


def allocate_slices(
    waiting: Sequence[SiteRow], running: Collection[float], places: int, left: int | None
) -> list[SliceTurn]:
    """Return the slices to start now.

    `waiting` are the sites in their order, `running` the scores of the sites that are being crawled, `places` how many
    more may be, `left` the requests of the budget that are not promised to a running slice, None without a budget.
    """
    if left is None:
        return [SliceTurn(one.host, SLICE, 0.0) for one in waiting[:places]]
    best = max((one.promise for one in waiting), default=0.0)
    best = max(best, *running, 0.0)
    clear = [one for one in waiting if one.promise >= CLEARLY * best]
    others = [one for one in waiting if STILL * best <= one.promise < CLEARLY * best]
    found: list[SliceTurn] = []
    for one in clear + others[: max(0, NEVER_IDLE - len(running) - len(clear))]:
        size = min(left, max(SMALLEST_SLICE, min(SLICE, left // SHARES)))
        needed = 1 if one.slices else 2  # robots.txt first
        if len(found) >= places or size < needed:
            continue
        least = CLEARLY * (best if one.promise >= CLEARLY * best else one.promise)
        found.append(SliceTurn(one.host, size, min(least / one.trust, one.best)))
        left -= size
    return found
