"""A collection with several crawls in a real browser: its card, its totals, the list of its crawls, and going on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import expect

import siteseer
from siteseer.demo import Server, make_site
from siteseer.web.ui.crawl_list import news
from tests.web.chromium import crawl_beside


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A library with a forum that was crawled and revisited, and a blog whose crawl was stopped before a revisit."""
    folder = tmp_path_factory.mktemp("library") / "collections"
    with Server(make_site("forum", 3, size=6)) as forum, Server(make_site("blog", 3, size=4)) as blog:
        crawl_beside(forum.url, folder / "forum")
        crawl_beside(blog.url, folder / "blog", limit=8)
        with ThreadPoolExecutor(1) as beside:
            for name in ("forum", "blog"):
                beside.submit(siteseer.revisit, folder / name, delay=0.0).result()
        yield folder


def test_the_card_tells_the_whole_and_the_last_visit(page, running, crawled):
    total = siteseer.open(crawled / "forum").figures()["total"]
    assert total["crawls"] == 2 and total["pages"] > 10
    objects, pages = f"{sum(total['objects'].values()):,} objects", f"{total['pages']:,} pages"
    card = page.locator("a.collection").filter(has_text="forum")
    last = siteseer.open(crawled / "forum").history()[-1]
    visit = rf"last visit \d+ \w+ \d{{4}}: {last['requests']} requests, {news(last)}"
    expect(card).to_contain_text(re.compile(rf"{objects}, {pages}; {visit}"))
    expect(card).to_contain_text("finished")


def test_the_crawls_are_listed_the_newest_first(page, running, crawled):
    page.goto(running.at("/c/forum/result"))
    rows = page.locator("section.panel").filter(has_text="Crawls of this collection").locator("tbody tr")
    expect(rows).to_have_count(2)
    old, new = siteseer.open(crawled / "forum").history()
    for row, told in ((rows.nth(0), new), (rows.nth(1), old)):
        cells = row.locator("td").all_inner_texts()
        assert [cells[0], cells[4], cells[5]] == [str(told[name]) for name in ("crawl", "requests", "new_pages")]
    expect(rows.nth(0)).to_contain_text("revisit")
    expect(rows.nth(1)).to_contain_text("crawl, auto")
    expect(page.locator(".page-content")).to_contain_text(f"{new['requests']} requests, {news(new)}.")


def test_what_the_crawl_skipped_is_told_after_a_revisit(page, running, crawled):
    page.goto(running.at("/c/forum/skipped"))
    first = siteseer.open(crawled / "forum").look.skipped(1)[0]
    assert first["count"] > 20
    rule = page.locator("section.panel").filter(has_text=first["rule"])
    expect(rule).to_contain_text(f"{first['count']:,} addresses")


def test_a_stopped_crawl_can_go_on_after_a_revisit(page, running, crawled):
    page.goto(running.at("/c/blog/result"))
    expect(page.get_by_text("Crawl 1 was stopped (limit) and can go on.")).to_be_visible()
    page.get_by_role("button", name="Go on").click()
    page.wait_for_url("**/live")
    look = siteseer.open(crawled / "blog").look
    for _ in range(240):
        if look.crawls()[0].finished:
            break
        page.wait_for_timeout(250)
    assert look.crawls()[0].finished and len(look.crawls()) == 2
