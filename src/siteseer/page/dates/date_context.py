"""Decides what numbers such as `03/04/2019` mean: the context in which a date is read.

The same string in the same context is the same day for everybody who asks. What decides, in this order: the order that
the other dates of the page or of the site show, the future (a page cannot have been written tomorrow), the usual order
where the page's language is spoken, and the country of the host.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Literal

Order = Literal["dmy", "mdy", "ymd"]
Asked = Literal["publication", "event", "any"]

LAST_YEAR = 2100
FIRST_PUBLISHED = date(1995, 1, 1)
"""Before the Web was for everybody nothing was published on it."""
MONTH_FIRST = frozenset(("en-us", "en-ph", "fil", "tl"))
YEAR_FIRST = frozenset(("zh", "ja", "ko", "hu", "lt", "mn"))
_AMERICAN = frozenset(("com", "org", "net", "us", "gov", "edu", "mil"))
_NO_COUNTRY = frozenset(("", "test", "localhost", "invalid", "example", "local", "internal", "onion"))
NUMERIC = re.compile(
    r"(?<![\d.:/-])(\d{1,2})([./-])"
    r"(?:\s{1,3}(?=\d{1,2}[./-]\s{0,3}\d{4})| )?(\d{1,2})\2(?:\s{1,3}(?=\d{4})| )?(\d{4}|\d{2})"
    r"(?!\d|:\d|[./-]\d)"
)
"""Two numbers and a year: day and month in the order of the site, or a year of two digits first."""


def a_day(year: int, month: int, day: int) -> date | None:
    """Return the day, or None where there is no such day."""
    try:
        return date(year, month, day)
    except ValueError:
        return None


def whole_year(digits: str) -> int:
    """Return the year: two digits below 50 are of this century; a Thai year counts from 543 BC.

    >>> whole_year("15"), whole_year("99"), whole_year("2563")
    (2015, 1999, 2020)
    """
    year = int(digits)
    if len(digits) == 2:
        return year + (2000 if year < 50 else 1900)
    return year - 543 if 2533 <= year <= 2643 else year


@dataclass(frozen=True, slots=True)
class DateContext:
    """What is known besides the text in which a date stands."""

    now: datetime | None = None
    """When the page was fetched: without it nothing is in the future, and `yesterday` is no day."""
    order: Order | None = None
    """The order of day and month that the other dates of the site show (see `learn_order`)."""
    language: str = ""
    host: str = ""
    zone: tzinfo = UTC
    """The zone of times beside which none is written."""
    asked: Asked = "any"
    """A `publication` is neither before the Web nor in the future; an `event` may well be in the future."""
    first_year: int = 1990
    """Older years are mostly numbers of another kind."""
    learn: Callable[[], Order | None] | None = None
    """Asks the other dates of the page, the first time that it matters."""

    def is_month_first(self, day_first: date, month_first: date, separator: str) -> bool:
        """Say which reading of an ambiguous date is meant.

        >>> DateContext(host="e.de").is_month_first(date(2019, 4, 3), date(2019, 3, 4), "/")
        False
        """
        order = self._known_order()
        if order in ("dmy", "mdy"):
            return order == "mdy"
        if separator == ".":
            return False
        if self.now is not None and self.asked != "event":
            past = (day_first <= self.now.date(), month_first <= self.now.date())
            if past[0] != past[1]:
                return past[1]
        return usual_order(self.language, self.host, separator) == "mdy"

    def or_order(self, order: Order) -> DateContext:
        """Return the context in which an order holds where the other dates of the page and the site do not decide."""
        return replace(self, learn=lambda: (self.learn() if self.learn is not None else None) or order)

    def is_year_first(self) -> bool:
        """Say whether the site writes years of two digits first."""
        return self._known_order() == "ymd"

    def _known_order(self) -> Order | None:
        return self.order or (self.learn() if self.learn is not None else None)

    def is_plausible(self, year: int) -> bool:
        """Say whether a text may name a day of that year."""
        return self.first_year <= year <= LAST_YEAR

    def allows(self, day: date) -> bool:
        """Say whether a day can be what is asked for."""
        if self.asked != "publication":
            return True
        return day >= FIRST_PUBLISHED and (self.now is None or day <= self.now.date() + timedelta(days=1))


def usual_order(language: str, host: str, separator: str = "/") -> Order:
    """Return the order that is usual where a language is spoken, and for English in the country of the host.

    >>> usual_order("de", "e.com"), usual_order("en", "www.e.com"), usual_order("en", "e.co.uk"), usual_order("", "")
    ('dmy', 'mdy', 'dmy', 'mdy')
    """
    language = language.lower().replace("_", "-")
    if language in MONTH_FIRST:
        return "mdy"
    if language.partition("-")[0] in YEAR_FIRST:
        return "ymd"
    if language and language != "en":
        return "dmy"
    country = host.partition(":")[0].rpartition(".")[2]
    if country in _NO_COUNTRY or country.isdigit():
        return "mdy" if separator == "/" else "dmy"
    return "mdy" if country in _AMERICAN else "dmy"


def learn_order(texts: Iterable[str], known: Collection[date] = (), now: datetime | None = None) -> Order | None:
    """Return the order of day and month that the numeric dates of a site show; None where no date decides.

    A date decides that can be read in one way only; if there is none, one of which one reading alone is a `known` day,
    or one alone is not after `now`.

    >>> learn_order(["05/13/2015", "05/04/2015"]), learn_order(["03/04/2019"], known=[date(2019, 4, 3)])
    ('mdy', 'dmy')
    """
    sure: Counter[Order] = Counter()
    likely: Counter[Order] = Counter()
    for text in texts:
        for found in NUMERIC.finditer(text):
            if isinstance(read := _readings(found), str):
                sure[read] += 1
            elif read is not None and (order := _likely(*read, known, now)):
                likely[order] += 1
    return _majority(sure) or (_majority(likely) if not sure else None)


def _majority(votes: Counter[Order]) -> Order | None:
    best = votes.most_common(2)
    return best[0][0] if best and (len(best) == 1 or best[0][1] > best[1][1]) else None


def _readings(found: re.Match[str]) -> Order | tuple[date, date] | None:
    """Return the order of a numeric date, or both of its readings where it may be either: day first, month first."""
    first, second, third = int(found[1]), int(found[3]), found[4]
    if first > 31 or (first > 12 and second > 12):
        return "ymd" if first > 31 and len(third) == 2 else None
    year = whole_year(third)
    day_first, month_first = a_day(year, second, first), a_day(year, first, second)
    if day_first is None or month_first is None:
        return "dmy" if day_first else "mdy" if month_first else None
    return None if day_first == month_first or found[2] == "." else (day_first, month_first)


def _likely(day_first: date, month_first: date, known: Collection[date], now: datetime | None) -> Order | None:
    if (day_first in known) != (month_first in known):
        return "dmy" if day_first in known else "mdy"
    if now is not None and (day_first <= now.date()) != (month_first <= now.date()):
        return "dmy" if day_first <= now.date() else "mdy"
    return None
