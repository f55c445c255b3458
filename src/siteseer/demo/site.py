"""The interface of every demo site: requests, responses, and answers that all of them give."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from urllib.parse import parse_qsl, unquote, urlsplit

from siteseer.demo.truth import Truth

Headers = tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class SiteRequest:
    """A client's request. Header names are in lower case.

    >>> SiteRequest("GET", "/find?q=tea&page=2").query
    {'q': 'tea', 'page': '2'}
    """

    method: str
    target: str
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes = b""

    @cached_property
    def path(self) -> str:
        """The path, percent-decoded."""
        return unquote(self.target.partition("?")[0])

    @cached_property
    def query(self) -> dict[str, str]:
        """The query's fields, the last of each name."""
        return dict(parse_qsl(self.target.partition("?")[2], keep_blank_values=True))

    @cached_property
    def form(self) -> dict[str, str]:
        """The fields of a submitted form."""
        return dict(parse_qsl(self.body.decode("utf-8", "replace"), keep_blank_values=True))

    @property
    def origin(self) -> str:
        """Scheme and host as the client wrote them."""
        return "http://" + self.headers.get("host", "127.0.0.1")


@dataclass(frozen=True)
class SiteResponse:
    """The site's response.

    `wire`, when given, goes over the connection as it is instead of a well-formed response, piece by piece with
    `pause` seconds between, and the connection is then closed (`reset`: with a TCP reset). The pieces may be endless.
    """

    status: int = 200
    headers: Headers = ()
    body: bytes = b""
    violation: str = ""
    """The name of the state-changing form that a well-behaved crawler would not have submitted."""
    wire: Iterable[bytes] | None = None
    pause: float = 0.0
    reset: bool = False


@dataclass(frozen=True)
class Site:
    """A demo site: its truth, and a function that answers requests."""

    truth: Truth
    answer: Callable[[SiteRequest], SiteResponse]
    has_validators: bool = False
    """Whether answers carry an ETag, and a request that names it is answered 304."""

    def respond(self, request: SiteRequest) -> SiteResponse:
        """Answer a request."""
        response = self.answer(request)
        if not self.has_validators or response.status != 200 or response.wire is not None:
            return response
        tag = f'"{zlib.crc32(response.body):08x}-{len(response.body):x}"'
        if request.headers.get("if-none-match") == tag:
            return SiteResponse(304, (("ETag", tag),))
        return replace(response, headers=(*response.headers, ("ETag", tag)))


def html(text: str, status: int = 200, headers: Headers = ()) -> SiteResponse:
    """Answer with an HTML page."""
    return SiteResponse(status, (("Content-Type", "text/html; charset=utf-8"), *headers), text.encode())


def document(text: str, content_type: str) -> SiteResponse:
    """Answer with a document of another type: a feed, a sitemap, a picture."""
    return SiteResponse(200, (("Content-Type", content_type),), text.encode())


def redirect(target: str, status: int = 302) -> SiteResponse:
    """Send the client elsewhere."""
    return SiteResponse(status, (("Location", target), ("Content-Type", "text/html; charset=utf-8")))


def local_path(url: str) -> str:
    """Return path and query of a URL.

    >>> local_path("http://127.0.0.1:8000/a?b=c#d")
    '/a?b=c'
    """
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
