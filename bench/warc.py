"""Microseconds of CPU per exchange (response and request records): our writer against warcio, the same pages, one run.

    python bench/warc.py [FOLDER-OF-HTML]

Without a folder, pages are made up: words of uneven frequency in a template, about 30 KB.
"""

from __future__ import annotations

import io
import random
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

from harness import Table, ratio, run
from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from siteseer.archive.archived_pages import pages as read_pages
from siteseer.archive.warc_writer import WarcWriter
from siteseer.interfaces import Exchange

HEADERS = (
    ("Date", "Wed, 04 Mar 2026 05:06:07 GMT"),
    ("Server", "Apache/2.4.57 (Debian)"),
    ("Cache-Control", "private, no-cache"),
    ("Vary", "Accept-Encoding"),
    ("Content-Type", "text/html; charset=utf-8"),
)
ASKED = (("Host", "example.org"), ("User-Agent", "siteseer"), ("Accept", "*/*"), ("Accept-Encoding", "gzip"))
HEAD = b"GET /page HTTP/1.1\r\n" + "".join(f"{name}: {value}\r\n" for name, value in ASKED).encode() + b"\r\n"
TIME = datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


def made_up(count: int = 300) -> list[bytes]:
    dice = random.Random(0)
    words = ["".join(dice.choices("etaoinshrdlu", k=dice.randint(2, 9))) for _ in range(5000)]
    weights = [1 / rank for rank in range(1, 5001)]
    post = '<div class="post" id="p{}"><a class="author" href="/user/{}">{}</a><div class="content">{}</div></div>\n'
    pages = []
    for _ in range(count):
        posts = [
            post.format(
                dice.randrange(10**6),
                dice.randrange(10**4),
                dice.choice(words),
                " ".join(dice.choices(words, weights, k=200)),
            )
            for _ in range(22)
        ]
        pages.append(("<html><body>" + "".join(posts) + "</body></html>").encode())
    return pages


def found(folder: Path, count: int = 300) -> list[bytes]:
    pages = (path.read_bytes() for path in sorted(folder.rglob("*.htm*")))
    return [page for page in pages if 15_000 < len(page) < 60_000][:count]


def ours(pages: list[bytes], folder: Path) -> None:
    with WarcWriter(folder, {"software": "bench"}) as writer:
        for number, page in enumerate(pages):
            url = f"http://example.org/page/{number}"
            headers = (*HEADERS, ("Content-Length", str(len(page))))
            body = io.BytesIO(page)
            writer.write(Exchange(url, TIME, 5, "192.0.2.1", HEAD, b"", 200, "OK", headers, body, len(page)))


def warcio(pages: list[bytes], folder: Path) -> None:
    with (folder / "warcio.warc.gz").open("wb") as file:
        writer = WARCWriter(file, gzip=True, warc_version="1.1")
        for number, page in enumerate(pages):
            url = f"http://example.org/page/{number}"
            headers = [*HEADERS, ("Content-Length", str(len(page)))]
            head = StatusAndHeaders("200 OK", headers, protocol="HTTP/1.1")
            fields = {"WARC-IP-Address": "192.0.2.1"}
            response = writer.create_warc_record(
                url, "response", payload=io.BytesIO(page), http_headers=head, warc_headers_dict=fields
            )
            asked = StatusAndHeaders("GET /page HTTP/1.1", list(ASKED), is_http_request=True)
            request = writer.create_warc_record(url, "request", http_headers=asked)
            writer.write_request_response_pair(request, response)


def measured(write: Callable[[list[bytes], Path], None], pages: list[bytes]) -> tuple[float, float, float]:
    best, size = float("inf"), 0
    for _ in range(3):
        with tempfile.TemporaryDirectory() as folder:
            start = time.process_time()
            write(pages, Path(folder))
            best = min(best, time.process_time() - start)
            size = sum(path.stat().st_size for path in Path(folder).iterdir())
            start = time.process_time()
            assert sum(1 for _ in read_pages(Path(folder))) == len(pages)
            reading = time.process_time() - start
    return best / len(pages) * 1e6, size / sum(map(len, pages)), reading / len(pages) * 1e6


def main(folder: Path | None = None, /) -> None:
    pages = found(folder) if folder else made_up()
    print(f"{len(pages)} pages of {sum(map(len, pages)) // len(pages)} bytes")
    table = Table("writer:<10", "µs/exchange:>12.0f", "size:>8.3f", "µs to read back:>18.0f")
    results = {name: measured(write, pages) for name, write in (("siteseer", ours), ("warcio", warcio))}
    for name, figures in results.items():
        table.row(name, *figures)
    for what, at in (("µs to write an exchange", 0), ("size", 1)):
        ratio(what, results["siteseer"][at], "warcio", results["warcio"][at])


if __name__ == "__main__":
    run(main)
