"""`siteseer objects` and `siteseer query`: lists and searches the objects of a collection, and answers SPARQL.

Results go to stdout, messages to stderr. What comes from pages is shown without control characters.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from siteseer.plugins import OBJECT_FORMATS, object_formats

if TYPE_CHECKING:
    from siteseer.collection.description import Answer, Description

TABLE = "table"
QUERY_FORMATS = ("table", "json", "csv", "ttl")

Collection = Annotated[Path, typer.Argument(metavar="DIR", help="The collection.")]


def register(app: typer.Typer) -> None:
    """Add the commands of this file to the application."""
    app.command("objects")(objects)
    app.command("query")(query)


def objects(
    collection: Collection,
    which: Annotated[list[str] | None, typer.Argument(metavar="[ID...]", help="Show these objects in full.")] = None,
    kind: Annotated[
        str | None, typer.Option(help="post, comment, article, page, thread, board, user or record.")
    ] = None,
    author: Annotated[str | None, typer.Option(help="Who wrote it.")] = None,
    since: Annotated[str | None, typer.Option(metavar="DATE", help="Published on this day or later.")] = None,
    until: Annotated[str | None, typer.Option(metavar="DATE", help="Published on this day or earlier.")] = None,
    text: Annotated[
        str | None, typer.Option(metavar="WORDS", help='Words that stand in it; "a phrase"; the beginning of a word*.')
    ] = None,
    site: Annotated[str | None, typer.Option(metavar="HOST", help="On this host.")] = None,
    limit: Annotated[int | None, typer.Option(metavar="N", min=0, help="At most so many.")] = None,
    form: Annotated[str, typer.Option("--format", help=", ".join((TABLE, *OBJECT_FORMATS)))] = TABLE,
) -> int:
    """List the objects of a collection: posts, comments, articles, ... each with its capture."""
    from siteseer.cli.output.objects_table import full_id, print_object, print_objects
    from siteseer.collection.description import Description
    from siteseer.collection.objects.object_formats import write
    from siteseer.collection.objects.object_search import Filter

    _check_choice(form, (TABLE, *object_formats()))
    wanted = Filter(kind=kind, author=author, since=since, until=until, text=text, site=site, limit=limit)
    with Description.of(collection) as description:
        if which and form == TABLE:
            for name in which:
                print_object(description, name, collection)
            return 0
        if which:
            wanted = Filter(ids=tuple(full_id(description, name) for name in which))
        if form == TABLE:
            print_objects(description, wanted, collection)
        else:
            write(description, wanted, form, sys.stdout.buffer)
            sys.stdout.buffer.flush()
        return _tell_missing(description, collection)


def _tell_missing(description: Description, collection: Path) -> int:
    """Say where the answer is not about all objects; return the exit code."""
    if missing := description.missing():
        typer.echo(
            f"{missing:,} objects are not among these, as a run was interrupted: go on with it, or "
            f"`siteseer repair {collection}`",
            err=True,
        )
    return 1 if missing else 0


def query(
    collection: Collection,
    sparql: Annotated[str, typer.Argument(metavar="SPARQL", help="The query; the usual prefixes are declared.")],
    form: Annotated[str, typer.Option("--format", help=", ".join(QUERY_FORMATS))] = "table",
) -> int:
    """Ask the semantic store of a collection in SPARQL 1.1, read only."""
    from siteseer.collection.description import Description
    from siteseer.errors import UsageError

    _check_choice(form, QUERY_FORMATS)
    with Description.of(collection) as description:
        answer = description.query(sparql)
        code = _tell_missing(description, collection)
    kind = answer.result.kind
    if kind == "graph" and form in ("json", "csv"):
        raise UsageError("CONSTRUCT and DESCRIBE answer with statements; use --format ttl")
    if kind != "graph" and form == "ttl":
        raise UsageError(f"{kind.upper()} does not answer with statements; use --format table, json or csv")
    {"table": _print_table, "json": _print_json, "csv": _print_csv, "ttl": _print_turtle}[form](answer)
    if answer.result.truncated:
        typer.echo("The answer was cut at the limit of rows or size; add a LIMIT and an OFFSET.", err=True)
    return code


def _check_choice(form: str, choices: Sequence[str]) -> None:
    from siteseer.errors import UsageError

    if form not in choices:
        raise UsageError(f"there is no format {form!r}; choose one of {', '.join(choices)}")


def _place(capture: Any) -> str:
    return f"{capture['file']}@{capture['offset']}" if capture else ""


def _columns(answer: Answer) -> tuple[list[str], list[list[str]]]:
    """Return the answer as text, with a column for the capture where a row names an object."""
    result = answer.result
    names = list(result.variables)
    rows = [[term.value if term else "" for term in row] for row in result.rows]
    if answer.captures:
        names.append("capture" if "capture" not in names else "capture of object")
        rows = [[*cells, _place(answer.capture_of(row))] for cells, row in zip(rows, result.rows, strict=True)]
    return names, rows


def _print_table(answer: Answer) -> None:
    if answer.result.kind == "graph":
        _print_turtle(answer)
    elif answer.result.kind == "ask":
        typer.echo("yes" if answer.result.truth else "no")
    else:
        _table(*_columns(answer))


def _print_json(answer: Answer) -> None:
    typer.echo(json.dumps(answer.as_json(), ensure_ascii=False))


def _print_csv(answer: Answer) -> None:
    from siteseer.collection.objects.object_formats import csv_line

    if answer.result.kind == "ask":
        names, rows = ["answer"], [["true" if answer.result.truth else "false"]]
    else:
        names, rows = _columns(answer)
    for row in [names, *rows]:
        typer.echo(csv_line(row), nl=False)


def _print_turtle(answer: Answer) -> None:
    typer.echo(answer.result.turtle, nl=False)


def _table(names: Iterable[str], rows: Iterable[Iterable[Any]]) -> None:
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False)
    for name in names:
        table.add_column(name, overflow="fold")
    for row in rows:
        table.add_row(*(Text(_printable(value)) for value in row))
    Console(file=sys.stdout).print(table)


def _printable(value: Any) -> str:
    """Return a value without characters that would move the cursor or turn the direction of writing."""
    text = "" if value is None else str(value)
    return text if text.isprintable() else "".join(sign if sign.isprintable() or sign == "\n" else " " for sign in text)
