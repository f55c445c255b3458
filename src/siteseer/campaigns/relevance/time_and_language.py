"""Rates whether a text has the date and language that a campaign asks for: factors from 0 to 1, with reasons."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date

from siteseer.campaigns.relevance.definition import Definition
from siteseer.model import Page
from siteseer.page.dates.date_context import DateContext
from siteseer.page.dates.page_context import context_of
from siteseer.page.dates.read_dates import NOTHING_KNOWN, find_dates, read_date
from siteseer.page.dates.url_dates import day_of_address, month_of_address
from siteseer.page.tree import language, tree

OUTSIDE = 0.3
"""What is left of a page's relevance where it is of another time or in another language: a degree, not a verdict."""
_JSON_LD = re.compile(rb'"datePublished"\s{0,9}:\s{0,9}"(\d{4}-\d\d-\d\d)')
_LONGEST_HEAD = 200_000
"""Bytes of a page in which that is looked for."""
_TIME = re.compile(rb"<time\b[^>]{0,200}?\sdatetime\s{0,9}=\s{0,9}[\"']?([^\"'>]{4,100})")
_STAMPS = ("property", "article:published_time"), ("name", "date"), ("itemprop", "datePublished")
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_BEGINNING = 400
"""Characters of a text in which its date is looked for."""

_COMMON = {
    "en": "the and of to in is was that for with on as it by this are from not have which",
    "de": "der die und das ist nicht ein eine mit von den auf für sich dem auch wird des im zu",
    "fr": "le les des est et dans pour que une qui sur pas plus avec par du aux ce sont il",
    "es": "el los las del que por con para una como más pero sus fue y es en se lo al",
    "it": "il di che per non con del della una sono gli nel dei alla anche più è le ha si",
    "nl": "het een van dat niet zijn voor met aan ook bij de en is op te wordt maar door naar",
    "pt": "os um uma com não para mais dos das que do da em por como mas foi são ao pelo",
    "pl": "nie się że jest na do w i z to jak ale po co tak przez był od dla przy",
    "sv": "och att det som en är på för av med inte den till har ett om de men var vid",
}
_LANGUAGES = {
    word: [name for name, one in _COMMON.items() if word in one.split()]
    for all_ in _COMMON.values()
    for word in all_.split()
}
_ENOUGH = 8
"""Common words that a text must hold before its language is guessed."""


def written_day(page: Page) -> date | None:
    """Return the day on which a page says that it was written, read cheaply; None where it does not say.

    >>> written_day(Page("http://e.org/2019/05/03/kelp"))
    datetime.date(2019, 5, 3)
    """
    if found := read_date(_stamp(page)[:100], context_of(page)):
        return found.day
    place = page.body.find(b'"datePublished"', 0, _LONGEST_HEAD)
    if place >= 0 and (in_json := _JSON_LD.search(page.body, place, _LONGEST_HEAD)):
        stamp = read_date(in_json[1].decode(), context_of(page))
        return stamp.day if stamp else None
    path = "/" + page.url.partition("://")[2].partition("/")[2][:500]
    if day := day_of_address(path):
        return day
    month = month_of_address(path)
    return date(*month, 15) if month else None


def _stamp(page: Page) -> str:
    """Return the first day that the page's markup tells, as it is written there."""
    root = tree(page)
    head = root.find("head")
    for one in head.iter("meta") if head is not None else ():
        if any(one.get(name) == value for name, value in _STAMPS) and one.get("content"):
            return str(one.get("content"))
    shown = _TIME.search(page.body, 0, _LONGEST_HEAD)  # walking through the whole tree takes ten times as long
    if shown is not None:
        return shown[1].decode("utf-8", "replace")
    marked = root.iter("meta") if page.body.find(b"datePublished") >= 0 else ()
    return next((str(one.get("content")) for one in marked if one.get("itemprop") == "datePublished"), "")


def first_date(text: str, context: DateContext = NOTHING_KNOWN) -> date | None:
    """Return the first whole date in the beginning of a text.

    >>> first_date("By Ada, 3 May 2019: kelp is back")
    datetime.date(2019, 5, 3)
    """
    return next((read.day for read in find_dates(text[:_BEGINNING], context) if not read.relative), None)


def time_factor(when: date | None, definition: Definition) -> tuple[float, str]:
    """Return the factor by which a date lowers a text's relevance, and why."""
    if when is None or (definition.since is None and definition.until is None):
        return 1.0, ""
    if (definition.since and when < definition.since) or (definition.until and when > definition.until):
        return OUTSIDE, f"of {when.isoformat()}, outside the time span"
    return 1.0, f"of {when.isoformat()}"


def whole_years(definition: Definition) -> tuple[str, str]:
    """Return the first and the last year that lie wholly in the time span.

    >>> whole_years(Definition("Kelp", (), since=date(2019, 1, 1), until=date(2021, 6, 30)))
    ('2019', '2020')
    """
    since, until = definition.since or date.min, definition.until or date.max
    first, last = since.year + (since > date(since.year, 1, 1)), until.year - (until < date(until.year, 12, 31))
    return f"{first:04}", f"{last:04}"


def names_other_years(text: str, years: tuple[str, str]) -> bool:
    """Say whether the beginning of a text names a year that is not among these: only then does its date matter."""
    if "19" not in text and "20" not in text:
        return False
    return any(not years[0] <= one <= years[1] for one in _YEAR.findall(text, 0, _BEGINNING))


def guess_language(words: Sequence[str]) -> str:
    """Return the language that the common words of a text indicate; empty where they indicate none.

    >>> guess_language("the kelp of the bay is in the hands of the board and that was the end of it".split())
    'en'
    """
    tally: dict[str, int] = {}
    for word, count in Counter(filter(_LANGUAGES.__contains__, words[:500])).items():
        for name in _LANGUAGES[word]:
            tally[name] = tally.get(name, 0) + count
    best = max(tally, key=tally.__getitem__, default="")
    rest = max((count for name, count in tally.items() if name != best), default=0)
    return best if best and tally[best] >= _ENOUGH and tally[best] > 1.5 * rest else ""


def language_factor(page: Page, words: Sequence[str], definition: Definition) -> tuple[float, str]:
    """Return the factor by which the language lowers a page's relevance, and why; its text counts before its `lang`."""
    if not definition.languages:
        return 1.0, ""
    wanted = {one.casefold().partition("-")[0] for one in definition.languages}
    found = guess_language(words) or language(page).partition("-")[0]
    return (OUTSIDE, f"in another language ({found})") if found and found not in wanted else (1.0, "")
