"""Reads the database of a collection, safely beside a running crawl and from any thread."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from siteseer.collection.database_errors import damage_sentence, is_damage
from siteseer.collection.exit_codes import exit_code
from siteseer.collection.history.crawl_history import (
    CrawlRow,
    crawl_history,
    crawl_rows,
    newest,
    open_crawls,
    summary_of,
)
from siteseer.collection.history.url_history import counts_by_status, urls_table
from siteseer.collection.layout import SUMMARY, state_path
from siteseer.collection.upgrade import connect_to_read
from siteseer.collection.url_status import FAILED, SKIPPED, STATUS_NAMES, WAITING
from siteseer.errors import ArchiveError
from siteseer.model import JSON
from siteseer.page.urls import url_key
from siteseer.settings import EXACT_TWO_GRAMS

Curve = list[tuple[int, int]]
"""Requests sent, and the distinct 2-grams that they brought."""
CURVE_POINTS = 500
"""More than a screen shows."""


@dataclass(frozen=True, slots=True)
class Decisions:
    """Which URLs of a crawl are wanted: by status (`waiting`, `done`, ...), rule, or a part of URL or reason."""

    status: str | None = None
    rule: str | None = None
    text: str | None = None
    limit: int = 100
    offset: int = 0


class ReadOnlyState:
    """Reads one collection; every question opens the database for itself."""

    def __init__(self, collection: Path) -> None:
        self.collection = collection
        self.path = state_path(collection)

    def exists(self) -> bool:
        """Say whether this collection was crawled by Siteseer: other archives have no database."""
        return self.path.is_file()

    def rows(self, sql: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """Return the rows of a reading query; none where there is no database."""
        if not self.exists():
            return []
        try:
            with closing(connect_to_read(self.path)) as db:
                return db.execute(sql, values).fetchall()
        except sqlite3.Error as error:
            if "no such table" in str(error):
                return []  # a crawl that begins this moment has made the file, and not yet its tables
            if is_damage(error):
                raise damage_sentence(self.path, error) from error
            raise ArchiveError(f"{self.path} cannot be read ({error})") from error

    def crawls(self) -> list[CrawlRow]:
        """Return the crawls of this collection, oldest first."""
        return crawl_rows(self)

    def history(self) -> list[JSON]:
        """Return what is told of each crawl, oldest first."""
        return crawl_history(self, self.collection)

    def last(self) -> CrawlRow | None:
        """Return the newest crawl."""
        found = self.crawls()
        return found[-1] if found else None

    def problems(self, crawl: CrawlRow) -> list[JSON]:
        """Return what a crawl lost, was refused or left in doubt, as its summary says; none while it runs."""
        if crawl.finished is None and crawl.stopped_by is None:
            return []
        last = self.last()
        return list(summary_of(self.collection, crawl.number, last.number if last else 0).get("problems", ()))

    def is_finished(self, crawl: CrawlRow) -> bool:
        """Say whether a crawl has nothing to make up for."""
        ended = {"stopped_by": crawl.stopped_by, "problems": self.problems(crawl)}
        return crawl.is_over and exit_code(ended) == 0

    def lasting_problems(self) -> list[JSON]:
        """Return what the collection lacks by the last known outcomes, as its summary says."""
        last = self.last()
        try:
            summary = json.loads((self.collection / SUMMARY).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return []
        return list(summary.get("total", {}).get("problems", ())) if last else []

    def has_all_finished(self) -> bool:
        """Say whether no crawl is left to go on with, and the newest have nothing to make up for."""
        crawls = self.crawls()
        return not open_crawls(crawls) and all(self.is_finished(one) for one in newest(crawls))

    def statuses(self, crawl: int | None = None) -> dict[str, int]:
        """Return how many URLs have each status: in a crawl, or by the last known outcomes."""
        return counts_by_status(self, crawl)

    def decisions(self, wanted: Decisions, crawl: int | None = None) -> tuple[int, list[JSON]]:
        """Return how many URLs there are, and a page of them: each with status, reason, and the crawl that says so.

        Without a crawl, the last known outcome of each URL counts.
        """
        table, (where, values) = urls_table(self, crawl), _where(wanted)
        ((count,),) = self.rows(f"SELECT count(*) FROM {table} WHERE {where}", values) or [(0,)]
        found = self.rows(
            f"SELECT url, status, because, rule, referrer, depth, crawl FROM {table} WHERE {where} ORDER BY id "
            "LIMIT ? OFFSET ?",
            (*values, wanted.limit, wanted.offset),
        )
        names = ("url", "status", "because", "rule", "from", "depth", "crawl")
        lines = (dict(zip(names, row, strict=True)) for row in found)
        return count, [{**line, "status": STATUS_NAMES[line["status"]]} for line in lines]

    def skipped(self, crawl: int | None = None, examples: int = 3) -> list[JSON]:
        """Return the rules that skipped URLs, with how many, the reason and examples of each, the largest first."""
        table = urls_table(self, crawl)
        counted = self.rows(
            f"SELECT rule, count(*), min(because) FROM {table} WHERE status = {SKIPPED} GROUP BY rule ORDER BY 2 DESC"
        )
        sampled: dict[str, list[str]] = {}
        if examples:
            sampled = self._sampled(table, examples)
        return [
            {"rule": rule, "count": count, "because": because, "examples": sampled.get(rule, [])}
            for rule, count, because in counted
        ]

    def _sampled(self, table: str, examples: int) -> dict[str, list[str]]:
        """Return the first URLs that each rule skipped."""
        numbered = (
            f"SELECT rule, url, id, row_number() OVER (PARTITION BY rule ORDER BY id) AS place FROM {table} "
            f"WHERE status = {SKIPPED}"
        )
        found: dict[str, list[str]] = {}
        for rule, url in self.rows(f"SELECT rule, url FROM ({numbered}) WHERE place <= ? ORDER BY id", (examples,)):
            found.setdefault(rule, []).append(url)
        return found

    def hits(self, crawl: int, matches: Callable[[str], bool], examples: int = 20) -> tuple[int, list[str]]:
        """Return how many waiting URLs an expression would hit, and some of them."""
        waiting = self.rows("SELECT url FROM urls WHERE crawl = ? AND status = ?", (crawl, WAITING))
        found = [url for (url,) in waiting if matches(url)]
        return len(found), found[:examples]

    def queue(self, crawl: int, limit: int = 100) -> list[JSON]:
        """Return the families of waiting URLs in the order of their rank, each with its next URLs."""
        families = self.rows(
            "SELECT f.id, f.name, f.priority, count(*) FROM urls u JOIN families f ON f.id = u.family WHERE "
            "u.crawl = ? AND u.status = 0 GROUP BY f.id ORDER BY f.priority DESC, f.id",
            (crawl,),
        )
        sample = (
            "SELECT url, priority, depth, because, referrer FROM urls WHERE crawl = ? AND status = 0 AND family = ? "
            "ORDER BY priority DESC, id LIMIT ?"
        )
        names = ("url", "priority", "depth", "because", "from")
        found: list[JSON] = []
        for family, name, rank, count in families:
            urls = [dict(zip(names, row, strict=True)) for row in self.rows(sample, (crawl, family, limit))]
            found.append({"family": name, "rank": rank, "waiting": count, "next": urls})
        return found

    def curve(self, crawl: int, points: int = CURVE_POINTS) -> Curve:
        """Return how the distinct 2-grams grew with the requests of a crawl."""
        rows = self.rows(
            "SELECT requests, coalesce(length(grams), 0) / 8 FROM captures WHERE crawl = ? ORDER BY id", (crawl,)
        )
        return thin_curve(cumulative_curve(rows), points)

    def broken(self, crawl: int | None = None, limit: int = 1000) -> list[JSON]:
        """Return the URLs that could not be had, with the reason and the page that links there."""
        rows = self.rows(
            f"SELECT url, because, referrer FROM {urls_table(self, crawl)} WHERE status = {FAILED} ORDER BY id LIMIT ?",
            (limit,),
        )
        return [{"url": url, "because": because, "from": referrer} for url, because, referrer in rows]

    def notes(self, events: Sequence[str], crawl: int | None = None) -> list[JSON]:
        """Return what was written down under these words, by one crawl or by all: failed and adapted actions."""
        marks = ", ".join("?" * len(events))
        rows = self.rows(
            "SELECT url, event, because, details FROM notes WHERE crawl = coalesce(?, crawl) "
            f"AND event IN ({marks}) ORDER BY row",
            (crawl, *events),
        )
        return [
            {"url": url, "event": event, "because": because, "details": json.loads(details)}
            for url, event, because, details in rows
        ]

    def kinds(self, crawl: int | None = None) -> dict[str, int]:
        """Return how many different objects of each kind were kept, by one crawl or by all."""
        query = "SELECT kind, count(DISTINCT id) FROM objects WHERE crawl = coalesce(?, crawl) GROUP BY kind"
        return dict(self.rows(query, (crawl,)))

    def pages(self, words: str = "", limit: int = 50, offset: int = 0) -> tuple[int, list[JSON]]:
        """Return how many pages with a title were kept, and some of them; `words` stand in title or address."""
        where = "status = 200 AND title IS NOT NULL AND (instr(lower(title), ?) OR instr(lower(url), ?))"
        values = (words.strip().lower(),) * 2
        ((count,),) = self.rows(f"SELECT count(DISTINCT key) FROM captures WHERE {where}", values) or [(0,)]
        found = self.rows(
            f"SELECT max(id), url, title, level, time FROM captures WHERE {where} GROUP BY key ORDER BY min(id) "
            "LIMIT ? OFFSET ?",
            (*values, limit, offset),
        )
        names = ("url", "title", "level", "time")
        return count, [dict(zip(names, row[1:], strict=True)) for row in found]

    def place(self, url: str) -> tuple[str, int] | None:
        """Return file and offset of the newest capture of a URL with a body: as its scripts made it, or an original."""
        rows = self.rows(
            "SELECT coalesce(o.file, c.file), coalesce(o.offset, c.offset), c.id FROM captures c LEFT JOIN captures o "
            "ON o.id = c.original WHERE c.key = ? ORDER BY c.status = 200 DESC, c.id DESC LIMIT 1",
            (url_key(url),),
        )
        if not rows:
            return None
        drawn = self.rows("SELECT file, offset FROM renderings WHERE capture = ?", (rows[0][2],))
        return drawn[0] if drawn else rows[0][:2]


def _where(wanted: Decisions) -> tuple[str, list[Any]]:
    clauses, values = ["true"], list[Any]()
    if wanted.status is not None:
        clauses.append("status = ?")
        values.append(STATUS_NAMES.index(wanted.status) if wanted.status in STATUS_NAMES else -1)
    if wanted.rule is not None:
        clauses.append(f"status = {SKIPPED} AND rule = ?")
        values.append(wanted.rule)
    if wanted.text:
        clauses.append("(instr(url, ?) OR instr(because, ?))")
        values += [wanted.text, wanted.text]
    return " AND ".join(clauses), values


def cumulative_curve(rows: Sequence[tuple[int, int]]) -> Curve:
    """Return the growing sum of new 2-grams; beyond the exact limit each stands for two, four, ... as it was counted.

    >>> cumulative_curve([(1, 10), (2, 0), (3, 5)])
    [(1, 10), (2, 10), (3, 15)]
    """
    found, held, halvings, at = Curve(), 0, 0, 0
    for requests, new in rows:
        held += new
        while held > EXACT_TWO_GRAMS:
            held, halvings = held // 2, halvings + 1
        at = max(at, requests)
        found.append((at, held << halvings))
    return found


def thin_curve(curve: Curve, points: int) -> Curve:
    """Return at most so many points of a curve, first and last among them.

    >>> thin_curve([(n, n) for n in range(100)], 4)
    [(0, 0), (33, 33), (66, 66), (99, 99)]
    """
    if len(curve) <= points:
        return curve
    step = (len(curve) - 1) / (points - 1)
    return [curve[round(number * step)] for number in range(points)]
