"""Checks whether values are plausible for their semantic type: date, author, title, body, permalink.

That an expression selects something proves nothing. A date parses and does not lie in the future, an author is short
and no sentence, a body has words of its own and does not consist of links, a permalink is a URL on the Web.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from siteseer.page.dates.read_dates import read_date

LONGEST_NAME = 60
MOST_NAME_WORDS = 5
LONGEST_TITLE = 300
EARLIEST = "1990"
REPEATED = 0.5
"""Where this share of the bodies of a site is one and the same text, it is no body."""
MOST_FRAMED = 0.25
"""Where lines that stand in most bodies are a larger part of them, they are whole pages."""
MOST_ENDS = 0.8
"""Share of the bodies that begin and end with such lines, in whole pages."""
FEWEST_FRAMED = 6


@dataclass(frozen=True, slots=True)
class Context:
    """The context of the checks: when the pages were fetched."""

    now: datetime | None = None

    @property
    def latest(self) -> str:
        """The last moment at which something can have been published, with a day for zones and wrong clocks."""
        moment = (self.now or datetime(2100, 1, 1, tzinfo=UTC)) + timedelta(days=1)
        return moment.isoformat()[:19]


def is_date(value: str, context: Context) -> bool:
    """Say whether an ISO date can be that of a record.

    >>> now = Context(datetime(2024, 5, 1, tzinfo=UTC))
    >>> is_date("2023-05-01", now), is_date("2031-05-01T00:00:00Z", now), is_date("yesterday", now)
    (True, False, False)
    """
    return value[:4].isdigit() and value[4:5] == "-" and value >= EARLIEST and value[:19] <= context.latest


def is_author(value: str, context: Context) -> bool:
    """Say whether a text can be a person's name.

    >>> [is_author(name, Context()) for name in ("Ada Lovelace", "Posted in News: 12 comments", "2020-05-01 10:00")]
    [True, False, False]
    """
    if not 0 < len(value) <= LONGEST_NAME or len(value.split()) > MOST_NAME_WORDS:
        return False
    letters = sum(letter.isalpha() for letter in value)
    digits = sum(letter.isdigit() for letter in value)
    return letters > 0 and letters >= digits and not any(sign in value for sign in ":;!?|\n»«") and "://" not in value


def is_title(value: str, context: Context) -> bool:
    """Say whether a text can be a title: one short line with a word in it."""
    return 0 < len(value) <= LONGEST_TITLE and "\n" not in value and any(letter.isalnum() for letter in value)


def is_body(value: str, context: Context) -> bool:
    """Say whether a text can be what somebody wrote: it has words; any length will do."""
    return bool(value.strip()) and any(letter.isalnum() for letter in value)


def is_address(value: str, context: Context) -> bool:
    """Say whether a value is a URL on the Web."""
    return value.startswith(("http://", "https://"))


PLAUSIBLE: dict[str, Callable[[str, Context], bool]] = {
    "published": is_date,
    "modified": is_date,
    "author": is_author,
    "title": is_title,
    "body": is_body,
    "permalink": is_address,
    "author_url": is_address,
}


def is_plausible(type: str, value: str, context: Context) -> bool:
    """Say whether one value can be of a semantic type; unknown types are accepted."""
    judge = PLAUSIBLE.get(type)
    return judge is None or judge(value, context)


def are_plausible(type: str, values: Sequence[str], context: Context) -> bool:
    """Say whether the values of many records can be of a semantic type, each of them and all together."""
    if not values:
        return False
    right = sum(is_plausible(type, value, context) for value in values)
    if right < 0.9 * len(values):
        return False
    most = Counter(values).most_common(1)[0][1]
    if type == "body":
        return most <= max(2, REPEATED * len(values)) and _words(values) >= 3 and not _are_framed(values)
    if type == "title":
        return sum(_shows_time(value) for value in values) <= REPEATED * len(values)
    if type == "published":
        return most <= max(2, REPEATED * len(values))
    return True


def _are_framed(values: Sequence[str]) -> bool:
    """Say whether texts are whole pages: lines that stand in most of them are a large part, or both ends of each.

    >>> _are_framed([f"Home\\nAbout us\\nPost number {n}\\nAll rights reserved" for n in range(8)])
    True
    >>> _are_framed([f"Post number {n}, which is a long one\\nShare this" for n in range(8)])
    False
    """
    if len(values) < FEWEST_FRAMED:
        return False
    texts = [value.split("\n") for value in values]
    tally = Counter(line for lines in texts for line in set(lines))
    frame = {line for line, count in tally.items() if count > REPEATED * len(values)}
    framed = sum(len(line) for lines in texts for line in lines if line in frame)
    ends = sum(len(lines) > 2 and lines[0] in frame and lines[-1] in frame for lines in texts)
    return framed > MOST_FRAMED * sum(map(len, values)) or ends > MOST_ENDS * len(values)


def _shows_time(title: str) -> bool:
    """Say whether a text shows a moment, as the line above a post does; titles name days at most.

    >>> _shows_time("#1 2024-01-18 15:28:59"), _shows_time("Notes of 18 January 2024")
    (True, False)
    """
    found = read_date(title) if any(letter.isdigit() for letter in title) else None
    return found is not None and found.precision in ("minute", "second")


def _words(values: Sequence[str]) -> float:
    return sum(len(value.split()) for value in values) / len(values)
