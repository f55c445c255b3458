"""`siteseer changes`: shows what changed between two captures of a page, or between two collections."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.cli.output.output_file import check_new_file, new_file
from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.parameters.page_errors import polite_fetcher
from siteseer.cli.terminal import answer, plain, print_message
from siteseer.errors import UsageError
from siteseer.settings import Politeness


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("changes")(changes)


@takes(Politeness, "changes")
def changes(
    given: dict[str, Any],
    old: Annotated[str, typer.Argument(help="A page (file or URL), or a collection.")],
    new: Annotated[str, typer.Argument(help="The page or collection to compare with it.")],
    view: Annotated[str | None, typer.Option(help="Write an HTML view instead: merged, side or only.")] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", help="Where the view goes (default: stdout).")
    ] = None,
    overwrite: Annotated[bool, typer.Option("--overwrite", help="Replace a file that exists.")] = False,
    url: Annotated[str | None, typer.Option(help="The URL from which the files came.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print everything as JSON.")] = False,
) -> int:
    """Compare two captures of a page by kind of change and on its main object; or the objects of two collections."""
    if Path(old).is_dir() and Path(new).is_dir():
        if view:
            raise UsageError("--view is for pages; name two files or URLs")
        return _collections(Path(old), Path(new), as_json)
    from siteseer.change.diff import VIEWS, compare, comparison_html
    from siteseer.fetch.page_source import read_page

    if output:
        if not view:
            raise UsageError("-o is for an HTML view; add --view merged, side or only")
        check_new_file(output, overwrite)
    if view and view not in VIEWS:
        raise UsageError(f"there is no view {view!r}; choose one of {', '.join(VIEWS)}")
    fetch_page = polite_fetcher(given)
    before, after = (read_page(name, url, [], fetch_page) for name in (old, new))
    found = compare(before, after)
    if view:
        drawn = comparison_html(view, before, after, found)
        if output:
            with new_file(output) as to:
                to.write(drawn)
            print_message(f"wrote {output}")
        else:
            print(drawn)
        return 0
    if as_json:
        answer(asdict(found))
        return 0
    print(plain(f"{found.verdict}: {found.because}"))
    for name, measures in (("page", found.page), ("object", found.object)):
        print(f"  {name:7} " + "  ".join(f"{key} {value:.3f}" for key, value in measures.items()))
    for change in found.changes[:50]:
        print(
            plain(
                f"  {change.kind:9} {change.what:8} {change.region:8} {change.xpath}  {_shown(change.old, change.new)}"
            )
        )
    if len(found.changes) > 50:
        print(f"  and {len(found.changes) - 50} more; --json prints all")
    return 0


def _shown(old: str, new: str) -> str:
    one, two = (" ".join(text.split())[:60] for text in (old, new))
    return f"{one!r} -> {two!r}" if one and two else repr(one or two)


def _collections(old: Path, new: Path, as_json: bool) -> int:
    import siteseer

    found = siteseer.changes(old, new)
    rows = found["changes"]
    if as_json:
        for row in rows:
            answer(row)
        return 0
    print(f"{found['new']} new, {found['gone']} gone, {found['edited']} edited, {found['same']} the same")
    for row in rows[:100]:
        print(plain(f"  {row['change']:7} {row['kind']:8} {row['url']}  {row.get('title') or ''}"))
    return 0
