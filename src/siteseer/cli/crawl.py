"""`siteseer crawl`: crawls a site; its options and one Python call."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.add_extras import add_browser_and_run_again
from siteseer.cli.store import print_stores
from siteseer.cli.terminal import print_message
from siteseer.errors import ConfigurationError, UsageError

_UNITS = {"": 1, "k": 2**10, "m": 2**20, "g": 2**30, "t": 2**40}


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("crawl")(crawl)


def crawl(
    context: typer.Context,
    url: Annotated[list[str] | None, typer.Argument(help="Where to start.", show_default=False)] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The collection's directory.")] = None,
    strategy: Annotated[str, typer.Option(help="auto, aware, learned, acebot, example or blind.")] = "auto",
    seeds: Annotated[Path | None, typer.Option(help="A file with one URL per line.")] = None,
    config: Annotated[Path | None, typer.Option(help="A TOML file with options; the command line wins.")] = None,
    recrawl: Annotated[bool, typer.Option("--recrawl", help="A new crawl in the same directory.")] = False,
    offline: Annotated[Path | None, typer.Option(help="Take pages from this WARC, WACZ or directory.")] = None,
    no_adapt: Annotated[bool, typer.Option("--no-adapt", help="Use known actions only.")] = False,
    patterns: Annotated[Path | None, typer.Option(help="Stored navigation patterns to start from.")] = None,
    example: Annotated[list[str] | None, typer.Option(help="A page like those to find, for strategy example.")] = None,
    set_: Annotated[list[str] | None, typer.Option("--set", help="FIELD=VALUE for forms on the way.")] = None,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after this many requests.")] = None,
    size_limit: Annotated[str | None, typer.Option(help="Stop after this many bytes (500M, 2G).")] = None,
    time_limit: Annotated[float | None, typer.Option(min=0, help="Stop after this many seconds.")] = None,
    depth: Annotated[int | None, typer.Option(min=0, help="Follow links no deeper than this.")] = None,
    scope: Annotated[str, typer.Option(help="page, prefix, host, domain or any.")] = "host",
    include: Annotated[list[str] | None, typer.Option(help="Glob or re: expression of URLs to take too.")] = None,
    exclude: Annotated[list[str] | None, typer.Option(help="Glob or re: expression of URLs to leave.")] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between requests to a host.")] = 1.0,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Parallel requests per host.")] = 2,
    robots: Annotated[str, typer.Option(help="obey, ignore or log.")] = "obey",
    user_agent: Annotated[str, typer.Option(help="What the crawler calls itself.")] = "",
    contact: Annotated[str, typer.Option(help="Whom a webmaster can write to.")] = "",
    cookies: Annotated[Path | None, typer.Option(help="A cookies.txt file.")] = None,
    profile: Annotated[str, typer.Option(help="A login recorded with siteseer login.")] = "",
    header: Annotated[list[str] | None, typer.Option(help="'Name: value', sent with every request.")] = None,
    proxy: Annotated[str | None, typer.Option(help="http://host:port of a proxy.")] = None,
    tls: Annotated[str, typer.Option(help="lenient (bad certificates are noted) or strict (refused).")] = "lenient",
    allow_private: Annotated[bool, typer.Option("--allow-private", help="Reach private networks too.")] = False,
    knowledge: Annotated[list[str] | None, typer.Option(help="Extra knowledge files; none: no shipped ones.")] = None,
    policy: Annotated[list[str] | None, typer.Option(help="NAME=VALUE of a policy; see kb show NAME.")] = None,
    assets: Annotated[str, typer.Option(help="all (what pages need to be shown) or none.")] = "all",
    browser: Annotated[str, typer.Option(help="auto (pages whose content needs scripts), never or always.")] = "auto",
    archive_to: Annotated[str, typer.Option(help="Copy the collection there: s3://bucket/prefix, a folder.")] = "",
    objects_to: Annotated[str, typer.Option(help="Keep the objects in this SPARQL 1.1 endpoint.")] = "",
    objects_update: Annotated[str, typer.Option(help="Where that endpoint takes updates, if elsewhere.")] = "",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Start again instead of resuming.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> int:
    """Crawl a site into a collection. The same command on the same directory goes on where it stopped."""
    given = {
        "strategy": strategy, "recrawl": recrawl, "offline": offline, "adapt": not no_adapt, "patterns": patterns,
        "examples": example, "values": set_,
        "limit": limit, "size_limit": size_limit, "time_limit": time_limit, "depth": depth, "scope": scope,
        "include": include, "exclude": exclude, "delay": delay, "concurrency": concurrency, "robots": robots,
        "user_agent": user_agent, "contact": contact, "cookies": cookies, "profile": profile, "headers": header,
        "proxy": proxy, "tls": tls,
        "allow_private": allow_private, "knowledge": knowledge, "policies": policy, "assets": assets,
        "browser": browser, "archive_to": archive_to, "objects_to": objects_to, "objects_update": objects_update,
        "overwrite": overwrite,
    }  # fmt: skip
    chosen = {name for name in given if _was_typed(context, name)}
    settings = _read_config(config) if config else {}
    options = {**given, **{name: value for name, value in settings.items() if name not in chosen}}
    urls = [*(url or ()), *_seeds_of(settings), *(_read_seeds(seeds) if seeds else ())]
    folder = output or (Path(settings["output"]) if "output" in settings else None)
    run = context.obj or run_crawl  # `compare` takes the same options and does something else with them
    return int(run(urls, folder, options, as_json))


def run_crawl(urls: list[str], folder: Path | None, options: dict[str, Any], as_json: bool) -> int:
    """Make the options, crawl with a live line, print the result; return the exit code."""
    from siteseer.cli.garbage_collection import collect_seldom
    from siteseer.cli.live_progress import live, print_summary
    from siteseer.cli.terminal import answer
    from siteseer.collection.exit_codes import exit_code
    from siteseer.crawler.run import crawl as run

    made = make_options(urls, folder, options)
    print_message(
        f"robots.txt: {made.robots}; delay {made.delay} s; {made.concurrency} at once; into {made.collection}"
    )
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
        print_summary(summary)
        if made.strategy == "example":
            from siteseer.cli.target_report import print_targets

            print_targets(made.collection)
    return exit_code(summary)


def print_problems(summary: dict[str, Any]) -> None:
    """Say what was lost, refused or left in doubt, and what to do."""
    for problem in summary["problems"]:
        print_message(f"{problem['sentence']} {problem['next']}".strip())


def make_options(urls: list[str], folder: Path | None, options: dict[str, Any]) -> Any:
    """Return checked crawl options."""
    from siteseer.fetch.certificates import TLS
    from siteseer.settings import CrawlOptions

    if folder is None:
        raise UsageError("say where the collection goes: -o DIR")
    _one_of("--robots", options["robots"], ("obey", "ignore", "log"))
    _one_of("--assets", options["assets"], ("all", "none"))
    _one_of("--browser", options["browser"], ("auto", "never", "always"))
    _one_of("--tls", options.get("tls", TLS[0]), TLS)
    _one_of("--scope", options["scope"], ("page", "prefix", "host", "domain", "any"))
    options = dict(options)
    options.pop("output", None), options.pop("seeds", None), options.pop("url", None)
    options["size_limit"] = _bytes(options["size_limit"])
    for name in ("include", "exclude", "headers", "knowledge", "policies", "examples", "values"):
        options[name] = tuple(options[name] or ())
    for name in ("offline", "cookies", "patterns"):
        options[name] = Path(options[name]) if options[name] else None
    return CrawlOptions(seeds=tuple(urls), collection=folder, **options)


def _one_of(option: str, value: str, allowed: tuple[str, ...]) -> None:
    if value not in allowed:
        raise UsageError(f"{option} {value} is unknown; use one of {', '.join(allowed)}")


def _was_typed(context: typer.Context, name: str) -> bool:
    parameter = {
        "adapt": "no_adapt",
        "headers": "header",
        "policies": "policy",
        "examples": "example",
        "values": "set_",
    }.get(name, name)
    source = context.get_parameter_source(parameter)
    return source is not None and source.name == "COMMANDLINE"


def _read_seeds(path: Path) -> list[str]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"--seeds {path} cannot be read: {error}") from error
    return [line.strip() for line in lines if line.strip() and not line.lstrip().startswith("#")]


def _seeds_of(settings: dict[str, Any]) -> list[str]:
    found = settings.get("seeds", settings.get("url", []))
    return [found] if isinstance(found, str) else list(found)


def _read_config(path: Path) -> dict[str, Any]:
    """Read a TOML file whose keys are the names of the options."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise ConfigurationError(f"--config {path} cannot be read: {error.strerror}") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{path} is no TOML file: {error}") from error
    settings = {name.replace("-", "_"): value for name, value in found.items()}
    if "no_adapt" in settings:
        settings["adapt"] = not settings.pop("no_adapt")
    for written, name in (("header", "headers"), ("example", "examples"), ("set", "values")):
        if written in settings:
            settings[name] = settings.pop(written)
    from dataclasses import fields

    from siteseer.settings import CrawlOptions

    known = {field.name for field in fields(CrawlOptions)} - {"limits", "collection", "acebot", "definition"} | {
        "output",
        "url",
    }
    for name in settings:
        if name not in known:
            raise ConfigurationError(f"{path}: there is no option {name!r}; see siteseer crawl --help")
    return settings


def _bytes(text: str | int | None) -> int | None:
    """Read a number of bytes with a unit.

    >>> _bytes("2G")
    2147483648
    """
    if text is None or isinstance(text, int):
        return text
    match = re.fullmatch(r"(\d{1,15})\s*([kmgt]?)i?b?", text.strip().lower())
    if not match:
        raise UsageError(f"--size-limit {text} is no size; write it as 500M or 2G")
    return int(match[1]) * _UNITS[match[2]]
