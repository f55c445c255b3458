"""Computes the figures of a crawl from its collection (requests, pages, content), also while it runs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from siteseer.collection.history.crawl_history import CrawlRow, open_crawls, totals
from siteseer.collection.read_only_state import ReadOnlyState
from siteseer.crawler.results.derived_files import EVENT, STATUS, software
from siteseer.crawler.results.remaining_requests import RemainingRequests
from siteseer.errors import NotFoundError
from siteseer.measure.remaining_content import forecast
from siteseer.model import JSON


def figures(collection: Path) -> JSON:
    """Return the figures of the newest crawl of a collection, under `total` those of all its crawls.

    `broken_links` could not be fetched; `content_per_request` is distinct 2-grams per request; `forecast` estimates how
    much is still to come, and which share of the content is there.
    """
    look = ReadOnlyState(collection)
    last = look.last()
    if last is None:
        raise NotFoundError(f"{collection.name} holds no crawl of Siteseer")
    return {**_figures(look, last), "total": total_figures(look)}


def total_figures(look: ReadOnlyState) -> JSON:
    """Return what a collection holds after all its crawls, by the last known outcome of each URL."""
    crawls, failed = look.crawls(), look.statuses().get("failed", 0)
    counts = sum((one.counts for one in crawls), Counter[str]())
    return {
        **totals(look),
        **software(counts),
        "responses": dict(sorted(_with_prefix(counts, STATUS).items())),
        "errors": failed,
        "broken_links": failed,
        "skipped": {one["rule"]: one["count"] for one in look.skipped(examples=0)},
        "problems": look.lasting_problems(),
        "finished": look.has_all_finished(),
        "unfinished": [one.number for one in open_crawls(crawls)],
    }


def _figures(look: ReadOnlyState, last: CrawlRow) -> JSON:
    counts, number = last.counts, last.number
    statuses = look.statuses(number)
    waiting = statuses.get("waiting", 0) + statuses.get("in flight", 0)
    requests = counts["requests"]
    return {
        "crawl": number,
        "kind": last.kind,
        "seeds": last.options.get("seeds", []),
        "strategy": last.strategy,
        **software(counts),
        "requests": requests,
        "responses": dict(sorted(_with_prefix(counts, STATUS).items())),
        "pages": counts["pages"],
        "bytes": counts["bytes"],
        "duplicates": counts["duplicates"],
        "errors": statuses.get("failed", 0),
        "broken_links": statuses.get("failed", 0),
        "skipped": {one["rule"]: one["count"] for one in look.skipped(number, examples=0)},
        "waiting": waiting,
        "objects": look.kinds(number),
        "two_grams": counts["two grams"],
        **({"estimated": True} if counts["two grams estimated"] else {}),
        "content_per_request": round(counts["two grams"] / requests, 1) if requests else 0.0,
        "failed_actions": counts[f"{EVENT}failed_action"],
        "adapted_actions": counts[f"{EVENT}adapted_action"],
        "seconds": round(counts["milliseconds"] / 1000, 1),
        "started": last.started,
        "finished": look.is_finished(last),
        "stopped_by": last.stopped_by,
        "problems": look.problems(last),
        "forecast": forecast(look.curve(number), RemainingRequests.saved(counts, waiting)),
    }


def _with_prefix(counts: Counter[str], prefix: str) -> Counter[str]:
    return Counter({name.removeprefix(prefix): count for name, count in counts.items() if name.startswith(prefix)})
