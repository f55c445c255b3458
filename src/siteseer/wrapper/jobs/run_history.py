"""Compares the figures of a run with those of earlier runs: a sentence for each difference."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from math import sqrt
from statistics import median

FEW = 3
"""Below so many earlier runs chance is allowed for: what a page shows varies."""
TOLERATED = 0.3
"""Records per page may differ by this share: listings grow, last pages are short."""
EMPTIER = 0.1
"""An attribute may be missing in so many more of the records."""
ALWAYS = 0.9
"""What so many records had in every run is expected in each."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of a run, or of one task: number of records by label, of attributes that are not empty by path."""

    pages: int = 0
    records: Mapping[str, int] = field(default_factory=dict)
    filled: Mapping[str, int] = field(default_factory=dict)

    def share(self, attribute: str) -> float:
        """Return the share of records in which an attribute is not empty; 1 where there are no records."""
        count = self.records.get(attribute.partition("/")[0], 0)
        return self.filled.get(attribute, 0) / count if count else 1.0


def total(parts: Sequence[Figures]) -> Figures:
    """Return the figures of several tasks together.

    >>> total([Figures(1, {"r": 2}), Figures(2, {"r": 3})]).records["r"]
    5
    """
    records: Counter[str] = Counter()
    filled: Counter[str] = Counter()
    for one in parts:
        records.update(one.records)
        filled.update(one.filled)
    return Figures(sum(one.pages for one in parts), records, filled)


def differences(now: Figures, past: Sequence[Figures]) -> list[str]:
    """Return how a run differs from earlier ones; nothing where there are none, or it is like them.

    >>> past = [Figures(2, {"book": 40}, {"book/title": 40, "book/price": 39})] * 4
    >>> differences(Figures(2, {"book": 38}, {"book/title": 38, "book/price": 37}), past)
    []
    >>> differences(Figures(2, {"book": 40}, {"book/title": 40}), past)
    ['book/price is empty in 40 of 40 records; earlier runs had it in 98 %']
    """
    if not past:
        return []
    labels = sorted({label for one in past for label in one.records} | set(now.records))
    found = _pages(now, past)
    for label in labels:
        if told := _records(label, now, past):
            found.append(told)
    for path in sorted({path for one in past for path in one.filled}):
        if told := _attribute(path, now, past):
            found.append(told)
    return found


def _pages(now: Figures, past: Sequence[Figures]) -> list[str]:
    least = min(one.pages for one in past)
    if now.pages >= least / 2 or least - now.pages < 2:
        return []
    return [f"{now.pages} pages were loaded; earlier runs loaded at least {least}"]


def _records(label: str, now: Figures, past: Sequence[Figures]) -> str:
    rates = [one.records.get(label, 0) / one.pages for one in past if one.pages]
    if not rates or not now.pages:
        return ""
    usual, count = median(rates), now.records.get(label, 0)
    spread = 1.4826 * median(abs(rate - usual) for rate in rates)
    chance = sqrt(usual / now.pages) if len(rates) < FEW else 0.0
    rate = count / now.pages
    is_gone = not count and all(rates)
    if not is_gone and abs(rate - usual) <= max(TOLERATED * usual, 3 * spread, chance):
        return ""
    return f"{count} {label} on {now.pages} pages are {rate:.1f} a page; earlier runs found {usual:.1f}"


def _attribute(path: str, now: Figures, past: Sequence[Figures]) -> str:
    label = path.partition("/")[0]
    count, filled = now.records.get(label, 0), now.filled.get(path, 0)
    if not count:
        return ""
    before = total(past)
    had, of = before.filled.get(path, 0), before.records.get(label, 0)
    likely = (had + 1) / (of + 2)
    slack = max(EMPTIER, 3 * sqrt(likely * (1 - likely) * (1 / count + 1 / (of + 2))))
    is_gone = not filled and all(one.share(path) >= ALWAYS for one in past)
    if not is_gone and filled / count >= likely - slack:
        return ""
    usual = round(100 * had / max(1, of))
    return f"{path} is empty in {count - filled} of {count} records; earlier runs had it in {usual} %"


def gone(now: Figures, past: Sequence[Figures]) -> bool:
    """Say whether a task that always brought records brings none, or lacks an attribute altogether."""
    if not past or not all(sum(one.records.values()) for one in past):
        return False
    if not sum(now.records.values()):
        return True
    paths = {path for one in past for path in one.filled}
    return any(
        not now.filled.get(path) and now.records.get(path.partition("/")[0], 0) > 1
        for path in paths
        if all(one.share(path) >= ALWAYS for one in past)
    )
