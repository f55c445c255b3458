"""Reads the time of day beside a date: `at 3:12 pm`, `15:12:00 +0200`, `14h30`, `um 14.30 Uhr`, `下午3:12`."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import timedelta, timezone

from siteseer.page.dates.date_words import AFTERNOON, FILLERS, MORNING, ZONES

_HALVES = "|".join(sorted((w for w in AFTERNOON | MORNING if not w.isascii()), key=len, reverse=True))
_ZONE = (
    r"(?P<gap>[ \xa0]?)(?P<zone>(?:UTC|GMT)?[ ]?[+\-−]\d{2}:?\d{2}(?!\d)|(?:UTC|GMT)[ ]?[+\-]\d{1,2}(?!\d)|\(?(?:"
    + "|".join(sorted(ZONES, key=len, reverse=True))
    + r")\b\)?)"
)
_CLOCK = (
    rf"(?P<before>(?:{_HALVES})\s?)?(?<![\d:])(?P<hour>\d{{1,2}})(?:\s?[:：]\s?(?P<minute>\d{{2}})(?:[:：](?P<second>\d{{2}}|\d(?=Z))"
    r"(?:[.,]\d{1,9})?)?|\s?(?:h(?![a-zA-Z])|[時时點点]|시)\s?(?:(?P<after_h>\d{2})\s?[分분]?)?|\.(?P<dotted>\d{2})(?![.\d])"
    r"|(?=\s?[ap]\.?m\b))(?!\d)(?:\s?(?P<half>[ap]\.?\s?m\b\.?|"
    rf"{_HALVES}))?(?:{_ZONE})?"
)
_BETWEEN = (
    r"[\s,.;|@·•»\-–—()،:T]{0,6}(?:(?P<word>(?:"
    + "|".join(sorted((re.escape(w) for w in FILLERS), key=len, reverse=True))
    + r"))\b[\s.:,]{0,3}){0,2}"
)
_CLOCK_RE = re.compile(_CLOCK, re.I)
_AFTER_RE = re.compile(_BETWEEN + _CLOCK, re.I)
_BETWEEN_RE = re.compile(_BETWEEN + r"(?:\s?uhr\b[\s,.\-]{0,3})?(?:(?:on|am|den|le|el)\s)?", re.I)
_UHR_RE = re.compile(r"\s?(?:uhr|h)\b", re.I)
REACH_AFTER, REACH_BEFORE = 25, 22
_LONGEST = 28
"""Characters that a clock itself may take."""


@dataclass(frozen=True, slots=True)
class Clock:
    """A time of day and where it stands; `zone` is None where none is written."""

    hour: int
    minute: int
    second: int | None
    zone: timezone | None
    start: int
    end: int


def clock_after(text: str, end: int, *, iso: bool = False) -> Clock | None:
    """Return the time that follows position `end` with nothing but a short filler between."""
    if end >= len(text):
        return None
    found = _AFTER_RE.match(text, end, min(len(text), end + REACH_AFTER + _LONGEST))
    return _clock(found, text, iso) if found else None


def clock_before(text: str, start: int, earliest: int) -> Clock | None:
    """Return the time that stands before position `start`, not before `earliest`."""
    low = max(earliest, start - REACH_BEFORE - _LONGEST)
    if ":" not in text[low:start] and not any(c in text[low:start] for c in "hmM."):
        return None
    last = max(_CLOCK_RE.finditer(text, low, start), key=lambda found: found.start(), default=None)
    if last is None or last.end() == start or not _BETWEEN_RE.fullmatch(text, last.end(), start):
        return None
    return _clock(last, text, False)


def read_zone(name: str) -> timezone | None:
    """Return the zone for `Z`, `+02:00`, `GMT+2` or an abbreviation.

    >>> read_zone("+02:00") == timezone(timedelta(hours=2))
    True
    """
    name = name.strip(" ()").lower().replace("−", "-")
    if name in ZONES:
        return timezone(timedelta(minutes=ZONES[name]))
    sign = -1 if "-" in name else 1
    digits = "".join(c for c in name if c.isdigit())
    hours, minutes = (int(digits[:-2]), int(digits[-2:])) if len(digits) > 2 else (int(digits or 0), 0)
    if hours > 14 or minutes > 59:
        return None
    return timezone(sign * timedelta(hours=hours, minutes=minutes))


def _clock(found: re.Match[str], text: str, iso: bool) -> Clock | None:
    group = found.groupdict()
    if group["dotted"] and not (group.get("word") or _UHR_RE.match(text, found.end())):
        return None
    hour = int(group["hour"])
    minute = int(group["minute"] or group["after_h"] or group["dotted"] or 0)
    second = int(group["second"]) if group["second"] else None
    half = (group["half"] or group["before"] or "").replace(".", "").replace(" ", "").strip().lower()
    if half and hour <= 12:
        hour = hour % 12 + (12 if half in AFTERNOON else 0)
    if hour > 24 or minute > 59 or (second or 0) > 60:
        return None
    end, zone = found.end(), None
    if group["zone"]:
        adjacent_range = group["zone"][0] in "+-−" and not group["gap"] and not iso and second is None
        zone = None if adjacent_range else read_zone(group["zone"])
        if zone is None:
            end = found.start("gap")
    return Clock(hour % 24, minute, min(second, 59) if second is not None else None, zone, found.start("hour"), end)
