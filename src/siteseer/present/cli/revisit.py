"""`siteseer revisit`: come back to a collection, and fetch only what is new or changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.errors import UsageError

MOST_SOURCES, MOST_LOOKED_AT = 4, 20
"""Feeds and sitemaps that are asked first, and those among which they are chosen."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("revisit")(revisit)


def revisit(
    collection: Annotated[Path, typer.Argument(help="The collection to come back to.")],
    budget: Annotated[int | None, typer.Option(min=1, help="Send no more than this many requests.")] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between requests to a host.")] = 1.0,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Parallel requests per host.")] = 2,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> int:
    """Recrawl a collection incrementally: listings, feeds and sitemaps first, then what they show new or changed."""
    chosen = {"limit": budget, "delay": delay, "concurrency": concurrency}
    return visit(sources(collection), collection, {**earlier_options(collection), **chosen}, as_json)


def visit(urls: list[str], collection: Path, chosen: dict[str, Any], as_json: bool) -> int:
    """Crawl once more with the strategy that comes back; what is not chosen is as in any crawl."""
    from dataclasses import fields

    from siteseer.present.cli.crawl import run_crawl
    from siteseer.settings import CrawlOptions

    usual = CrawlOptions((), collection)
    options = {one.name: getattr(usual, one.name) for one in fields(usual) if one.name not in ("seeds", "collection")}
    return run_crawl(urls, collection, {**options, **chosen, "strategy": "revisit", "recrawl": True}, as_json)


def earlier_options(collection: Path) -> dict[str, Any]:
    """Return the options of the last crawl that still hold: scope, robots, what is included."""
    import json

    from siteseer.crawl.state import State

    state = State(collection, create=False)
    try:
        row = next(iter(state.rows("SELECT options FROM crawls ORDER BY id LIMIT 1", ())), None)
    finally:
        state.close()
    stored = json.loads(row[0]) if row else {}
    kept = "scope include exclude robots user_agent contact allow_private assets policies knowledge adapt browser"
    return {name: stored[name] for name in kept.split() if name in stored}


def sources(collection: Path) -> list[str]:
    """Return where new pages show first: the seeds, then kept feeds and sitemaps that name pages no other does."""
    import json

    from siteseer.archive.read import read_capture
    from siteseer.changes.signals import signals
    from siteseer.crawl.state import State

    state = State(collection, create=False)
    try:
        row = next(iter(state.rows("SELECT options FROM crawls ORDER BY id LIMIT 1", ())), None)
        found = state.rows(
            "SELECT url, file, offset FROM captures WHERE status = 200 AND original IS NULL AND (mime LIKE '%xml' OR "
            "mime LIKE '%feed+json') AND mime NOT LIKE '%xhtml%' AND mime NOT LIKE '%svg%' "
            "ORDER BY length(url), url, id DESC LIMIT ?",
            (MOST_LOOKED_AT,),
        )
        kept = [(str(url), read_capture(collection / "archive" / file, offset)) for url, file, offset in list(found)]
    finally:
        state.close()
    seeds = list(json.loads(row[0]).get("seeds", ())) if row else []
    if not seeds:
        raise UsageError(f"{collection} holds no crawl to come back to; use siteseer crawl first")
    chosen, covered = list(seeds), set[str]()
    for url, page in kept:
        named = set(signals(page))
        if len(named) > 1 and not named <= covered and len(chosen) < len(seeds) + MOST_SOURCES:
            chosen.append(url)
            covered |= named
    return list(dict.fromkeys(chosen))
