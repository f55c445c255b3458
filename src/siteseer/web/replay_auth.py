"""Protects full replay with a key: a WSGI middleware that checks Host, origin and key.

Replay runs the scripts of archived pages, so it has an origin of its own. This door sees that nobody else uses it: a
request must name this machine in its Host (no other site's name can be bent to point here), must not come from a page
of another origin, and must carry the key: first in the link, afterwards in a cookie that scripts cannot read.
"""

from __future__ import annotations

import hmac
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from typing import Any

Environ = dict[str, Any]
Start = Callable[..., Any]
Wsgi = Callable[[Environ, Start], Iterable[bytes]]

COOKIE = "siteseer-replay"
LINK = "/open/"
"""`/open/KEY/collection/...` leads to `/collection/...`, with the key in a cookie."""
NAMES = ("127.0.0.1", "localhost")
HEADERS = (
    ("Content-Security-Policy", "frame-ancestors 'self'"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Referrer-Policy", "same-origin"),
)
REFUSED = "This replay is opened from the interface of Siteseer: press “Replay” there.\n".encode()


class ReplayAuth:
    """Lets those with the key in.

    >>> door = ReplayAuth(lambda environ, start: [b"inside"], "key")
    >>> list(door({"HTTP_HOST": "evil.example:80", "SERVER_PORT": "80"}, lambda *said: None)) == [REFUSED]
    True
    """

    def __init__(self, app: Wsgi, key: str) -> None:
        self.app, self.key = app, key

    def __call__(self, environ: Environ, start: Start) -> Iterable[bytes]:
        """Answer one request, or hand it on."""
        asked = str(environ.get("REQUEST_URI") or environ.get("PATH_INFO", ""))
        if not self._is_ours(environ):
            return _refuse(start)
        if asked.startswith(LINK):
            key, _, rest = asked.removeprefix(LINK).partition("/")
            return self._let_in(rest, environ, start) if _same(key, self.key) else _refuse(start)
        if not self._has_cookie(environ):
            return _refuse(start)
        return self.app(environ, lambda status, headers, *rest: start(status, _guarded(headers), *rest))

    def _is_ours(self, environ: Environ) -> bool:
        hosts = [f"{name}:{environ.get('SERVER_PORT', '')}" for name in NAMES]
        host, origin = environ.get("HTTP_HOST", ""), environ.get("HTTP_ORIGIN")
        if host not in hosts or (origin is not None and origin != f"http://{host}"):
            return False
        if environ.get("HTTP_SEC_FETCH_SITE", "none") in ("none", "same-origin"):
            return True
        return environ.get("HTTP_SEC_FETCH_MODE") == "navigate" and environ.get("HTTP_SEC_FETCH_DEST") == "document"

    def _has_cookie(self, environ: Environ) -> bool:
        try:
            found = SimpleCookie(str(environ.get("HTTP_COOKIE", ""))).get(self._cookie(environ))
        except CookieError:
            return False
        return found is not None and _same(found.value, self.key)

    def _let_in(self, rest: str, environ: Environ, start: Start) -> Iterable[bytes]:
        """Put the key into a cookie and out of the address; a strict one would not come along from the interface."""
        cookie = f"{self._cookie(environ)}={self.key}; Path=/; HttpOnly; SameSite=Lax"
        start("303 See Other", [("Location", "/" + rest.lstrip("/")), ("Set-Cookie", cookie), *HEADERS])
        return []

    def _cookie(self, environ: Environ) -> str:
        """Return the cookie's name: browsers share cookies between ports."""
        return f"{COOKIE}-{environ.get('SERVER_PORT', '')}"


def _refuse(start: Start) -> Iterable[bytes]:
    start("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8"), *HEADERS])
    return [REFUSED]


def _guarded(headers: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Return the headers of an answer without what would let other origins read it."""
    return [pair for pair in headers if not pair[0].lower().startswith("access-control-")] + list(HEADERS)


def _same(given: str, known: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "replace"), known.encode())
