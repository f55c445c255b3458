"""Authenticates users of the web interface: checks Host, origin and token, and sets the browser's security policy.

Every request and every websocket must name us in its Host (so that no other site's name can be bent to point here),
must not come from another origin, and must carry the token: in the link that is printed at the start, afterwards in a
cookie that scripts cannot read and other sites cannot send.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qsl, urlencode

from starlette.responses import HTMLResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from siteseer.web.ui.texts import texts

OWN_DOORS = ("/api/", "/metrics", "/health")
"""Paths of the service, which guards them itself: its callers bring the token in a header."""
MAX_HEADER = 8_000


def policy(frames: Iterable[str]) -> str:
    """Return what pages of the interface may load: themselves, and archived pages in frames from their own origin.

    >>> "frame-src http://localhost:8081;" in policy(["http://localhost:8081"])
    True
    """
    return (
        "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
        f"img-src 'self' data:; font-src 'self' data:; connect-src 'self'; frame-src {' '.join(frames)}; "
        "object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def new_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(24)


class UiAuth:
    """Lets those with the token in, and sends everybody else away with one sentence."""

    def __init__(self, app: ASGIApp, token: str, port: int, frames: Iterable[str]) -> None:
        self.app, self.token = app, token
        self.cookie = f"siteseer-{port}"
        self.hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self.headers = {
            "content-security-policy": policy(frames),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cross-origin-opener-policy": "same-origin",
            "cross-origin-resource-policy": "same-origin",
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request or websocket, or hand it on."""
        if scope["type"] not in ("http", "websocket") or str(scope["path"]).startswith(OWN_DOORS):
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1").lower(): value.decode("latin-1") for name, value in scope["headers"]}
        status, sentence = self._refusal(scope, headers)
        if not status and scope["type"] == "http" and self._brings_token(scope):
            await self._let_in(scope, receive, send)
        elif status and scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4403, "reason": sentence})
        elif status:
            response = HTMLResponse(texts.REFUSED_PAGE.format(sentence), status, {"cache-control": "no-store"})
            await response(scope, receive, self._with_headers(send))
        else:
            await self.app(scope, receive, self._with_headers(send))

    def _refusal(self, scope: Scope, headers: dict[str, str]) -> tuple[int, str]:
        host, origin = headers.get("host", ""), headers.get("origin")
        if host not in self.hosts:
            return 421, texts.WRONG_HOST
        if origin is not None and origin.removeprefix("http://") not in self.hosts:
            return 403, texts.WRONG_ORIGIN
        if origin is None and headers.get("sec-fetch-site") in ("cross-site", "same-site") and not _is_visit(headers):
            return 403, texts.WRONG_ORIGIN
        if self._brings_token(scope) or self._has_cookie(headers):
            return 0, ""
        return 401, texts.NO_TOKEN

    def _brings_token(self, scope: Scope) -> bool:
        query = parse_qsl(scope.get("query_string", b"").decode("latin-1")[:MAX_HEADER])
        given = next((value for name, value in query if name == "token"), None)
        return scope["type"] == "http" and given is not None and _same(given, self.token)

    def _has_cookie(self, headers: dict[str, str]) -> bool:
        try:
            found = SimpleCookie(headers.get("cookie", "")[:MAX_HEADER]).get(self.cookie)
        except CookieError:
            return False
        return found is not None and _same(found.value, self.token)

    async def _let_in(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Put the token into a cookie and out of the address."""
        query = [pair for pair in parse_qsl(scope["query_string"].decode("latin-1")) if pair[0] != "token"]
        path = "/" + str(scope["path"]).lstrip("/")
        response = RedirectResponse(path + ("?" + urlencode(query) if query else ""), 303)
        response.set_cookie(self.cookie, self.token, httponly=True, samesite="strict", path="/")
        await response(scope, receive, self._with_headers(send))

    def _with_headers(self, send: Send) -> Send:
        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                given = [pair for pair in message["headers"] if pair[0].decode("latin-1").lower() not in self.headers]
                own = [(name.encode(), value.encode()) for name, value in self.headers.items()]
                message = {**message, "headers": [*given, *own]}
            await send(message)

        return sending


def _is_visit(headers: dict[str, str]) -> bool:
    """Say whether a person opens a page by a link, which any site may have."""
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


def _same(given: Any, known: str) -> bool:
    return hmac.compare_digest(str(given).encode("utf-8", "replace"), known.encode())
