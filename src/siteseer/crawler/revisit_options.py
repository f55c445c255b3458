"""Takes the options of a revisit from its collection: sources that show new pages first, and the crawl's options."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from siteseer.archive.archived_pages import read_capture
from siteseer.change.change_signals import signals
from siteseer.collection.collection import Collection
from siteseer.collection.history.crawl_history import crawl_rows, seeds_of, whole_crawls
from siteseer.collection.history.saved_options import refuse_uncrawled
from siteseer.collection.layout import archive_of
from siteseer.errors import UsageError
from siteseer.settings import CrawlOptions, HostOptions, options_of, read_value

MOST_SOURCES, MOST_LOOKED_AT = 4, 20
"""Feeds and sitemaps that are asked first, and those among which they are chosen."""


def earlier_options(collection: Path) -> dict[str, Any]:
    """Return the options that still hold of the newest crawl that was no revisit: scope, robots, what is included."""
    with Collection.open(collection) as opened:
        stored = next((one.options for one in reversed(whole_crawls(crawl_rows(opened.state)))), {})
    kept = "scope include exclude robots user_agent contact allow_private tls assets policies knowledge adapt browser"
    known = {one.name: one for one in options_of(CrawlOptions)}
    hosts = tuple(HostOptions(**one) for one in stored.get("hosts", ()))
    values = {name: read_value(known[name], stored[name]) for name in kept.split() if name in stored}
    return {**values, "hosts": hosts} if hosts else values


def sources(collection: Path) -> list[str]:
    """Return where new pages show first: all seeds, then kept feeds and sitemaps that name pages no other does."""
    with Collection.open(collection) as opened:
        state = opened.state
        crawls = crawl_rows(state)
        refuse_uncrawled(collection, whole_crawls(crawls)[-1].strategy if crawls else "")
        seeds = seeds_of(crawls)
        found = state.rows(
            "SELECT url, file, offset FROM captures WHERE status = 200 AND original IS NULL AND (mime LIKE '%xml' OR "
            "mime LIKE '%feed+json') AND mime NOT LIKE '%xhtml%' AND mime NOT LIKE '%svg%' "
            "ORDER BY length(url), url, id DESC LIMIT ?",
            (MOST_LOOKED_AT,),
        )
        kept = [(str(url), read_capture(archive_of(collection) / file, offset)) for url, file, offset in list(found)]
    if not seeds:
        raise UsageError(f"{collection} holds no crawl to come back to; use siteseer crawl first")
    chosen, covered = list(seeds), set[str]()
    for url, page in kept:
        named = set(signals(page))
        if len(named) > 1 and not named <= covered and len(chosen) < len(seeds) + MOST_SOURCES:
            chosen.append(url)
            covered |= named
    return list(dict.fromkeys(chosen))
