"""The offline half of a campaign in a real browser: analysed, read, marked by clicks, packed, downloaded, deleted."""

from __future__ import annotations

import fcntl
import re
import zipfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from playwright.sync_api import expect

from siteseer.campaigns.run_campaign import run_campaign
from siteseer.demo import Server
from siteseer.web.ui.texts import texts_campaign as texts
from tests.web.chromium import Interface, interface
from tests.web.test_campaigns import TEXT, topical


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A library with a campaign as its crawl left it."""
    library = tmp_path_factory.mktemp("selection") / "library"
    folder = library / "kelp"
    folder.mkdir(parents=True)
    with Server(topical()) as server, ThreadPoolExecutor(1) as beside:
        text = TEXT.replace("http://e.org/", f"http://a.localhost:{server.port}/")
        (folder / "campaign.toml").write_text(text + "[politeness]\ndelay = 0\n")
        beside.submit(run_campaign, folder / "campaign.toml", folder).result()
    return library


@pytest.fixture(scope="module")
def running(crawled: Path) -> Iterator[Interface]:
    with interface(crawled) as started:
        yield started


def marked(folder: Path, mark: str) -> list[str]:
    rows = [line.split("\t") for line in (folder / "proposal.tsv").read_text().splitlines()]
    return [row[3] for row in rows if row[0] == mark]


def word(page: Any, said: str, mark: str) -> Any:
    choice = page.get_by_label(texts.WORD_ON.format(term=said), exact=True)
    return choice.get_by_role("button", name=texts.MARKS[mark], exact=True)


def figures(page: Any) -> Any:
    return page.locator("p.figures")


def test_a_campaign_from_its_analysis_to_the_package(page, context, running, crawled):
    folder = crawled / "kelp"
    page.goto(running.at("/campaigns/kelp?tab=selection"))
    expect(page.get_by_text(texts.NO_PROPOSAL)).to_be_visible()
    page.goto(running.at("/campaigns/kelp?tab=report"))
    expect(page.get_by_text(texts.NO_REPORT)).to_be_visible()
    page.get_by_role("button", name=texts.ANALYSE, exact=True).click()
    expect(page.get_by_role("button", name=texts.ANALYSE_AGAIN)).to_be_enabled()
    expect(page.get_by_role("heading", name=texts.TERMS_OVER_TIME)).to_be_visible()
    expect(page.locator(".tile", has_text=texts.TOTALS["links"])).to_be_visible()
    _whole_report(page, context)

    page.get_by_role("tab", name=texts.TABS["selection"]).click()
    expect(page).to_have_url(re.compile(r"\?tab=selection$"))
    expect(page.locator(".proposal .line")).to_have_count(2)
    site = page.locator(".proposal .line a").first
    host, where = site.inner_text(), site.get_attribute("href")
    with (folder / "siteseer" / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        word(page, host, "reject").click()
        expect(page.get_by_text("mark when that is over")).to_be_visible()
        expect(word(page, host, "?")).to_have_attribute("aria-pressed", "true")
    word(page, host, "reject").click()
    expect(page.get_by_text("Rejected: 9.")).to_be_visible()
    assert marked(folder, "reject") == [host]
    page.goto(urljoin(page.url, where))
    _pages(page, folder, host)
    _package(page, folder)


def _whole_report(page: Any, context: Any) -> None:
    where = page.get_by_role("link", name=texts.WHOLE_REPORT).get_attribute("href")
    shown = context.new_page()
    answer = shown.goto(where)
    policy = answer.headers["content-security-policy"]
    assert policy.startswith("sandbox;") and "script-src" not in policy
    expect(shown.get_by_role("heading", name="Kelp")).to_be_visible()
    assert shown.locator("svg").count() >= 1
    shown.close()


def _pages(page: Any, folder: Path, host: str) -> None:
    """Mark a page against its site, look at it as it was archived, and mark what a search finds."""
    lines = page.locator(".proposal .line")
    expect(lines).to_have_count(9)
    expect(page.get_by_text(texts.OF_SITE.format(mark="rejected"))).to_have_count(9)
    said = lines.first.locator("button.plain-link").inner_text()
    word(page, said, "accept").press("Enter")
    expect(page.get_by_text("Accepted: 1. Rejected: 8.")).to_be_visible()
    lines.first.locator("button.plain-link").click()
    expect(page.frame_locator("aside iframe").get_by_text("Again kelp").first).to_be_visible()
    page.get_by_label(texts.PROPOSAL_WORDS).fill("tea and a pot")
    expect(page.get_by_text(texts.FOUND.format(count=4), exact=True)).to_be_visible()
    page.get_by_role("button", name=texts.MARK_ALL["accept"]).click()
    page.get_by_role("button", name=texts.YES_ALL).click()
    expect(page.get_by_text("Accepted: 5. Rejected: 4.")).to_be_visible()
    assert len(marked(folder, "accept")) == 5


def _package(page: Any, folder: Path) -> None:
    page.get_by_label(texts.THRESHOLD).fill("")
    expect(figures(page)).to_have_text(re.compile("^5 of "))
    page.get_by_label(texts.THRESHOLD).fill("0")
    expect(figures(page)).not_to_have_text(re.compile("^5 of "))
    page.get_by_label(texts.THRESHOLD).fill("")
    expect(figures(page)).to_have_text(re.compile("^5 of "))
    page.get_by_role("button", name=texts.MAKE).click()
    link = page.get_by_role("link", name=re.compile(r"^Download kelp\.wacz"))
    expect(link).to_be_visible()
    with page.expect_download() as download:
        link.click()
    with zipfile.ZipFile(download.value.path()) as package:
        pages = package.read("pages/pages.jsonl").decode()
    assert pages.count('"role": "page"') == 5 and download.value.suggested_filename == "kelp.wacz"
    page.get_by_label(texts.PROPOSAL_WORDS).fill("")
    expect(page.locator(".proposal .line")).to_have_count(9)
    word(page, page.locator(".proposal .line button.plain-link").first.inner_text(), "?").click()
    expect(page.get_by_text(texts.NOT_CURRENT)).to_be_visible()


def test_a_campaign_is_deleted_when_the_question_is_answered(page, running, crawled):
    folder = crawled / "old"
    folder.mkdir()
    (folder / "campaign.toml").write_text(TEXT)
    page.goto(running.at("/campaigns/old"))
    page.get_by_role("button", name=texts.DELETE).click()
    page.get_by_role("button", name=texts.CANCEL).click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    assert folder.is_dir()
    page.get_by_role("button", name=texts.DELETE).click()
    page.get_by_role("dialog").get_by_role("button", name=texts.DELETE).click()
    expect(page).to_have_url(running.at("/campaigns"))
    expect(page.get_by_text("old", exact=True)).to_have_count(0)
    assert not folder.exists()
