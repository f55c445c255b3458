"""Which sites get the next slices, and how large: sites in, turns out.

With a budget a request spent on a poor site is lost to a good one: a site waits while another promises clearly more,
unless hardly any is being crawled, and slices shrink as the budget runs out. Without a budget everything comes in the
end, and nobody waits. Among sites that promise about the same, the one comes first whose last turn was longest ago.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from siteseer.jobs.campaign.ledger import SiteRow

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
class Turn:
    """A slice for a site: so many requests, for URLs that promise at least so much."""

    host: str
    requests: int
    least: float


def turns(waiting: Sequence[SiteRow], running: Collection[float], places: int, left: int | None) -> list[Turn]:
    """Return the turns to begin now.

    `waiting` are the sites in their order, `running` what the sites promised that are being crawled, `places` how many
    more may be, `left` the requests left in the budget that are not promised to a running slice, None without a budget.
    """
    if left is None:
        return [Turn(one.host, SLICE, 0.0) for one in waiting[:places]]
    best = max((one.promise for one in waiting), default=0.0)
    best = max(best, *running, 0.0)
    clear = [one for one in waiting if one.promise >= CLEARLY * best]
    others = [one for one in waiting if STILL * best <= one.promise < CLEARLY * best]
    found: list[Turn] = []
    for one in clear + others[: max(0, NEVER_IDLE - len(running) - len(clear))]:
        size = min(left, max(SMALLEST_SLICE, min(SLICE, left // SHARES)))
        needed = 1 if one.slices else 2  # robots.txt first
        if len(found) >= places or size < needed:
            continue
        least = CLEARLY * (best if one.promise >= CLEARLY * best else one.promise)
        found.append(Turn(one.host, size, min(least / one.trust, one.best)))
        left -= size
    return found
