"""Combines all sources of a page's dates: feeds, lists and sitemaps take precedence, neighbours come last.

Reference for HTTP headers: Clausen, Concerning Etags and Datestamps, IWAW 2004: trust `Last-Modified` only where there
is an `ETag`; a server that makes the page anew stamps the moment of the request.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from email.utils import parsedate_to_datetime

from siteseer.extract.timestamps.day_model import AGREED, Weights, answer
from siteseer.model import Page
from siteseer.page.dates.date_context import FIRST_PUBLISHED

FEED, LIST, SITEMAP, HEADER, NEIGHBOURS, NONE = "feed", "list", "sitemap", "header", "neighbours", "none"
GUESS = 0.5
"""An answer of the page below this confidence is a guess."""
CONFIDENCE = {FEED: 0.97, LIST: 0.55, SITEMAP: 0.5, HEADER: 0.4, NEIGHBOURS: 0.2}
"""A feed names the day that its own software stores; the others date the last change, or other pages."""
_SPOKEN = {
    "meta_pub": "meta",
    "meta_gen": "meta",
    "ld_pub": "json-ld",
    "ip_pub": "microdata",
    "url": "url",
    AGREED: "meta",
}


@dataclass(frozen=True, slots=True)
class Outside:
    """The dates of a page that other pages give; ISO 8601."""

    feed: str | None = None
    feed_modified: str | None = None
    sitemap: str | None = None
    neighbours: tuple[str, ...] = ()
    """When the pages beside it in a list, or linked with it, were published."""
    listed: str | None = None
    """The day that a list shows beside its link to the page."""


NOTHING = Outside()


@dataclass(frozen=True, slots=True)
class Timestamps:
    """When a page was published and last changed (a day, or ISO 8601 with time), with source and confidence."""

    published: str | None
    modified: str | None
    source: str
    confidence: float
    evidence: tuple[str, ...] = ()
    runner_up: str | None = None


def date_page(page: Page, now: datetime, outside: Outside = NOTHING, weights: Weights | None = None) -> Timestamps:
    """Return when a page was published and last changed; `now` is when it was captured, or today.

    >>> from datetime import UTC
    >>> html_type = (("Content-Type", "text/html"),)
    >>> page = Page("http://e.org/2015/05/05/rivers.html", headers=html_type, body=b"<h1>Rivers</h1>")
    >>> found = date_page(page, datetime(2020, 1, 1, tzinfo=UTC))
    >>> found.published, found.source
    ('2015-05-05', 'url')
    """
    latest = (page.fetched_at or now).date() + timedelta(days=1)  # it may already be tomorrow where the page is written
    said = answer(page, latest, weights)
    modified = _latest(
        _sane(outside.feed_modified, latest), _sane(outside.sitemap, latest), _iso(said.modified), header_date(page)
    )
    source, published, certain = _published(said.day, said.confidence, said.evidence, outside, page, latest)
    if modified is not None and published is not None and modified[:10] < published[:10]:
        modified = None
    runner_up = (
        _iso(said.day) if source in (FEED,) and _iso(said.day) != (published or "")[:10] else _iso(said.runner_up)
    )
    evidence = said.evidence
    if source == NEIGHBOURS:
        evidence = tuple(f"a page beside it: {day[:10]}" for day in sorted(outside.neighbours))
    return Timestamps(published, modified, source, round(certain, 3), evidence, runner_up)


def header_date(page: Page) -> str | None:
    """Return `Last-Modified` where it can be trusted: there is an `ETag`, and it is not the moment of the request."""
    if not page.header("etag"):
        return None
    changed, asked = _http(page.header("last-modified")), _http(page.header("date")) or page.fetched_at
    if changed is None or changed.date() < FIRST_PUBLISHED:
        return None
    if asked is not None and changed > asked - timedelta(seconds=60):
        return None
    return changed.strftime("%Y-%m-%dT%H:%M:%SZ")


def middle_day(days: Sequence[str]) -> str | None:
    """Return the median of days.

    >>> middle_day(["2015-05-09", "2015-05-01"]), middle_day(["2015-05-05", "2019-01-01", "2015-05-07T10:00:00Z"])
    ('2015-05-05', '2015-05-07')
    """
    known = sorted(day[:10] for day in days)
    if len(known) == 2:
        first, last = map(date.fromisoformat, known)
        return (first + (last - first) / 2).isoformat()
    return known[len(known) // 2] if known else None


def _published(
    day: date | None, certain: float, evidence: tuple[str, ...], outside: Outside, page: Page, latest: date
) -> tuple[str, str | None, float]:
    if feed := _sane(outside.feed, latest):
        return FEED, feed, CONFIDENCE[FEED]
    guesses = [(_spoken(evidence), _iso(day), certain)] if day else []
    if guesses and certain >= GUESS:
        return guesses[0]
    guesses += [
        (LIST, _sane(outside.listed, latest), CONFIDENCE[LIST]),
        (SITEMAP, _sane(outside.sitemap, latest), CONFIDENCE[SITEMAP]),
        (HEADER, header_date(page), CONFIDENCE[HEADER]),
        (NEIGHBOURS, _sane(middle_day(outside.neighbours), latest), CONFIDENCE[NEIGHBOURS]),
    ]
    known = [guess for guess in guesses if guess[1]]
    return max(known, key=lambda guess: guess[2]) if known else (NONE, None, 0.0)


def _spoken(evidence: tuple[str, ...]) -> str:
    for name, spoken in _SPOKEN.items():
        if name in evidence:
            return spoken
    if any(name.startswith(("time_", "abbr_", "data_")) for name in evidence):
        return "time"
    return "text" if any(name.endswith(("_s", "_l")) for name in evidence) else "guess"


def _sane(stamp: str | None, latest: date) -> str | None:
    """Return a stamp that is not in the future and not before the Web."""
    if not stamp:
        return None
    return stamp if FIRST_PUBLISHED.isoformat() <= stamp[:10] <= latest.isoformat() else None


def _latest(*stamps: str | None) -> str | None:
    return max((stamp for stamp in stamps if stamp), default=None)


def _iso(day: date | None) -> str | None:
    return day.isoformat() if day else None


def _http(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text) if text else None
    except (ValueError, TypeError):
        return None
    return moment if moment and moment.tzinfo else None
