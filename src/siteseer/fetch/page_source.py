"""Reads the page that a file or a URL names."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from siteseer.errors import FetchError, NotFoundError, UsageError
from siteseer.model import Page
from siteseer.settings import Politeness

PAGE_ENDINGS = (".html", ".htm", ".xhtml", ".xml", ".json", ".txt", ".mhtml")
MOST_SEARCHED = 2**20
_MARKUP = re.compile(rb"<(?:[!?]|/?[A-Za-z][A-Za-z0-9:-]*(?:\s|/?>))|^\s*[{\[]|\x00<\x00?", re.ASCII)
FetchPage = Callable[[str], Page]
"""Fetches the page at a URL."""


def fetch_page(url: str) -> Page:
    """Fetch a page that is named by its URL."""
    from siteseer.fetch.fetch_one import fetch_page as fetch

    return fetch(url)


def page_fetcher(polite: Politeness) -> FetchPage:
    """Return what fetches pages as politely as the options say; the libraries for that are loaded at the first page."""

    @cache
    def fetcher() -> FetchPage:
        from siteseer.fetch.fetch_one import PageFetcher

        return PageFetcher(polite).fetch

    return lambda url: fetcher()(url)


def is_url(name: str) -> bool:
    """Say whether a page is named by a URL."""
    return name.startswith(("http://", "https://"))


def parse_headers(headers: Iterable[str]) -> list[tuple[str, str]]:
    """Return names and values of headers that were given as 'Name: value'."""
    pairs = []
    for header in headers:
        key, colon, value = header.partition(":")
        if not colon or not key.strip():
            raise UsageError(f"--header {header!r} is no header; write it as 'Name: value'")
        pairs.append((key.strip(), value.strip()))
    return pairs


def read_page(name: str, url: str | None, headers: list[str], fetch_page: FetchPage | None) -> Page:
    """Return the page that a file or URL names."""
    if is_url(name):
        if fetch_page is None:
            raise UsageError(f"{name}: URLs cannot be fetched here; save the page and name the file")
        try:
            return fetch_page(name)
        except FetchError as error:
            raise error if name in str(error) else type(error)(f"{name}: {error}") from error
    pairs = parse_headers(headers)
    body = _bytes_of(name)
    if not any(key.lower() == "content-type" for key, _ in pairs):
        is_json = name.endswith(".json")
        if not is_json and body and not _MARKUP.search(body[:MOST_SEARCHED]):
            raise UsageError(f"{name} is no Web page: there is no markup in it; name an HTML file, a feed or a URL")
        pairs.append(("Content-Type", "application/json" if is_json else "text/html"))
    return Page(url or "", 200, tuple(pairs), body)


def _bytes_of(name: str) -> bytes:
    try:
        return Path(name).read_bytes()
    except FileNotFoundError as error:
        advice = f"; did you mean https://{name}?" if _is_host(name) else "; name a file or a URL"
        raise NotFoundError(f"{name}: there is no such file{advice}") from error
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or error
        raise UsageError(f"{name} cannot be read as a page: {reason}; name a file or a URL") from error


def _is_host(name: str) -> bool:
    """Say whether somebody may have left out the beginning of an address.

    >>> _is_host("example.org/news"), _is_host("page.html"), _is_host("../page")
    (True, False, False)
    """
    host, slash, _ = name.partition("/")
    return bool(re.fullmatch(r"[\w-]+(\.[\w-]+)+", host)) and (bool(slash) or not host.endswith(PAGE_ENDINGS))
