"""Lists the crawls of a collection in order: the kind of each, how it ended, and what it brought."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from siteseer.collection.layout import SUMMARY, report_of
from siteseer.model import JSON

UNSENT = "unsent"
"""The count of tries that reached no server."""
REVISIT, WRAPPER, DESCRIBE = "revisit", "wrapper", "describe"
"""Strategies that come back to what is known, follow an expression, or take archives in: nobody goes on with them."""
Kind = Literal["crawl", "recrawl", "revisit", "wrapper", "describe"]


class Rows(Protocol):
    """What answers reading queries: the open database of a collection, or one that is only looked at."""

    def rows(self, query: str, values: Sequence[Any] = (), /) -> Iterable[tuple[Any, ...]]:
        """Return the rows of a reading query."""
        ...


@dataclass(frozen=True, slots=True)
class CrawlRow:
    """One crawl of a collection as it is written down."""

    number: int
    started: str
    finished: str | None
    strategy: str
    options: dict[str, Any]
    counts: Counter[str]
    stopped_by: str | None

    @property
    def kind(self) -> Kind:
        """Whether it began the collection or added a site, did everything again, or looked for what is new."""
        if self.strategy == REVISIT:
            return "revisit"
        if self.strategy in (WRAPPER, DESCRIBE):
            return "wrapper" if self.strategy == WRAPPER else "describe"
        return "recrawl" if self.options.get("recrawl") and self.number > 1 else "crawl"

    @property
    def seeds(self) -> tuple[str, ...]:
        """Where it began."""
        return tuple(self.options.get("seeds") or ())

    @property
    def is_over(self) -> bool:
        """Whether nothing is left of it to go on with: a revisit that has used its budget is over, too."""
        return self.finished is not None or (self.strategy == REVISIT and self.stopped_by == "limit")

    @property
    def is_whole(self) -> bool:
        """Whether it decided what of a site is fetched: others go on with it, audit it and lift its rules."""
        return self.kind in ("crawl", "recrawl")


def crawl_rows(state: Rows) -> list[CrawlRow]:
    """Return the crawls of a collection, oldest first."""
    rows = state.rows("SELECT id, started, finished, strategy, options, counts, stopped_by FROM crawls ORDER BY id")
    return [
        CrawlRow(number, started, finished, strategy, json.loads(options), Counter(json.loads(counts)), stopped_by)
        for number, started, finished, strategy, options, counts, stopped_by in rows
    ]


def whole_crawls(crawls: Iterable[CrawlRow]) -> list[CrawlRow]:
    """Return the crawls that decided what is fetched; where there is none, all of them."""
    found = list(crawls)
    return [one for one in found if one.is_whole] or found


def seeds_of(crawls: Iterable[CrawlRow]) -> tuple[str, ...]:
    """Return where the crawls began, apart from what revisits asked for first."""
    return tuple(dict.fromkeys(seed for one in whole_crawls(crawls) for seed in one.seeds))


def open_crawls(crawls: Sequence[CrawlRow]) -> list[CrawlRow]:
    """Return the crawls that can be gone on with, oldest first; an earlier revisit is over whatever ended it."""
    return [one for one in crawls if not one.is_over and (one.is_whole or one is crawls[-1])]


def newest(crawls: Sequence[CrawlRow]) -> list[CrawlRow]:
    """Return the newest crawl, and the newest that decided what is fetched where that is another."""
    return list({one.number: one for one in (*whole_crawls(crawls)[-1:], *crawls[-1:])}.values())


def new_pages(state: Rows) -> dict[int, int]:
    """Return by crawl how many pages it kept that no earlier crawl had kept."""
    kept = "title IS NOT NULL AND status BETWEEN 200 AND 299"
    return _by_first_crawl(state, f"SELECT min(crawl) AS crawl FROM captures WHERE {kept} GROUP BY key")


def changed_pages(state: Rows) -> dict[int, int]:
    """Return by crawl how many pages it kept that said something else than whenever they were kept before."""
    kept = "{0}.title IS NOT NULL AND {0}.status BETWEEN 200 AND 299"
    earlier = f"SELECT 1 FROM captures e WHERE e.key = c.key AND e.crawl < c.crawl AND {kept.format('e')}"
    changed = f"{kept.format('c')} AND EXISTS ({earlier}) AND NOT EXISTS ({earlier} AND e.digest = c.digest)"
    return dict(state.rows(f"SELECT crawl, count(DISTINCT key) FROM captures c WHERE {changed} GROUP BY crawl"))


def _by_first_crawl(state: Rows, first: str) -> dict[int, int]:
    return dict(state.rows(f"SELECT crawl, count(*) FROM ({first}) GROUP BY crawl"))


def requests_sent(counts: Mapping[str, int]) -> int:
    """Return how many requests were sent: tries that reached no server are none.

    >>> requests_sent({"requests": 7, "unsent": 2})
    5
    """
    return counts.get("requests", 0) - counts.get(UNSENT, 0)


def totals(state: Rows) -> JSON:
    """Return what a collection holds after all its crawls, with the keys of a summary."""
    crawls = crawl_rows(state)
    kinds = state.rows("SELECT kind, count(DISTINCT id) FROM objects GROUP BY kind")
    return {
        "crawls": len(crawls),
        "seeds": list(seeds_of(crawls)),
        "requests": sum(requests_sent(one.counts) for one in crawls),
        "pages": sum(new_pages(state).values()),
        "bytes": sum(one.counts["bytes"] for one in crawls),
        "objects": dict(kinds),
    }


def summary_of(collection: Path, crawl: int, newest: int) -> JSON:
    """Return the summary that a crawl wrote when it ended; nothing where it wrote none.

    Collections of earlier versions have only that of their newest crawl, without its number.
    """
    for path in (report_of(collection, SUMMARY, crawl), collection / SUMMARY):
        try:
            found: JSON = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if found.get("crawl", newest) == crawl:
            return found
    return {}


def crawl_history(state: Rows, collection: Path) -> list[JSON]:
    """Return what is told of each crawl, oldest first: when and how it went, and what it brought that was new."""
    pages, changed = new_pages(state), changed_pages(state)
    objects = _by_first_crawl(state, "SELECT min(crawl) AS crawl FROM objects GROUP BY id")
    crawls = crawl_rows(state)
    newest = crawls[-1].number if crawls else 0
    return [
        {
            **_told(one),
            "new_pages": pages.get(one.number, 0),
            "changed_pages": changed.get(one.number, 0),
            "new_objects": objects.get(one.number, 0),
            "problems": _problems(collection, one, newest),
        }
        for one in crawls
    ]


def _told(one: CrawlRow) -> JSON:
    return {
        "crawl": one.number,
        "kind": one.kind,
        "strategy": one.strategy,
        "seeds": list(one.seeds),
        "began": one.started,
        "ended": one.finished,
        "stopped_by": one.stopped_by,
        "requests": requests_sent(one.counts),
        "pages": one.counts["pages"],
    }


def _problems(collection: Path, one: CrawlRow, newest: int) -> list[JSON]:
    is_running = one.finished is None and one.stopped_by is None
    return [] if is_running else list(summary_of(collection, one.number, newest).get("problems", ()))
