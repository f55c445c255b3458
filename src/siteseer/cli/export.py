"""`siteseer export`, `verify`, `repair`, `describe`: what can be done with a collection's bytes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.output.output_file import check_new_file
from siteseer.cli.output.work_display import work_display
from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.terminal import answer, plain, print_message
from siteseer.errors import UsageError
from siteseer.plugins import OBJECT_FORMATS, object_format, object_formats
from siteseer.settings import CrawlOptions


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("export")(export)
    app.command("verify")(verify)
    app.command("repair")(repair)
    app.command("describe")(describe)


def export(
    collection: Annotated[Path, typer.Argument(help="The collection's directory.")],
    wacz: Annotated[str | None, typer.Option(help="Write one WACZ package to this file, or s3://bucket/name.")] = None,
    form: Annotated[str | None, typer.Option("--format", help=f"{', '.join(OBJECT_FORMATS)}: the objects.")] = None,
    identity: Annotated[
        str | None, typer.Option("--object", metavar="ID", help="One object as a file that can be cited.")
    ] = None,
    output: Annotated[Path | None, typer.Option("-o", "--output", help="Where the objects go; else stdout.")] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
) -> None:
    """Package a collection for other tools."""
    from siteseer.crawler.results.export_collection import export_object, export_objects, export_package, send_package

    if wacz is None and form is None and identity is None:
        raise UsageError(f"say what to write: --wacz FILE, --format {', '.join(object_formats())}, or --object ID")
    for file in (output, Path(wacz) if wacz and "://" not in wacz else None):
        if file is not None:
            check_new_file(file, overwrite)
    if form is not None:
        object_format(form)
    if identity is not None:
        export_object(collection, _object_id(collection, identity), output)
    if wacz is not None:
        with work_display():
            written = send_package(collection, wacz) if "://" in wacz else export_package(collection, Path(wacz))
        print_message(f"wrote {written}")
    if form is not None:
        export_objects(collection, form, output)
    if output is not None:
        print_message(f"wrote {output}")


def _object_id(collection: Path, name: str) -> str:
    from siteseer.cli.output.objects_table import full_id
    from siteseer.collection.description import Description

    with Description.of(collection) as description:
        return full_id(description, name)


def verify(
    collection: Annotated[Path, typer.Argument(help="A collection, a WACZ file, or a WARC file of any tool.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Check that everything is whole and agrees: records, database, index, pages, reports, objects, RDF."""
    import siteseer

    report = siteseer.verify(collection)
    if as_json:
        answer(report)
    else:
        for problem in report["problems"]:
            print(plain(problem_line(problem)))
        count = len(report["problems"])
        found = "no problems" if not count else "1 problem" if count == 1 else f"{count:,} problems"
        files = "1 file" if report["files"] == 1 else f"{report['files']:,} files"
        print(f"{report['records']:,} records in {files}: {found}")
    return 1 if report["problems"] else 0


@takes(CrawlOptions, "repair")
def repair(
    given: dict[str, Any],
    collection: Annotated[Path, typer.Argument(help="The collection's directory.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> int:
    """Make everything derived again, and a lost or damaged database from the WARC files."""
    import siteseer

    report = siteseer.repair(collection, given.get("knowledge", ()))
    if as_json:
        answer(report)
    else:
        for sentence in report["done"] or ["nothing had to be made again"]:
            print(plain(sentence))
        for sentence in report["lost"]:
            print(plain(f"lost: {sentence}"))
        for path in report["kept_aside"]:
            print(plain(f"kept: {path}"))
        for problem in report["problems"]:
            print(plain(f"still wrong: {problem_line(problem)}"))
    return 1 if report["lost"] or report["problems"] else 0


def problem_line(problem: dict[str, Any]) -> str:
    """Return the line that says what does not hold, and what to do.

    >>> problem_line({"file": "a.warc.gz", "offset": 7, "what": "cut short", "next": "siteseer repair DIR"})
    'a.warc.gz, offset 7: cut short; next: siteseer repair DIR'
    """
    place = f"{problem['file']}, offset {problem['offset']:,}" if problem["offset"] >= 0 else problem["file"]
    advice = f"; next: {problem['next']}" if problem["next"] else ""
    return f"{place}: {problem['what']}{advice}"


@takes(CrawlOptions, "describe")
def describe(
    given: dict[str, Any],
    source: Annotated[list[Path], typer.Argument(help="WARC or WACZ files, directories of them, or a collection.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The collection to describe into.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as JSON.")] = False,
) -> int:
    """Recognise pages and extract objects from existing archives, without the network."""
    import siteseer
    from siteseer.cli.crawl import print_problems
    from siteseer.cli.garbage_collection import collect_seldom
    from siteseer.cli.live_progress import print_summary
    from siteseer.collection.exit_codes import exit_code

    collect_seldom()
    with work_display():
        found = siteseer.describe(source, output, given.get("knowledge", ()))
    print_problems(found)
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
