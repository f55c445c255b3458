"""A blind crawl of real software: everything reachable is archived once, bit for bit, and other tools read it."""

from __future__ import annotations

import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from urllib.request import urlopen

from warcio.archiveiterator import ArchiveIterator

from siteseer import verify as check
from siteseer.archive.archived_pages import pages
from siteseer.crawler.results.export_collection import export_package
from siteseer.crawler.run import crawl
from siteseer.page.urls import identity
from siteseer.settings import CrawlOptions
from tests.real.replays import documents_in, needs_captures, replayed, requests_in

BIN = Path(sys.executable).parent


@needs_captures
def test_blind_crawl(tmp_path: Path) -> None:
    prove_blind("textpattern", tmp_path)


def prove_blind(name: str, folder: Path) -> dict[str, object]:
    """Crawl a capture blindly and check everything that is promised of it."""
    log, collection = folder / "requests.jsonl", folder / "collection"
    with replayed(name, log) as url:
        options = CrawlOptions(
            (f"{url}/",), collection, strategy="blind", delay=0.0, concurrency=8, robots="ignore", assets="none"
        )
        summary = crawl(options)
        time.sleep(0.8)  # the server writes its log a little late
        asked = Counter(str(entry["path"]) for entry in requests_in(log))
        assert summary["finished"] and summary["requests"] == asked.total()
        assert max(asked.values()) == 1, "a URL was fetched twice"
        assert _documents_missed(name, url, asked) == []
        stored = {page.url: page.body for page, _ in pages(collection / "archive")}
        assert len(stored) == asked.total()
        for address, body in stored.items():
            assert _served(address) == body, address
    for file in sorted((collection / "archive").iterdir()):
        subprocess.run([BIN / "warcio", "check", file], check=True, capture_output=True)
        with file.open("rb") as stream:
            assert next(iter(ArchiveIterator(stream))).rec_type == "warcinfo"
    assert check(collection)["problems"] == ()
    wacz = folder / "site.wacz"
    export_package(collection, wacz)
    subprocess.run([BIN / "wacz", "validate", "-f", wacz], check=True, capture_output=True)
    _replay_with_pywb(collection, folder, next(iter(stored)))
    return summary


def _documents_missed(name: str, url: str, asked: Iterable[str]) -> list[str]:
    """Return the HTML pages of a capture that were not asked for, in any spelling of their URL.

    What else a capture holds (pages of the REST interface, later pages of feeds, sitemaps) no page links to.
    """
    known = {identity(url + path) for path in asked}
    return [one for one in documents_in(name, url) if identity(one) not in known]


def _served(address: str) -> bytes:
    from urllib.error import HTTPError

    try:
        with urlopen(address) as answer:
            return bytes(answer.read())
    except HTTPError as error:
        return error.read()


def _replay_with_pywb(collection: Path, folder: Path, address: str) -> None:
    """Let pywb index the WARC files and serve a page of them."""
    root = folder / "pywb"
    root.mkdir()
    subprocess.run([BIN / "wb-manager", "init", "site"], cwd=root, check=True, capture_output=True)
    warcs = sorted((collection / "archive").iterdir())
    subprocess.run([BIN / "wb-manager", "add", "site", *warcs], cwd=root, check=True, capture_output=True)
    from tests.real.replays import _free_port, _wait_for

    port = _free_port()
    process = subprocess.Popen(
        [BIN / "wayback", "-p", str(port), "-b", "127.0.0.1"],
        cwd=root,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(f"http://127.0.0.1:{port}/")
        body = _served(f"http://127.0.0.1:{port}/site/mp_/{address}")
        assert len(body) > 100 and b"Not Found" not in body[:300]
    finally:
        process.terminate()
        process.wait()
        shutil.rmtree(root, ignore_errors=True)
