"""A collection replayed by pywb, run as people run it: pages, revisits and POST answers come back as captured."""

import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from siteseer.archive.cdxj import write_index
from siteseer.archive.warc_writer import Original, WarcWriter
from tests.archive.exchanges import INFO, an_exchange, entry_of

PYWB = Path(sys.executable).with_name("pywb")
FORM = "Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 6\r\n"


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pywb")
    collection = folder / "collections" / "c"
    entries = []
    with WarcWriter(collection / "archive", INFO) as writer:

        def keep(exchange, revisit_of=None):
            capture = writer.write(exchange, revisit_of=revisit_of)
            entries.append(entry_of(exchange, capture, revisit=revisit_of is not None))
            return capture

        first = keep(an_exchange("http://example.org/page", b"<p>the page"))
        original = Original(first.record, "http://example.org/page", first.time)
        keep(an_exchange("http://example.org/copy", b"<p>the page"), original)
        for word in ("wine", "beer"):
            body = f"q={word}".encode()
            keep(
                an_exchange("http://example.org/s", b"found " + body, method="POST", asked_with=FORM, request_body=body)
            )
        chunked = (("Content-Type", "text/plain"), ("Transfer-Encoding", "chunked"))
        keep(an_exchange("http://example.org/chunked", b"no chunks left", chunked))
    write_index(entries, collection / "indexes" / "index.cdxj")
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [PYWB, "-p", str(port), "-b", "127.0.0.1"]
    with (folder / "log").open("wb") as log, subprocess.Popen(command, cwd=folder, stdout=log, stderr=log) as process:
        try:
            wait_for(port, process)
            yield f"http://127.0.0.1:{port}/c/20260304050607id_/"
        finally:
            process.terminate()
            process.wait(10)


def wait_for(port, process):
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline and process.poll() is None:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.1)
    pytest.fail("pywb did not start")


@pytest.mark.parametrize(
    ("url", "asked", "answer"),
    [
        ("http://example.org/page", None, b"<p>the page"),
        ("http://example.org/copy", None, b"<p>the page"),
        ("http://example.org/chunked", None, b"no chunks left"),
        ("http://example.org/s", b"q=wine", b"found q=wine"),
        ("http://example.org/s", b"q=beer", b"found q=beer"),
    ],
)
def test_replayed_as_captured(replay, url, asked, answer):
    with urllib.request.urlopen(urllib.request.Request(replay + url, data=asked), timeout=20) as response:
        assert response.read() == answer


def test_what_was_not_captured_is_not_made_up(replay):
    with pytest.raises(urllib.error.HTTPError, match="404"):
        urllib.request.urlopen(replay + "http://example.org/other", timeout=20)
