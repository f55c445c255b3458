"""Finds further pages of lists that a crawl left out for any reason, and reports them at its end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

from siteseer.archive.archived_pages import read_capture
from siteseer.collection.state import State
from siteseer.errors import ArchiveError
from siteseer.page.pagination.further_pages import further_pages
from siteseer.page.pagination.list_position import names_position
from siteseer.page.urls import identity, url_key
from siteseer.strategies.learned.online_learner.class_report import OTHER_NAME
from siteseer.strategies.traps.content_traps import SAME_PAGE

MOST_LISTS = 200
"""So many pages are looked at for URLs of one shape ..."""
MOST_READ = 600
"""... and so many in all."""
TRIES = 8
"""So many pages are looked at for URLs of one shape; where none of these was a pager, the others are none either."""
_NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class MissingListPages:
    """A further page of a list that was skipped, and why."""

    url: str
    because: str


def missing_list_pages(state: State, crawl: int) -> list[MissingListPages]:
    """Return the skipped URLs that surely lead to further pages of a list whose page was fetched.

    Other names of pages that were fetched are none: nothing is missing of them.
    """
    shapes: dict[str, dict[str, dict[str, MissingListPages]]] = {}
    rows = state.rows(
        "SELECT url, coalesce(because, ''), referrer FROM urls WHERE crawl = ? AND status = 4 AND referrer != '' "
        f"AND rule <> '{SAME_PAGE}' AND rule NOT LIKE '%{OTHER_NAME}%' ORDER BY id",
        (crawl,),
    )
    for url, because, referrer in rows:
        if names_position(url, referrer):
            lists = shapes.setdefault(_NUMBER.sub("0", url), {})
            lists.setdefault(referrer, {})[identity(url)] = MissingListPages(url, because)
    found: list[MissingListPages] = []
    left = MOST_READ
    for lists in shapes.values():
        pagers, read = _pagers(state, crawl, lists, left)
        found, left = found + pagers, left - read
    return found


def _pagers(
    state: State, crawl: int, lists: dict[str, dict[str, MissingListPages]], most: int
) -> tuple[list[MissingListPages], int]:
    """Return the pagers among the skipped URLs of one shape, and how many pages were read."""
    found: list[MissingListPages] = []
    read = 0
    for referrer, skipped in islice(lists.items(), min(MOST_LISTS, most)):
        if read >= TRIES and not found:
            break
        found += _confirmed(state, crawl, referrer, skipped)
        read += 1
    return found, read


def _confirmed(
    state: State, crawl: int, referrer: str, skipped: dict[str, MissingListPages]
) -> Iterator[MissingListPages]:
    rows = state.rows(
        "SELECT coalesce(o.file, c.file), coalesce(o.offset, c.offset) FROM urls u JOIN captures c ON c.id = u.capture "
        "LEFT JOIN captures o ON o.id = c.original WHERE u.crawl = ? AND u.key = ?",
        (crawl, url_key(referrer)),
    )
    for file, offset in rows:
        if file is None or offset is None:
            return
        try:
            links = further_pages(read_capture(state.archive / file, offset))
        except (ArchiveError, OSError):  # it lies elsewhere
            return
        names = {identity(link.url) for link in links if link.said != "head"}
        yield from (pager for name, pager in skipped.items() if name in names)
