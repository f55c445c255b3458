"""A request in, the exchange as it went over the wire out: aiohttp, headers and body kept as received.

Redirects are not followed: each is an exchange of its own. The body is not decompressed.
"""

from __future__ import annotations

import asyncio
import errno
import io
import socket
import tempfile
import time
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import IO, Any

import aiohttp
from multidict import CIMultiDict
from yarl import URL

from siteseer.archive.decode import ACCEPT_ENCODING
from siteseer.errors import FetchError, TemporaryFetchError
from siteseer.fetch.addresses import AddressPolicy, RefusedAddressError, known_name
from siteseer.fetch.credentials import Credentials
from siteseer.fetch.profiles import lend_cookies
from siteseer.interfaces import Exchange, Request
from siteseer.model import JSON, Headers
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
        self.cookies = aiohttp.CookieJar(unsafe=True)
        self._credentials = Credentials()
        self._own_cookies = aiohttp.CookieJar(unsafe=True)
        """Those of the user's login, and what the seeds' sites answered to it: nobody else gets them."""
        self._headers = CIMultiDict({"User-Agent": user_agent, "Accept": ACCEPT, "Accept-Encoding": ACCEPT_ENCODING})
        self._headers.update(headers)
        self._sessions: dict[bool, aiohttp.ClientSession] = {}

    def lend(self, credentials: Credentials) -> None:
        """Send these headers and cookies with requests to the sites that they are meant for, and with no others."""
        self._credentials = credentials
        lend_cookies(credentials.cookies, self._own_cookies)

    async def fetch(self, request: Request, sent: asyncio.Event | None = None) -> Exchange:
        """Send one request; raise FetchError, or TemporaryFetchError where another try may help."""
        started, clock = datetime.now(UTC), time.monotonic()
        try:
            async with self._session(request.url).request(
                request.method,
                URL(request.url, encoded=True),
                headers=request.headers,
                data=request.body or None,
                allow_redirects=False,
                proxy=self.proxy,
                trace_request_ctx=(sent, request.last_word),
            ) as response:
                ip = _peer(response)
                body, length, truncated = await self._read(response, clock)
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
                )
        except RefusedAddressError:
            raise
        except (aiohttp.ClientError, OSError, TimeoutError, ValueError, asyncio.IncompleteReadError) as error:
            raise _translated(error, request.url) from error

    async def _read(self, response: aiohttp.ClientResponse, started: float) -> tuple[IO[bytes], int, str]:
        """Read the body until its end, or until a limit says that this is enough."""
        limits, length = self.limits, 0
        body: IO[bytes] = io.BytesIO()
        truncated = ""
        try:
            async for chunk in response.content.iter_any():
                length += len(chunk)
                if length > limits.body_bytes:
                    chunk = chunk[: limits.body_bytes - length]
                    truncated, length = "length", limits.body_bytes
                if length > limits.spool_bytes and isinstance(body, io.BytesIO):
                    body = _to_disk(body)
                body.write(chunk)
                if not truncated and time.monotonic() - started > limits.total_seconds:
                    truncated = "time"
                if truncated:
                    response.close()
                    break
        except TimeoutError:
            truncated = "time"
        except (aiohttp.ClientPayloadError, aiohttp.ClientConnectionError, ConnectionError):
            truncated = "disconnect"
        body.seek(0)
        return body, length, truncated

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

    def _session(self, url: str) -> aiohttp.ClientSession:
        """Return the connections to the seeds' sites, with the user's credentials, or those to everybody else."""
        is_own = self._credentials.reach(url)
        if is_own not in self._sessions:
            limits = self.limits
            headers = self._headers.copy()
            headers.update(self._credentials.headers if is_own else ())
            trace = aiohttp.TraceConfig()
            trace.on_request_headers_sent.append(_tell_sent)
            trace.on_connection_create_end.append(_ask_last)
            trace.on_connection_reuseconn.append(_ask_last)
            self._sessions[is_own] = aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0, ssl=False, socket_factory=self._socket, resolver=_Resolver()),
                timeout=aiohttp.ClientTimeout(
                    None, limits.connect_seconds, limits.idle_seconds, limits.connect_seconds
                ),
                headers=headers,
                cookie_jar=self._jar(url),
                auto_decompress=False,
                trace_configs=[trace] if self.tells_when_sent else None,
                max_line_size=limits.header_bytes,
                max_field_size=limits.header_bytes,
            )
        return self._sessions[is_own]

    def _jar(self, url: str) -> aiohttp.CookieJar:
        return self._own_cookies if self._credentials.reach(url) else self.cookies

    def _socket(self, info: Any) -> socket.socket:
        family, kind, protocol, _, address = info
        if self.proxy is None:
            self.addresses.check(str(address[0]), int(address[1]))
        connection = socket.socket(family, kind, protocol)
        connection.setblocking(False)
        return connection

    def cookies_for(self, url: str) -> dict[str, str]:
        """Return the cookies that go with requests to a URL."""
        return {name: cookie.value for name, cookie in self._jar(url).filter_cookies(URL(url, encoded=True)).items()}

    def take_over(self, url: str, cookies: Iterable[JSON]) -> None:
        """Send cookies that scripts of a page have set with the next requests to its site."""
        lend_cookies(cookies, self._jar(url))

    async def close(self) -> None:
        """Close the connections."""
        while self._sessions:
            await self._sessions.popitem()[1].close()


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


def _to_disk(body: io.BytesIO) -> IO[bytes]:
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - closed by whoever archives it
    spool.write(body.getvalue())
    return spool


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
    return FetchError(f"the answer is not valid HTTP ({type(error).__name__})")
