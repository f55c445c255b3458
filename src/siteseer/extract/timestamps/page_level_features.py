"""Adds the features of each day that depend on the whole page: first, last, contradicted, doubted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from siteseer.extract.timestamps.structured_dates import Found

MODIFIED = frozenset(("meta_mod", "ld_mod", "ip_mod", "js_mod", "meta_mod2", "ld_mod2", "ip_mod2"))
WEAK = frozenset(("urlym", "month", "cyear", "cmt", "raw"))
"""What only guesses at a day."""
_PUBLISHED = frozenset(("meta_pub", "ld_pub", "ip_pub"))
_DATED = _PUBLISHED | {"url", "time_pub_near", "t_verb"}
_PROMINENT = frozenset(("near_s", "above_s", "mid_s"))
_SHOWN = frozenset(("url", "near_s", "above_s", "time_near", "time_pub_near"))
Features = Mapping[date, set[str]]


def add_page_level_features(found: Found, rows: Features, years: Sequence[int]) -> None:
    """Add to the features of each day how it relates to the others, to the URL and to the years of the copyright."""
    precise = [day for day, names in rows.items() if names - WEAK - {"in_title"}]
    published = [day for day, names in rows.items() if names & _PUBLISHED]
    said = [day for day, names in rows.items() if "t_verb" in names and names & _PROMINENT and "t_mod" not in names]
    shifted = _shifted_days(found)
    near_midnight = _days_near_midnight(found)
    for day, names in rows.items():
        if day in precise and len(precise) > 1:
            if day == max(precise):
                names.add("latest")
            if day == min(precise):
                names.add("earliest")
        if published and day > max(published):
            names.add("after_pub")
        if published and names & MODIFIED and not (names - MODIFIED - {"latest", "earliest", "after_pub"}):
            names.add("mod_only")
        if "t_mod" in names and not names & _DATED:
            others = (*published, *said) if "t_foot" in names or not names & _PROMINENT else said
            if any(other != day for other in others):
                names.add("mod_beside")
        if found.url_month and (day.year, day.month) != found.url_month:
            names.add("uym_no")
        elif found.url_year and day.year != found.url_year:
            names.add("uy_no")
        if found.image_month and (day.year, day.month) == found.image_month:
            names.add("iym_ok")
        if (day.month, day.day) == (1, 1):
            names.add("jan1")
        if years and day.year > max(years) + 1:
            names.add("gt_cyear")
        if day in shifted and names & _SHOWN:
            names.add("vis_utc")
        if day in near_midnight and not names & _SHOWN:
            names.add("utc_edge")
    _doubt_universal_time(rows)


def _shifted_days(found: Found) -> set[date]:
    """Return the days that a stamp in universal time may mean for people of another zone."""
    days = set()
    for written in found.of("meta_pub", "ld_pub"):
        if written.is_utc and written.hour is not None:
            if written.hour < 9:
                days.add(written.day - timedelta(days=1))
            elif written.hour >= 21:
                days.add(written.day + timedelta(days=1))
    return days


def _days_near_midnight(found: Found) -> set[date]:
    """Return the days that only stamps in universal time name, and may not be those of the place they come from."""
    stamps = found.of("meta_pub", "meta_gen", "ld_pub")
    sure = {one.day for one in stamps if not (one.is_utc and one.hour is not None and (one.hour < 9 or one.hour >= 21))}
    return {one.day for one in stamps} - sure


def _doubt_universal_time(rows: Features) -> None:
    """Mark the days of stamps in universal time beside which people see another: all stamps of a page err together."""
    for day in [day for day, names in rows.items() if "vis_utc" in names]:
        for beside in (day - timedelta(days=1), day + timedelta(days=1)):
            if (names := rows.get(beside)) and names & {"meta_pub", "ld_pub"}:
                names.add("utc_off")
