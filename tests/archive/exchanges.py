"""Exchanges to write, as a fetcher would hand them over."""

from __future__ import annotations

import io
from datetime import UTC, datetime

from siteseer.archive.cdxj import Entry
from siteseer.archive.request_keys import request_query
from siteseer.archive.warc_record import target_uri
from siteseer.interfaces import Exchange
from siteseer.model import Capture

TIME = datetime(2026, 3, 4, 5, 6, 7, 123456, tzinfo=UTC)
INFO = {"software": "siteseer/0.1", "robots": "obey", "http-header-user-agent": "siteseer", "isPartOf": "test"}
HTML = (("Content-Type", "text/html; charset=utf-8"),)


def an_exchange(url="http://example.org/", body=b"<p>hello", headers=HTML, **others) -> Exchange:
    method = others.pop("method", "GET")
    asked_with = others.pop("asked_with", "")
    head = f"{method} / HTTP/1.1\r\nHost: example.org\r\n{asked_with}\r\n".encode()
    given = {"request_head": head, "request_body": b"", "status": 200, "reason": "OK", "started": TIME} | others
    return Exchange(
        url=url,
        milliseconds=12,
        ip="192.0.2.1",
        headers=tuple(headers),
        body=io.BytesIO(body),
        body_length=len(body),
        **given,
    )


def entry_of(exchange: Exchange, capture: Capture, revisit: bool = False) -> Entry:
    """Return the index line of an exchange just written."""
    method = exchange.request_head.split(b" ", 1)[0].decode("latin-1").upper() or "GET"
    content_type = _header_of(exchange.request_head, b"content-type")
    mime = next((value for name, value in exchange.headers if name.lower() == "content-type"), "")
    mime = "warc/revisit" if revisit else mime.split(";")[0].strip().lower() or "unk"
    query = request_query(method, content_type, exchange.request_body)
    place = capture.digest, capture.file, capture.offset, capture.length
    return Entry(target_uri(exchange.url), capture.time, exchange.status, mime, *place, method, query)


def _header_of(head: bytes, name: bytes) -> str:
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.strip().lower() == name:
            return value.strip().decode("latin-1")
    return ""
