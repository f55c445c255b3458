"""What a wrapper's browser archived is shown by pywb as it was: the content that scripts fetched, too."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from siteseer.demo import Server, SiteResponse
from siteseer.demo.site import document
from siteseer.settings import BrowserLimits, ExtractionOptions
from siteseer.web.replay_server import Replay
from siteseer.wrapper.oxpath.language.parser import parse
from siteseer.wrapper.oxpath.output.records import Record
from siteseer.wrapper.run import extract
from tests.web.chromium import FLAGS, required

PAGE = """<!doctype html><link rel=stylesheet href=/style.css><h1>List</h1><ul></ul><script>
fetch('/rows?from=1').then(answer => answer.text()).then(rows => { document.querySelector('ul').innerHTML = rows; });
</script>"""


@pytest.mark.skipif(not Replay.is_installed(), reason="replay needs pywb")
def test_pywb_replays_what_a_wrapper_archived(serve_pages: Callable[..., Server], tmp_path: Path) -> None:
    chromium = required()
    from playwright.sync_api import expect, sync_playwright

    server = serve_pages(
        {
            "/": PAGE,
            "/rows": document("<li>one</li><li>two</li>", "text/html"),
            "/style.css": SiteResponse(200, (("Content-Type", "text/css"),), b"li { color: rgb(1, 2, 3) }"),
        }
    )
    found: list[Record] = []
    limits = BrowserLimits(quiet_seconds=0.2)
    options = ExtractionOptions({"u": server.url}, collection=tmp_path / "kept", delay=0, browser_limits=limits)
    extract(parse("doc($u)//li:<row=string(.)>"), found.append, options)
    server.stop()
    assert [one.value for one in found] == ["one", "two"]
    replay = Replay()
    try:
        link = replay.address("kept", tmp_path / "kept", f"{server.url}/")
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=FLAGS)
            page = browser.new_page()
            page.goto(link, timeout=60_000)
            rows = page.frame_locator("iframe").locator("li")
            expect(rows).to_have_text(["one", "two"], timeout=60_000)
            expect(rows.first).to_have_css("color", "rgb(1, 2, 3)")
            browser.close()
    finally:
        replay.close()
