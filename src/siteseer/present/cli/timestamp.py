"""`siteseer timestamp`: when pages were published and last changed."""

from __future__ import annotations

from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated

import typer

from siteseer.present.cli.say import answer, complain


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
    from siteseer.changes.listed import days_beside, list_order, listed_days
    from siteseer.changes.timestamps import Outside, date_page, sitemap_dates
    from siteseer.errors import FetchError, SiteseerError
    from siteseer.page.feeds import read_feed
    from siteseer.page.urls import identity
    from siteseer.present.cli.detect import fetch_page, is_url, read_page

    now, failed = datetime.now(UTC), 0
    fed: dict[str, tuple[str | None, str | None]] = {}
    mapped: dict[str, str] = {}
    for name in feed or ():
        found = read_feed(read_page(name, None, [], fetch_page))
        if found is None:
            raise SiteseerError(f"{name} is no feed; name an RSS, Atom or JSON Feed file or URL")
        fed |= {identity(item.link): (item.when, item.modified) for item in found.items if item.link}
    for name in sitemap or ():
        mapped |= sitemap_dates(read_page(name, None, [], fetch_page))
    days, orders = dict[str, str](), list[list[str]]()
    for name in lists or ():
        listing = read_page(name, None, [], fetch_page)
        days |= listed_days(listing)
        orders.append(list_order(listing))
    for name in pages:
        try:
            page = read_page(name, url, header or [], fetch_page)
        except (OSError, FetchError) as error:
            complain(f"{name}: {getattr(error, 'strerror', None) or error}; name a file or a URL")
            failed += 1
            continue
        own = fed.get(identity(page.url), (None, None)) if page.url else (None, None)
        own_name = identity(page.url) if page.url else ""
        beside = next(filter(None, (days_beside(order, days, own_name) for order in orders)), ())
        outside = Outside(own[0], own[1], mapped.get(own_name), beside, days.get(own_name))
        answer({"url" if is_url(name) else "file": name, **asdict(date_page(page, now, outside))})
    return 1 if failed else 0
