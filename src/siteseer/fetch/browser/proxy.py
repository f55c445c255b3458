"""Restricts what a real browser may reach: a loopback proxy for all its traffic, which checks each connection.

Names are resolved here, so that neither a redirect, a script, a frame nor a name that leads to a private address gets
past the rules of `ssrf_guard`.
"""

from __future__ import annotations

import asyncio
import contextlib
import ipaddress
import ssl
import threading
from collections.abc import Iterable
from urllib.parse import urlsplit

from siteseer.errors import SiteseerError, TemporaryFetchError
from siteseer.fetch.browser.tab import HostilePageError
from siteseer.fetch.certificates import CertificateError, reason_of, refusal, trusted_context
from siteseer.fetch.ssrf_guard import AddressPolicy, RefusedAddressError

HEAD_BYTES = 128 * 1024
CONNECT_SECONDS = 20.0
MOST_REFUSED = 1_000
LOOPBACK = ("127.0.0.1", "::1")
_PIECE = 64 * 1024
_OWN_HEADERS = (b"proxy-", b"connection:", b"keep-alive:")


class BrowserProxy:
    """The proxy; `refused` maps host and port to the reason why nothing went there last time.

    `private` are the private addresses that pages asked for by number. (A name may lead to one for other reasons: name
    servers that block advertisements answer so.)
    """

    def __init__(self, addresses: AddressPolicy) -> None:
        self.addresses = addresses
        self.refused: dict[str, SiteseerError] = {}
        self.private: set[str] = set()
        self._doubts: dict[str, str] = {}
        """Host and port of servers that speak TLS, and why their certificate cannot be verified, if it cannot."""
        self.port = 0
        self._loop = asyncio.new_event_loop()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, name="browser gate", daemon=True)

    def open(self) -> None:
        """Begin to listen, in a thread."""
        self._thread.start()
        self._ready.wait(10)

    def close(self) -> None:
        """Hang up on everybody."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join(10)

    def objection(self, url: str) -> SiteseerError | None:
        """Return why nothing came from an address last time; None where something did."""
        try:
            parts = urlsplit(url)
            port = parts.port or (443 if parts.scheme == "https" else 80)
        except ValueError:
            return None
        return self.refused.get(f"{parts.hostname}:{port}")

    def doubt(self, url: str) -> str:
        """Return why the certificate of a URL's host could not be verified; empty where it could."""
        parts = urlsplit(url)
        return self._doubts.get(f"{parts.hostname}:{parts.port or 443}", "") if parts.scheme == "https" else ""

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        server = self._loop.run_until_complete(
            asyncio.start_server(self._serve, "127.0.0.1", 0, limit=HEAD_BYTES, backlog=256)
        )
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        try:
            self._loop.run_forever()
        finally:
            server.close()
            waiting = asyncio.all_tasks(self._loop)
            for task in waiting:
                task.cancel()
            self._loop.run_until_complete(asyncio.gather(*waiting, return_exceptions=True))
            self._loop.close()

    def note_private(self, url: str) -> None:
        """Write down that a page asks for a private address by number, if that is what this one is."""
        try:
            parts = urlsplit(url)
            host, port = parts.hostname or "", parts.port or (443 if parts.scheme in ("https", "wss") else 80)
        except ValueError:
            return
        numbers = LOOPBACK if _is_this_machine(host) else (host,)
        is_open = not _is_number(host) or any(self.addresses.allows(number, port) for number in numbers)
        if not is_open and len(self.private) < MOST_REFUSED:
            self.private.add(f"{host} port {port}")

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await self._answer(reader, writer)
        except (OSError, ValueError, TimeoutError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
            pass  # either side went away, or spoke no HTTP: nothing to save
        except asyncio.CancelledError:
            pass  # the gate is closed: whoever waits for the task must not hear of it as an error
        finally:
            writer.close()

    async def _answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        method, target, version = head.split(b"\r\n", 1)[0].split(b" ")
        tunnel = method == b"CONNECT"
        parts = urlsplit(f"//{target.decode('latin-1')}" if tunnel else target.decode("latin-1"))
        host, port = parts.hostname or "", parts.port or (443 if tunnel else 80)
        try:
            if tunnel and port != 80:
                await self._check_certificate(host, port)
            there, sender = await asyncio.wait_for(self._connect(host, port), CONNECT_SECONDS)
            self.refused.pop(f"{host}:{port}", None)
        except RefusedAddressError as error:
            self.note_private(f"//{target.decode('latin-1')}" if tunnel else target.decode("latin-1"))
            writer.write(self._refusal(403, host, port, HostilePageError(str(error))))
            return
        except CertificateError as error:
            writer.write(self._refusal(502, host, port, error))
            return
        except (OSError, TimeoutError) as error:
            why = f"{host} port {port} cannot be reached ({type(error).__name__})"
            writer.write(self._refusal(502, host, port, TemporaryFetchError(why)))
            return
        if tunnel:
            writer.write(b"HTTP/1.1 200 Connected\r\n\r\n")
        else:
            path = target.split(b"/", 3)[3] if target.count(b"/") > 2 else b""
            sender.write(_forwarded(method, b"/" + path, version, head))
        try:
            await asyncio.gather(_pour(reader, sender), _pour(there, writer))
        finally:
            sender.close()

    async def _check_certificate(self, host: str, port: int) -> None:
        """Look once whether a host's certificate can be verified; raise where it cannot and must."""
        place = f"{host}:{port}"
        if place not in self._doubts:
            self._doubts[place] = ""
            try:
                _, hello = await asyncio.wait_for(self._connect(host, port, trusted_context()), CONNECT_SECONDS)
                hello.close()
            except ssl.SSLCertVerificationError as error:
                self._doubts[place] = reason_of(error)
            except (OSError, TimeoutError):
                del self._doubts[place]  # no TLS, or no answer: the connection itself tells
        if self._doubts.get(place) and self.addresses.tls == "strict":
            raise refusal(f"https://{place}/", self._doubts[place], self.addresses.tls)

    def _refusal(self, status: int, host: str, port: int, why: SiteseerError) -> bytes:
        if len(self.refused) > MOST_REFUSED:
            self.refused.clear()
        self.refused[f"{host}:{port}"] = why
        return _answer(status, str(why))

    async def _connect(
        self, host: str, port: int, tls: ssl.SSLContext | None = None
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        """Connect to the first address that may be reached; the address checked is the address used."""
        found = await self._loop.getaddrinfo(host, port, type=1)
        refusal: Exception = OSError()
        for _, _, _, _, address in found:
            try:
                self.addresses.check(str(address[0]), port)
                name = host if tls else None
                return await asyncio.open_connection(str(address[0]), port, ssl=tls, server_hostname=name)
            except (RefusedAddressError, OSError) as error:
                refusal = error
        raise refusal


def _is_number(host: str) -> bool:
    """Say whether a host is named by its address, or as this very machine."""
    try:
        ipaddress.ip_address(host)
    except ValueError:
        return _is_this_machine(host)
    return True


def _is_this_machine(host: str) -> bool:
    return host == "localhost" or host.endswith(".localhost")


def _forwarded(method: bytes, path: bytes, version: bytes, head: bytes) -> bytes:
    """Return a request as the server gets it; each has a connection of its own."""
    lines: Iterable[bytes] = head[:-4].split(b"\r\n")[1:]
    kept = [line for line in lines if not line.lower().startswith(_OWN_HEADERS)]
    return b"\r\n".join([b" ".join((method, path, version)), *kept, b"Connection: close", b"", b""])


async def _pour(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while piece := await source.read(_PIECE):
            sink.write(piece)
            await sink.drain()
    with contextlib.suppress(OSError, RuntimeError):
        if sink.can_write_eof():
            sink.write_eof()


def _answer(status: int, text: str) -> bytes:
    body = text.encode("utf-8", "replace")
    head = f"HTTP/1.1 {status} Refused\r\nContent-Type: text/plain\r\nContent-Length: {len(body)}\r\n"
    return (head + "Connection: close\r\n\r\n").encode() + body
