"""`siteseer detect`: recognises the software behind pages, and the kind of each page."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Annotated, Any

import typer

from siteseer.cli.parameters.option_parameters import takes
from siteseer.cli.parameters.page_errors import NamedPages, polite_fetcher
from siteseer.cli.terminal import answer, plain
from siteseer.fetch.page_source import FetchPage, is_url
from siteseer.knowledge.recognition_json import recognition_json
from siteseer.settings import CrawlOptions

MakeFetcher = Callable[[Mapping[str, Any]], FetchPage | None]


def register(app: typer.Typer, make_fetcher: MakeFetcher = polite_fetcher) -> None:
    """Add the command; `make_fetcher` returns what gets the pages that are named by a URL, from the options."""

    @takes(CrawlOptions, "detect")
    def detect(
        given: dict[str, Any],
        pages: Annotated[list[str], typer.Argument(help="Files or URLs.")],
        url: Annotated[str | None, typer.Option(help="The URL from which a file came.")] = None,
        header: Annotated[list[str] | None, typer.Option(help="An HTTP header of a file, as 'Name: value'.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
    ) -> int:
        """Recognise the software behind pages, and the kind of each page."""
        from siteseer.knowledge.knowledge_base import KnowledgeBase

        base = KnowledgeBase.with_files(given.get("knowledge", ()))
        named = NamedPages(make_fetcher(given), url, header or ())
        for name, page in named.read(pages):
            row = {"url" if is_url(name) else "file": name, **recognition_json(page, base)}
            if as_json:
                answer(row)
            else:
                software = " ".join(filter(None, (row["application"] or "unknown", row["version"])))
                said = (software, row["level"] or "-", row["category"] or "-")
                print(plain(f"{name}  {'  '.join(said)}"))
                for evidence in row["evidence"]:
                    print(plain(f"    {evidence['kind']}: {evidence['pattern'][:100]}"))
        return named.exit_code

    app.command("detect")(detect)
