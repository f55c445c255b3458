"""`siteseer crawl`: crawls a site; its options and one Python call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.add_extras import add_browser_and_run_again
from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.store import print_stores
from siteseer.cli.terminal import print_message, print_problem, verbosity
from siteseer.errors import UsageError
from siteseer.settings import ConfigFile, CrawlOptions, Politeness, read_config

Seeds = Annotated[Path | None, typer.Option(metavar="FILE", help="A file with one URL per line.")]
Config = Annotated[
    Path | None, typer.Option(metavar="FILE", help="A TOML or YAML file with options; the command line wins.")
]


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("crawl")(crawl)


@takes(CrawlOptions, "crawl")
def crawl(
    given: dict[str, Any],
    url: Annotated[list[str] | None, typer.Argument(help="Where to start.", show_default=False)] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The collection's directory.")] = None,
    seeds: Seeds = None,
    config: Config = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> int:
    """Crawl a site into a collection. The same command on the same directory goes on where it stopped."""
    said = told(url or (), seeds, config)
    return run_crawl(crawl_options(said.seeds, output or said.output, {**said.options, **given}), as_json)


def told(urls: Sequence[str], seeds: Path | None, config: Path | None) -> ConfigFile:
    """Return what the configuration file says, with the seeds of all three: command line, file of seeds and this."""
    said = read_config(config) if config else ConfigFile()
    if said.unread:
        print_message(f"{config} is a configuration of Browsertrix; left out: {', '.join(said.unread)}")
    return replace(said, seeds=(*urls, *said.seeds, *(_read_seeds(seeds) if seeds else ())))


def crawl_options(urls: Sequence[str], folder: Path | None, given: dict[str, Any]) -> CrawlOptions:
    """Return the options of a crawl; raise where the user did not say where the collection goes."""
    if folder is None:
        raise UsageError("say where the collection goes: -o DIR")
    return CrawlOptions(seeds=tuple(urls), collection=folder, **given)


def politeness_line(options: Politeness) -> str:
    """Return how hosts are treated: it is said before every crawl."""
    return f"robots.txt: {options.robots}; delay {options.delay:g} s; {options.concurrency} at once"


def run_crawl(made: CrawlOptions, as_json: bool) -> int:
    """Crawl with a live line, print the result; return the exit code."""
    from siteseer.cli.garbage_collection import collect_seldom
    from siteseer.cli.live_progress import live, print_summary
    from siteseer.cli.output.crawl_summary import print_crawl_summary
    from siteseer.cli.terminal import answer
    from siteseer.collection.exit_codes import exit_code
    from siteseer.crawler.run import crawl as run

    check_crawl(made)
    print_message(f"{politeness_line(made)}; into {made.collection}")
    print_stores(made)
    collect_seldom()
    with live() as watch:
        summary = run(made, watch, tell=print_message)
    if any(problem["reason"] == "browser-missing" for problem in summary["problems"]):
        add_browser_and_run_again()
    print_problems(summary)
    if as_json:
        answer(summary)
    else:
        print_crawl_summary(summary)
        if verbosity() > 0:
            print()
            print_summary(summary)
        if made.strategy == "example":
            from siteseer.cli.output.target_report import print_targets

            print_targets(made.collection)
    return exit_code(summary)


def check_crawl(options: CrawlOptions) -> None:
    """Raise where a crawl cannot be begun as it is asked for, before anything is said or made."""
    from siteseer.collection.layout import learned_folder
    from siteseer.collection.overwrite import check_is_ours
    from siteseer.crawler.validate_options import seeds_and_scope
    from siteseer.interfaces import StrategyContext
    from siteseer.plugins import strategy_factory

    make = strategy_factory(options.strategy)
    _, scope = seeds_and_scope(options)
    if options.strategy == "example":  # it says at once what it lacks
        make(StrategyContext(options, scope, dict, learned_folder(options.collection)))
    if options.overwrite:
        check_is_ours(options.collection)


def print_problems(summary: dict[str, Any]) -> None:
    """Say what was lost, refused or left in doubt, and what to do."""
    for problem in summary["problems"]:
        print_problem(f"{problem['sentence']} {problem['next']}".strip())


def _read_seeds(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--seeds {path} cannot be read: {error}") from error
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]
