"""`siteseer timestamp`: tells when pages were published and last changed."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from siteseer.cli.terminal import answer, print_error


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("timestamp")(timestamp)


def timestamp(
    pages: Annotated[list[str], typer.Argument(metavar="PAGE...", help="Files or URLs.")],
    url: Annotated[str | None, typer.Option(help="The URL from which a file came.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="An HTTP header of a file, as 'Name: value'.")] = None,
    feed: Annotated[list[str] | None, typer.Option(help="A feed (file or URL) whose dates win.")] = None,
    sitemap: Annotated[list[str] | None, typer.Option(help="A sitemap (file or URL) to take changes from.")] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option("--list", help="A list (file or URL) that links to the pages: it dates those that do not."),
    ] = None,
) -> int:
    """Say when each page was published and last changed: one JSON line with source and confidence."""
    from siteseer.errors import FetchError
    from siteseer.fetch.page_source import fetch_page, is_url, read_page
    from siteseer.page.dates.site_order import SiteOrders
    from siteseer.verbs.page_dates import DatesElsewhere, stored_pages

    now, failed = datetime.now(UTC), 0
    elsewhere = DatesElsewhere(feed or (), sitemap or (), lists or ())
    orders = SiteOrders(lambda: stored_pages([*pages, *(lists or ())], url))
    for name in pages:
        try:
            page = read_page(name, url, header or [], fetch_page)
        except (OSError, FetchError) as error:
            print_error(f"{name}: {getattr(error, 'strerror', None) or error}; name a file or a URL")
            failed += 1
            continue
        answer({"url" if is_url(name) else "file": name, **asdict(elsewhere.date(orders.attach(page), now))})
    return 1 if failed else 0
