"""`siteseer export`, `siteseer verify`, `siteseer describe`: what can be done with a collection's bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.errors import UsageError
from siteseer.present.cli.say import answer, plain, tell


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("export")(export)
    app.command("verify")(verify)
    app.command("describe")(describe)


def export(
    collection: Annotated[Path, typer.Argument(help="The collection's directory.")],
    wacz: Annotated[str | None, typer.Option(help="Write one WACZ package to this file, or s3://bucket/name.")] = None,
    form: Annotated[str | None, typer.Option("--format", help="jsonl, csv, ttl, nq or parquet: the objects.")] = None,
    identity: Annotated[
        str | None, typer.Option("--object", metavar="ID", help="One object as a file that can be cited.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where the objects go; else stdout.")] = None,
) -> None:
    """Package a collection for other tools."""
    from siteseer.present.packages import export_object, export_objects, export_package, send_package

    if wacz is None and form is None and identity is None:
        raise UsageError("say what to write: --wacz FILE, --format jsonl, csv, ttl, nq or parquet, or --object ID")
    if identity is not None:
        export_object(collection, identity, output)
    if wacz is not None:
        tell(f"wrote {send_package(collection, wacz) if '://' in wacz else export_package(collection, Path(wacz))}")
    if form is not None:
        export_objects(collection, form, output)


def verify(
    collection: Annotated[Path, typer.Argument(help="The collection's directory.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Check fixity: every record's digests, the index and the database agree."""
    from siteseer.present.packages import check

    report = check(collection)
    if as_json:
        answer(report)
    else:
        for problem in report["problems"]:
            print(problem)
        print(f"{report['records']:,} records in {report['files']:,} files: {len(report['problems'])} problems")
    return 1 if report["problems"] else 0


def describe(
    source: Annotated[list[Path], typer.Argument(help="WARC or WACZ files, directories of them, or a collection.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The collection to describe into.")] = None,
    knowledge: Annotated[list[str] | None, typer.Option(help="Extra knowledge files; none: no shipped ones.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> int:
    """Recognise pages and extract objects from existing archives, without the network."""
    from siteseer.crawl.problems import exit_code
    from siteseer.crawl.redescribe import redescribe
    from siteseer.knowledge.base import KnowledgeBase
    from siteseer.present.cli.crawl import tell_problems
    from siteseer.present.cli.progress import print_summary

    for path in source:
        if not path.exists():
            raise UsageError(f"{path} does not exist")
    found = redescribe(source, output, KnowledgeBase.with_files(knowledge or ()))
    tell_problems(found)
    if as_json:
        answer(found)
    else:
        print_summary({name: value for name, value in found.items() if name not in ("sites", "problems")})
        for site in found["sites"]:
            print(plain(site_line(site)))
    return exit_code({"stopped_by": None, **found})


def site_line(site: dict[str, Any]) -> str:
    """Return the line that says what was done with one site of an archive.

    >>> site_line({"site": "e.org", "outcome": "learned", "pages": 40, "objects": {"post": 1200}, "because": "unknown"})
    'e.org: learned, 1,200 posts from 40 pages (unknown)'
    """
    objects = (
        ", ".join(f"{count:,} {kind}{'' if count == 1 else 's'}" for kind, count in site["objects"].items())
        or "nothing"
    )
    pages = "1 page" if site["pages"] == 1 else f"{site['pages']:,} pages"
    return f"{site['site']}: {site['outcome']}, {objects} from {pages} ({site['because'].rstrip('.')})"
