"""`siteseer revisit`: crawls a collection's site again, and fetches only what is new or changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer


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
    from siteseer.crawler.revisit_options import earlier_options, sources

    chosen = {"limit": budget, "delay": delay, "concurrency": concurrency}
    return visit(sources(collection), collection, {**earlier_options(collection), **chosen}, as_json)


def visit(urls: list[str], collection: Path, chosen: dict[str, Any], as_json: bool) -> int:
    """Crawl once more with the strategy that comes back; what is not chosen is as in any crawl."""
    from dataclasses import fields

    from siteseer.cli.crawl import run_crawl
    from siteseer.settings import CrawlOptions

    usual = CrawlOptions((), collection)
    options = {one.name: getattr(usual, one.name) for one in fields(usual) if one.name not in ("seeds", "collection")}
    return run_crawl(urls, collection, {**options, **chosen, "strategy": "revisit", "recrawl": True}, as_json)
