"""Sends HTTP requests with aiohttp, and returns each exchange as received, headers and body unchanged.

Redirects are not followed: each is an exchange of its own. The body is not decompressed.
"""

from __future__ import annotations

import asyncio
import errno
import socket
import ssl
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from siteseer.archive.content_decoding import ACCEPT_ENCODING
from siteseer.errors import BEYOND, FetchError, TemporaryFetchError
from siteseer.fetch.answer_limits import MOST_HEADERS, BoundedConnector, check_head, exceeded_limit, read_body
from siteseer.fetch.certificates import CertificateError, reason_of, refusal, trusted_context
from siteseer.fetch.cookies import SiteCookies
from siteseer.fetch.credentials import Credentials
from siteseer.fetch.ssrf_guard import AddressPolicy, RefusedAddressError, known_name
from siteseer.interfaces import Exchange, Request
from siteseer.model import JSON, Headers
from siteseer.page.urls import host_of, origin_of
from siteseer.settings import FetchLimits

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"


class HttpFetcher:
    """Fetches over HTTP. `sent` in the request's trace is set when the request head went out.

    A fetcher that does not tell when requests were sent does not ask for their last word either.
    """

    def __init__(
        self,
        user_agent: str,
        addresses: AddressPolicy,
        limits: FetchLimits | None = None,
        headers: Sequence[tuple[str, str]] = (),
        proxy: str | None = None,
        tells_when_sent: bool = True,
    ) -> None:
        self.limits = limits or FetchLimits()
        self.addresses = addresses
        self.proxy = proxy
        self.tells_when_sent = tells_when_sent
        self.cookies = SiteCookies()
        self._credentials = Credentials()
        self._own_cookies = SiteCookies()
        """Those of the user's login, and what the seeds' sites answered to it: nobody else gets them."""
        self._headers = CIMultiDict({"User-Agent": user_agent, "Accept": ACCEPT, "Accept-Encoding": ACCEPT_ENCODING})
        self._headers.update(headers)
        self._sessions: dict[tuple[bool, bool], aiohttp.ClientSession] = {}
        self._untrusted: dict[str, str] = {}
        """Origins whose certificate cannot be verified, and why."""

    def lend(self, credentials: Credentials) -> None:
        """Send these headers and cookies with requests to the sites that they are meant for, and with no others."""
        self._credentials = credentials
        self._own_cookies.lend(credentials.cookies)

    async def fetch(self, request: Request, sent: asyncio.Event | None = None) -> Exchange:
        """Send one request; raise FetchError, or TemporaryFetchError where another try may help."""
        origin = origin_of(request.url)
        if self._credentials.would_leak(request):
            raise _unsent(
                FetchError(f"{host_of(request.url)} would be told your header, cookie or login by this request")
            )
        if origin not in self._untrusted:
            try:
                return await self._exchange(request, sent, "")
            except _BadCertificate as error:
                self._untrusted[origin] = error.reason
        if self.addresses.tls == "strict" or self._credentials.reach(request.url):
            raise _unsent(refusal(request.url, self._untrusted[origin], self.addresses.tls))
        return await self._exchange(request, sent, self._untrusted[origin])

    async def _exchange(self, request: Request, sent: asyncio.Event | None, certificate: str) -> Exchange:
        """Send one request; `certificate` says why that of the host is not verified, where it is not."""
        started, clock = datetime.now(UTC), time.monotonic()
        try:
            async with await self._head(request, sent, not certificate) as response:
                ip = _peer(response)
                body, length, truncated = await read_body(response, self.limits, clock)
                return Exchange(
                    url=request.url,
                    started=started,
                    milliseconds=int((time.monotonic() - clock) * 1000),
                    ip=ip,
                    request_head=self._request_head(response),
                    request_body=request.body,
                    status=response.status,
                    reason=response.reason or "",
                    headers=self._received(response),
                    body=body,
                    body_length=length,
                    truncated=truncated,
                    certificate=certificate,
                )
        except RefusedAddressError:
            raise
        except aiohttp.ClientConnectorCertificateError as error:
            raise _BadCertificate(error.certificate_error) from error
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as error:
            found = _translated(error, request.url)
            found.was_sent &= not isinstance(error, aiohttp.ClientConnectorError | socket.gaierror)
            raise found from error

    async def _head(self, request: Request, sent: asyncio.Event | None, is_verified: bool) -> aiohttp.ClientResponse:
        """Send a request and read the head of its answer, however many lines or preliminary answers it sends."""
        deadline = asyncio.timeout(self.limits.head_seconds)
        try:
            async with deadline:
                response = await self._session(request.url, is_verified).request(
                    request.method,
                    URL(request.url, encoded=True),
                    headers=request.headers,
                    data=request.body or None,
                    allow_redirects=False,
                    proxy=self.proxy,
                    trace_request_ctx=(sent, request.last_word),
                )
        except TimeoutError as error:
            if not deadline.expired():
                raise
            raise FetchError(f"{BEYOND}its head did not end within {self.limits.head_seconds:g} seconds") from error
        check_head(response)
        return response

    def _received(self, response: aiohttp.ClientResponse) -> Headers:
        """Return the headers as received; where the user has a login, only the names of cookies."""
        headers = tuple((_text(name), _text(value)) for name, value in response.raw_headers)
        if not self._credentials:
            return headers
        return tuple((name, _nameless(value) if name.lower() == "set-cookie" else value) for name, value in headers)

    def _request_head(self, response: aiohttp.ClientResponse) -> bytes:
        """Return the request as it was sent; what the user added by hand may be secret and is not written down."""
        info = response.request_info
        secret = {name.lower() for name, _ in self._credentials.headers}
        sent = ((name, "[redacted]" if name.lower() in secret else value) for name, value in info.headers.items())
        lines = [f"{info.method} {info.url.raw_path_qs or '/'} HTTP/1.1", *(f"{name}: {value}" for name, value in sent)]
        return ("\r\n".join(lines) + "\r\n\r\n").encode("utf-8", "surrogateescape")

    def _session(self, url: str, is_verified: bool) -> aiohttp.ClientSession:
        """Return the connections to the seeds' sites, with the user's credentials, or those to everybody else."""
        is_own = self._credentials.reach(url)
        if (is_own, is_verified) not in self._sessions:
            limits = self.limits
            headers = self._headers.copy()
            headers.update(self._credentials.headers if is_own else ())
            trace = aiohttp.TraceConfig()
            trace.on_request_headers_sent.append(_tell_sent)
            trace.on_connection_create_end.append(_ask_last)
            trace.on_connection_reuseconn.append(_ask_last)
            self._sessions[is_own, is_verified] = aiohttp.ClientSession(
                connector=BoundedConnector(
                    limit=0,
                    ssl=trusted_context() if is_verified else False,
                    socket_factory=self._socket,
                    resolver=_Resolver(),
                ),
                timeout=aiohttp.ClientTimeout(
                    None, limits.connect_seconds, limits.idle_seconds, limits.connect_seconds
                ),
                headers=headers,
                cookie_jar=self._jar(url),
                auto_decompress=False,
                trace_configs=[trace] if self.tells_when_sent else None,
                max_headers=MOST_HEADERS,
                max_line_size=limits.header_bytes,
                max_field_size=limits.header_bytes,
            )
        return self._sessions[is_own, is_verified]

    def _jar(self, url: str) -> SiteCookies:
        return self._own_cookies if self._credentials.reach(url) else self.cookies

    def _socket(self, info: Any) -> socket.socket:
        family, kind, protocol, _, address = info
        if self.proxy is None:
            self.addresses.check(str(address[0]), int(address[1]))
        connection = socket.socket(family, kind, protocol)
        connection.setblocking(False)
        return connection

    def cookies_for(self, url: str) -> list[JSON]:
        """Return the cookies that go with requests to a URL, as Playwright writes them."""
        return self._jar(url).shown_to_browser(url)

    def take_over(self, url: str, cookies: Iterable[JSON]) -> None:
        """Send cookies that scripts of a page have set with the next requests to its site."""
        self._jar(url).lend(cookies)

    async def close(self) -> None:
        """Close the connections."""
        while self._sessions:
            await self._sessions.popitem()[1].close()


class _BadCertificate(CertificateError):
    """The certificate of a host cannot be verified."""

    def __init__(self, error: Exception) -> None:
        self.reason = reason_of(error) if isinstance(error, ssl.SSLCertVerificationError) else str(error)
        super().__init__(self.reason)


class _Resolver(aiohttp.ThreadedResolver):
    """The system's resolver, which also knows the names of this machine."""

    async def resolve(self, host: str, *given: Any, **named: Any) -> Any:
        return await super().resolve(known_name(host), *given, **named)


async def _ask_last(_session: Any, context: Any, _parameters: Any) -> None:
    _, last_word = context.trace_request_ctx
    if last_word is not None:
        last_word()


async def _tell_sent(_session: Any, context: Any, _parameters: Any) -> None:
    sent, _ = context.trace_request_ctx
    if sent is not None:
        sent.set()


def _nameless(cookie: str) -> str:
    """Return a Set-Cookie header without the cookie's value.

    >>> _nameless("sid=abc; Path=/; HttpOnly")
    'sid=redacted; Path=/; HttpOnly'
    """
    pair, semicolon, rest = cookie.partition(";")
    return f"{pair.partition('=')[0]}=redacted{semicolon}{rest}"


def _text(raw: bytes) -> str:
    """Return header bytes as text from which the archive can make the same bytes again."""
    return raw.decode("utf-8", "surrogateescape")


def _peer(response: aiohttp.ClientResponse) -> str:
    """Return the address that answered; a short answer has left its connection by now, but not its protocol."""
    protocol = getattr(response.connection, "protocol", None) or getattr(response, "_protocol", None)
    transport = getattr(protocol, "transport", None)
    peer = transport.get_extra_info("peername") if transport is not None else None
    return str(peer[0]) if peer else ""


def _unsent(error: FetchError) -> FetchError:
    """Return an error that says that no request was sent."""
    error.was_sent = False
    return error


def _translated(error: Exception, url: str) -> FetchError:
    """Turn the library's errors into ours: what may pass is temporary."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, RefusedAddressError):
            return cause
        cause = cause.__cause__ or cause.__context__
    if isinstance(error, aiohttp.ClientConnectorDNSError | socket.gaierror):
        return FetchError(f"the host of {url} has no address")
    if isinstance(error, TimeoutError):
        return TemporaryFetchError(f"no answer in time from {url}")
    if isinstance(error, OSError) and error.errno in (errno.EHOSTUNREACH, errno.ENETUNREACH):
        return FetchError(f"the network of {url} cannot be reached")
    if isinstance(error, aiohttp.ClientConnectionError | ConnectionError | OSError):
        return TemporaryFetchError(f"the connection failed ({type(error).__name__})")
    if isinstance(error, aiohttp.ClientPayloadError):
        return TemporaryFetchError("the answer broke off")
    if isinstance(error, aiohttp.ClientResponseError) and (because := exceeded_limit(error)):
        return FetchError(because)
    return FetchError(f"the answer is not valid HTTP ({type(error).__name__})")
