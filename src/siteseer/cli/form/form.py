"""`siteseer form`: lists the forms of pages; `form probe` searches with them, `form understand` learns their use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.terminal import answer, plain, print_error
from siteseer.errors import UsageError

PROBE, UNDERSTAND, CORRECT = "probe", "understand", "correct"
UNUSED = (
    "size_limit",
    "include",
    "exclude",
    "headers",
    "knowledge",
    "policies",
    "examples",
    "offline",
    "cookies",
    "patterns",
)
"""Options of a crawl that a probe does without."""


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("form")(form)


def form(
    pages: Annotated[
        list[str],
        typer.Argument(metavar="[probe|understand|correct] PAGE...", help="Files or URLs; understand: one."),
    ],
    url: Annotated[str, typer.Option(help="The URL from which a file came.")] = "",
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The collection of a probe.")] = None,
    ontology: Annotated[str, typer.Option(help="understand: a file or SPARQL endpoint to align with.")] = "",
    form_: Annotated[int | None, typer.Option("--form", min=0, help="understand: which form, from 0.")] = None,
    details: Annotated[bool, typer.Option("--details", help="understand: read the records' own pages too.")] = False,
    enough: Annotated[
        bool, typer.Option("--enough", help="understand: stop when the alignment gets no better.")
    ] = False,
    questions: Annotated[int, typer.Option(min=1, help="understand: ask no more than this.")] = 400,
    profile: Annotated[str, typer.Option(help="understand: a login recorded with siteseer login.")] = "",
    set_: Annotated[list[str] | None, typer.Option("--set", help="FIELD=VALUE, sent with every search.")] = None,
    get_only: Annotated[bool, typer.Option("--get-only", help="Send no form by POST.")] = False,
    limit: Annotated[int | None, typer.Option(min=1, help="Stop after this many requests.")] = None,
    delay: Annotated[float, typer.Option(min=0, help="Seconds between requests to a host.")] = 1.0,
    concurrency: Annotated[int, typer.Option(min=1, max=64, help="Parallel requests per host.")] = 2,
    robots: Annotated[str, typer.Option(help="obey, ignore or log.")] = "obey",
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Start again instead of resuming.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
) -> int:
    """List the forms of pages; `form probe URL... -o DIR` searches with them and archives what they list; `form
    understand URL --ontology FILE` learns what a form asks for and what its records are; `form correct DIR WHAT NAME
    confirm|reject|set [VALUE]` puts that right."""
    if pages[0] == PROBE and len(pages) > 1:
        if output is None:
            raise UsageError("form probe needs a directory for what it finds: add -o DIR")
        options: dict[str, Any] = {
            "strategy": "probe-get" if get_only else "probe", "values": set_, "limit": limit, "delay": delay,
            "concurrency": concurrency, "robots": robots, "overwrite": overwrite, "assets": "none",
            "scope": "host", "browser": "auto", **dict.fromkeys(UNUSED),
        }  # fmt: skip
        from siteseer.cli.crawl import run_crawl

        return run_crawl(pages[1:], output, options, as_json)
    if pages[0] == UNDERSTAND:
        from siteseer.cli.form.understand import Wanted, run_understand

        if len(pages) != 2:
            raise UsageError("form understand takes one URL: that of the page with the form")
        wanted = Wanted(
            pages[1], ontology, output, tuple(set_ or ()), form_, details, enough, get_only, questions, limit,
            delay, concurrency, robots, profile, overwrite, as_json,
        )  # fmt: skip
        return run_understand(wanted)
    if pages[0] == CORRECT:
        from siteseer.cli.form.understand import run_correct

        return run_correct(pages[1:])
    return _list(pages, url, as_json)


def _list(pages: list[str], url: str, as_json: bool) -> int:
    from siteseer.fetch.page_source import fetch_page, is_url, read_page
    from siteseer.forms.form_rows import form_rows

    failed = 0
    for name in pages:
        try:
            page = read_page(name, url or None, [], fetch_page)
        except OSError as error:
            print_error(f"{name}: {error.strerror}; name a file or a URL")
            failed += 1
            continue
        found = form_rows(page)
        if not found:
            print_error(f"{name}: there is no form" + (f" in the answer {page.status}" if page.status >= 400 else ""))
        for row in found:
            line = {"url" if is_url(name) else "file": name, **row}
            if as_json:
                answer(line)
            else:
                _print(name, line)
    return 1 if failed else 0


def _print(name: str, row: dict[str, Any]) -> None:
    print(plain(f"{name}  {row['index']}  {row['type']} ({row['confidence']:.2f})  {row['method']} {row['action']}"))
    for field in row["fields"]:
        if field["type"] == "hidden":
            continue
        options = [option["label"] or option["value"] for option in field["options"]]
        listed = f"  {json.dumps(options[:6], ensure_ascii=False)}" if options else ""
        words = " ".join(part for part in (field["name"], field["type"], field["role"]) if part)
        print(plain(f"    {words}  {field['label'][:60]}{listed[:200]}"))
    print(plain(f"    {'may be sent' if row['submitted'] else 'is left alone'}: {row['because']}"))
