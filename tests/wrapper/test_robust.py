"""What a run survives, and how it ends where it cannot: killed browsers, hostile pages, no process left behind."""

# ruff: noqa: E501 - scripts in pages read better unbroken

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from siteseer.collection.description import Description
from siteseer.demo import Server, SiteRequest, SiteResponse
from siteseer.demo.site import html, redirect
from siteseer.errors import SiteseerError
from siteseer.fetch.browser.chromium import ChromiumBrowser
from siteseer.fetch.browser.process import memory
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.settings import BrowserLimits, ExtractionOptions
from siteseer.wrapper.oxpath.evaluation.evaluate import Run
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.run import extract
from tests.web.chromium import required

QUICK = BrowserLimits(quiet_seconds=0.1, settle_seconds=3, answer_seconds=120, load_seconds=60)


def left_behind() -> list[str]:
    """Return the profiles and processes of our browsers that are still there."""
    found = []
    for entry in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = entry.read_bytes().split(b"\0")
        except OSError:
            continue
        ours = [word for word in words if word.startswith(b"--user-data-dir=") and b"siteseer-browser-" in word]
        if ours and f"siteseer-browser-{os.getpid()}-" in ours[0].decode():
            found.append(ours[0].decode())
    return found + list(map(str, Path(tempfile.gettempdir()).glob(f"siteseer-browser-{os.getpid()}-*")))


def listing(request: SiteRequest) -> SiteResponse:
    """Ten pages of ten rows; the address changes with the page."""
    number = int(request.query.get("page", 1))
    rows = "".join(f"<li><b>{number}-{row}</b></li>" for row in range(10))
    return html(f"<ul>{rows}</ul>" + (f"<a href='/?page={number + 1}'>next</a>" if number < 10 else ""))


IN_PLACE = """<ul id=list></ul><a href=#>next</a><script>
let page = 0;
const turn = () => {
  page += 1;
  list.innerHTML = [...Array(10).keys()].map(row => `<li><b>${page}-${row}</b></li>`).join('');
  if (page === 10) document.querySelector('a').remove();
};
document.querySelector('a').onclick = event => { event.preventDefault(); turn(); };
turn();</script>"""


@pytest.mark.parametrize(
    "pages",
    [
        pytest.param({"/": listing}, id="by address"),
        pytest.param({"/": IN_PLACE}, id="in place", marks=pytest.mark.large),
    ],
)
def test_no_record_is_lost_when_the_browser_is_killed_twice(
    serve_pages: Callable[..., Server], pages: dict[str, Any]
) -> None:
    required()
    server = serve_pages(pages)
    browser = ChromiumBrowser(AddressPolicy(allow_private=True), "siteseer test", QUICK)
    found: list[str] = []

    def give(record: Record) -> None:
        found.append(record.children[0].value or "")
        if len(found) in (33, 67):
            os.kill(browser.process.pid, signal.SIGKILL)

    try:
        Run(browser, give, {"u": server.url}).run(parse("doc($u)/(//a/{click /})*//li:<r>[b:<v=string(.)>]"))
    finally:
        browser.close()
    assert found == [f"{page}-{row}" for page in range(1, 11) for row in range(10)]
    assert browser.restarts >= 2
    assert left_behind() == []


STORM = "<script>while (true) alert('again')</script>"
LOOP = "<p>x</p><script>setTimeout(() => { while (true) {} }, 50)</script>"
GROWING = """<p>0</p><div hidden></div><script>const grow = () => { const into = document.querySelector('div');
for (let n = 0; n < 20000; n++) { const one = document.createElement('i');
one.textContent = 'x'.repeat(500) + Math.random(); into.append(one); }
document.querySelector('p').textContent = into.childNodes.length; setTimeout(grow, 0); }; setTimeout(grow, 0);</script>"""
HEAD = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<!doctype html>"
PIECE = b"<div class=c><p>some words</p></div>" * 30_000
WINDOWS = "<p>x</p><script>for (let n = 0; n < 60; n++) window.open('/window?' + n)</script>"
SENT = SiteResponse(wire=(HEAD, *(PIECE,) * 1000))
HOSTILE: dict[str, tuple[dict[str, Any], str]] = {
    "redirects": ({"/": lambda request: redirect(f"/?n={len(request.target)}x{request.target[-900:]}")}, "redirects more often"),
    "scripted redirects": ({"/": "<script>location.href = '/?' + Math.random()</script>"}, "on and on"),
    "alerts": ({"/": STORM}, "message after message"),
    "a loop": ({"/": LOOP}, "does not let the browser answer"),
    "a gigabyte made by a script": ({"/": GROWING}, "of memory"),
    "a gigabyte that is sent": ({"/": SENT}, "of memory"),
    "windows": ({"/": WINDOWS, "/window": "<p>x</p>"}, "window after window"),
    "download": ({"/": SiteResponse(200, (("Content-Type", "application/zip"),), b"PK")}, "download"),
}  # fmt: skip
UNTIL = parse("doc($u)/(/html/{wheel /})*//p:<p=string(.)>//b:<b>")
"""Goes on for as long as the page changes: only what a page does ends it, not how long that takes."""


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_ends_with_a_clear_error_and_leaves_nothing_behind(
    serve_pages: Callable[..., Server], name: str
) -> None:
    required()
    pages, sentence = HOSTILE[name]
    server = serve_pages(pages)
    limits = BrowserLimits(
        quiet_seconds=0.1, settle_seconds=5 if "gigabyte" in name else 120, answer_seconds=10 if name == "a loop" else 300,
        load_seconds=300, page_bytes=300 * 2**20,
    )  # fmt: skip
    with pytest.raises(SiteseerError, match=sentence):
        extract(UNTIL, lambda one: None, ExtractionOptions({"u": server.url}, delay=0, browser_limits=limits))
    assert left_behind() == []


def test_what_a_browser_visits_is_archived_and_can_be_run_again_without_it(
    serve_pages: Callable[..., Server], tmp_path: Path
) -> None:
    required()
    pages = {"/": "<link rel=stylesheet href=/s.css><li><a href=/a>A</a></li><li><a href=/b>B</a></li>", "/a": "<h1>One</h1>",
             "/b": "<h1>Two</h1>", "/s.css": SiteResponse(200, (("Content-Type", "text/css"),), b"li {color: red}")}  # fmt: skip
    server = serve_pages(pages)
    wrapper = parse("doc($u)//li:<r>[a:<n=string(.)>][? a/{click /}//h1:<t=string(.)>]")
    first: list[Record] = []
    second: list[Record] = []
    folder = tmp_path / "kept"
    extract(
        wrapper, first.append, ExtractionOptions({"u": server.url}, collection=folder, delay=0, browser_limits=QUICK)
    )
    server.stop()
    extract(wrapper, second.append, ExtractionOptions({"u": server.url}, offline=folder))
    assert second == first
    assert [[child.value for child in one.children] for one in first] == [["A", "One"], ["B", "Two"]]
    with Description.of(folder) as description:
        assert len(list(description.objects())) == 2
    index = (folder / "indexes" / "index.cdxj").read_text()
    assert "/s.css" in index


STARTED = """
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.fetch.browser.chromium import ChromiumBrowser
browser = ChromiumBrowser(AddressPolicy(), "siteseer test")
browser.life.start()
print(browser.process.pid, flush=True)
input()
"""


def test_a_run_that_is_killed_leaves_no_browser_behind() -> None:
    required()
    with subprocess.Popen(
        [sys.executable, "-c", STARTED], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        leader = int(run.stdout.readline())
        assert memory(leader) > 0
        run.kill()
    until = time.monotonic() + 300
    while memory(leader) and time.monotonic() < until:
        time.sleep(0.1)
    assert memory(leader) == 0
