"""Authenticates requests to the service: checks Host, origin and token, and limits the size of bodies.

A request must name us in its Host, so that no other name can be bent to point here, and must not come from a page
of another origin. Bodies have a greatest size, counted as they arrive. What fetches or changes needs the token.
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Collection
from typing import Annotated, Any

from fastapi import Depends, HTTPException, Request
from fastapi.security import HTTPAuthorizationCredentials, HTTPBearer
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from siteseer.web.api.error_responses import PARAMETER

BODY_BYTES = 2**20
PAGE_BYTES = 48 * 2**20
"""A page of the largest size that is looked at, as JSON."""
LARGE = ("/api/decide", "/api/detect", "/api/wrappers/induce")
LOCAL_NAMES = ("127.0.0.1", "localhost", "[::1]")
HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'; sandbox",
}

NO_TOKEN = "this needs the token that was printed at the start"
CHALLENGE = {"WWW-Authenticate": "Bearer"}

_bearer = HTTPBearer(auto_error=False, description="The token that is printed when the service starts.")


def needs_token(
    request: Request, given: Annotated[HTTPAuthorizationCredentials | None, Depends(_bearer)] = None
) -> None:
    """Refuse a call that does not carry the token."""
    if not _has_token(request.app, f"Bearer {given.credentials if given else ''}"):
        raise HTTPException(401, NO_TOKEN, CHALLENGE)


def _has_token(app: Any, authorization: str) -> bool:
    """Say whether a request carries the token of the service."""
    scheme, _, said = authorization.partition(" ")
    known: str = app.state.token
    return scheme.lower() == "bearer" and hmac.compare_digest(said.strip().encode("utf-8", "replace"), known.encode())


def guarded_calls(app: Any) -> list[tuple[str, re.Pattern[str]]]:
    """Return the calls that are for those with the token, as the OpenAPI document tells: methods and paths."""
    paths: dict[str, dict[str, Any]] = app.openapi()["paths"]
    return [
        (method.upper(), re.compile(PARAMETER.sub("[^/]+", path)))
        for path, methods in paths.items()
        for method, call in methods.items()
        if call.get("security")
    ]


class ApiAuth:
    """Checks Host, Origin and size before anything else looks at a request to the service."""

    def __init__(self, app: ASGIApp, hosts: Collection[str] | None) -> None:
        self.app, self.hosts = app, hosts
        self._guarded: list[tuple[str, re.Pattern[str]]] | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request, or hand it on."""
        if scope["type"] != "http" or not str(scope["path"]).startswith(("/api", "/metrics", "/health")):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        most = PAGE_BYTES if str(scope["path"]).rstrip("/") in LARGE else BODY_BYTES
        status, sentence = self._refusal(headers, most)
        if not status and self._needs_token(scope) and not _has_token(scope["app"], headers.get("authorization", "")):
            status, sentence = 401, NO_TOKEN
        if status:
            await _answer(send, status, sentence)
            return
        await self.app(scope, _Body(receive, most), _with_headers(send))

    def _needs_token(self, scope: Scope) -> bool:
        """Say whether a call is for those with the token, before its body is looked at."""
        if self._guarded is None:
            self._guarded = guarded_calls(scope["app"])
        return any(scope["method"] == method and path.fullmatch(scope["path"]) for method, path in self._guarded)

    def _refusal(self, headers: dict[str, str], most: int) -> tuple[int, str]:
        host, origin = headers.get("host", ""), headers.get("origin")
        if not _is_ours(host, self.hosts):
            return 421, "this service answers under its own name only"
        if origin is not None and origin.partition("://")[2] != host:
            return 403, "pages of other sites may not call this service"
        if origin is None and headers.get("sec-fetch-site") in ("cross-site", "same-site"):
            return 403, "pages of other sites may not call this service"
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > most:
            return 413, f"the body is larger than {most:,} bytes"
        return 0, ""


def _is_ours(host: str, hosts: Collection[str] | None) -> bool:
    if hosts is not None:
        return host in hosts
    name, colon, port = host.rpartition(":") if not host.endswith("]") else (host, "", "")
    return (name if colon and port.isdigit() else host) in LOCAL_NAMES


class _Body:
    """Counts what arrives: a body without Content-Length has an end too."""

    def __init__(self, receive: Receive, most: int) -> None:
        self.receive, self.most, self.left = receive, most, most

    async def __call__(self) -> Message:
        message = await self.receive()
        if message["type"] == "http.request":
            self.left -= len(message.get("body", b""))
            if self.left < 0:
                raise HTTPException(413, f"the body is larger than {self.most:,} bytes")
        return message


def _with_headers(send: Send) -> Send:
    """Add our headers to an answer that does not set them itself."""

    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message["headers"]}
            own = [(name.encode(), value.encode()) for name, value in HEADERS.items() if name.encode() not in given]
            message = {**message, "headers": [*message["headers"], *own]}
        await send(message)

    return sending


async def _answer(send: Send, status: int, sentence: str) -> None:
    body = json.dumps({"error": sentence}).encode()
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    more = {**HEADERS, **(CHALLENGE if status == 401 else {})}
    headers += [(name.lower().encode(), value.encode()) for name, value in more.items()]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})
