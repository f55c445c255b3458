"""Converts an exchange to a `Page`."""

from __future__ import annotations

from siteseer.archive.content_decoding import content_encoding, decode
from siteseer.interfaces import Exchange
from siteseer.model import Page


def page_of(exchange: Exchange, most_bytes: int) -> Page:
    """Return the page of an answer, decompressed; a body that is longer is cut."""
    return page_and_cut(exchange, most_bytes)[0]


def page_and_cut(exchange: Exchange, most_bytes: int) -> tuple[Page, str]:
    """Return the page of an answer, and why its end is missing; an empty text where it is whole."""
    exchange.body.seek(0)
    encoding = content_encoding(exchange.headers)
    if encoding:
        decoded = decode(exchange.body, encoding, most_bytes)
        body, cut = decoded.body, decoded.cut
    else:
        body, cut = exchange.body.read(most_bytes), ""
    if len(body) == most_bytes and (encoding or exchange.body_length > most_bytes):
        cut = f"it is longer than {most_bytes >> 20:,} MB"
    return Page(exchange.url, exchange.status, exchange.headers, body, exchange.started), cut
