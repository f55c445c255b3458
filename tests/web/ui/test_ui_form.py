"""The view of an understood form in a real browser: looked at, confirmed and corrected; nothing in it runs."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from siteseer.demo import Server, make_site
from siteseer.web.service.library import Library
from siteseer.web.ui.texts import texts_form
from tests.web.chromium import Interface, crawl_beside, interface
from tests.web.evil import ATTACKS, RUN
from tests.web.understood import store, understood_shop

EVIL = " ".join(ATTACKS)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A shop that was searched and understood, another whose pages hold scripts in every field, and a plain crawl."""
    folder = tmp_path_factory.mktemp("forms") / "collections"
    with Server(make_site("shop", 4, size=60)) as server:
        for name in ("books", "evil", "plain"):
            crawl_beside(f"{server.url}/search?title=the", folder / name, strategy="blind", scope="page", limit=3)
        store(folder / "books", understood_shop(server.site, server.url))
        store(folder / "evil", understood_shop(server.site, server.url, EVIL))
        yield folder


@pytest.fixture(scope="module")
def running(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with interface(crawled, SITESEER_KNOWLEDGE=str(tmp_path_factory.mktemp("own"))) as started:
        yield started


def open_tab(page: Any, running: Interface, tab: str = "", name: str = "books") -> None:
    page.goto(running.at(f"/c/{name}/form"))
    expect(page.locator("table.fields tbody tr")).to_have_count(5)
    if tab:
        page.get_by_role("tab", name=tab).click()


def row(page: Any, table: str, said: str) -> Any:
    return page.locator(f"table.{table} tbody tr").filter(has=page.get_by_text(said, exact=True)).first


def test_fields_say_what_they_ask_for(page, running):
    open_tab(page, running)
    author = row(page, "fields", "Author")
    for said in ("words", "created~ / label", "90.0 %"):
        expect(author).to_contain_text(said)
    expect(author.locator(".pill")).to_have_count(0)
    expect(
        page.get_by_text(re.compile(r"47 searches sent · 36 records · 5 fields understood · 4 columns aligned"))
    ).to_be_visible()
    expect(page.get_by_text("phrase", exact=True)).to_be_visible()
    expect(page.get_by_text(re.compile("subject depends on category"))).to_be_visible()


def test_a_word_is_kept_and_can_be_taken_back(page, running, crawled):
    open_tab(page, running)
    page.get_by_role("button", name="Confirm Author", exact=True).click()
    expect(row(page, "fields", "Author")).to_contain_text("confirmed")
    page.get_by_role("button", name="Reject Author", exact=True).click()
    expect(row(page, "fields", "Author")).to_contain_text("rejected")
    page.reload()
    expect(row(page, "fields", "Author")).to_contain_text("rejected")
    kept = {one.name: one.confirmed for one in Library(crawled).open("books").understanding().fields}
    assert kept["author"] is False and kept["title"] is None


def test_a_field_is_given_another_column(page, running, crawled):
    open_tab(page, running)
    page.get_by_label("Column of Category").first.click()
    page.get_by_role("option", name="Year").click()
    expect(row(page, "fields", "Category")).to_contain_text("confirmed")
    fields = {one.name: one for one in Library(crawled).open("books").understanding().fields}
    assert fields["category"].columns == ("year",) and fields["category"].confirmed


def test_a_column_is_given_the_relation_that_it_is(page, running, crawled):
    open_tab(page, running, "Columns")
    expect(page.get_by_text("The records are of the class Book (100.0 %).")).to_be_visible()
    page.get_by_label("Relation of Price").first.click()
    page.get_by_role("option", name="hasGenre / label").click()
    expect(row(page, "columns-of", "Price")).to_contain_text("confirmed")
    page.get_by_role("button", name="Reject Year", exact=True).click()
    expect(row(page, "columns-of", "Year")).to_contain_text("rejected")
    relations = {one.column: one for one in Library(crawled).open("books").understanding().relations}
    assert [part.rpartition("#")[2] for part in relations["price"].relation] == ["hasGenre", "label"]
    assert relations["price"].confirmed and relations["year"].confirmed is False
    page.get_by_label("Relation of Isbn").first.fill("http://o.example/isbn")
    page.keyboard.press("Enter")
    expect(row(page, "columns-of", "Isbn")).to_contain_text("confirmed")
    kept = {one.column: one.relation for one in Library(crawled).open("books").understanding().relations}
    assert kept["isbn"] == ("http://o.example/isbn",)


def test_records_are_read_page_by_page_beside_their_answer(page, running, crawled):
    found = Library(crawled).open("books").understanding()
    open_tab(page, running, "Records")
    rows = page.locator(".records tbody tr")
    expect(rows).to_have_count(20)
    expect(rows.first).to_contain_text(found.records[0].values["title"][0])
    first = next(one for one in found.records if one.id in {each.record for each in found.instances})
    said = first.values["title"][0]
    page.get_by_role("button", name=f"Confirm {said}", exact=True).first.click()
    expect(rows.filter(has_text=said).first).to_contain_text("confirmed")
    page.get_by_role("button", name="Next").first.click()
    expect(page.get_by_text(f"21–{len(found.records)} of {len(found.records)}")).to_be_visible()
    expect(rows.first).to_contain_text(found.records[20].values["title"][0])
    rows.first.get_by_role("button", name="page").click()
    expect(page.frame_locator("iframe").locator("body")).to_contain_text("books found")


def test_proposals_are_confirmed_one_by_one(page, running, crawled):
    proposed = Library(crawled).open("books").understanding().proposals
    open_tab(page, running, "Enrichment")
    rows = page.locator("table.proposals tbody tr")
    expect(rows.first).to_contain_text(proposed[0].value)
    rows.nth(1).get_by_role("button", name=f"Reject {proposed[1].value}: {proposed[1].value}").click()
    expect(rows.nth(1)).to_contain_text("rejected")
    rows.nth(2).get_by_role("button", name=f"Confirm {proposed[2].value}: {proposed[2].value}").click()
    expect(rows.nth(2)).to_contain_text("confirmed")
    kept = Library(crawled).open("books").understanding().proposals
    assert [one.confirmed for one in kept[:4]] == [None, False, True, None]


def test_a_collection_without_a_form_says_what_to_do(page, running):
    page.goto(running.at("/c/plain/form"))
    expect(page.get_by_text("siteseer form understand URL")).to_be_visible()


def test_no_tab_is_wider_than_a_telephone(page, running):
    page.set_viewport_size({"width": 390, "height": 800})
    open_tab(page, running)
    for tab in texts_form.TABS.values():
        page.get_by_role("tab", name=tab).click()
        expect(page.get_by_role("tab", name=tab)).to_have_attribute("aria-selected", "true")
        page.wait_for_function("document.documentElement.scrollWidth <= 390")  # once the panel has slid in


def test_nothing_that_comes_from_pages_runs(context, running):
    tab = context.new_page()
    events: list[str] = []
    tab.on("dialog", lambda dialog: (events.append("dialog"), dialog.dismiss()))
    tab.on("console", lambda message: events.append("a script ran") if message.text == "pwned" else None)
    tab.goto(running.link)
    open_tab(tab, running, "", "evil")
    expect(tab.locator("table.fields tbody tr").first).to_contain_text(f"<script>{RUN}")
    tab.get_by_role("combobox").nth(1).click()
    expect(tab.get_by_role("option").nth(1)).to_contain_text(f"<script>{RUN}")
    tab.keyboard.press("Escape")
    for name, table in (("Columns", "columns-of"), ("Records", "answer"), ("Enrichment", "proposals")):
        tab.get_by_role("tab", name=name).click()
        expect(tab.locator(f".{table} tbody tr").first).to_contain_text(f"<script>{RUN}")
    tab.evaluate("new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")
    assert tab.locator("main script, iframe[srcdoc], object").count() == 0
    tab.close()
    assert events == []


def test_every_text_of_the_view_is_used():
    folder = Path(texts_form.__file__).parents[1]
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py") if path.name != "texts_form.py")
    names = [name for name in vars(texts_form) if name.isupper()]
    assert len(names) > 30
    assert [name for name in names if not re.search(rf"\b(?:texts|texts_form)\.{name}\b", code)] == []
