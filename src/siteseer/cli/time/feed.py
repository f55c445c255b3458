"""`siteseer feed`: shows what a feed publishes and when; `siteseer feed watch`: revisits it and misses no item."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.parameters.page_errors import polite_fetcher
from siteseer.cli.terminal import answer, plain, print_message
from siteseer.errors import FetchError, SiteseerError, UsageError
from siteseer.fetch.page_source import FetchPage
from siteseer.settings import CrawlOptions, Politeness, options_of, read_one

SCOPE = next(one for one in options_of(CrawlOptions) if one.name == "scope")


class _ReadOrWatch(TyperGroup):
    """`feed URL` reads; `feed watch URL` watches: what is no command's name is an address."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        return super().resolve_command(ctx, args if args and args[0] in self.commands else ["read", *args])


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(
        cls=_ReadOrWatch, no_args_is_help=True, help="Read feeds; watch them so that no item is missed."
    )
    group.command("read", hidden=True)(read)
    group.command("watch")(watch)
    app.add_typer(group, name="feed")


@takes(Politeness, "feed read")
def read(
    given: dict[str, Any],
    feeds: Annotated[list[str], typer.Argument(metavar="URL...", help="Feeds, or pages that name one; files or URLs.")],
    url: Annotated[str | None, typer.Option(help="The URL from which a file came.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per feed.")] = False,
) -> int:
    """Show type, items, update intervals and next visit of feeds; a summary where there are several."""
    from siteseer.change.feed_statistics import by_host, channel, domains_table, types_table

    fetch_page = polite_fetcher(given)
    now, found = datetime.now(UTC), [_feed(name, fetch_page, url) for name in feeds]
    for feed in found:
        one = channel(feed, now)
        if as_json:
            row = {
                **asdict(one),
                "next_visit": one.next_visit.isoformat(),
                "title": feed.title,
                "malformed": feed.malformed,
            }
            answer({**row, "entries": [asdict(item) for item in feed.items]})
            continue
        print(
            plain(f"{feed.title or feed.url}  {feed.type}{', malformed' if feed.malformed else ''}, {one.items} items")
        )
        if one.median is not None:
            print(f"  days between items: {one.shortest:.2f} least, {one.median:.2f} median, {one.longest:.2f} most")
        print(f"  next visit: {one.next_visit:%Y-%m-%d %H:%M} UTC")
        for item in feed.items:
            print(plain(f"  {(item.when or '-')[:16]:16}  {item.title[:70]}  {item.link}"))
    if len(found) > 1 and not as_json:
        print("\ntype  feeds  share")
        for kind, count, share in types_table(found):
            print(f"{kind}  {count}  {share:.1%}")
        print("\nhost  feeds  mean interval (days)  pooled deviation")
        for host, count, mean, deviation in domains_table(by_host(found), now):
            print(plain(f"{host}  {count}  {_days(mean)}  {_days(deviation)}"))
    return 0


@takes(CrawlOptions, "feed watch")
def watch(
    given: dict[str, Any],
    feeds: Annotated[list[str], typer.Argument(metavar="URL...", help="Feeds, or pages that name one.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="The collection's directory.")],
    rounds: Annotated[int | None, typer.Option(min=1, help="Stop after this many rounds (default: go on).")] = None,
    scope: Annotated[str, typer.Option(help="Which items are fetched: host, domain or any.")] = "any",
) -> int:
    """Archive feeds and the articles behind their new items, coming back before the feed has been filled anew."""
    from siteseer.cli.time.revisit import visit

    options = {**given, "scope": read_one(SCOPE, scope, "--scope"), "assets": "none"}
    fetch_page = polite_fetcher(given)
    feeds, done = [_address(name, fetch_page) for name in feeds], 0
    while True:
        code = visit(feeds, output, options, False)
        done += 1
        if code or (rounds is not None and done >= rounds):
            return code
        due = min(_next_visit(name, datetime.now(UTC), fetch_page) for name in feeds)
        print_message(f"next visit at {due:%Y-%m-%d %H:%M} UTC")
        time.sleep(max(0.0, (due - datetime.now(UTC)).total_seconds()))


def _address(name: str, fetch_page: FetchPage) -> str:
    """Return the address of the feed that is meant; the given one where it cannot be reached now."""
    from siteseer.fetch.page_source import is_url

    if not is_url(name):
        raise UsageError(f"{name} is no address; a feed is watched at its http or https URL")
    try:
        return str(_feed(name, fetch_page).url)
    except FetchError as error:
        print_message(f"{error}; it is tried again")
        return name


def _next_visit(name: str, now: datetime, fetch_page: FetchPage) -> datetime:
    """Return when to come back to a feed; soon where it cannot be read now."""
    from siteseer.change.feed_statistics import SOONEST, channel

    try:
        return channel(_feed(name, fetch_page), now).next_visit
    except SiteseerError as error:
        print_message(f"{error}; it is tried again")
        return now + SOONEST


def _feed(name: str, fetch_page: FetchPage, address: str | None = None) -> Any:
    """Return the feed at an address, or the first that a page at that address names."""
    from siteseer.fetch.page_source import is_url, read_page
    from siteseer.page.feeds import feed_links, read_feed

    try:
        page = read_page(name, address, [], fetch_page)
    except FetchError as error:
        raise error if name in str(error) else type(error)(f"{name}: {error}") from error
    tried: Sequence[str] = [] if read_feed(page) else feed_links(page)
    for url in tried[:3]:
        if is_url(url) and (found := read_feed(fetch_page(url))):
            return found
    feed = read_feed(page)
    if feed is None:
        raise UsageError(f"{name} is no feed and names none; give the address of an RSS, Atom or JSON feed")
    return feed


def _days(value: float | None) -> str:
    return "-" if value is None else f"{value:.2f}"
