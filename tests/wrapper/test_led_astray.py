"""Clicks that lead where a run may not go, windows beside a page, pages that come slowly: in one browser for all."""

# ruff: noqa: E501 - scripts in pages read better unbroken

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest

from siteseer.demo import Server, SiteResponse
from siteseer.demo.site import redirect
from siteseer.errors import SiteseerError
from siteseer.fetch.browser.chromium import ChromiumBrowser
from siteseer.fetch.ssrf_guard import AddressPolicy
from siteseer.settings import BrowserLimits
from siteseer.wrapper.oxpath.evaluation.evaluate import Run
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record
from tests.web.chromium import required

QUICK = BrowserLimits(quiet_seconds=0.1, settle_seconds=3, answer_seconds=120, load_seconds=60)


CLICKED: dict[str, tuple[str, dict[str, Any], str]] = {
    "a link to a download": ("<a href=/zip>x</a>", {"/zip": SiteResponse(200, (("Content-Type", "application/zip"),), b"PK")}, "/zip is a download"),
    "a saved file": ("<a href=/new download=x.html>x</a>", {"/new": "<p>x</p>"}, "is a download"),
    "redirects": ("<a href=/r>x</a>", {"/r": lambda request: redirect(f"/r?n={len(request.target)}{request.target[-900:]}")}, "redirects more often"),
    "a private link": ("<a href='SECRET/'>x</a>", {}, "is a private address"),
    "a private script": ("<a href=# onclick=\"location.href = 'SECRET/'\">x</a>", {}, "is a private address"),
    "a private redirect": ("<a href=/r>x</a>", {"/r": lambda request: redirect(request.query["to"])}, "is a private address"),
    "a private form": ("<form action='SECRET/'><a onclick='this.parentNode.submit()'>x</a></form>", {}, "is a private address"),
    "a private window": ("<a href=# onclick=\"window.open('SECRET/')\">x</a>", {}, "a private address"),
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
    chromium.loads._told.clear()
    chromium.loads.rules = replace(chromium.loads.rules, warn=warnings.append)
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


COUNTS = "<p>0</p><script>setInterval(() => { document.querySelector('p').textContent++; }, 20)</script>"
"""A page that never comes to rest: what it does is noticed at last, on a machine of any speed."""
PRIVATE = {
    "a picture": "<img src='SECRET/i.png'>",
    "a script": "<script src='SECRET/s.js'></script>",
    "a style sheet": "<link rel=stylesheet href='SECRET/s.css'>",
    "a frame": "<iframe src='SECRET/'></iframe>",
    "a request": "<script>fetch('SECRET/', {mode: 'no-cors'})</script>",
    "a message": "<script>navigator.sendBeacon('SECRET/', 'x')</script>",
    "a socket": "<script>new WebSocket('SECRET/'.replace('http', 'ws'))</script>",
    "another spelling": "<img src='SPELT/i.png'>",
}


@pytest.mark.parametrize("name", PRIVATE)
def test_a_page_that_asks_for_a_private_address_ends_the_run_and_gets_nothing(
    serve_pages: Callable[..., Server], chromium: ChromiumBrowser, name: str
) -> None:
    secret = serve_pages({"/": "<h1>secret</h1>"})
    page = PRIVATE[name].replace("SECRET", secret.url).replace("SPELT", secret.url.replace("127.0.0.1", "0x7f.1"))
    server = serve_pages({"/": COUNTS + page})
    begin(chromium, server)
    with pytest.raises(
        SiteseerError, match=rf"asks for a private address, which was refused: 127.0.0.1 port {secret.port}"
    ):
        Run(chromium, lambda one: None, {"u": server.url}).run(parse("doc($u)/(/html/{wheel /})*//p:<p=string(.)>"))
    assert secret.log == []


def test_downloads_that_a_script_makes_end_the_run(
    serve_pages: Callable[..., Server], chromium: ChromiumBrowser
) -> None:
    page = """<script>setInterval(() => { const link = document.createElement('a'); link.download = 'x.bin';
    link.href = URL.createObjectURL(new Blob(['x'.repeat(1000000)])); link.click(); }, 50)</script>"""
    server = serve_pages({"/": COUNTS + page})
    begin(chromium, server)
    with pytest.raises(SiteseerError, match=r"blob:.* is a download, not a page"):
        Run(chromium, lambda one: None, {"u": server.url}).run(parse("doc($u)/(/html/{wheel /})*//p:<p=string(.)>"))


def test_a_page_without_end_ends_the_run(
    serve_pages: Callable[..., Server], chromium: ChromiumBrowser, monkeypatch: pytest.MonkeyPatch
) -> None:
    head = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n<p>1</p>"
    server = serve_pages({"/": SiteResponse(wire=(head, *(b"<p>x</p>",) * 1_000_000), pause=0.1)})
    begin(chromium, server)
    monkeypatch.setattr(chromium.life, "limits", replace(QUICK, load_seconds=1))
    with pytest.raises(SiteseerError, match="is still being sent after 1 seconds"):
        Run(chromium, pytest.fail, {"u": server.url}).run(parse("doc($u)//p:<p=string(.)>"))


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
