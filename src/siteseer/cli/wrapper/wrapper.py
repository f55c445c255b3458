"""`siteseer wrapper`: runs and checks wrappers, written in OXPath."""

from __future__ import annotations

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TextIO

import typer

from siteseer.cli.output.output_file import check_new_file, new_file
from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.parameters.page_errors import polite_fetcher
from siteseer.cli.terminal import answer, plain, print_error, print_message
from siteseer.errors import UsageError
from siteseer.settings import ExtractionOptions, Politeness
from siteseer.wrapper.wrapper_text import is_file, wrapper_text

if TYPE_CHECKING:
    from siteseer.wrapper.induction import Attribute

wrapper_app = typer.Typer(help="Extract records from pages with wrappers.", no_args_is_help=True)

FORMATS = ("json", "jsonl", "xml", "csv", "ttl")
"""Endings of files of records."""
Source = Annotated[str, typer.Argument(metavar="FILE-or-EXPR", help="A file with a wrapper, or the wrapper itself.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    wrapper_app.command("induce")(induce)
    app.add_typer(wrapper_app, name="wrapper")


@wrapper_app.command("run")
@takes(ExtractionOptions, "wrapper run")
def run(
    given: dict[str, Any],
    source: Source,
    var: Annotated[list[str] | None, typer.Option(metavar="NAME=VALUE", help="The value of $NAME.")] = None,
    form: Annotated[
        str, typer.Option("--format", help="json, jsonl, xml, csv or ttl; else by the ending of -o, else jsonl.")
    ] = "",
    record: Annotated[str, typer.Option(metavar="LABEL", help="csv: the records of this label.")] = "",
    single: Annotated[bool, typer.Option("--single", help="json, jsonl: no lists of one value.")] = False,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o",
            "--output",
            metavar="NAME",
            help="A file such as NAME.csv for the records; any other name: a collection of pages and records.",
        ),
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
) -> None:
    """Run a wrapper and print its records."""
    from siteseer.wrapper.oxpath.language.parser import parse
    from siteseer.wrapper.oxpath.language.result_schema import result_schema
    from siteseer.wrapper.oxpath.output.record_formats import output as make_output
    from siteseer.wrapper.run import extract

    wrapper = parse(wrapper_text(source))
    ending = output.suffix.lower().removeprefix(".") if output else ""
    file = output if ending in FORMATS else None
    out = make_output(form or (ending if file else "jsonl"), result_schema(wrapper), record, single)
    options = ExtractionOptions(variables=_values(var or []), collection=None if file else output, **given)
    if file is not None:
        check_new_file(file, overwrite)
    if options.offline is None:
        print_message(f"robots.txt: {options.robots}; delay {options.delay:g} s")
    with ExitStack() as opened:
        to = opened.enter_context(new_file(file)) if file is not None else sys.stdout
        _write(to, out.begin())
        try:
            took = extract(
                wrapper, lambda one: _write(to, out.record(one)), options, lambda text: print_error(f"warning: {text}")
            )
        finally:
            _write(to, out.end())
    told = f"{took['records']} records with {took['values']} values from {took['pages']} pages"
    print_message(f"{told}, in {file}" if file else told)


@wrapper_app.command("check")
def check(
    sources: Annotated[list[str], typer.Argument(metavar="FILE-or-EXPR...", help="Wrappers, or files of them.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per wrapper.")] = False,
) -> int:
    """Say whether wrappers can be read, what they extract, and what is odd about them."""
    from siteseer.wrapper.oxpath.language.syntax_error import WrapperSyntaxError

    worst = 0
    for source in sources:
        try:
            found = _checked(source)
        except WrapperSyntaxError as error:
            print_error(f"{source if is_file(source) else 'wrapper'}: {error}")
            worst = error.exit_code
            continue
        if as_json:
            answer(found)
        else:
            _print(found)
    return worst


def _checked(source: str) -> dict[str, Any]:
    from siteseer.wrapper.oxpath.language.parser import parse
    from siteseer.wrapper.oxpath.language.result_schema import likely_mistakes, needs_browser, result_schema, variables

    wrapper = parse(wrapper_text(source))
    records = {name: one.columns() for name, one in result_schema(wrapper).below.items()}
    return {
        "wrapper": str(wrapper),
        "variables": variables(wrapper),
        "records": records,
        "needs_browser": needs_browser(wrapper),
        "warnings": likely_mistakes(wrapper),
    }


def _print(found: dict[str, Any]) -> None:
    print(plain(found["wrapper"]))
    for label, columns in found["records"].items():
        print(plain(f"    extracts {label}{': ' + ', '.join(columns) if columns else ''}"))
    for name in found["variables"]:
        print(plain(f"    needs --var {name}=VALUE"))
    for text in found["warnings"]:
        print(plain(f"    warning: {text}"))


def _values(pairs: list[str]) -> dict[str, str]:
    from siteseer.errors import UsageError

    found = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise UsageError(f"--var {pair!r} gives no value: write it as NAME=VALUE")
        found[name.strip().removeprefix("$")] = value
    return found


def _write(to: TextIO, text: str) -> None:
    if text:
        to.write(text)
        to.flush()


@takes(Politeness, "wrapper induce")
def induce(
    given: dict[str, Any],
    pages: Annotated[
        list[str], typer.Argument(metavar="PAGE...", help="Files, URLs, folders, WARC: marked pages, and others alike.")
    ],
    example: Annotated[
        list[str] | None,
        typer.Option(metavar="[N:]NAME=VALUE-or-XPATH", help="An attribute as shown on a page (the Nth one)."),
    ] = None,
    record: Annotated[
        list[str] | None, typer.Option(metavar="[N:]XPATH", help="A record of a list; examples are then inside it.")
    ] = None,
    following: Annotated[
        list[str] | None, typer.Option("--next", metavar="[N:]TEXT-or-XPATH", help="The link to the next page.")
    ] = None,
    url: Annotated[str | None, typer.Option(help="The URL from which the files came.")] = None,
    form: Annotated[str, typer.Option("--format", help="jsonl: ranked expressions; oxpath: a wrapper.")] = "jsonl",
) -> int:
    """Find robust expressions for what examples show, best first; or write them as a wrapper."""
    from siteseer.batch.article_sources import named_pages, raise_error
    from siteseer.wrapper.induction import compose, induce_next, induce_records
    from siteseer.wrapper.induction import induce as induce_attributes
    from siteseer.wrapper.induction.induce_attributes import view_of
    from siteseer.wrapper.induction.induced_json import ranked_json
    from siteseer.wrapper.induction.parse_marks import parse_marks, with_default_name

    if form not in ("jsonl", "oxpath"):
        raise UsageError(f"there is no format {form!r}; choose jsonl or oxpath")
    found = [one.page for one in named_pages(pages, url, polite_fetcher(given), raise_error)]
    views = [view_of(page) for page in found]
    trees = [view.root for view in views]
    marks = parse_marks(views, example or [])
    rows = parse_marks(views, [with_default_name(one, "record") for one in record or []])
    links = parse_marks(views, [with_default_name(one, "next") for one in following or []])
    if not (marks or rows or links):
        raise UsageError("nothing is marked; give --example NAME=VALUE, --record XPATH or --next TEXT")
    records = induce_records(trees, rows, marks) if rows else None
    attributes = records.attributes if records else induce_attributes(trees, marks) if marks else {}
    more = induce_next(trees, links) if links else ()
    if form == "oxpath":
        print(plain(compose(found[0].url or "http://example.org/", records or attributes, more[0] if more else None)))
        return 0
    for rank, one in enumerate(records.expressions if records else (), 1):
        answer(ranked_json("record", rank, one))
    for attribute in attributes.values():
        _tell(attribute)
    for rank, one in enumerate(more, 1):
        answer(ranked_json("next", rank, one))
    return 0


def _tell(attribute: Attribute) -> None:
    from siteseer.wrapper.induction.induced_json import ranked_json

    if attribute.warning:
        print_error(attribute.warning)
    for rank, one in enumerate(attribute.expressions, 1):
        answer(ranked_json(attribute.name, rank, one) | {"optional": attribute.optional})
