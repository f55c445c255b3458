"""Resumes a strategy after an interruption by replaying all outcomes that it received (event replay).

What adaptation knows of a site is a function of the pages it was shown and of their order: which were kept to learn
from, what was tried, what is proven. So only the outcomes are saved; the pages themselves are in the archive.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

from siteseer.interfaces import Memory
from siteseer.model import JSON, Follow, Outcome, Page, Remember, Submit

HEARD = "adapting-heard"
MOST_HEARD = 3_000
"""A longer crawl is not told again: by then, what could be learned of its sites is learned, and is remembered."""


@runtime_checkable
class KeptPages(Protocol):
    """A memory that can return the pages which this crawl has archived."""

    def kept_page(self, url: str) -> Page | None:
        """Return the page that this crawl kept under a URL."""
        ...


@dataclass(frozen=True, slots=True)
class LoggedOutcome:
    """One call of a strategy: an outcome with its reason, or (`why` is None) a refill."""

    room: int = 0
    outcome: Outcome | None = None
    why: Follow | None = None

    def row(self, number: int) -> Remember:
        """Return the row that stores it."""
        return Remember(HEARD, f"{number:09d}", self._value(), "heard")

    def _value(self) -> JSON:
        if self.outcome is None or self.why is None:
            return {"room": self.room}
        outcome, why = self.outcome, self.why
        page = {"url": outcome.page.url, "status": outcome.page.status} if outcome.page else None
        asked = [why.url, why.because, why.family, why.priority, why.state, why.referrer, why.depth, why.hops]
        return {"url": outcome.url, "kind": outcome.kind, "target": outcome.target, "page": page, "why": asked}


def logged_outcome(outcome: Outcome, why: Follow | Submit) -> LoggedOutcome:
    """Return an outcome as a recorded call.

    >>> logged_outcome(Outcome("http://e.org/", "error", "no answer"), Follow("http://e.org/", "seed")).row(3).key
    '000000003'
    """
    asked = why if isinstance(why, Follow) else Follow(why.url, why.because, why.family, why.priority, why.state)
    return LoggedOutcome(0, outcome, asked)


def outcomes_so_far(memory: Memory) -> Iterator[LoggedOutcome] | None:
    """Return the calls before an interruption, from the beginning; None where they are too many or incomplete."""
    rows = [value for _, value in sorted(memory.recall(HEARD))]
    if not rows or len(rows) >= MOST_HEARD or not isinstance(memory, KeptPages):
        return None
    return (_read(row, memory) for row in rows)


def _read(row: JSON, memory: KeptPages) -> LoggedOutcome:
    if "why" not in row:
        return LoggedOutcome(int(row["room"]))
    url, because, family, priority, state, referrer, depth, hops = row["why"]
    page = None
    if (known := row["page"]) is not None:
        kept = memory.kept_page(known["url"]) if known["status"] < 400 else None
        page = kept or Page(known["url"], known["status"])
    outcome = Outcome(row["url"], row["kind"], page=page, target=row["target"])
    return LoggedOutcome(0, outcome, Follow(url, because, family, priority, state, referrer, depth, hops))
