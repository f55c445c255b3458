"""Computes how often feeds publish: types, items, update intervals, and when to revisit so that no item is missed.

Reference: thesis of Oita, section 1.3.4: Table 1.1 (types of feeds), Table 1.2 (mean update interval and pooled
standard deviation by domain). Intervals are days.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from statistics import median

from siteseer.change.change_rates import posting_pattern
from siteseer.page.feeds import Feed

SOONEST, LATEST = timedelta(minutes=5), timedelta(days=1)
"""A feed is asked no more often than this, and no less often."""
FILLED = 0.5
"""Share of the feed's length that may be new at the next visit: the other half is the margin for a busy day."""


@dataclass(frozen=True, slots=True)
class Channel:
    """The statistics of one channel; intervals between publications are days, None where fewer than two items are
    dated.
    """

    url: str
    type: str
    items: int
    dated: int
    shortest: float | None
    median: float | None
    mean: float | None
    longest: float | None
    deviation: float | None
    next_visit: datetime


def moments(feed: Feed) -> list[datetime]:
    """Return when the items were published, oldest first."""
    found = []
    for item in feed.items:
        if item.when:
            moment = datetime.fromisoformat(item.when)
            found.append(moment if moment.tzinfo else moment.replace(tzinfo=UTC))
    return sorted(found)


def channel(feed: Feed, now: datetime) -> Channel:
    """Return the statistics of a channel, and when to visit it next; `now` is when the feed was fetched."""
    dated = [moment for moment in moments(feed) if moment <= now]
    gaps = [(b - a).total_seconds() / 86_400 for a, b in pairwise(dated)]
    mean = sum(gaps) / len(gaps) if gaps else None
    deviation = (
        math.sqrt(sum((gap - mean) ** 2 for gap in gaps) / (len(gaps) - 1))
        if mean is not None and len(gaps) > 1
        else None
    )
    return Channel(
        feed.url, feed.type, len(feed.items), len(dated), min(gaps, default=None), median(gaps) if gaps else None, mean,
        max(gaps, default=None), deviation, next_visit(feed, now),
    )  # fmt: skip


def next_visit(feed: Feed, now: datetime) -> datetime:
    """Return when half of the feed is expected to be new, by its posting pattern of the week; within a day."""
    dated = [moment for moment in moments(feed) if moment <= now]
    if len(dated) < 2:
        return now + LATEST
    pattern = posting_pattern(dated, dated[0], now)
    due = pattern.until(now, max(1.0, len(feed.items) * FILLED), LATEST)
    return min(max(due, now + SOONEST), now + LATEST)


def has_gap(old: Feed, new: Feed) -> bool:
    """Say whether items may have been missed between two visits: the feeds have no item in common."""
    return bool(old.items and new.items) and not {item.id for item in old.items} & {item.id for item in new.items}


def types_table(feeds: Sequence[Feed]) -> list[tuple[str, int, float]]:
    """Return number and share of each type of feed, as Table 1.1.

    >>> types_table([Feed("a", "RSS 2.0"), Feed("b", "RSS 2.0"), Feed("c", "Atom 1.0"), Feed("d", "RSS 1.0")])
    [('RSS 2.0', 2, 0.5), ('Atom', 1, 0.25), ('RDF', 1, 0.25)]
    """
    names = Counter(_family(feed.type) for feed in feeds)
    return [
        (name, count, count / len(feeds)) for name, count in sorted(names.items(), key=lambda one: (-one[1], one[0]))
    ]


def domains_table(
    domains: Mapping[str, Sequence[Feed]], now: datetime
) -> list[tuple[str, int, float | None, float | None]]:
    """Return for each domain the number of feeds, the mean of their mean update intervals and the pooled deviation."""
    rows = []
    for domain, feeds in domains.items():
        found = [one for feed in feeds if (one := channel(feed, now)).mean is not None]
        means = [one.mean for one in found if one.mean is not None]
        squares = sum((one.dated - 2) * one.deviation**2 for one in found if one.deviation is not None)
        freedom = sum(one.dated - 2 for one in found if one.deviation is not None)
        mean = sum(means) / len(means) if means else None
        rows.append((domain, len(feeds), mean, math.sqrt(squares / freedom) if freedom else None))
    return rows


def by_host(feeds: Sequence[Feed]) -> dict[str, list[Feed]]:
    """Group feeds by the host that they come from; those of files stand under `-`."""
    found: dict[str, list[Feed]] = defaultdict(list)
    for feed in feeds:
        found[feed.url.partition("://")[2].partition("/")[0] or "-"].append(feed)
    return dict(found)


def _family(kind: str) -> str:
    if kind.startswith("Atom"):
        return "Atom"
    return "RDF" if kind in ("RSS 1.0", "RSS 0.90") else kind
