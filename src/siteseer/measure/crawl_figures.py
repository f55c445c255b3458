"""A collection in, its figures out: what the crawl took and what it brought; also while it runs."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from siteseer.crawl.derive import EVENT, STATUS, software
from siteseer.crawl.look import CrawlRow, Look
from siteseer.crawl.remaining import Left
from siteseer.errors import NotFoundError
from siteseer.measure.forecast import forecast
from siteseer.model import JSON


def figures(collection: Path) -> JSON:
    """Return the figures of the newest crawl of a collection.

    `broken_links` could not be had; `content_per_request` is distinct 2-grams per request; `forecast` tells how
    much is still to come, and which share of the content is there.
    """
    look = Look(collection)
    last = look.last()
    if last is None:
        raise NotFoundError(f"{collection.name} holds no crawl of Siteseer")
    return _figures(look, last)


def _figures(look: Look, last: CrawlRow) -> JSON:
    counts, number = last.counts, last.number
    statuses = look.statuses(number)
    waiting = statuses.get("waiting", 0) + statuses.get("in flight", 0)
    requests = counts["requests"]
    return {
        "crawl": number,
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
        "objects": look.kinds(),
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
        "forecast": forecast(look.curve(number), Left.saved(counts, waiting)),
    }


def _with_prefix(counts: Counter[str], prefix: str) -> Counter[str]:
    return Counter({name.removeprefix(prefix): count for name, count in counts.items() if name.startswith(prefix)})
