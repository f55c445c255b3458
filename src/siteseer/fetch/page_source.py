"""Reads the page that a file or a URL names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from siteseer.errors import UsageError
from siteseer.model import Page

FetchPage = Callable[[str], Page]
"""Fetches the page at a URL."""


def fetch_page(url: str) -> Page:
    """Fetch a page that is named by its URL."""
    from siteseer.fetch.fetch_one import fetch_page as fetch

    return fetch(url)


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
