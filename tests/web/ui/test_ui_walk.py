"""The whole way in a real browser: start a crawl, watch it, read, ask, look at the page, lift a rule, go on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from siteseer.demo import Server, make_site
from tests.web.chromium import Interface, interface


@pytest.fixture(scope="module")
def site() -> Iterator[Server]:
    with Server(make_site("forum", 5, size=10)) as server:
        yield server


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Interface]:
    with interface(tmp_path / "library", SITESEER_KNOWLEDGE=str(tmp_path / "own")) as started:
        yield started


LINES = """() => { const one = document.querySelector('.chart');
return getElement(Number(one.id.slice(1))).chart.getOption().series.map(s => [s.name, s.data.length]) }"""


def start(page: Any, url: str, mode: str, name: str, limit: int | None = None, delay: str = "0") -> None:
    page.get_by_label("Address of the site").fill(url)
    if limit:
        page.get_by_label("Limit of requests").fill(str(limit))
    page.get_by_role("button", name=mode, exact=True).click()
    page.get_by_text("More options").click()
    page.get_by_label("Name of the collection").fill(name)
    page.get_by_label("Seconds between requests").fill(delay)
    page.get_by_role("button", name="Start", exact=True).click()
    page.wait_for_url("**/live")


def tile(page: Any, name: str, at: int = 0) -> int:
    shown = page.locator(".tile", has_text=re.compile(rf"^[\d,]+{re.escape(name)}$")).nth(at).locator(".number")
    return int(shown.inner_text().replace(",", ""))


def lines(page: Any) -> dict[str, int]:
    """Return the lines of the chart and how many points each has."""
    return dict(page.evaluate(LINES))


def test_from_the_address_of_a_site_to_a_cited_post(page, running, site):
    start(page, site.url, "Intelligent", "board")
    expect(page.locator(".pill", has_text="finished")).to_be_visible()
    assert tile(page, "requests") > 10 and tile(page, "objects") > 50
    page.wait_for_function(f"({LINES})().some(([name, points]) => name === 'board' && points > 2)")

    page.get_by_role("link", name="See the result").click()
    expect(page.get_by_role("heading", name="Coverage certificate")).to_be_visible()
    assert tile(page, "distinct 2-grams") > 500

    page.get_by_role("link", name="Read").click()
    page.locator(".thing").first.wait_for()
    author = page.locator(".thing .author").first.inner_text()
    found = page.get_by_role("status").filter(has_text="found").first
    everything = found.inner_text()
    page.locator(".thing .author").first.click()
    expect(found).not_to_have_text(everything)
    assert set(page.locator(".thing .author").all_inner_texts()) == {author}
    assert "author=" in page.url

    page.get_by_role("link", name="Whole thread").first.click()
    page.get_by_text("in this thread").wait_for()
    card = page.locator(".thing").nth(1)
    said = card.locator(".said").inner_text()
    card.get_by_role("button", name="Archived page").click()
    here = page.frame_locator("iframe").locator("#siteseer-here")
    expect(here).to_be_in_viewport()
    expect(page.frame_locator("iframe").locator("body")).to_contain_text(said[:40])

    page.get_by_role("link", name="Ask").click()
    page.get_by_role("button", name="Who wrote most").click()
    expect(page.locator(".answer th").nth(1)).to_have_text("posts")
    counts = [int(one) for one in page.locator(".answer tbody td:nth-child(2)").all_inner_texts()]
    assert counts == sorted(counts, reverse=True) and len(counts) > 3
    page.locator(".answer tbody tr").first.click()
    expect(page.frame_locator("iframe").locator("#siteseer-here")).to_be_visible()

    write(page, "SELECT DISTINCT ?post ?text { ?post a sioc:Post ; sioc:content ?text } ORDER BY ?post LIMIT 3")
    expect(page.locator(".answer tbody tr")).to_have_count(3)
    text = page.locator(".answer tbody tr").nth(2).locator("td").nth(1).inner_text()
    page.locator(".answer tbody tr").nth(2).get_by_role("button", name="open").click()
    expect(page.frame_locator("iframe").locator("#siteseer-here")).to_be_in_viewport()
    expect(page.frame_locator("iframe").locator("body")).to_contain_text(text[:30])

    page.get_by_role("link", name="Skipped").click()
    rule = page.locator(".panel").filter(has=page.get_by_role("button", name="Fetch these after all")).first
    name = rule.get_by_role("heading").inner_text()
    before = len(site.log)
    rule.get_by_role("button", name="Fetch these after all").click()
    expect(page.get_by_text("addresses wait to be fetched")).to_be_visible()
    assert page.get_by_role("heading", name=name, exact=True).count() == 0
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/live")
    expect(page.locator(".pill", has_text="finished")).to_be_visible()
    assert len(site.log) > before


def test_both_crawls_grow_side_by_side_and_obey(page, running, site):
    start(page, site.url, "Both", "pair", limit=60, delay="0.05")
    page.wait_for_function("document.querySelectorAll('.panel .tiles').length === 2")
    assert set(lines(page)) == {"pair-intelligent", "pair-baseline"}
    second = page.locator(".panel", has=page.get_by_role("link", name="pair-intelligent"))
    expect(second.locator(".pill")).to_have_text("running")
    second.get_by_role("button", name="Pause").click()
    expect(second.locator(".pill")).to_have_text("paused")
    second.get_by_text("Leave out addresses").click()
    second.get_by_label("Expression").fill("*/post/*")
    second.get_by_role("button", name="What would it hit?").click()
    expect(second.get_by_text(re.compile(r"would be left out"))).to_be_visible()
    second.get_by_role("button", name="Leave them out").click()
    expect(page.get_by_text(re.compile(r"waiting addresses were left out"))).to_be_visible()
    second.get_by_role("button", name="Resume").click()
    expect(second.locator(".pill")).to_have_text(re.compile("stopped|finished"))
    first = page.locator(".panel", has=page.get_by_role("link", name="pair-baseline"))
    expect(first.locator(".pill")).to_have_text(re.compile("stopped|finished"))
    assert all(points > 2 for points in lines(page).values())


def write(page: Any, query: str) -> None:
    """Type a query over the one that stands there, and ask by keyboard."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(query)
    page.wait_for_timeout(300)
    page.keyboard.press("Control+Enter")
