"""`siteseer revisit`: crawls a collection's site again, and fetches only what is new or changed."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.parameters.option_parameters import takes
from siteseer.settings import CrawlOptions, Politeness


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("revisit")(revisit)


@takes(Politeness, "revisit")
def revisit(
    given: dict[str, Any],
    collection: Annotated[Path, typer.Argument(help="The collection to come back to.")],
    budget: Annotated[int | None, typer.Option(min=1, help="Send no more than this many requests.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> int:
    """Recrawl a collection incrementally: listings, feeds and sitemaps first, then what they show new or changed."""
    from siteseer.crawler.revisit_options import earlier_options, sources

    return visit(sources(collection), collection, {**earlier_options(collection), **given, "limit": budget}, as_json)


def visit(urls: list[str], collection: Path, chosen: dict[str, Any], as_json: bool) -> int:
    """Crawl once more with the strategy that comes back; what is not chosen is as in any crawl."""
    from siteseer.cli.crawl import run_crawl

    again = {**chosen, "strategy": "revisit", "recrawl": True}
    return run_crawl(CrawlOptions(seeds=tuple(urls), collection=collection, **again), as_json)
