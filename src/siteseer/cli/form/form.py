"""`siteseer form`: lists the forms of pages; `form probe` searches with them, `form understand` learns their use."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from siteseer.cli.form.understand import correct, understand
from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.parameters.page_errors import NamedPages, polite_fetcher
from siteseer.cli.terminal import answer, plain, print_error
from siteseer.errors import UsageError
from siteseer.settings import CrawlOptions, Politeness

AsJson = Annotated[bool, typer.Option("--json", help="One JSON object per line.")]


class _ListOrCommand(TyperGroup):
    """`form PAGE` lists; `form probe`, `understand` and `correct` are commands: what is no name of one is a page."""

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        return super().resolve_command(ctx, args if args and args[0] in self.commands else ["list", *args])

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        named = bool(args) and (args[0] in self.commands or args[0] in ("--help", "-h"))
        return super().parse_args(ctx, args if named or not args else ["list", *args])


def register(app: typer.Typer) -> None:
    """Add the commands."""
    group = typer.Typer(
        cls=_ListOrCommand, no_args_is_help=True,
        help="List the forms of pages; search with them, learn what they ask for, put that right.",
    )  # fmt: skip
    group.command("list", help="List the forms of pages: `form PAGE...` does the same.")(list_forms)
    group.command("probe")(probe)
    group.command("understand")(understand)
    group.command("correct")(correct)
    app.add_typer(group, name="form")


@takes(CrawlOptions, "form probe")
def probe(
    given: dict[str, Any],
    pages: Annotated[list[str], typer.Argument(metavar="URL...", help="Pages with search forms.")],
    output: Annotated[Path | None, typer.Option("-o", "--output", help="The collection of what is found.")] = None,
    get_only: Annotated[bool, typer.Option("--get-only", help="Send no form by POST.")] = False,
    as_json: AsJson = False,
) -> int:
    """Search with the forms of pages, and archive what they list."""
    from siteseer.cli.crawl import run_crawl

    if output is None:
        raise UsageError("form probe needs a directory for what it finds: add -o DIR")
    strategy = "probe-get" if get_only else "probe"
    return run_crawl(CrawlOptions(tuple(pages), output, strategy, assets="none", **given), as_json)


@takes(Politeness, "form list")
def list_forms(
    given: dict[str, Any],
    pages: Annotated[list[str], typer.Argument(metavar="PAGE...", help="Files or URLs.")],
    url: Annotated[str, typer.Option(help="The URL from which a file came.")] = "",
    as_json: AsJson = False,
) -> int:
    """List the forms of pages."""
    from siteseer.fetch.page_source import is_url
    from siteseer.forms.form_rows import form_rows

    named = NamedPages(polite_fetcher(given), url or None)
    for name, page in named.read(pages):
        found = form_rows(page)
        if not found:
            print_error(f"{name}: there is no form" + (f" in the answer {page.status}" if page.status >= 400 else ""))
        for row in found:
            line = {"url" if is_url(name) else "file": name, **row}
            if as_json:
                answer(line)
            else:
                _print(name, line)
    return named.exit_code


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
