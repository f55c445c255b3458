"""Finds the outcome of each seed of a crawl in the database, through the redirects that the seed led to."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from siteseer.archive.archived_pages import read_capture
from siteseer.collection.state import State
from siteseer.collection.url_status import DONE, FAILED, SKIPPED
from siteseer.errors import ArchiveError
from siteseer.fetch.certificates import UNTRUSTED
from siteseer.fetch.replay import NOT_HELD
from siteseer.fetch.robots import UNREACHABLE, UNREAD
from siteseer.forms.form_kinds import classify
from siteseer.forms.parse_forms import forms
from siteseer.model import Outcome, Page
from siteseer.page.interstitials import is_login as shows_login
from siteseer.page.links import links
from siteseer.page.text import text
from siteseer.page.tree import is_html
from siteseer.page.urls import identity, resolve, url_key, wire
from siteseer.page.word_hashes import word_count
from siteseer.settings import FetchLimits
from siteseer.strategies.learned.online_learner.url_words import suspicious_word

FORBIDDEN = (401, 403, 407)
BARE_WORDS = 60
"""A site whose first page leads nowhere is doubtful where that page has fewer words."""
LOGIN_WORDS = 250
"""A page that asks for a login instead of showing content has no more words than this."""

_LIVE = re.compile(
    rb"<(?:img|picture|video|audio|object|embed|svg|canvas|script|i?frame|meta[^>]+refresh|form\b)", re.IGNORECASE
)
"""What shows something without words, or makes a browser do so."""

Ending = Literal[
    "waiting",
    "good",
    "empty",
    "missing",
    "not-held",
    "forbidden",
    "login",
    "unreachable",
    "untrusted",
    "robots",
    "excluded",
    "moved",
]


@dataclass(frozen=True, slots=True)
class SeedResult:
    """How the request for a seed ended, and at which URL."""

    seed: str
    url: str
    ending: Ending
    because: str = ""
    page: Page | None = None
    """The answer as it is archived; for 304 Not Modified the page that had not changed."""
    status: int | None = None

    @property
    def is_document(self) -> bool:
        """Say whether the seed gave a document, such as a PDF or a feed, or had not changed since the last crawl."""
        return self.ending == "good" and (self.page is None or self.status == 304 or not is_html(self.page))


@dataclass(frozen=True, slots=True)
class _Row:
    status: int
    because: str
    rule: str
    answer: int | None
    file: str | None
    offset: int | None


class OpenSeeds:
    """The seeds of a running crawl that came, or still may: without any, there is nothing to crawl.

    >>> seeds = OpenSeeds([SeedResult("http://e.org/a", "http://e.org/a", "waiting")])
    >>> seeds.fail("http://e.org/a")
    >>> seeds.is_over
    True
    """

    def __init__(self, results: Iterable[SeedResult] = ()) -> None:
        found = list(results)
        self._open = {identity(one.url) for one in found if one.ending in ("waiting", "good", "login")}
        self._has_seeds = bool(found)
        self.has_come = not found or any(one.ending == "good" for one in found)

    def __contains__(self, url: str) -> bool:
        """Say whether a URL is a seed, or where one leads to."""
        return identity(url) in self._open

    @property
    def is_over(self) -> bool:
        """Say whether no seed is left that could lead anywhere."""
        return self._has_seeds and not self._open

    def hear(self, outcome: Outcome) -> None:
        """Note what became of a seed."""
        if outcome.kind == "redirect" and outcome.target:
            self.fail(outcome.url)
            self._open.add(identity(outcome.target))
        else:
            self.has_come = True

    def fail(self, url: str) -> None:
        """Note that a seed leads nowhere."""
        self._open.discard(identity(url))


def seed_results(state: State, crawl: int, seeds: Sequence[str]) -> Iterator[SeedResult]:
    """Return what became of each seed."""
    for seed in dict.fromkeys(wire(name if "://" in name else f"http://{name}") or name for name in seeds):
        yield _result(state, crawl, seed)


def _result(state: State, crawl: int, seed: str) -> SeedResult:
    url = seed
    for _ in range(FetchLimits().redirects + 1):
        row = _row(state, crawl, url)
        found = SeedResult(seed, url, "waiting")
        if row is None or row.status not in (DONE, FAILED, SKIPPED):
            return found
        if row.status == SKIPPED:
            return replace(found, ending=_refusal(row, url != seed), because=row.because)
        page = _page(state.archive, row)
        if row.status == DONE and page is not None and 300 <= page.status < 400:
            target = resolve(url, page.header("location"))
            if target is None or _row(state, crawl, target) is None:
                return replace(found, ending="missing", because=f"{row.rule}, to no address that can be fetched")
            url = target
            continue
        ending = _ending(row, page, url != seed)
        return replace(found, ending=ending, because=row.rule, page=page, status=row.answer)
    return SeedResult(seed, url, "missing", "redirects in a circle")


def _row(state: State, crawl: int, url: str) -> _Row | None:
    rows = state.rows(
        "SELECT u.status, coalesce(u.because, ''), coalesce(u.rule, ''), c.status, coalesce(o.file, c.file), "
        "coalesce(o.offset, c.offset) FROM urls u LEFT JOIN captures c ON c.id = u.capture "
        "LEFT JOIN captures o ON o.id = c.original WHERE u.crawl = ? AND u.key = ?",
        (crawl, url_key(url)),
    )
    return next((_Row(*row) for row in rows), None)


def _refusal(row: _Row, has_moved: bool) -> Ending:
    if UNTRUSTED in row.because:
        return "untrusted"
    if row.rule in ("robots", UNREACHABLE):
        return "unreachable" if row.because.startswith(UNREAD) else "robots"
    return "moved" if has_moved and row.rule == "scope" else "excluded"


def _ending(row: _Row, page: Page | None, has_moved: bool) -> Ending:
    if row.status == DONE:
        if page is None:
            return "good"
        is_closed = is_login(page) if has_moved else _is_behind_login(page)
        return "empty" if is_empty(page) else "login" if is_closed else "good"
    if row.answer is None and row.because.startswith(NOT_HELD):
        return "not-held"
    if row.answer is None and UNTRUSTED in row.because:
        return "untrusted"
    if row.answer is None or row.answer in (408, 429) or row.answer >= 500:
        return "unreachable"
    return "forbidden" if row.answer in FORBIDDEN else "missing"


def _is_behind_login(page: Page) -> bool:
    """Say whether a seed shows a login form under its own address: nothing else, and no link to anything but functions.

    A seed that is named like a login form was meant.
    """
    if _is_function(page.url) or not shows_login(page):
        return False
    return all(_is_function(link.url) for link in links(page) if identity(link.url) != identity(page.url))


def _is_function(url: str) -> bool:
    return suspicious_word(url, "")[0] == "function"


def _page(archive: Path, row: _Row) -> Page | None:
    """Return the answer from the archive; None where there was none, or it lies elsewhere."""
    if row.file is None or row.offset is None:
        return None
    try:
        return read_capture(archive / row.file, row.offset)
    except (ArchiveError, OSError):
        return None


def is_empty(page: Page) -> bool:
    """Say whether a page shows nothing, asks nothing of a browser and leads nowhere.

    >>> is_empty(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=b"<html><body></body></html>"))
    True
    """
    is_shown = 200 <= page.status < 300 and (is_html(page) or not page.body)
    return is_shown and not (page.body and (word_count(page) or _is_live(page) or _leads_further(page)))


def is_bare(page: Page) -> bool:
    """Say whether a page has few words, no picture, nothing that a browser would run, and no link to another page."""
    is_shown = 200 <= page.status < 300 and is_html(page) and word_count(page) < BARE_WORDS
    return is_shown and not _is_live(page) and not _leads_further(page)


def _is_live(page: Page) -> bool:
    return _LIVE.search(page.body) is not None


def _leads_further(page: Page) -> bool:
    return any(identity(link.url) != identity(page.url) for link in links(page))


def is_login(page: Page) -> bool:
    """Say whether a page asks for a login and shows little else.

    >>> body = b'<form action="/login" method="post"><input name="user"><input type="password" name="pass"></form>'
    >>> is_login(Page("http://e.org/login", headers=(("Content-Type", "text/html"),), body=body))
    True
    """
    if not 200 <= page.status < 300 or len(text(page).split()) > LOGIN_WORDS:
        return False
    return any(classify(form).kind == "login" for form in forms(page))
