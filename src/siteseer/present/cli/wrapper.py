"""`siteseer wrapper`: run and check wrappers, written in OXPath."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.present.cli.say import answer, complain, plain, tell
from siteseer.present.cli.wrapper_induce import induce

wrapper_app = typer.Typer(help="Extract records from pages with wrappers.", no_args_is_help=True)

Source = Annotated[str, typer.Argument(metavar="FILE-or-EXPR", help="A file with a wrapper, or the wrapper itself.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    wrapper_app.command("induce")(induce)
    app.add_typer(wrapper_app, name="wrapper")


@wrapper_app.command("run")
def run(
    source: Source,
    var: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="The value of $NAME.")] = None,
    form: Annotated[str, typer.Option("--format", help="json, jsonl, xml, csv or ttl.")] = "jsonl",
    record: Annotated[str, typer.Option(metavar="LABEL", help="csv: the records of this label.")] = "",
    single: Annotated[bool, typer.Option("--single", help="json, jsonl: no lists of one value.")] = False,
    on: Annotated[str, typer.Option(metavar="URL", help="The page for a wrapper that loads none.")] = "",
    browser: Annotated[str, typer.Option(help="auto, always, or never: pages without their scripts.")] = "auto",
    offline: Annotated[
        Path | None, typer.Option(metavar="ARCHIVE", help="Pages from a WARC, WACZ or collection.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="DIR", help="Archive the pages and keep the records here.")
    ] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between two pages of a host.")] = 1.0,
    robots: Annotated[str, typer.Option(help="obey, ignore or log.")] = "obey",
    rounds: Annotated[int, typer.Option(min=1, help="How often a star without bounds is repeated.")] = 1000,
    strict: Annotated[bool, typer.Option("--strict", help="End at the first node that cannot be acted upon.")] = False,
    allow_private: Annotated[
        bool, typer.Option("--allow-private", help="Addresses of private networks may be reached.")
    ] = False,
) -> None:
    """Run a wrapper and print its records."""
    from siteseer.crawl.extraction import ExtractionOptions, extract
    from siteseer.wrappers.output import output as make_output
    from siteseer.wrappers.parse import parse
    from siteseer.wrappers.shape import shape

    wrapper = parse(_text(source))
    out = make_output(form, shape(wrapper), record, single)
    options = ExtractionOptions(
        variables=_values(var or []), browser=browser, start=on, offline=offline, collection=output, strict=strict,
        delay=delay, robots=robots, allow_private=allow_private, most_iterations=rounds,
    )  # fmt: skip
    if offline is None:
        tell(f"robots.txt: {robots}; delay {delay} s")
    _write(out.begin())
    try:
        took = extract(wrapper, lambda one: _write(out.record(one)), options, lambda text: complain(f"warning: {text}"))
    finally:
        _write(out.end())
    tell(f"{took['records']} records with {took['values']} values from {took['pages']} pages")


@wrapper_app.command("check")
def check(
    sources: Annotated[list[str], typer.Argument(metavar="FILE-or-EXPR...", help="Wrappers, or files of them.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per wrapper.")] = False,
) -> int:
    """Say whether wrappers can be read, what they extract, and what is odd about them."""
    from siteseer.wrappers.complain import WrapperSyntaxError

    worst = 0
    for source in sources:
        try:
            found = _checked(source)
        except WrapperSyntaxError as error:
            complain(f"{source if _is_file(source) else 'wrapper'}: {error}")
            worst = error.exit_code
            continue
        if as_json:
            answer(found)
        else:
            _print(found)
    return worst


def _checked(source: str) -> dict[str, Any]:
    from siteseer.wrappers.parse import parse
    from siteseer.wrappers.shape import needs_browser, oddities, shape, variables

    wrapper = parse(_text(source))
    records = {name: one.columns() for name, one in shape(wrapper).below.items()}
    return {
        "wrapper": str(wrapper),
        "variables": variables(wrapper),
        "records": records,
        "needs_browser": needs_browser(wrapper),
        "warnings": oddities(wrapper),
    }


def _print(found: dict[str, Any]) -> None:
    print(plain(found["wrapper"]))
    for label, columns in found["records"].items():
        print(plain(f"    extracts {label}{': ' + ', '.join(columns) if columns else ''}"))
    for name in found["variables"]:
        print(plain(f"    needs --var {name}=VALUE"))
    for text in found["warnings"]:
        print(plain(f"    warning: {text}"))


def _is_file(source: str) -> bool:
    try:
        return Path(source).is_file()
    except (OSError, ValueError):
        return False


def _text(source: str) -> str:
    """Return the text of a wrapper: of a file, or as it stands there."""
    from siteseer.errors import ConfigurationError, NotFoundError

    if _is_file(source):
        try:
            return Path(source).read_text(encoding="utf-8")
        except UnicodeDecodeError as error:
            raise ConfigurationError(f"{source} is no text in UTF-8") from error
    if source.endswith((".oxpath", ".txt")):
        raise NotFoundError(f"there is no file {source}")
    return source


def _values(pairs: list[str]) -> dict[str, str]:
    from siteseer.errors import UsageError

    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--var {pair!r} gives no value: write it as NAME=VALUE")
        found[name.strip().removeprefix("$")] = value
    return found


def _write(text: str) -> None:
    if text:
        sys.stdout.write(text)
        sys.stdout.flush()
