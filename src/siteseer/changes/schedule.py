"""Earlier captures of pages in, the pages that are due for a visit out: rates of change shared under a budget."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from itertools import pairwise

from siteseer.changes.rates import DAY, Visit, budgeted, irregular

History = Sequence[tuple[datetime, str]]
"""When a page was visited, and the digest of what was there; oldest first."""

HALF_A_TURN = 0.5
"""A page is visited when its next turn is nearer than its last."""


def rate_of(history: History) -> float:
    """Return how often a page changes a day, as its visits show; 0 where they show no change.

    >>> from datetime import UTC
    >>> days = [datetime(2024, 5, day, tzinfo=UTC) for day in (1, 2, 3, 4)]
    >>> round(rate_of(list(zip(days, "aabb"))), 2), rate_of(list(zip(days, "aaaa")))
    (0.41, 0.0)
    """
    return irregular([Visit((b - a) / DAY, old != new) for (a, old), (b, new) in pairwise(history)])


def due_pages(histories: Mapping[str, History], now: datetime, visits: int) -> list[str]:
    """Return the pages whose turn has come, the longest overdue first.

    So many visits are to be had each time that as much time has passed as since the newest capture; they are shared so
    that as many pages as possible are fresh (`budgeted`). A page that was never seen to change is never due.
    """
    newest = max((history[-1][0] for history in histories.values() if history), default=now)
    passed = max((now - newest) / DAY, 1e-6)
    shares = budgeted({name: rate_of(history) for name, history in histories.items()}, visits / passed)
    overdue = {name: (now - histories[name][-1][0]) / DAY * share for name, share in shares.items() if share > 0}
    due = [name for name, turns in overdue.items() if turns >= HALF_A_TURN]
    return sorted(due, key=lambda name: (-overdue[name], name))[:visits]


def histories(captures: Iterable[tuple[str, str, str]]) -> dict[str, list[tuple[datetime, str]]]:
    """Group captures (URL, time, digest) by URL, oldest first; captures of one moment count once."""
    found: dict[str, list[tuple[datetime, str]]] = {}
    for url, time, digest in captures:
        moment = datetime.fromisoformat(time.replace("Z", "+00:00"))
        own = found.setdefault(url, [])
        if not own or moment - own[-1][0] > timedelta(0):
            own.append((moment, digest))
    return found
