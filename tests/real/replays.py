"""The captures of real software that stand beside the project, served by their replay server."""

from __future__ import annotations

import json
import lzma
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote
from urllib.request import urlopen

import pytest
from warcio.archiveiterator import ArchiveIterator

SITES = Path(__file__).resolve().parents[2] / ".." / "shared" / "sites"

needs_captures = pytest.mark.skipif(
    not (SITES / "replay.py").exists(), reason="the captures of real software are not beside the project"
)


@contextmanager
def replayed(name: str, log: Path) -> Iterator[str]:
    """Serve a capture; yield its address."""
    port = _free_port()
    command = [sys.executable, str(SITES / "replay.py"), name, "--port", str(port), "--log", str(log)]
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    url = f"http://127.0.0.1:{port}"
    try:
        _wait_for(f"{url}/robots.txt")
        empty(log)
        yield url
    finally:
        process.terminate()
        process.wait()


def empty(log: Path) -> None:
    """Forget the first request, as soon as the server has written it down."""
    until = time.monotonic() + 30
    while not (log.exists() and log.stat().st_size) and time.monotonic() < until:
        time.sleep(0.02)
    log.write_text("")


def score(name: str, collection: Path, log: Path, objects: Path | None = None) -> dict[str, float]:
    """Return what score.py says of a crawl."""
    command = [
        sys.executable,
        str(SITES / "score.py"),
        name,
        "--archive",
        str(collection / "archive"),
        "--log",
        str(log),
    ]
    command += ["--objects", str(objects)] if objects else []
    return dict(json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout))


def documents_in(name: str, url: str) -> list[str]:
    """Return the HTML pages that a capture holds, as they are addressed on the server at `url`."""
    origin = json.loads(lzma.decompress((SITES / f"{name}.truth.json.xz").read_bytes()))["origin"]
    host, served = origin.partition("//")[2], url.partition("//")[2]
    found = []
    with lzma.open(SITES / f"{name}.warc.xz") as stream:
        for record in ArchiveIterator(stream):
            head = record.http_headers
            if record.rec_type != "response" or head.get_statuscode() != "200":
                continue
            if "html" in (head.get_header("content-type") or ""):
                address = record.rec_headers.get_header("WARC-Target-URI")
                found.append(address.replace(host, served).replace(quote(host, ""), quote(served, "")))
    return found


def requests_in(log: Path) -> list[dict[str, object]]:
    """Return what the server was asked for."""
    return [json.loads(line) for line in log.read_text().splitlines() if line.strip("\x00")]


def _free_port() -> int:
    import socket

    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def _wait_for(url: str) -> None:
    from urllib.error import HTTPError, URLError

    for _ in range(1_800):  # the largest capture takes half a minute to load where other work goes on
        try:
            urlopen(url, timeout=5).close()
            return
        except HTTPError:
            return
        except (URLError, ConnectionError, TimeoutError):
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")
