"""`siteseer detect`: what software made these pages, and what kind of page each is."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any

import typer

from siteseer.errors import UsageError
from siteseer.model import Page
from siteseer.present.cli.say import answer, complain, plain

FetchPage = Callable[[str], Page]
"""Fetches the page at a URL."""


def fetch_page(url: str) -> Page:
    """Fetch a page that is named by its URL."""
    from siteseer.fetch.single import fetch_page as fetch

    return fetch(url)


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
        from siteseer.knowledge.base import KnowledgeBase

        base = KnowledgeBase.with_files(knowledge or ())
        failed = 0
        for name in pages:
            try:
                page = read_page(name, url, header or [], fetch_page)
            except OSError as error:
                complain(f"{name}: {error.strerror}; name a file or a URL")
                failed += 1
                continue
            row = {"url" if is_url(name) else "file": name, **recognised(page, base)}
            if as_json:
                answer(row)
            else:
                software = " ".join(filter(None, (row["application"] or "unknown", row["version"])))
                said = (software, row["level"] or "-", row["category"] or "-")
                print(plain(f"{name}  {'  '.join(said)}"))
                for evidence in row["evidence"]:
                    print(plain(f"    {evidence['kind']}: {evidence['pattern'][:100]}"))
        return 1 if failed else 0

    app.command("detect")(detect)


def is_url(name: str) -> bool:
    """Say whether a page is named by a URL."""
    return name.startswith(("http://", "https://"))


def read_page(name: str, url: str | None, headers: list[str], fetch_page: FetchPage | None) -> Page:
    """Return the page that a file or URL names."""
    if is_url(name):
        if fetch_page is None:
            raise UsageError(f"{name}: URLs cannot be fetched here; save the page and name the file")
        return fetch_page(name)
    pairs = []
    for header in headers:
        key, colon, value = header.partition(":")
        if not colon or not key.strip():
            raise UsageError(f"--header {header!r} is no header; write it as 'Name: value'")
        pairs.append((key.strip(), value.strip()))
    if not any(key.lower() == "content-type" for key, _ in pairs):
        pairs.append(("Content-Type", "application/json" if name.endswith(".json") else "text/html"))
    return Page(url or "", 200, tuple(pairs), Path(name).read_bytes())


def recognised(page: Page, knowledge: Any) -> dict[str, Any]:
    """Return what is recognised, as the command prints it."""
    from siteseer.recognise import recognise

    started = time.perf_counter()
    found = recognise(page, knowledge)
    return {
        "application": found.application,
        "version": found.version,
        "category": found.category,
        "level": found.level,
        "evidence": [{"kind": one.where, "pattern": one.pattern, "weight": one.weight} for one in found.evidence],
        "seconds": round(time.perf_counter() - started, 6),
    }
