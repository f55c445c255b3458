"""Endless answers, and answers that unpack to far more than their size, on the level of HTTP."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable, Iterable
from functools import lru_cache
from io import BytesIO
from itertools import chain, count, repeat

from fastwarc import stream_io

from siteseer.demo.hostile.broken_answers import PAGE, gzip_bomb, head
from siteseer.demo.site import SiteRequest, SiteResponse

Answer = Callable[[SiteRequest], SiteResponse]
START = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
CHUNKED = START + b"Transfer-Encoding: chunked\r\n\r\n"
HINTS = b"HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n"
BOMB_MEGABYTES = 512


def floods() -> dict[str, Answer]:
    """Return path and answer of what never ends, or ends late."""
    made: dict[str, Callable[[], Iterable[bytes]]] = {
        "/flood/headers": lambda: chain([START], (b"X-%d: value\r\n" % number for number in count())),
        "/flood/header-line": lambda: chain([START + b"X: "], repeat(b"v" * 10_000)),
        "/flood/preliminary": lambda: repeat(HINTS * 500),
        "/flood/blank-lines": lambda: repeat(b"\r\n" * 5_000),
        "/flood/chunk-extension": lambda: chain([CHUNKED + b"1;"], repeat(b"x" * 10_000)),
        "/flood/tiny-chunks": lambda: chain([CHUNKED], repeat(b"1\r\nx\r\n" * 2_000)),
        "/flood/trailers": lambda: chain([CHUNKED + b"1\r\nx\r\n0\r\n"], (b"X-%d: v\r\n" % n for n in count())),
        "/flood/body": lambda: chain([START + b"\r\n" + PAGE], repeat(b"<p>and so on</p>" * 500)),
        "/flood/events": lambda: chain([START.replace(b"html", b"event-stream") + b"\r\n"], repeat(b"data: x\n\n" * 9)),
    }
    return {path: lambda request, make=make: SiteResponse(200, wire=make()) for path, make in made.items()}  # type: ignore[misc]


def trickles(pause: float = 0.3) -> dict[str, Answer]:
    """Return path and answer of what comes a few bytes at a time, for ever."""
    made: dict[str, Callable[[], Iterable[bytes]]] = {
        "/trickle/headers": lambda: chain([START], (b"X-%d: v\r\n" % number for number in count())),
        "/trickle/preliminary": lambda: repeat(HINTS),
        "/trickle/body": lambda: chain([START + b"\r\n" + PAGE], repeat(b"x")),
        "/trickle/chunk-extension": lambda: chain([CHUNKED + b"1;"], repeat(b"x")),
        "/trickle/nothing": lambda: repeat(b""),
    }
    return {
        path: lambda request, make=make: SiteResponse(200, wire=make(), pause=pause)  # type: ignore[misc]
        for path, make in made.items()
    }


def bombs() -> dict[str, Answer]:
    """Return path and answer of bodies that unpack to half a gigabyte, or to nothing with much work."""
    made: dict[str, tuple[str, Callable[[], bytes]]] = {
        "/bomb/gzip": ("gzip", lambda: gzip_bomb(1)),
        "/bomb/deflate": ("deflate", lambda: zlib.compress(bytes(64 * 2**20))),
        "/bomb/brotli": ("br", lambda: _packed(stream_io.BrotliWriter, BOMB_MEGABYTES)),
        "/bomb/zstd": ("zstd", lambda: _packed(stream_io.ZstdWriter, BOMB_MEGABYTES)),
        "/bomb/layers": ("gzip, gzip, gzip", lambda: gzip.compress(gzip.compress(gzip_bomb(1)))),
        "/bomb/empty-members": ("gzip, gzip", lambda: gzip.compress(gzip.compress(b"") * 3_000_000)),
        "/bomb/empty-frames": ("zstd", lambda: _packed(stream_io.ZstdWriter, 0) * 500_000),
        "/bomb/empty-blocks": ("deflate", lambda: b"\x00\x00\x00\xff\xff" * 3_000_000),
        "/bomb/members": ("gzip", lambda: gzip.compress(PAGE) * 50_000),
    }
    return {path: _encoded(encoding, lru_cache(make)) for path, (encoding, make) in made.items()}


def upgrades() -> dict[str, Answer]:
    """Return path and answer of servers that speak another protocol."""
    socket = head("Upgrade: websocket", "Connection: Upgrade", first="HTTP/1.1 101 Switching Protocols")
    made: dict[str, Iterable[bytes]] = {
        "/upgrade/websocket": (socket, b"\x81\x05hello" * 100),
        "/upgrade/http2": (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x12\x04\x00\x00\x00\x00\x00",),
        "/upgrade/tls": (b"\x15\x03\x01\x00\x02\x02\x46",),
        "/upgrade/ssh": (b"SSH-2.0-OpenSSH_9.6\r\n",),
        "/upgrade/http-0.9": (PAGE,),
        "/upgrade/injected": (head("Content-Type: text/html\nSet-Cookie: a=b\rX: y", "Location: /x\r\n\r\n<p>split"), PAGE),
        "/upgrade/second-answer": (head("Content-Type: text/html", "Content-Length: 9"), b"<p>first", b"\nHTTP/1.1 200 OK\r\n\r\n<p>second"),
    }  # fmt: skip
    return {path: lambda request, wire=wire: SiteResponse(200, wire=wire) for path, wire in made.items()}  # type: ignore[misc]


def _encoded(encoding: str, make: Callable[[], bytes]) -> Answer:
    headers = (("Content-Type", "text/html"), ("Content-Encoding", encoding))
    return lambda request: SiteResponse(200, headers, make())


class _Sink(BytesIO):
    def close(self) -> None:
        """Stay readable: the writers close what they wrote to."""


def _packed(writer: type[stream_io.BrotliWriter] | type[stream_io.ZstdWriter], megabytes: int) -> bytes:
    sink = _Sink()
    with writer(sink) as packer:
        for _ in range(megabytes):
            packer.write(bytes(2**20))
    return sink.getvalue()
