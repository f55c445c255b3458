"""Limits one answer: the number, length and time of its headers, the length and speed of its body.

A server that sends headers, preliminary answers or bytes without end would hold a connection, and with it a crawl, for
good: the time-outs of the library begin anew with every byte.
"""

from __future__ import annotations

import asyncio
import io
import tempfile
import time
from functools import partial
from typing import IO, Any

import aiohttp
from aiohttp.client_proto import ResponseHandler
from aiohttp.http_exceptions import HttpProcessingError

from siteseer.errors import BEYOND, FetchError
from siteseer.settings import FetchLimits

MOST_HEADERS = 1_000
MOST_HEADER_BYTES = 200_000
"""Of all headers of an answer together: what readers of archives take for a head. Browsers stop at a little more."""
MOST_PRELIMINARY = 20
"""Answers such as 103 Early Hints before the one that counts."""
SLOWEST_BYTES = 32
"""A second: a body that comes more slowly for as long as `idle_seconds` has ended. Modems of 1980 were as fast."""
_TOO_MANY = "too many preliminary answers"


class BoundedConnector(aiohttp.TCPConnector):
    """Connections that are closed where preliminary answers come without end; the library would keep them all."""

    def __init__(self, **how: Any) -> None:
        super().__init__(**how)
        self._factory = partial(_Protocol, loop=asyncio.get_running_loop())  # type: ignore[assignment]


class _Protocol(ResponseHandler):
    preliminary = 0

    def feed_data(self, data: Any, size: int = 0) -> None:
        """Leave preliminary answers out, but for the one that changes the protocol."""
        is_preliminary = 100 <= data[0].code < 200 and data[0].code != 101
        self.preliminary = self.preliminary + 1 if is_preliminary else 0
        if not is_preliminary:
            super().feed_data(data, size)
        elif self.preliminary == MOST_PRELIMINARY:
            if self.transport is not None:
                self.transport.abort()
            self.set_exception(HttpProcessingError(code=400, message=_TOO_MANY))


def exceeded_limit(error: aiohttp.ClientResponseError) -> str:
    """Say which bound an answer exceeded that the library took for invalid; an empty text where it is none of ours."""
    if _TOO_MANY in error.message:
        return f"{BEYOND}it has more than {MOST_PRELIMINARY} preliminary answers"
    return f"{BEYOND}it has more than {MOST_HEADERS:,} headers" if "headers received" in error.message else ""


def check_head(response: aiohttp.ClientResponse) -> None:
    """Raise where the headers of an answer are too long, all together."""
    if sum(len(name) + len(value) for name, value in response.raw_headers) > MOST_HEADER_BYTES:
        response.close()
        raise FetchError(f"{BEYOND}its head is longer than {MOST_HEADER_BYTES:,} bytes")


async def read_body(
    response: aiohttp.ClientResponse, limits: FetchLimits, started: float
) -> tuple[IO[bytes], int, str]:
    """Read the body until its end, or until a limit says that this is enough."""
    length = 0
    body: IO[bytes] = io.BytesIO()
    truncated, latest = "", started + limits.total_seconds
    expected = step = limits.idle_seconds * SLOWEST_BYTES
    try:
        async with asyncio.timeout_at(min(time.monotonic() + limits.idle_seconds, latest)) as until:
            async for chunk in response.content.iter_any():
                length += len(chunk)
                if length > limits.body_bytes:
                    chunk = chunk[: limits.body_bytes - length]
                    truncated, length = "length", limits.body_bytes
                if length > limits.spool_bytes and isinstance(body, io.BytesIO):
                    body = _to_disk(body)
                body.write(chunk)
                if truncated:
                    response.close()
                    break
                if length >= expected:
                    expected = length + step
                    until.reschedule(min(time.monotonic() + limits.idle_seconds, latest))
    except TimeoutError:
        response.close()
        truncated = "time"
    except (aiohttp.ClientPayloadError, aiohttp.ClientConnectionError, ConnectionError):
        truncated = "disconnect"
    body.seek(0)
    return body, length, truncated


def _to_disk(body: io.BytesIO) -> IO[bytes]:
    spool = tempfile.TemporaryFile()  # noqa: SIM115 - closed by whoever archives it
    spool.write(body.getvalue())
    return spool
