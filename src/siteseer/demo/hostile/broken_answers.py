"""Answers that break the HTTP protocol: slow, truncated, mislabelled, garbled, reset, and ones that recover."""

# ruff: noqa: E501 - markup reads better unbroken

from __future__ import annotations

import gzip
import zlib
from collections import Counter
from collections.abc import Callable
from functools import lru_cache
from threading import Lock

from siteseer.demo.site import SiteRequest, SiteResponse, html

Answer = Callable[[SiteRequest], SiteResponse]
PAGE = b"<!DOCTYPE html><html><head><title>Odd page</title></head><body><p>Some words before the trouble begins.</p>"
HTML_TYPE = ("Content-Type", "text/html; charset=utf-8")


def raw(*pieces: bytes, status: int = 200, pause: float = 0.0, reset: bool = False) -> SiteResponse:
    """Answer with bytes as they are, then close; `status` is only what the log says."""
    return SiteResponse(status, wire=pieces, pause=pause, reset=reset)


def head(*lines: str, first: str = "HTTP/1.1 200 OK") -> bytes:
    """Return a head of a response, by default of an HTML page."""
    return ("\r\n".join((first, *(lines or ("Content-Type: text/html; charset=utf-8",)))) + "\r\n\r\n").encode(
        "latin-1"
    )


@lru_cache(maxsize=2)
def gzip_bomb(megabytes: int) -> bytes:
    """Return so many megabytes of gzip that unpack to a thousand times as many.

    A flushed block of zeros can be repeated as it is, so only the first 16 MB are really compressed. The checksum at
    the end is missing: nobody should get that far.
    """
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    block = packer.compress(bytes(16 * 2**20)) + packer.flush(zlib.Z_FULL_FLUSH)
    return b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03" + block * (megabytes * 2**20 // len(block))


class Healing:
    """Counts the requests for a path, so that it answers properly after some failures."""

    def __init__(self) -> None:
        self._tries: Counter[str] = Counter()
        self._lock = Lock()

    def after(self, failures: int, answer: SiteResponse) -> Answer:
        """Return an answer that is `answer` so many times for a path, then a page."""

        def respond(request: SiteRequest) -> SiteResponse:
            with self._lock:
                self._tries[request.path] += 1
                tries = self._tries[request.path]
            return (
                answer
                if tries <= failures
                else html(f"<title>Healed</title><p>It works now, at try {failures + 1}.</p>")
            )

        return respond


def broken_answers(megabytes: int, pause: float) -> dict[str, Answer]:
    """Return path and answer of everything that breaks the protocol."""
    healing = Healing()
    packed = gzip.compress(PAGE * 50, mtime=0)
    fixed = {
        "/wire/slow": raw(head("Content-Type: text/html", "Content-Length: 140"), *_bytes(PAGE.ljust(140)), pause=pause),
        "/wire/half": raw(head("Content-Type: text/html", "Content-Length: 5000") + PAGE),
        "/wire/short-length": raw(head("Content-Type: text/html", "Content-Length: 40") + PAGE),
        "/wire/bad-length": raw(head("Content-Type: text/html", "Content-Length: many") + PAGE),
        "/wire/negative-length": raw(head("Content-Type: text/html", "Content-Length: -5") + PAGE),
        "/wire/two-lengths": raw(head("Content-Type: text/html", "Content-Length: 10", "Content-Length: 20") + PAGE),
        "/wire/broken-gzip": _encoded(packed[:20] + b"\xff" * 40 + packed[60:]),
        "/wire/cut-gzip": _encoded(packed[: len(packed) // 2]),
        "/wire/not-gzip": _encoded(PAGE),
        "/wire/unknown-encoding": _encoded(PAGE, "quantum"),
        "/wire/twice-gzip": _encoded(gzip.compress(packed, mtime=0), "gzip, gzip"),
        "/wire/reset": raw(reset=True, status=0),
        "/wire/reset-later": raw(head("Content-Type: text/html", "Content-Length: 5000") + PAGE, b"more", pause=0.05, reset=True),
        "/wire/close": raw(status=0),
        "/wire/no-length": raw(head(first="HTTP/1.0 200 OK") + PAGE),
        "/wire/no-headers": raw(b"HTTP/1.0 200 OK\r\n\r\n" + PAGE),
        "/wire/old-protocol": raw(PAGE),
        "/wire/garbage": raw(bytes(range(256)) * 8),
        "/wire/bad-status": raw(head(first="HTTP/1.1 abc Whatever") + PAGE),
        "/wire/strange-status": raw(head(first="HTTP/1.1 799 Strange") + PAGE, status=799),
        "/wire/bad-chunks": raw(head("Content-Type: text/html", "Transfer-Encoding: chunked") + b"zz\r\n" + PAGE + b"\r\n0\r\n\r\n"),
        "/wire/cut-chunks": raw(head("Content-Type: text/html", "Transfer-Encoding: chunked") + b"50\r\n" + PAGE[:40]),
        "/wire/huge-chunk": raw(head("Content-Type: text/html", "Transfer-Encoding: chunked") + b"ffffffffffffffff\r\n" + PAGE),
        "/wire/long-header": raw(head("Content-Type: text/html", "X-Long: " + "x" * 300_000) + PAGE),
        "/wire/folded-header": raw(head("Content-Type: text/html", "X-Folded: one\r\n two", "X-Odd\x00Name: a\x0bb", "no colon here") + PAGE),
        "/wire/many-cookies": SiteResponse(200, (HTML_TYPE, *(("Set-Cookie", f"c{n}={n}") for n in range(1000))), PAGE),
        "/wire/many-headers": SiteResponse(200, (HTML_TYPE, *((f"X-Header-{n}", "v" * 50) for n in range(2000))), PAGE),
        "/wire/empty": SiteResponse(200, (HTML_TYPE,), b""),
        "/wire/no-content": raw(b"HTTP/1.1 204 No Content\r\n\r\n", status=204),
    }  # fmt: skip
    answers: dict[str, Answer] = {path: _always(response) for path, response in fixed.items()}
    answers["/wire/gzip-bomb"] = lambda request: _encoded(gzip_bomb(megabytes))
    answers["/heal/500"] = healing.after(2, html("<p>Internal error</p>", 500))
    answers["/heal/503"] = healing.after(1, html("<p>Too busy</p>", 503, (("Retry-After", "1"),)))
    answers["/heal/429"] = healing.after(1, html("<p>Too many requests</p>", 429, (("Retry-After", "1"),)))
    answers["/heal/reset"] = healing.after(1, raw(reset=True, status=0))
    answers["/never/500"] = _always(html("<p>Internal error, and it stays</p>", 500))
    answers["/never/404"] = _always(html("<p>Not here</p>", 404))
    return answers


def _always(response: SiteResponse) -> Answer:
    return lambda request: response


def _bytes(body: bytes) -> tuple[bytes, ...]:
    """Return the body in pieces, a few bytes each."""
    return tuple(body[at : at + 5] for at in range(0, len(body), 5))


def _encoded(body: bytes, encoding: str = "gzip") -> SiteResponse:
    return SiteResponse(200, (HTML_TYPE, ("Content-Encoding", encoding)), body)
