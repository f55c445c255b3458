"""What a real browser fetched, as an exchange for the archive.

The browser hands out bodies without their content encoding: the header that named it is kept under another name.
"""

from __future__ import annotations

from datetime import UTC, datetime
from io import BytesIO
from typing import Any

from siteseer.fetch.browser_library import playwright_error
from siteseer.interfaces import Exchange

ALTERED = ("content-encoding", "content-length", "transfer-encoding")


def exchange_of(request: Any) -> Exchange | None:
    """Return a finished request of Playwright as an exchange; None where the browser no longer has it."""
    if not request.url.startswith(("http://", "https://")):
        return None
    try:
        response = request.response()
        if response is None:
            return None
        body = b"" if 300 <= response.status < 400 else response.body()
        return _made(request, response, body)
    except playwright_error():
        return None


def _made(request: Any, response: Any, body: bytes) -> Exchange:
    headers = [(one["name"], one["value"]) for one in response.headers_array()]
    kept = tuple((f"X-Archive-Orig-{name}" if name.lower() in ALTERED else name, value) for name, value in headers)
    sent = [(one["name"], one["value"]) for one in request.headers_array()]
    path = "/" + request.url.split("/", 3)[3] if request.url.count("/") > 2 else "/"
    lines = [f"{request.method} {path.partition('#')[0]} HTTP/1.1", *(f"{name}: {value}" for name, value in sent)]
    timing = request.timing
    server = response.server_addr() or {}
    return Exchange(
        url=request.url.partition("#")[0],
        started=datetime.fromtimestamp(max(timing["startTime"], 0) / 1000, UTC) if timing else datetime.now(UTC),
        milliseconds=int(max(timing["responseEnd"], 0)) if timing else 0,
        ip="" if server.get("ipAddress") in (None, "127.0.0.1") else str(server["ipAddress"]),
        request_head=("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "replace"),
        request_body=request.post_data_buffer or b"",
        status=response.status,
        reason=response.status_text,
        headers=(*kept, ("Content-Length", str(len(body)))),
        body=BytesIO(body),
        body_length=len(body),
    )
