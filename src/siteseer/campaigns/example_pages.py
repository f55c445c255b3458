"""Loads the example pages of a campaign's definition: files next to it, or URLs, fetched once."""

from __future__ import annotations

import asyncio
from pathlib import Path

from siteseer.archive.content_decoding import content_encoding, decode
from siteseer.campaigns.relevance.definition import Definition
from siteseer.errors import FetchError, UsageError
from siteseer.event_loops import run_coroutine
from siteseer.fetch.crawler_identity import identity_headers, user_agent
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import Request
from siteseer.model import Page
from siteseer.page.urls import resolve
from siteseer.settings import FetchLimits

LARGEST = 10 * 2**20
_REDIRECTS = 5


def load_examples(definition: Definition, folder: Path) -> list[Page]:
    """Return the example pages; raise where one of them cannot be had."""
    files = [one for one in definition.examples if "://" not in one]
    urls = [one for one in definition.examples if "://" in one]
    pages = [_from_file(folder / name) for name in files]
    return pages + (run_coroutine(_fetched(urls, definition)) if urls else [])


def _from_file(path: Path) -> Page:
    try:
        with path.open("rb") as file:
            body = file.read(LARGEST)
    except OSError as error:
        raise UsageError(f"the example {path} cannot be read: {error.strerror}") from error
    return Page(f"file:///{path.name}", 200, (("Content-Type", "text/html"),), body)


async def _fetched(urls: list[str], definition: Definition) -> list[Page]:
    polite = definition.politeness
    addresses = AddressPolicy([*urls, *definition.all_seeds], polite.allow_private, polite.tls)
    fetcher = HttpFetcher(user_agent(polite), addresses, headers=identity_headers(polite))
    try:
        found = []
        for number, url in enumerate(urls):
            if number:
                await asyncio.sleep(definition.politeness.delay)
            found.append(await _one(fetcher, url))
        return found
    finally:
        await fetcher.close()


async def _one(fetcher: HttpFetcher, url: str) -> Page:
    where = url
    for _ in range(_REDIRECTS):
        try:
            exchange = await fetcher.fetch(Request(where))
        except FetchError as error:
            raise UsageError(f"the example {url} cannot be had: {error}") from error
        location = next((value for name, value in exchange.headers if name.lower() == "location"), "")
        target = resolve(where, location) if 300 <= exchange.status < 400 and location else None
        if target is None:
            break
        where = target
    if exchange.status != 200:
        raise UsageError(f"the example {url} is answered with status {exchange.status}")
    exchange.body.seek(0)
    body = decode(exchange.body, content_encoding(exchange.headers), FetchLimits().decoded_bytes).body
    return Page(where, exchange.status, exchange.headers, body)
