"""Reads whole numbers that others have written: digits of any script, and no more of them than anybody means."""

from __future__ import annotations

MOST_DIGITS = 12


def whole_number(text: str) -> int | None:
    """Return the number that a text of digits says; None where it says none, as `²`, or a huge one.

    >>> whole_number("007"), whole_number("१२"), whole_number("²"), whole_number("-1"), whole_number("9" * 5_000)
    (7, 12, None, None, None)
    """
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None
