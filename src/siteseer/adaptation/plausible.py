"""Values of a semantic type in, whether they can be what they are taken for out: what nonsense is, type by type.

"It matched something" is no proof of anything. A date parses and does not lie in the future, an author is short and no
sentence, a body has words of its own and is not made of links, a permalink is an address on the web.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

LONGEST_NAME = 60
MOST_NAME_WORDS = 5
LONGEST_TITLE = 300
EARLIEST = "1990"
REPEATED = 0.5
"""Where this share of the bodies of a site is one and the same text, it is no body."""


@dataclass(frozen=True, slots=True)
class Context:
    """What values are judged by: when the pages were fetched."""

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
    """Say whether a text can be what somebody wrote: it has words; how long they are is the author's choice."""
    return bool(value.strip()) and any(letter.isalnum() for letter in value)


def is_address(value: str, context: Context) -> bool:
    """Say whether a value is an address on the web."""
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
    """Say whether one value can be of a semantic type; types that nothing is known about are believed."""
    judge = PLAUSIBLE.get(type)
    return judge is None or judge(value, context)


def are_plausible(type: str, values: Sequence[str], context: Context) -> bool:
    """Say whether the values of many records can be of a semantic type, by each of them and by all together."""
    if not values:
        return False
    right = sum(is_plausible(type, value, context) for value in values)
    if right < 0.9 * len(values):
        return False
    most = Counter(values).most_common(1)[0][1]
    if type == "body":
        return most <= max(2, REPEATED * len(values)) and _words(values) >= 3
    if type == "published":
        return most <= max(2, REPEATED * len(values))
    return True


def _words(values: Sequence[str]) -> float:
    return sum(len(value.split()) for value in values) / len(values)
