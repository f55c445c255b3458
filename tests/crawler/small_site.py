"""A tiny HTTP server whose answers a test writes itself."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from siteseer.settings import CrawlOptions, FetchLimits

QUICK = FetchLimits(connect_seconds=3, idle_seconds=1.0, total_seconds=6, retries=2, retry_seconds=0.05)
Answer = tuple[int, dict[str, str], bytes]


@dataclass
class Seen:
    """One request, on the server's own clock."""

    path: str
    headers: dict[str, str]
    start: float
    end: float = 0.0
    body: bytes = b""


@dataclass
class SmallSite:
    """Serves what `answer(path, headers)` returns."""

    answer: Callable[[str, dict[str, str]], Answer]
    seen: list[Seen] = field(default_factory=list)
    url: str = ""
    port: int = 0

    def __enter__(self) -> SmallSite:
        site = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_GET(self) -> None:
                entry = Seen(self.path, {k.lower(): v for k, v in self.headers.items()}, time.monotonic())
                entry.body = self.rfile.read(int(self.headers.get("content-length") or 0))
                site.seen.append(entry)
                status, headers, body = site.answer(self.path, entry.headers)
                self.send_response(status)
                for name, value in {"Content-Type": "text/html", **headers}.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)
                entry.end = time.monotonic()

            do_POST = do_GET

            def log_message(self, *_: Any) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", self.port), Handler)
        self.server.daemon_threads = True
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    def paths(self) -> list[str]:
        return [entry.path for entry in self.seen]


def pages(answers: dict[str, str | Answer]) -> Callable[[str, dict[str, str]], Answer]:
    """Answer from a table of path to HTML (status 200) or to a whole answer."""

    def answer(path: str, headers: dict[str, str]) -> Answer:
        found = answers.get(path)
        if found is None:
            return 404, {}, b"nothing here"
        return (200, {}, found.encode()) if isinstance(found, str) else found

    return answer


def quick_options(folder: Path, *seeds: str, **options: Any) -> CrawlOptions:
    """Return options of a crawl that does not wait: no delay, short time-outs, no page requisites."""
    usual: dict[str, Any] = {"strategy": "blind", "delay": 0.0, "concurrency": 4, "assets": "none", "limits": QUICK}
    return CrawlOptions(seeds, folder, **(usual | options))
