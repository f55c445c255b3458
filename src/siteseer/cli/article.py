"""`siteseer article`: extracts the main text of pages."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Annotated

import typer

from siteseer.cli.terminal import answer


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("article")(article)


def article(
    pages: Annotated[
        list[str], typer.Argument(metavar="PAGE...", help="Files, URLs, folders, collections, WARC, WACZ, or a feed.")
    ],
    feed: Annotated[str | None, typer.Option(metavar="FEED", help="The feed of the pages: a file or URL.")] = None,
    method: Annotated[str, typer.Option(help="auto, forest, sigfeed, coverage or description.")] = "auto",
    url: Annotated[str | None, typer.Option(help="The URL from which a file came.")] = None,
    knowledge: Annotated[list[str] | None, typer.Option(help="Further knowledge files, or `none`.")] = None,
    formats: Annotated[str, typer.Option("--format", help="text, and beside it markdown, html or both.")] = "text",
    parts: Annotated[
        bool, typer.Option("--parts", help="Also headings, lists, tables, code, quotes, images, comments, each apart.")
    ] = False,
) -> int:
    """Extract the article of each page: one JSON line with title, text, author, date, place and confidence."""
    from siteseer.batch.article_batches import Output, article_rows
    from siteseer.batch.article_sources import FeedItems, named_pages, read_items
    from siteseer.cli.parameters.page_errors import NamedPages
    from siteseer.fetch.fetch_one import fetch_page
    from siteseer.knowledge.knowledge_base import KnowledgeBase

    output = Output.named(formats, parts)
    named = NamedPages(fetch_page)
    items = FeedItems(read_items(feed, fetch_page) if feed else None)
    base = KnowledgeBase.with_files(knowledge or ())
    found = named_pages(pages, url, fetch_page, named.complain)
    for row in article_rows(found, items, method, base, datetime.now(UTC), output):
        answer(row)
    return named.exit_code
