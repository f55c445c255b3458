"""Exchanges to write, as a fetcher would hand them over."""

from __future__ import annotations

import io
from datetime import UTC, datetime

from siteseer.interfaces import Exchange

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
