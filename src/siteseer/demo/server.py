"""Serves a site by HTTP on loopback, with a log of all requests on its own clock."""

from __future__ import annotations

import builtins
import socket
import socketserver
import struct
import threading
import time
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from http import HTTPStatus
from types import TracebackType

from siteseer.demo.site import Site, SiteRequest, SiteResponse

LONGEST_LINE = 256 * 1024
MOST_HEADERS = 200
LARGEST_REQUEST_BODY = 2**20


@dataclass(slots=True)
class LoggedRequest:
    """One request as the server saw it; times are seconds of the server's monotonic clock.

    The entry stands in the log before the last byte is sent; `time_finished` is set when it was.
    """

    time_started: float
    time_finished: float
    method: str
    path: str
    headers: dict[str, str]
    status: int
    bytes: int
    body: builtins.bytes


@dataclass(frozen=True, slots=True)
class Violation:
    """A submission of a form that changes something, which a crawler should not have sent."""

    form: str
    method: str
    path: str
    body: bytes


class _Listener(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    request_queue_size = 256
    daemon_threads = False
    owner: Server

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing: a client that hangs up is no error of a demo site."""


@dataclass
class _Gauge:
    lock: threading.Lock = field(default_factory=threading.Lock)
    running: int = 0
    highest: int = 0
    connections: set[socket.socket] = field(default_factory=set)

    def enter(self) -> None:
        with self.lock:
            self.running += 1
            self.highest = max(self.highest, self.running)

    def leave(self) -> None:
        with self.lock:
            self.running -= 1


class Server:
    """Serves a demo site until the `with` block ends. `url` has no trailing slash: `server.url + path` is an address.

    >>> from siteseer.demo import make_site
    >>> with Server(make_site("wiki", seed=1)) as server:
    ...     server.url.startswith("http://127.0.0.1:")
    True
    """

    def __init__(self, site: Site, port: int = 0, latency: float = 0.0) -> None:
        self.site = site
        self.latency = latency
        self.log: list[LoggedRequest] = []
        self.violations: list[Violation] = []
        self.stopping = threading.Event()
        self.gauge = _Gauge()
        self._listener = _Listener(("127.0.0.1", port), _Connection)
        self._listener.owner = self
        self.port: int = self._listener.server_address[1]
        self.url = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._listener.serve_forever, args=(0.05,), daemon=True)

    @property
    def max_concurrent(self) -> int:
        """The most requests that were being answered at one moment."""
        return self.gauge.highest

    def start(self) -> None:
        """Begin to answer, in a thread."""
        self._thread.start()

    def stop(self) -> None:
        """Hang up on everybody and wait until every thread has ended."""
        self.stopping.set()
        if self._thread.is_alive():
            self._listener.shutdown()
        with self.gauge.lock:
            for connection in self.gauge.connections:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)
        self._listener.server_close()

    def __enter__(self) -> Server:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()


class _Connection(socketserver.StreamRequestHandler):
    rbufsize = 65536
    disable_nagle_algorithm = True
    timeout = 60
    server: _Listener

    def setup(self) -> None:
        super().setup()
        gauge = self.server.owner.gauge
        with gauge.lock:
            gauge.connections.add(self.connection)

    def finish(self) -> None:
        gauge = self.server.owner.gauge
        with gauge.lock:
            gauge.connections.discard(self.connection)
        with suppress(OSError):
            super().finish()

    def handle(self) -> None:
        """Answer requests on this connection until either side has enough."""
        owner = self.server.owner
        with suppress(OSError, ValueError):
            while not owner.stopping.is_set():
                request, is_last = self._read()
                if request is None:
                    return
                started = time.monotonic()
                owner.gauge.enter()
                try:
                    is_last = self._answer(owner, request, started) or is_last
                finally:
                    owner.gauge.leave()
                if is_last:
                    return

    def _read(self) -> tuple[SiteRequest | None, bool]:
        line = self.rfile.readline(LONGEST_LINE).decode("latin-1")
        if not line.strip():
            return None, True
        method, target, version = line.split()
        headers: dict[str, str] = {}
        for _ in range(MOST_HEADERS):
            name, colon, value = self.rfile.readline(LONGEST_LINE).decode("latin-1").partition(":")
            if not colon:
                break
            headers[name.lower()] = value.strip()
        length = min(int(headers.get("content-length", "0")), LARGEST_REQUEST_BODY)
        body = self.rfile.read(length) if length > 0 else b""
        if target.startswith("http://"):
            target = "/" + target.split("/", 3)[3] if target.count("/") > 2 else "/"
        is_last = version == "HTTP/1.0" or headers.get("connection", "").lower() == "close"
        return SiteRequest(method, target, headers, body), is_last

    def _answer(self, owner: Server, request: SiteRequest, started: float) -> bool:
        if owner.latency:
            owner.stopping.wait(owner.latency)
        try:
            response = owner.site.respond(request)
        except Exception as error:  # a fault of the demo site must be seen by the test that provoked it
            response = SiteResponse(500, (("Content-Type", "text/plain"),), f"demo site failed: {error!r}".encode())
        if response.violation:
            owner.violations.append(Violation(response.violation, request.method, request.target, request.body))
        pieces = response.wire if response.wire is not None else (_well_formed(request, response),)
        entry = LoggedRequest(
            started, time.monotonic(), request.method, request.target, dict(request.headers), response.status,
            0, request.body,
        )  # fmt: skip
        owner.log.append(entry)
        self._send(owner, pieces, response.pause, entry)
        entry.time_finished = time.monotonic()
        if response.reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            self.connection.close()
        return response.wire is not None

    def _send(self, owner: Server, pieces: Iterable[bytes], pause: float, entry: LoggedRequest) -> None:
        for number, piece in enumerate(pieces):
            if owner.stopping.is_set() or (number and pause and owner.stopping.wait(pause)):
                return
            entry.bytes += len(piece)
            self.connection.sendall(piece)


def _well_formed(request: SiteRequest, response: SiteResponse) -> bytes:
    reason = HTTPStatus(response.status).phrase
    lines = [f"HTTP/1.1 {response.status} {reason}", *(f"{name}: {value}" for name, value in response.headers)]
    if response.status != 304:
        lines.append(f"Content-Length: {len(response.body)}")
    head = ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1", "replace")
    return head if request.method == "HEAD" or response.status == 304 else head + response.body
