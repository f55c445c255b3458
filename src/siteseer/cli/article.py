"""`siteseer article`: extracts the main text of pages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.terminal import answer
from siteseer.settings import CrawlOptions


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("article")(article)


@takes(CrawlOptions, "article")
def article(
    given: dict[str, Any],
    pages: Annotated[
        list[str], typer.Argument(metavar="PAGE...", help="Files, URLs, folders, collections, WARC, WACZ, or a feed.")
    ],
    feed: Annotated[str | None, typer.Option(metavar="FEED", help="The feed of the pages: a file or URL.")] = None,
    method: Annotated[str, typer.Option(help="auto, forest, sigfeed, coverage or description.")] = "auto",
    url: Annotated[str | None, typer.Option(help="The URL from which a file came.")] = None,
    formats: Annotated[str, typer.Option("--format", help="text, and beside it markdown, html or both.")] = "text",
    parts: Annotated[
        bool, typer.Option("--parts", help="Also headings, lists, tables, code, quotes, images, comments, each apart.")
    ] = False,
) -> int:
    """Extract the article of each page: one JSON line with title, text, author, date, place and confidence."""
    from siteseer.batch.article_batches import Output, article_rows
    from siteseer.batch.article_sources import FeedItems, named_pages, read_items
    from siteseer.cli.parameters.page_errors import NamedPages, polite_fetcher
    from siteseer.knowledge.knowledge_base import KnowledgeBase

    output = Output.named(formats, parts)
    fetch_page = polite_fetcher(given)
    named = NamedPages(fetch_page)
    items = FeedItems(read_items(feed, fetch_page) if feed else None)
    base = KnowledgeBase.with_files(given.get("knowledge", ()))
    found = named_pages(pages, url, fetch_page, named.complain)
    for row in article_rows(found, items, method, base, datetime.now(UTC), output):
        answer(row)
    return named.exit_code
