"""Reads facts from a SPARQL endpoint page by page, within limits of size and time."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterator
from typing import Any
from urllib.parse import urlencode

from siteseer.alignment.alignment_model import Fact
from siteseer.archive.content_decoding import content_encoding, decode
from siteseer.errors import FetchError, SiteseerError, TemporaryFetchError, UnreachableError, UsageError
from siteseer.event_loops import run_coroutine
from siteseer.fetch.fetch_one import redirect_target
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import Request
from siteseer.page.urls import wire
from siteseer.settings import USER_AGENT, FetchLimits
from siteseer.version import __version__

PAGE = 10_000
"""Facts asked for at once: what the common endpoints are willing to sort."""
MOST = 5_000_000
LIMITS = FetchLimits(body_bytes=64 * 2**20, decoded_bytes=64 * 2**20, total_seconds=120.0)
QUERY = "SELECT ?s ?p ?o WHERE {{ ?s ?p ?o }} ORDER BY ?s ?p ?o LIMIT {limit} OFFSET {offset}"
JSON_RESULTS = "application/sparql-results+json"


def endpoint_facts(url: str, page: int = PAGE) -> list[Fact]:
    """Return all facts that a SPARQL 1.1 endpoint has; raise FetchError where it does not answer as one."""
    return run_coroutine(_all(url, page))


async def _all(url: str, page: int) -> list[Fact]:
    try:
        address = wire(url)
    except ValueError:
        address = None
    if address is None:
        raise UsageError(f"{url} is no URL that can be asked; write it as http://host/path")
    fetcher = HttpFetcher(USER_AGENT.format(version=__version__), AddressPolicy([address], tls="strict"), LIMITS)
    try:
        return [fact async for fact in _paged(fetcher, address, page)]
    except TemporaryFetchError as error:
        raise UnreachableError(f"{url} cannot be asked: {error}; try again later") from error
    finally:
        await fetcher.close()


async def _paged(fetcher: HttpFetcher, url: str, page: int) -> AsyncIterator[Fact]:
    """Ask until there is nothing new: many endpoints give fewer rows at once than asked for, or always the same."""
    offset, before = 0, list[Any]()
    while offset < MOST:
        rows = await _answer(fetcher, url, QUERY.format(limit=page, offset=offset))
        if not rows or rows == before:
            return
        for row in rows:
            if (fact := _fact(row)) is not None:
                yield fact
        offset, before = offset + len(rows), rows
    raise SiteseerError(f"{url} has more than {MOST:,} facts; download them as N-Triples, or a part of them")


async def _answer(fetcher: HttpFetcher, url: str, query: str) -> list[Any]:
    asked = current = f"{url}{'&' if '?' in url else '?'}{urlencode({'query': query})}"
    for _ in range(fetcher.limits.redirects + 1):
        exchange = await fetcher.fetch(Request(current, headers=(("Accept", JSON_RESULTS),)))
        target = redirect_target(exchange)
        if target is None:
            break
        current = target
    else:
        raise FetchError(f"{url} redirects more than {fetcher.limits.redirects} times")
    if exchange.status in (408, 429, 500, 502, 503, 504):
        raise UnreachableError(f"{url} answered {exchange.status} to a query; try again later")
    if exchange.status != 200:
        raise FetchError(f"{url} answered {exchange.status} to a query; name the address of a SPARQL endpoint")
    if exchange.truncated:
        raise FetchError(f"the answer of {url} was longer or slower than allowed; download its facts as a file")
    decoded = decode(exchange.body, content_encoding(exchange.headers), LIMITS.decoded_bytes)
    return list(_bindings(decoded.body, asked.partition("?")[0]))


def _bindings(body: bytes, url: str) -> Iterator[Any]:
    try:
        rows = json.loads(body)["results"]["bindings"]
    except (ValueError, KeyError, TypeError, RecursionError):
        rows = None
    if not isinstance(rows, list):
        raise FetchError(f"{url} does not answer with SPARQL results in JSON; name the address of a SPARQL endpoint")
    yield from rows


def _fact(row: Any) -> Fact | None:
    """Return the fact of a row; rows that are none, and empty texts, are left out."""
    try:
        subject, relation, value = (row[name] for name in ("s", "p", "o"))
        kind, text = value["type"], value["value"]
        names = [_name(term) for term in (subject, relation, value)]
    except (KeyError, TypeError):
        return None
    if not all(isinstance(name, str) and name for name in names):
        return None
    literal = kind in ("literal", "typed-literal")
    return Fact(names[0], names[1], text if literal else names[2], literal)


def _name(term: Any) -> Any:
    return f"_:{term['value']}" if term["type"] == "bnode" else term["value"]
