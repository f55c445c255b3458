"""`siteseer timestamp`: tells when pages were published and last changed."""

from __future__ import annotations

import sys
from dataclasses import asdict
from datetime import UTC, datetime
from typing import Annotated, Any

import typer

from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.terminal import answer, plain
from siteseer.settings import Politeness


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("timestamp")(timestamp)


@takes(Politeness, "timestamp")
def timestamp(
    given: dict[str, Any],
    pages: Annotated[list[str], typer.Argument(metavar="PAGE...", help="Files or URLs.")],
    url: Annotated[str | None, typer.Option(help="The URL from which a file came.")] = None,
    header: Annotated[list[str] | None, typer.Option(help="An HTTP header of a file, as 'Name: value'.")] = None,
    feed: Annotated[list[str] | None, typer.Option(help="A feed (file or URL) whose dates win.")] = None,
    sitemap: Annotated[list[str] | None, typer.Option(help="A sitemap (file or URL) to take changes from.")] = None,
    lists: Annotated[
        list[str] | None,
        typer.Option("--list", help="A list (file or URL) that links to the pages: it dates those that do not."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines, also on a terminal.")] = False,
) -> int:
    """Say when each page was published and last changed: a table, or JSON lines where nobody reads along."""
    from siteseer.cli.parameters.page_errors import NamedPages, polite_fetcher
    from siteseer.fetch.page_source import is_url
    from siteseer.page.dates.site_order import SiteOrders
    from siteseer.verbs.page_dates import DatesElsewhere, stored_pages

    fetch_page = polite_fetcher(given)
    now, named = datetime.now(UTC), NamedPages(fetch_page, url, header or ())
    elsewhere = DatesElsewhere(feed or (), sitemap or (), lists or (), fetch_page)
    orders = SiteOrders(lambda: stored_pages([*pages, *(lists or ())], url))
    in_words = sys.stdout.isatty() and not as_json
    if in_words:
        print(f"{'published':<17} {'changed':<17} {'sure':<5} page")
    for name, page in named.read(pages):
        found = asdict(elsewhere.date(orders.attach(page), now))
        if in_words:
            days = [(str(found[key] or "") or "unknown")[:16].replace("T", " ") for key in ("published", "modified")]
            print(plain(f"{days[0]:<17} {days[1]:<17} {found['confidence']:<5.0%} {name}"))
        else:
            answer({"url" if is_url(name) else "file": name, **found})
    return named.exit_code
