"""Computes the features of candidate days: one row of booleans for each distinct day.

The visible evidence of a day is that of its best occurrence only: a day that stands under the title and again in the
sidebar is the day under the title.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, timedelta

from siteseer.extract.timestamps.page_level_features import add_page_level_features
from siteseer.extract.timestamps.structured_dates import Found
from siteseer.extract.timestamps.visible_dates import Seen, Stamp, View
from siteseer.page.dates.date_context import FIRST_PUBLISHED

ZONES = "near_s above_s mid_s nt_s near_l above_l in_title far_s top_s mid_l top_l nt_l far_l".split()
RANK = {zone: number for number, zone in enumerate(ZONES)}
SHORT_LINE = 90
FIRST_SHORT = 1_500
CAPTURED = timedelta(days=2)
"""How long before the last possible day that of the capture may be, the zone of the page unknown."""
_NEVER = frozenset(("today", "event_day"))
"""No date that stands where that of publication usually does."""
_NOT_OF_PAGE = frozenset(("C", "bad", "mod", "N", "F", "event"))
_STATED = frozenset(("url", "meta_pub", "meta_gen", "ld_pub", "ip_pub", "js_pub", "time_pub_near", "time_near"))
_COPYRIGHT = re.compile(
    r"(?:©|\(c\)|copyright)[^\d\n]{0,40}((?:199|20[0-4])\d)(?:\s{0,2}[-–—/]\s{0,2}((?:199|20[0-4])\d))?"
)
_RAW_DAY = re.compile(r"(?<!\d)(20[0-4]\d)([-/.])(0[1-9]|1[0-2])\2(0[1-9]|[12]\d|3[01])(?!\d)")
_LONGEST_COMMENT = 400


@dataclass(slots=True)
class Row:
    """One day and its features."""

    day: date
    features: set[str] = field(default_factory=set)
    best: tuple[tuple[float, ...], Seen] | None = None


def rows_of(found: Found, view: View, source: str, latest: date) -> list[Row]:
    """Return one row for each day that may be the day of publication; `latest` is the last one possible."""
    rows: dict[date, Row] = {}

    def row(day: date) -> Row | None:
        if not FIRST_PUBLISHED <= day <= latest:
            return None
        return rows.setdefault(day, Row(day))

    for kind, written in found.days:
        if one := row(written.day):
            one.features.add(kind)
    _stamps(view.stamps, row)
    seen = [s for s in view.seen if s.written.names_a_day]
    for one_seen in seen:
        if one := row(one_seen.written.day):
            order = _quality(one_seen)
            if one.best is None or order < one.best[0]:
                one.best = (order, one_seen)
    _visible(rows.values())
    _days_of_capture(rows, latest)
    for day in _event_days(found, view) & rows.keys():
        rows[day].features.add("event_day")
    _first_short(seen, rows)
    years = copyright_years(view.text)
    _last_resorts(found, view, source, row, rows, years)
    add_page_level_features(found, {day: one.features for day, one in rows.items()}, years)
    return list(rows.values())


def zone_of(seen: Seen) -> str:
    """Return where a date stands: its distance to the title, and whether its line is short or long."""
    if seen.in_title:
        return "in_title"
    size = "s" if seen.line < SHORT_LINE else "l"
    d = seen.distance
    if d is None:
        return f"nt_{size}"
    place = "top" if d < -300 else "above" if d < 0 else "near" if d <= 250 else "mid" if d <= 1500 else "far"
    return f"{place}_{size}"


def _quality(seen: Seen) -> tuple[float, ...]:
    flags = seen.flags
    return (
        "C" in flags,
        "bad" in flags,
        "N" in flags or "F" in flags,
        RANK[zone_of(seen)] + (2.5 if "mod" in flags else 0),
        seen.written.span[0],
    )


def _visible(rows: Iterable[Row]) -> None:
    names = {"date": "t_cls", "T": "t_cls", "clspub": "t_clspub", "pub": "t_pubw", "mod": "t_mod", "clsmod": "t_clsmod"}
    names |= {"clock": "t_clock", "F": "t_foot", "A": "t_link", "N": "t_N", "bad": "t_bad", "C": "t_com"}
    names |= {"verb": "t_verb", "event": "t_event"}
    for row in rows:
        if row.best is not None:
            seen = row.best[1]
            row.features.add(zone_of(seen))
            row.features.update(names[flag] for flag in seen.flags if flag in names)


def _event_days(found: Found, view: View) -> set[date]:
    """Return the days on which an event takes place, as the page states for machines."""
    return found.events | {stamp.written.day for stamp in view.stamps if stamp.source == "ip_event"}


def _days_of_capture(rows: dict[date, Row], latest: date) -> None:
    """Mark days at the top of a page that are those of its capture: a clock there tells today's date."""
    for day, row in rows.items():
        if latest - day <= CAPTURED and row.features & {"above_s", "top_s", "nt_s"} and not row.features & _STATED:
            row.features.add("today")


def _first_short(seen: list[Seen], rows: dict[date, Row]) -> None:
    """Mark the first date that stands alone from just above the title on: the usual place of a date of publication."""
    published = any(row.features & {"meta_pub", "ld_pub", "ip_pub"} for row in rows.values())
    above = {
        one.written.day for one in seen if one.distance is not None and -300 <= one.distance < 0 and not one.in_title
    }
    least = -300 if len(above) < 2 else 0  # several days above a title are those of teasers
    for one in sorted(seen, key=lambda one: one.written.span):
        if (
            one.line >= SHORT_LINE
            or one.in_title
            or (one.distance is not None and not least <= one.distance <= FIRST_SHORT)
        ):
            continue
        row = rows.get(one.written.day)
        if row is None or one.flags & _NOT_OF_PAGE or row.features & _NEVER:
            continue
        if (
            published
            and row.features & {"meta_mod", "ld_mod", "ip_mod"}
            and not row.features & {"meta_pub", "ld_pub", "ip_pub", "url"}
        ):
            continue
        row.features.add("t_firstshort")
        return


def _stamps(stamps: list[Stamp], row) -> None:  # type: ignore[no-untyped-def]
    first: set[str] = set()
    for stamp in stamps:
        one = row(stamp.written.day) if stamp.source != "ip_event" else None
        if one is None:
            continue
        source = stamp.source
        if source.startswith("ip_"):
            one.features.add(source if source not in first or source == "ip_oth" else f"{source}2")
            first.add(source)
            continue
        if "C" in stamp.flags:
            one.features.add("time_com")
            continue
        if stamp.flags & {"N", "F"}:
            one.features.add("time_neg")
            continue
        near = stamp.distance is not None and -400 <= stamp.distance <= 600
        place = "near" if near else "first" if source not in first else "later"
        first.add(source)
        one.features.add(f"{source}_{place}")


def _last_resorts(found: Found, view: View, source: str, row, rows: dict[date, Row], years: list[int]) -> None:  # type: ignore[no-untyped-def]
    """Add days that are only guesses: comments in the source, first of a month, copyright years, any stamp at all."""
    for place in found.tags.get("comment", ()):
        end = source.find("-->", place, place + _LONGEST_COMMENT)
        if (raw := _RAW_DAY.search(source, place, max(place, end))) and (one := row(date_of(raw))):
            one.features.add("cmt")
    if found.url_month and (one := row(date(*found.url_month, 1))):
        one.features.add("urlym")
    for seen in view.seen:
        if seen.written.precision == "month" and not seen.flags & {"N", "C"} and (one := row(seen.written.day)):
            one.features.add("month")
            break
    if years and (one := row(date(max(years), 1, 1))):
        one.features.add("cyear")
    if not any(r.features - {"urlym", "month", "cyear", "cmt"} for r in rows.values()):
        counted = Counter(date_of(raw) for raw in _RAW_DAY.finditer(source[:1_000_000]))
        for day, _ in counted.most_common(1):
            if one := row(day):
                one.features.add("raw")


def date_of(match: re.Match[str]) -> date:
    """Return the day of a stamp in the source; the first of the month where there is no such day."""
    try:
        return date(int(match[1]), int(match[3]), int(match[4]))
    except ValueError:
        return date(int(match[1]), int(match[3]), 1)


def copyright_years(text: str) -> list[int]:
    """Return the years that follow a copyright sign; the second of a range."""
    return [int(m[2] or m[1]) for m in _COPYRIGHT.finditer(text[-10_000:].lower())]
