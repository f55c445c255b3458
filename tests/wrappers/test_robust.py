"""What a run survives, and how it ends where it cannot: killed browsers, hostile pages, no process left behind."""

# ruff: noqa: E501 - scripts in pages read better unbroken

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from present.chromium import required
from siteseer.crawl.extraction import ExtractionOptions, extract
from siteseer.demo import Server, SiteRequest, SiteResponse
from siteseer.demo.site import html, redirect
from siteseer.describe.describe import Description
from siteseer.errors import SiteseerError
from siteseer.fetch.addresses import AddressPolicy
from siteseer.fetch.browser import ChromiumBrowser
from siteseer.fetch.browser_process import memory
from siteseer.settings import BrowserLimits
from siteseer.wrappers.evaluate import Run
from siteseer.wrappers.parse import parse
from siteseer.wrappers.records import Record

QUICK = BrowserLimits(quiet_seconds=0.1, settle_seconds=3, answer_seconds=12, load_seconds=10)


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
    return found


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


@pytest.mark.parametrize("pages", [{"/": listing}, {"/": IN_PLACE}], ids=["by address", "in place"])
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
GROWING = """<script>const grow = () => { for (let n = 0; n < 20000; n++) { const one = document.createElement('div');
one.textContent = 'x'.repeat(500) + Math.random(); document.documentElement.append(one); } setTimeout(grow, 0); };
setTimeout(grow, 0);</script>"""
SCAN = "<p>x</p><script>for (let n = 1; n < 20; n++) fetch(`http://10.0.0.${n}/`, {mode: 'no-cors'})</script>"
HOSTILE: dict[str, tuple[dict[str, Any], str]] = {
    "redirects": ({"/": lambda request: redirect(f"/?n={len(request.target)}x{request.target[-900:]}")}, "redirects more often"),
    "scripted redirects": ({"/": "<script>location.href = '/?' + Math.random()</script>"}, "on and on"),
    "alerts": ({"/": STORM}, "message after message"),
    "a search of the network": ({"/": SCAN}, "one private address after the other"),
    "a loop": ({"/": LOOP}, "does not let the browser answer"),
    "memory": ({"/": GROWING}, "of memory"),
    "download": ({"/": SiteResponse(200, (("Content-Type", "application/zip"),), b"PK")}, "download"),
}  # fmt: skip


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_page_ends_with_a_clear_error_and_leaves_nothing_behind(
    serve_pages: Callable[..., Server], name: str
) -> None:
    required()
    pages, sentence = HOSTILE[name]
    server = serve_pages(pages)
    limits = BrowserLimits(
        quiet_seconds=0.1,
        settle_seconds=5,
        answer_seconds=60 if name == "memory" else 10,
        load_seconds=10,
        page_bytes=300 * 2**20,
    )
    began = time.monotonic()
    with pytest.raises(SiteseerError, match=sentence):
        extract(
            parse("doc($u)//p:<p=string(.)>//b:<b>"), lambda one: None,
            ExtractionOptions({"u": server.url}, delay=0, browser_limits=limits),
        )  # fmt: skip
    assert time.monotonic() - began < 90
    assert left_behind() == []


CLICKED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a link to a download": ("<a href=/zip>x</a>", {"/zip": SiteResponse(200, (("Content-Type", "application/zip"),), b"PK")}, "/zip is a download"),
    "a saved file": ("<a href=/new download=x.html>x</a>", {"/new": "<p>x</p>"}, "is a download"),
    "redirects": ("<a href=/r>x</a>", {"/r": lambda request: redirect(f"/r?n={len(request.target)}{request.target[-900:]}")}, "redirects more often"),
    "a private link": ("<a href='SECRET/'>x</a>", {}, "is a private address"),
    "a private script": ("<a href=# onclick=\"location.href = 'SECRET/'\">x</a>", {}, "is a private address"),
    "a private redirect": ("<a href=/r>x</a>", {"/r": lambda request: redirect(request.query["to"])}, "is a private address"),
    "a private form": ("<form action='SECRET/'><a onclick='this.parentNode.submit()'>x</a></form>", {}, "is a private address"),
    "a private window": ("<a href=# onclick=\"window.open('SECRET/')\">x</a>", {}, "is a private address"),
    "a private link, encrypted": ("<a href='HTTPS/'>x</a>", {}, "is a private address"),
}  # fmt: skip


@pytest.fixture(scope="module")
def chromium() -> Iterator[ChromiumBrowser]:
    """One browser for what does not kill it."""
    required()
    browser = ChromiumBrowser(AddressPolicy(), "siteseer test", QUICK)
    yield browser
    browser.close()


def begin(chromium: ChromiumBrowser, server: Server) -> list[str]:
    """Let a browser that was used before begin anew, on this site; return the warnings that will come."""
    warnings: list[str] = []
    chromium.life.gate.addresses.name(server.url)
    chromium.life.gate.private.clear()
    chromium.loads.warn = warnings.append
    return warnings


@pytest.mark.parametrize("name", CLICKED)
def test_a_click_that_leads_where_it_may_not_ends_the_run(
    serve_pages: Callable[..., Server], chromium: ChromiumBrowser, name: str
) -> None:
    secret = serve_pages({"/": "<p>secret</p>"})
    page, more, sentence = CLICKED[name]
    page = page.replace("SECRET", secret.url).replace("HTTPS", secret.url.replace("http:", "https:"))
    server = serve_pages({"/": page.replace("/r>", f"'/r?to={secret.url}/'>"), **more})
    begin(chromium, server)
    with pytest.raises(SiteseerError, match=sentence):
        Run(chromium, pytest.fail, {"u": server.url}).run(parse("doc($u)//a/{click /}//p:<p=string(.)>"))
    assert secret.log == []


def test_a_page_that_cannot_be_had_is_left_out_where_others_can(
    serve_pages: Callable[..., Server], chromium: ChromiumBrowser
) -> None:
    server = serve_pages({"/": "<a href=/none>0</a><a href=/one>1</a><a href=/no>2</a>", "/one": "<p>one</p>"})
    warnings = begin(chromium, server)
    found: list[Record] = []
    wrapper = parse("doc($u)//a/{click /}//p:<p=string(.)>")
    Run(chromium, found.append, {"u": server.url}, warnings.append).run(wrapper)
    assert [one.value for one in found] == ["one"]
    assert [text.partition(" failed")[0] for text in warnings] == ["left out: {click /}"] * 2


def test_windows_that_a_page_opens_beside_it_are_closed_and_told_of(
    serve_pages: Callable[..., Server], chromium: ChromiumBrowser
) -> None:
    page = "<p>0</p><a href=# onclick=\"window.open('/popup'); document.querySelector('p').textContent = 1\">x</a>"
    server = serve_pages({"/": page, "/popup": "<p>ad</p>"})
    warnings = begin(chromium, server)
    found: list[Record] = []
    Run(chromium, found.append, {"u": server.url}).run(parse("doc($u)//a/{click /}//p:<p=string(.)>"))
    assert [one.value for one in found] == ["1"]
    assert warnings == [f"{server.url}/# opened windows beside it: 1 closed"]


def test_private_addresses_are_not_reached_by_images_scripts_or_frames(
    serve_pages: Callable[..., Server], chromium: ChromiumBrowser
) -> None:
    secret = serve_pages({"/": "<h1>secret</h1>"})
    page = f"""<iframe src='{secret.url}/'></iframe><img src='{secret.url}/i'><p></p><script>
    fetch('{secret.url}/', {{mode: 'no-cors'}}).then(a => a.text()).then(t => {{ document.querySelector('p').textContent = t; }});
    </script>"""
    server = serve_pages({"/": page})
    warnings = begin(chromium, server)
    found: list[Record] = []
    Run(chromium, found.append, {"u": server.url}).run(parse("doc($u)//p:<p=string(.)>"))
    assert [one.value for one in found] == [""]
    assert "a private address: it was refused" in warnings[0]
    with pytest.raises(SiteseerError, match="is a private address"):
        Run(chromium, pytest.fail, {"u": server.url}).run(parse("doc($u)//iframe/{enterframe}//h1:<h=string(.)>"))
    assert secret.log == []


def test_a_page_that_is_sent_slowly_is_waited_for(
    serve_pages: Callable[..., Server], chromium: ChromiumBrowser
) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n"
    halves = SiteResponse(wire=(head + b"<p>1</p>", b"<p>2</p>"), pause=QUICK.settle_seconds + 1)
    server = serve_pages({"/": halves})
    begin(chromium, server)
    found: list[Record] = []
    Run(chromium, found.append, {"u": server.url}).run(parse("doc($u)//p:<p=string(.)>"))
    assert [one.value for one in found] == ["1", "2"]


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
from siteseer.fetch.addresses import AddressPolicy
from siteseer.fetch.browser import ChromiumBrowser
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
    until = time.monotonic() + 20
    while memory(leader) and time.monotonic() < until:
        time.sleep(0.1)
    assert memory(leader) == 0
