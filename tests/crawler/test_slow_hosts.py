"""A host that sends a few bytes at a time without end holds no crawl: limits, Ctrl-C and stop reach it."""

from __future__ import annotations

import itertools
import json
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from siteseer.collection.state import State
from siteseer.crawler.remote_control import RemoteControl
from siteseer.crawler.run import crawl
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.settings import CrawlOptions, FetchLimits

HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
LIMITS = FetchLimits(head_seconds=60, idle_seconds=30, total_seconds=60, last_seconds=0.5, retries=0)
TRICKLES: dict[str, Callable[[], Iterator[bytes]]] = {
    "body": lambda: itertools.chain([HEAD + b"\r\n"], itertools.repeat(b"ten bytes ")),
    "headers": lambda: itertools.chain([HEAD], (b"X-%d: v\r\n" % number for number in itertools.count())),
    "preliminary": lambda: itertools.repeat(b"HTTP/1.1 103 Early Hints\r\n\r\n"),
    "chunk-extension": lambda: itertools.chain(
        [HEAD + b"Transfer-Encoding: chunked\r\n\r\n1;"], itertools.repeat(b"x" * 10)
    ),
    "blank-lines": lambda: itertools.repeat(b"\r\n"),
}
CRAWL = """
import sys
from pathlib import Path
from siteseer.crawler.run import crawl
from siteseer.settings import CrawlOptions, FetchLimits
limits = FetchLimits(idle_seconds=30, total_seconds=60, last_seconds=0.5, retries=0)
crawl(CrawlOptions((sys.argv[1],), Path(sys.argv[2]), strategy="blind", delay=0, assets="none", limits=limits))
"""


def trickling(kind: str, pause: float = 0.1, path: str = "/slow") -> Site:
    """A site of an ordinary page that links to one that never ends."""

    def answer(request: SiteRequest) -> SiteResponse:
        if request.path == path:
            return SiteResponse(200, wire=TRICKLES[kind](), pause=pause)
        if request.path == "/robots.txt":
            return html("", 404)
        return html("<title>Start</title><p>Some words.</p><a href=/slow>slow</a>")

    return Site(Truth("hostile", 0, "", (), frozenset(), frozenset(), 0, frozenset()), answer)


def rows(folder: Path) -> dict[str, int]:
    state = State(folder, create=False)
    try:
        return dict(state.rows("SELECT url, status FROM urls"))
    finally:
        state.close()


def options(url: str, folder: Path, limits: FetchLimits = LIMITS, **more: object) -> CrawlOptions:
    usual = {"strategy": "blind", "delay": 0.0, "assets": "none", "limits": limits}
    return CrawlOptions((url,), folder, **(usual | more))  # type: ignore[arg-type]


def of_every_kind(check: Callable[[str], None]) -> None:
    """Check all kinds at once: what a check does is wait."""
    with ThreadPoolExecutor(len(TRICKLES)) as pool:
        for running in [pool.submit(check, kind) for kind in TRICKLES]:
            running.result()


def test_a_time_limit_reaches_what_is_in_flight(serve: Callable, tmp_path: Path) -> None:
    of_every_kind(lambda kind: _time_limit_reaches(serve(trickling(kind, pause=0.4)), tmp_path / kind))


def _time_limit_reaches(server: Server, tmp_path: Path) -> None:
    began = time.monotonic()
    summary = crawl(options(server.url, tmp_path / "c", time_limit=1.5))
    assert 1.5 <= time.monotonic() - began < 8
    assert summary["stopped_by"] == "time" and not summary.get("at_once")
    assert rows(tmp_path / "c")[f"{server.url}/slow"] == 0, "it waits for whoever goes on with the crawl"


def test_a_time_limit_reaches_robots_txt(serve: Callable, tmp_path: Path) -> None:
    server = serve(trickling("body", path="/robots.txt"))
    began = time.monotonic()
    assert crawl(options(server.url, tmp_path / "c", time_limit=1.5))["stopped_by"] == "time"
    assert time.monotonic() - began < 8
    assert set(rows(tmp_path / "c").values()) == {0}, "nothing was refused because robots.txt did not come in time"


def test_a_time_limit_also_ends_a_crawl_that_waits_after_another_limit(serve: Callable, tmp_path: Path) -> None:
    server = serve(trickling("body"))
    began = time.monotonic()
    assert crawl(options(server.url, tmp_path / "c", limit=3, time_limit=1.5))["stopped_by"] in ("limit", "time")
    assert time.monotonic() - began < 8


def test_the_services_stop_reaches_what_is_in_flight(serve: Callable, tmp_path: Path) -> None:
    server, control = serve(trickling("body")), RemoteControl()
    threading.Timer(1.5, control.stop).start()
    began = time.monotonic()
    assert crawl(options(server.url, tmp_path / "c"), control=control)["stopped_by"] == "interrupt"
    assert time.monotonic() - began < 8


def test_one_ctrl_c_ends_a_crawl_soon(serve: Callable, tmp_path: Path) -> None:
    server = serve(trickling("body"))
    process = subprocess.Popen([sys.executable, "-c", CRAWL, server.url, str(tmp_path / "c")])
    while not any(entry.path == "/slow" for entry in server.log):
        assert process.poll() is None
        time.sleep(0.05)
    began = time.monotonic()
    process.send_signal(signal.SIGINT)
    assert process.wait(20) == 0
    assert time.monotonic() - began < 8
    assert json.loads((tmp_path / "c" / "reports" / "summary.json").read_text())["stopped_by"] == "interrupt"


def test_what_trickles_ends_by_itself_and_is_not_asked_for_again(serve: Callable, tmp_path: Path) -> None:
    of_every_kind(lambda kind: _ends_by_itself(serve(trickling(kind, pause=0.4)), tmp_path / kind))


def _ends_by_itself(server: Server, tmp_path: Path) -> None:
    limits = FetchLimits(head_seconds=1.5, idle_seconds=1, total_seconds=60, retries=0)
    began = time.monotonic()
    summary = crawl(options(server.url, tmp_path / "c", limits))
    assert time.monotonic() - began < 10 and summary["stopped_by"] is None
    state = State(tmp_path / "c", create=False)
    ((status, reason),) = state.rows("SELECT status, rule FROM urls WHERE url LIKE '%/slow'")
    state.close()
    assert status in (2, 3) and reason
    asked = len([entry for entry in server.log if entry.path == "/slow"])
    crawl(options(server.url, tmp_path / "c", limits))
    assert len([entry for entry in server.log if entry.path == "/slow"]) == asked == 1
