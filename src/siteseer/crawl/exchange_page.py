"""An exchange in, the page that it brought out."""

from __future__ import annotations

from siteseer.archive.decode import content_encoding, decode
from siteseer.interfaces import Exchange
from siteseer.model import Page


def page_of(exchange: Exchange, most_bytes: int) -> Page:
    """Return the page of an answer, decompressed; a body that is longer is cut."""
    exchange.body.seek(0)
    encoding = content_encoding(exchange.headers)
    body = decode(exchange.body, encoding, most_bytes).body if encoding else exchange.body.read(most_bytes)
    return Page(exchange.url, exchange.status, exchange.headers, body, exchange.started)
