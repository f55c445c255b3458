"""`siteseer compare`: compares crawls side by side, live or existing ones."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.crawl import Config, Seeds, crawl_options, told
from siteseer.cli.parameters.option_parameters import takes
from siteseer.errors import FetchError, UsageError
from siteseer.settings import CrawlOptions

REFERENCE = "blind"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("compare")(compare)


@takes(CrawlOptions, "compare")
def compare(
    given: dict[str, Any],
    places: Annotated[
        list[str] | None,
        typer.Argument(metavar="URL... | A B...", help="Sites to crawl, or with --collections what to compare."),
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where crawls and report go.")] = None,
    strategies: Annotated[
        str, typer.Option(help="The reference first: blind,aware. Where not given: blind against what knows the site.")
    ] = "",
    collections: Annotated[
        bool, typer.Option("--collections", help="Compare collections, WARC or WACZ files; the first is the reference.")
    ] = False,
    seeds: Seeds = None,
    config: Config = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the comparison as JSON.")] = False,
) -> int:
    """Crawl a site with several strategies, or take what exists, and compare what each took and brought.

    Writes compare.html, compare.svg and compare.json.
    """
    from siteseer.cli.terminal import answer

    if collections:
        if given:
            raise UsageError(f"comparing what exists takes no option of a crawl: leave out {', '.join(given)}")
        result = _existing([Path(path) for path in places or ()], output)
    else:
        chosen = [one.strip() for one in strategies.split(",") if one.strip()]
        said = told(places or (), seeds, config)
        result = _crawled(said.seeds, output or said.output, chosen, {**said.options, **given})
    if as_json:
        answer(result)
    else:
        _print(result)
    return 0


def _existing(paths: list[Path], output: Path | None) -> Any:
    from siteseer.cli.terminal import print_message
    from siteseer.measure.compare import compare_collections

    return _keep([compare_collections(paths, tell=print_message).as_json()], output or Path())


def _crawled(urls: Sequence[str], output: Path | None, strategies: list[str], given: dict[str, Any]) -> Any:
    from siteseer.cli.live_progress import live
    from siteseer.cli.terminal import print_message
    from siteseer.measure.compare import compare_crawls

    if output is None:
        raise UsageError("say where the crawls and the report go: -o DIR")
    if not urls:
        raise UsageError("name a site to crawl, or --collections with what to compare")
    found = []
    for url, folder in zip(urls, _folders(urls, output), strict=True):
        made = crawl_options([url], folder, given)
        chosen = strategies or [REFERENCE, _knowing(url, made)]
        found.append(compare_crawls(made, chosen, live, print_message).as_json())
    return _keep(found, output)


def _folders(urls: Sequence[str], output: Path) -> list[Path]:
    """Return a folder for each site: the output itself for one, folders named after the hosts for many."""
    from siteseer.page.urls import host_of

    if len(urls) == 1:
        return [output]
    names: list[str] = []
    for url in urls:
        name = host_of(url if "://" in url else f"http://{url}").replace(":", "-") or "site"
        names.append(f"{name}-{names.count(name) + 1}" if name in names else name)
    return [output / name for name in names]


def _knowing(url: str, options: CrawlOptions) -> str:
    """Return `aware` where the entry page's software is known, else `auto`, which learns."""
    from siteseer.fetch.fetch_one import PageFetcher
    from siteseer.knowledge.knowledge_base import KnowledgeBase
    from siteseer.knowledge.recognise import recognise_in_full

    if options.offline or options.proxy:
        return "auto"
    try:
        page = PageFetcher(options).fetch(url if "://" in url else f"http://{url}")
    except FetchError as error:
        raise type(error)(f"{url} cannot be crawled: {error}") from error
    seen = recognise_in_full(page, KnowledgeBase.with_files(list(options.knowledge))).application
    return "aware" if seen is not None and not seen.is_generic else "auto"


def _keep(found: list[Any], folder: Path) -> Any:
    """Write the report; return the result: of one site as it is, of many with each site below `sites`."""
    from siteseer.cli.terminal import print_message
    from siteseer.measure.compare import over_sites
    from siteseer.measure.comparison_report import write

    write(found, folder)
    print_message(f"the report is {folder / 'compare.html'}")
    return found[0] if len(found) == 1 else over_sites(found)


def _print(result: Any) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table

    from siteseer.cli.terminal import plain

    for one in result.get("sites", [result]):
        table = Table(title=plain(one["site"]) or None, box=SIMPLE_HEAD, pad_edge=False)
        for title in ("", "requests", "fewer", "2-grams", "coverage", "links", "content", "objects"):
            table.add_column(title, justify="right" if title else "left", no_wrap=True)
        for name, row in one["strategies"].items():
            table.add_row(
                plain(name), f"{row['requests']:,}", f"{row['times_fewer'] or 0:.1f}", f"{row['two_grams']:,}",
                f"{row['coverage']:.2%}", f"{row['external_coverage']:.1%}",
                f"{row['external_content_coverage']:.1%}", f"{row['objects']:,}",
            )  # fmt: skip
        Console().print(table)
