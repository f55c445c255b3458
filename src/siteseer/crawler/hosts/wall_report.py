"""Stores and words the report on a wall: where it is, since which request, what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from http import HTTPStatus

from siteseer.model import JSON
from siteseer.page.urls import origin_of
from siteseer.strategies.traps.walls import WallEvidence, kind_of

WALL = "(wall)"
"""The kind of the memory's rows that say which hosts stopped a crawl, and how; None where one answers again."""
_LATER = "Run the same command later; it continues where it stopped."
_ASKS_FOR = {
    "challenge": "has answered every request with a challenge page",
    "captcha": "has answered every request with a captcha",
    "consent": "has answered every request with a consent page",
    "login": "has asked for a login at every request",
    "refusal": "has refused every request",
    "sameness": "has answered every request with the same page",
}
_SEEMS = {
    "consent": "The site shows its pages only to readers who agree to its terms.",
    "login": "The site shows its pages only to readers who are logged in.",
}


def wall_row(
    run: Sequence[WallEvidence], keys: Iterable[int | str], first: int, has_tried_browser: bool, leads_to_login: bool
) -> JSON:
    """Return what is remembered of a wall."""
    said = next((one for one in reversed(run) if one.found is not None), run[-1])
    page = said.data or said.page or next((one.data or one.page for one in reversed(run)), None)
    return {
        "url": origin_of(run[-1].url) + "/",
        "kind": "login" if leads_to_login else kind_of(list(run)),
        "since": first,
        "status": page.status if page is not None else 302,
        "quote": said.found.quote if said.found is not None else "",
        "browser": has_tried_browser,
        "keys": list(keys),
    }


def wall_sentence(row: JSON, pages: int) -> str:
    """Say what stopped a crawl.

    >>> row = {"url": "http://e.org/", "kind": "refusal", "since": 31, "status": 403, "quote": "Just a moment…"}
    >>> wall_sentence(row, 28)
    'Stopped: http://e.org/ has refused every request since the 31st (403 Forbidden, “Just a moment…”). 28 pages were \
kept before that. The site seems to block crawlers.'
    """
    kept = "No page was kept." if not pages else f"{_pages(pages)} kept before that."
    since = "" if row["since"] <= 2 else f" since the {_ordinal(row['since'])}"
    how = ", ".join(part for part in (_status(row["status"]), f"“{row['quote']}”" if row["quote"] else "") if part)
    seems = _SEEMS.get(row["kind"], "The site seems to block crawlers.")
    return f"Stopped: {row['url']} {_ASKS_FOR[row['kind']]}{since} ({how}). {kept} {seems}"


def wall_advice(row: JSON, delay: float, browser: str) -> str:
    """Say what to do about a wall."""
    if row["kind"] == "login":
        return f"Record your login with siteseer login {row['url']} --profile NAME and add --profile NAME. {_LATER}"
    slower = f" Slower: --delay {max(5, round(4 * delay))}."
    with_browser = "" if row["browser"] or browser == "always" else " With a browser: --browser always."
    return _LATER + slower + with_browser


def _pages(count: int) -> str:
    return "1 page was" if count == 1 else f"{count:,} pages were"


def _status(status: int) -> str:
    try:
        return f"{status} {HTTPStatus(status).phrase}"
    except ValueError:
        return str(status)


def _ordinal(number: int) -> str:
    ending = "th" if number % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number:,}{ending}"
