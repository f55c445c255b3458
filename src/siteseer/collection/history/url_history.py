"""Finds the last known outcome of every URL over all crawls of a collection: status, when, by which crawl, and why.

A crawl that asked for a URL knows more than one that only decided about it, and a newer crawl more than an older. So of
the rows that the crawls have for a URL this one counts: the newest of those that fetched it, failed to, or skipped it
by a rule of theirs; else the newest that still waits; else the newest that left it out because of its options, such as
a scope in which it does not lie. What was fetched once is not skipped, whatever a later crawl decided.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from siteseer.collection.history.crawl_history import Rows
from siteseer.collection.url_status import DONE, SKIPPED, STATUS_NAMES
from siteseer.model import JSON
from siteseer.page.urls import url_key

COLUMNS = (
    "id, crawl, key, url, host, status, family, priority, depth, hops, state, because, rule, referrer, request, capture"
)
_OPTIONS = "rule IN ('scope', 'depth') OR rule LIKE '--exclude%'"
"""What one crawl leaves out because of how it was started says nothing of the others."""
_STANDING = (
    f"CASE WHEN status = {SKIPPED} AND was_fetched THEN 3 WHEN status = {SKIPPED} AND ({_OPTIONS}) THEN 2 "
    "WHEN status < 2 THEN 1 ELSE 0 END"
)
LAST_KNOWN = (
    f"(SELECT {COLUMNS} FROM (SELECT *, row_number() OVER (PARTITION BY key ORDER BY {_STANDING}, crawl DESC) AS place "
    f"FROM (SELECT *, max(status = {DONE}) OVER (PARTITION BY key) AS was_fetched FROM urls)) WHERE place = 1)"
)
"""One row per URL, as a table in a FROM clause."""
_TIMES = (
    "SELECT u.url, u.status, coalesce(c.time, k.finished, k.started), u.crawl, coalesce(u.because, ''), "
    "coalesce(u.rule, ''), coalesce(u.referrer, '') FROM {table} u LEFT JOIN captures c ON c.id = u.capture "
    "LEFT JOIN crawls k ON k.id = u.crawl"
)


@dataclass(frozen=True, slots=True)
class UrlOutcome:
    """What became of a URL when a crawl last had to do with it."""

    url: str
    status: str
    """`waiting`, `in flight`, `done`, `failed` or `skipped`."""
    when: str
    """When it was answered; of what was not asked for, when the crawl ended or began."""
    crawl: int
    because: str
    rule: str
    referrer: str

    def as_skipped(self) -> JSON:
        """Return the line of `reports/skipped.jsonl`."""
        who = {"crawl": self.crawl, "when": self.when}
        return {"url": self.url, "rule": self.rule, "because": self.because, "from": self.referrer, **who}


def urls_table(state: Rows, crawl: int | None = None) -> str:
    """Return, for a FROM clause, the URLs of one crawl or, without its number, each URL with its last known outcome."""
    if crawl is None:
        numbers = [number for (number,) in state.rows("SELECT id FROM crawls LIMIT 2")]
        if len(numbers) > 1:
            return LAST_KNOWN
        crawl = numbers[0] if numbers else 0
    return f"(SELECT * FROM urls WHERE crawl = {int(crawl)})"


def skipped_urls(state: Rows, crawl: int | None = None) -> Iterator[UrlOutcome]:
    """Return what was skipped, in the order in which it was found: in one crawl, or by the last known outcomes."""
    query = f"{_TIMES} WHERE u.status = {SKIPPED} ORDER BY u.id"
    for row in state.rows(query.format(table=urls_table(state, crawl))):
        yield _outcome(row)


def skipped_by_rule(state: Rows, crawl: int | None = None) -> dict[str, int]:
    """Return how many URLs each rule skipped, the rule that skipped most first."""
    table = urls_table(state, crawl)
    rows = state.rows(f"SELECT rule, count(*) FROM {table} WHERE status = {SKIPPED} GROUP BY rule ORDER BY 2 DESC")
    return dict(rows)


def counts_by_status(state: Rows, crawl: int | None = None) -> dict[str, int]:
    """Return how many URLs have each status."""
    rows = state.rows(f"SELECT status, count(*) FROM {urls_table(state, crawl)} GROUP BY status")
    return {STATUS_NAMES[status]: count for status, count in rows}


def url_history(state: Rows, url: str) -> list[UrlOutcome]:
    """Return what became of a URL in each crawl that had to do with it, oldest first."""
    crawls = "(SELECT * FROM urls WHERE key = ? AND crawl IN (SELECT id FROM crawls))"
    rows = state.rows(f"{_TIMES.format(table=crawls)} ORDER BY u.crawl", (url_key(url),))
    return [_outcome(row) for row in rows]


def _outcome(row: tuple) -> UrlOutcome:  # type: ignore[type-arg]
    url, status, when, crawl, because, rule, referrer = row
    return UrlOutcome(url, STATUS_NAMES[status], when or "", crawl, because, rule, referrer)
