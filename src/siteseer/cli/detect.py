"""`siteseer detect`: recognises the software behind pages, and the kind of each page."""

from __future__ import annotations

from typing import Annotated

import typer

from siteseer.cli.parameters.page_errors import NamedPages
from siteseer.cli.terminal import answer, plain
from siteseer.fetch.page_source import FetchPage, fetch_page, is_url
from siteseer.knowledge.recognition_json import recognition_json


def register(app: typer.Typer, fetch_page: FetchPage | None = fetch_page) -> None:
    """Add the command; `fetch_page` gets the pages that are named by a URL."""

    def detect(
        pages: Annotated[list[str], typer.Argument(help="Files or URLs.")],
        url: Annotated[str | None, typer.Option(help="The URL from which a file came.")] = None,
        header: Annotated[list[str] | None, typer.Option(help="An HTTP header of a file, as 'Name: value'.")] = None,
        knowledge: Annotated[list[str] | None, typer.Option(help="Further knowledge files, or `none`.")] = None,
        as_json: Annotated[bool, typer.Option("--json", help="One JSON object per line.")] = False,
    ) -> int:
        """Recognise the software behind pages, and the kind of each page."""
        from siteseer.knowledge.knowledge_base import KnowledgeBase

        base = KnowledgeBase.with_files(knowledge or ())
        named = NamedPages(fetch_page, url, header or ())
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
