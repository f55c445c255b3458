"""A captured board crawled, watched, read and asked in the web interface, in a real browser."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.real.replays import needs_captures, replayed
from tests.web.chromium import interface, launched

WAIT = 120_000


@needs_captures
def test_a_captured_board_from_address_to_archived_post(tmp_path: Path) -> None:
    pytest.importorskip("nicegui", reason="the web interface needs the extra ui")
    with (
        replayed("fluxbb", tmp_path / "replay.log") as url,
        launched() as browser,
        interface(tmp_path / "library", SITESEER_KNOWLEDGE=str(tmp_path / "own")) as running,
    ):
        from playwright.sync_api import expect

        expect.set_options(timeout=WAIT)
        page = browser.new_context(viewport={"width": 1280, "height": 850}).new_page()
        page.set_default_timeout(WAIT)
        page.goto(running.link)
        page.get_by_label("Address of the site").fill(url)
        page.get_by_role("button", name="What is it?").click()
        expect(page.get_by_text("This is FluxBB, a forum.")).to_be_visible()
        expect(page.get_by_text("Keep the members' profile pages")).to_be_visible()
        page.get_by_role("button", name="Intelligent", exact=True).click()
        page.get_by_text("More options").click()
        page.get_by_label("Name of the collection").fill("board")
        page.get_by_label("Seconds between requests").fill("0")
        page.get_by_role("button", name="Start", exact=True).click()
        page.wait_for_url("**/live")
        expect(page.locator(".pill", has_text="finished")).to_be_visible()
        grown = page.evaluate(
            "getElement(Number(document.querySelector('.chart').id.slice(1))).chart.getOption().series[0].data"
        )
        assert len(grown) > 3 and grown[-1][1] > 1000

        page.goto(running.at("/c/board/read"))
        page.locator(".thing .author").first.wait_for()
        everything = page.get_by_role("status").filter(has_text="found").first.inner_text()
        author = page.locator(".thing .author").first.inner_text()
        page.locator(".thing .author").first.click()
        expect(page.get_by_role("status").filter(has_text="found").first).not_to_have_text(everything)
        assert set(page.locator(".thing .author").all_inner_texts()) == {author}
        page.get_by_role("link", name="Whole thread").first.click()
        page.get_by_text("in this thread").wait_for()
        card = page.locator(".thing", has=page.locator(".said")).last
        said = " ".join(card.locator(".said").inner_text().split())[:40]
        card.get_by_role("button", name="Archived page").click()
        frame = page.frame_locator("iframe")
        expect(frame.locator("#siteseer-here")).to_be_in_viewport()
        assert said in " ".join(frame.locator("body").inner_text().split())

        page.goto(running.at("/c/board/ask"))
        page.get_by_role("button", name="Who wrote most").click()
        page.locator(".answer th", has_text="posts").wait_for()
        page.locator(".answer tbody tr").first.click()
        expect(frame.locator("#siteseer-here")).to_be_in_viewport()
