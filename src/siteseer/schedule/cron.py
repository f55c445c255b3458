"""Parses cron expressions into minutes, hours and days, the same for every scheduler that uses them."""

from __future__ import annotations

from dataclasses import dataclass

from siteseer.errors import UsageError

DAYS = ("sun", "mon", "tue", "wed", "thu", "fri", "sat")
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
SHORTCUTS = {
    "@hourly": "0 * * * *", "@daily": "0 0 * * *", "@weekly": "0 0 * * 0", "@monthly": "0 0 1 * *",
    "@yearly": "0 0 1 1 *",
}  # fmt: skip
LONGEST = 200
_LENGTHS = {2: 29, 4: 30, 6: 30, 9: 30, 11: 30}
_FIELDS = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))


@dataclass(frozen=True, slots=True)
class Cron:
    """The times at which an entry is due; weekdays count from Sunday, 0."""

    minute: tuple[int, ...]
    hour: tuple[int, ...]
    day: tuple[int, ...]
    month: tuple[int, ...]
    weekday: tuple[int, ...]

    def listed(self, name: str) -> str:
        """Return one field as numbers with commas between them, as every scheduler reads it."""
        return ",".join(map(str, getattr(self, name)))

    @property
    def weekdays(self) -> str:
        """The days of the week by name: schedulers disagree about their numbers."""
        return ",".join(DAYS[day] for day in self.weekday)


def read_cron(text: str) -> Cron:
    """Parse a cron expression.

    >>> read_cron("*/30 6-8 * * mon-fri").listed("minute"), read_cron("0 6 * * 1-5").weekdays
    ('0,30', 'mon,tue,wed,thu,fri')
    >>> read_cron("0 25 * * *")
    Traceback (most recent call last):
        ...
    siteseer.errors.UsageError: '25' is no hour of a cron expression: it goes from 0 to 23
    """
    parts = SHORTCUTS.get(text.strip().lower(), text[:LONGEST]).lower().split()
    if len(parts) != len(_FIELDS):
        raise UsageError(
            f"{text[:60]!r} is no cron expression: write minute, hour, day, month and weekday as 0 6 * * *"
        )
    minute, hour, day, month, weekday = (_numbers(part, *field) for part, field in zip(parts, _FIELDS, strict=True))
    if parts[2] != "*" and parts[4] != "*":
        raise UsageError(f"{text[:60]!r} names days of the month and of the week: write two schedules")
    if all(min(day) > _LENGTHS.get(one, 31) for one in month):
        raise UsageError(f"{text[:60]!r} is never due: no such month has a day {min(day)}")
    return Cron(minute, hour, day, month, tuple(sorted({one % 7 for one in weekday})))


def _numbers(part: str, name: str, low: int, high: int) -> tuple[int, ...]:
    found: set[int] = set()
    for piece in part.split(","):
        span, slash, step = piece.partition("/")
        first, dash, last = span.partition("-")
        if span == "*":
            start, end = low, high
        else:
            start = _number(first, name, low, high)
            end = _number(last, name, low, high) if dash else high if slash else start
        if start > end or (slash and not 0 < int(step if step.isascii() and step.isdigit() else 0) <= high):
            raise UsageError(f"{piece[:40]!r} is no {name} of a cron expression")
        found.update(range(start, end + 1, int(step) if slash else 1))
    return tuple(sorted(found))


def _number(text: str, name: str, low: int, high: int) -> int:
    names: dict[str, tuple[str, ...]] = {"month": ("", *MONTHS), "weekday": DAYS}
    if text in names.get(name, ()) and text:
        return names[name].index(text)
    if not (text.isascii() and text.isdigit() and len(text) < 3 and low <= int(text) <= high):
        raise UsageError(f"{text[:40]!r} is no {name} of a cron expression: it goes from {low} to {high}")
    return int(text)
