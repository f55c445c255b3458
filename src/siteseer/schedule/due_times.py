"""Computes when a job is due next: at intervals, or at times of the day."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta, tzinfo

from siteseer.errors import UsageError
from siteseer.model import JSON

UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400, "w": 604800}
DAYS = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
SHORTEST, LONGEST = 1.0, 366 * 86400.0
MOST_TIMES = 100
_SPAN = re.compile(r"(\d{1,9}(?:\.\d{1,3})?)\s{0,3}([smhdw]?)\Z")
_CLOCK = re.compile(r"([01]?\d|2[0-3]):([0-5]\d)\Z")


@dataclass(frozen=True, slots=True)
class Schedule:
    """Every so many seconds, or at times of the day (hour and minute, in the machine's zone) on days of the week."""

    every: float = 0.0
    at: tuple[tuple[int, int], ...] = ()
    days: tuple[str, ...] = ()

    def as_json(self) -> JSON:
        """Return the schedule as JSON, which `Schedule` reads again."""
        if self.every:
            return {"every": self.every}
        return {"at": [f"{hour:02}:{minute:02}" for hour, minute in self.at], "days": list(self.days)}


def read(every: str | float = "", at: Sequence[str] = (), days: Sequence[str] = ()) -> Schedule | None:
    """Return the schedule that a person wrote; None where nothing is written.

    >>> read("90m"), read(at=["6:30"], days=["Mon"]), read()
    (Schedule(every=5400.0, at=(), days=()), Schedule(every=0.0, at=((6, 30),), days=('mon',)), None)
    """
    if every not in ("", 0) and (at or days):
        raise UsageError("a schedule has either an interval or times of the day")
    if every not in ("", 0):
        return Schedule(every=_span(str(every)))
    if days and not at:
        raise UsageError("days of the week need a time: write it as 06:00")
    if len(at) > MOST_TIMES:
        raise UsageError(f"a schedule has at most {MOST_TIMES} times; use an interval")
    return Schedule(0.0, tuple(sorted({_clock(one) for one in at})), tuple(map(_day, days))) if at else None


def _span(text: str) -> float:
    found = _SPAN.match(text.strip().lower())
    seconds = float(found[1]) * UNITS[found[2] or "s"] if found else 0.0
    if not SHORTEST <= seconds <= LONGEST:
        raise UsageError(f"{text[:60]!r} is no interval; write it as 30m, 6h, 1d or 1w, from a second to a year")
    return seconds


def _clock(text: str) -> tuple[int, int]:
    found = _CLOCK.match(text.strip())
    if not found:
        raise UsageError(f"{text[:60]!r} is no time of the day; write it as 06:00")
    return int(found[1]), int(found[2])


def _day(text: str) -> str:
    short = text.strip().lower()[:3]
    if short not in DAYS:
        raise UsageError(f"{text[:60]!r} is no day of the week; use {', '.join(DAYS)}")
    return short


def next_due(schedule: Schedule, after: datetime, zone: tzinfo | None = None) -> datetime:
    """Return the first moment after that one at which a job is due; `zone` is the machine's own where none is given.

    >>> next_due(Schedule(at=((6, 0),), days=("mon",)), datetime(2024, 5, 1, tzinfo=UTC), UTC).isoformat()
    '2024-05-06T06:00:00+00:00'
    """
    if schedule.every:
        return after + timedelta(seconds=schedule.every)
    here = after.astimezone(zone)
    for ahead in range(9):
        day = here.date() + timedelta(days=ahead)
        if schedule.days and DAYS[day.weekday()] not in schedule.days:
            continue
        for hour, minute in schedule.at:
            local = datetime.combine(day, time(hour, minute), zone)
            moment = (local if zone else local.astimezone()).astimezone(UTC)
            if moment > after:
                return moment
    raise AssertionError("a week has all its days")
