"""Fetches one page by its URL, for commands that work on single pages: redirects followed, nothing archived."""

from __future__ import annotations

import logging

from siteseer.archive.content_decoding import content_encoding, decode
from siteseer.errors import FetchError, UsageError
from siteseer.event_loops import run_coroutine
from siteseer.fetch.certificates import UNTRUSTED
from siteseer.fetch.http import HttpFetcher
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.interfaces import Exchange, Request
from siteseer.model import Page
from siteseer.page.urls import host_of, resolve, wire
from siteseer.settings import USER_AGENT, FetchLimits
from siteseer.version import __version__

log = logging.getLogger(__name__)


def fetch_page(url: str, limits: FetchLimits | None = None) -> Page:
    """Fetch a page; raise FetchError where that cannot be done."""
    return run_coroutine(_fetch(url, limits or FetchLimits()))


async def _fetch(url: str, limits: FetchLimits) -> Page:
    try:
        current = wire(url)
    except ValueError:
        current = None
    if current is None:
        raise UsageError(f"{url} is no URL that can be fetched; write it as http://host/path")
    fetcher = HttpFetcher(USER_AGENT.format(version=__version__), AddressPolicy([current]), limits)
    passed: list[str] = []
    try:
        for _ in range(limits.redirects + 1):
            exchange = await fetcher.fetch(Request(current))
            if exchange.certificate:
                where = host_of(current)
                log.warning("siteseer: the certificate of %s %s (%s)", where, UNTRUSTED, exchange.certificate)
            target = redirect_target(exchange)
            if target is None:
                body = decode(exchange.body, content_encoding(exchange.headers), limits.decoded_bytes).body
                return Page(current, exchange.status, exchange.headers, body, exchange.started, tuple(passed))
            passed.append(current)
            current = target
    finally:
        await fetcher.close()
    raise FetchError(f"{url} redirects more than {limits.redirects} times")


def redirect_target(exchange: Exchange) -> str | None:
    """Return where a redirect leads; None where the answer is none."""
    if exchange.status not in (301, 302, 303, 307, 308):
        return None
    location = next((value for name, value in exchange.headers if name.lower() == "location"), None)
    return resolve(exchange.url, location) if location else None
