"""Each view in a real browser: filters, downloads, knowledge; by keyboard and on a small screen."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pyarrow.parquet
import pytest
from playwright.sync_api import expect

from siteseer.collection.objects.object_search import Filter
from siteseer.web.service.library import Library
from siteseer.web.ui.texts import texts

VIEWS = (
    "/", "/live", "/c/auto/result", "/c/auto/read", "/c/auto/ask", "/c/auto/skipped", "/compare", "/c/none/read",
    "/c/blind/read", "/c/blind/ask", "/knowledge?type=phpbb",
)  # fmt: skip


def test_no_view_is_wider_than_a_telephone(page, running):
    page.set_viewport_size({"width": 390, "height": 800})
    for path in VIEWS:
        page.goto(running.at(path))
        page.locator(".page-content").wait_for()
        page.wait_for_timeout(400)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390, path


def found(page: Any) -> Any:
    return page.get_by_role("status").filter(has_text="found").first


def test_words_day_and_kind_narrow_what_is_read(page, running, crawled):
    collection = Library(crawled).open("auto")
    page.goto(running.at("/c/auto/read"))
    expect(found(page)).to_have_text(f"{collection.count():,} found")
    word = max(str(collection.objects()[3]["text"]).split(), key=len).strip(".,!?")
    page.get_by_label("Words").fill(word)
    expect(found(page)).to_have_text(f"{collection.count(Filter(text=word)):,} found")
    page.get_by_label("Words").fill("")
    day = sorted(str(one["published"])[:10] for one in collection.objects(Filter(limit=200)))[40]
    page.get_by_label("From (date)").fill(day)
    expect(found(page)).to_have_text(f"{collection.count(Filter(since=day)):,} found")
    page.wait_for_url(f"**since={day}")
    page.reload()
    expect(found(page)).to_have_text(f"{collection.count(Filter(since=day)):,} found")


def test_the_next_page_of_the_list_holds_the_next_objects(page, running, crawled):
    things = Library(crawled).open("auto").objects(Filter(limit=40))
    page.goto(running.at("/c/auto/read"))
    page.locator(".thing").nth(19).wait_for()
    page.get_by_role("button", name="Next").first.click()
    expect(page.get_by_text("21–40 of")).to_be_visible()
    assert str(things[20]["text"])[:20] in page.locator(".thing").first.inner_text()


@pytest.mark.parametrize("form", ["CSV", "JSON", "PARQUET"])
def test_objects_and_answers_are_downloaded_with_their_captures(page, running, crawled, form, tmp_path):
    expected = Library(crawled).open("auto").count()
    page.goto(running.at("/c/auto/read"))
    page.locator(".thing").first.wait_for()
    objects = taken(page, "JSONL" if form == "JSON" else form, tmp_path / "objects")
    assert len(objects) == expected
    assert all(one.get("capture_file") or one["capture"]["file"] for one in objects)
    page.goto(running.at("/c/auto/ask"))
    page.locator(".answer td").first.wait_for()
    rows = taken(page, form, tmp_path / "rows")
    assert rows and all(str(one["capture_file"]).endswith(".warc.gz") and one["post"] for one in rows)


def taken(page: Any, form: str, path: Path) -> list[dict[str, Any]]:
    """Download a file and return its rows."""
    with page.expect_download() as waiting:
        page.get_by_role("button", name=form, exact=True).first.click()
    waiting.value.save_as(path)
    if form == "CSV":
        return list(csv.DictReader(io.StringIO(path.read_text(encoding="utf-8"))))
    if form == "PARQUET":
        return list(pyarrow.parquet.read_table(path).to_pylist())
    text = path.read_text(encoding="utf-8")
    return list(json.loads(text)) if text.startswith("[") else [json.loads(line) for line in text.splitlines()]


def test_one_post_becomes_one_file_that_can_be_cited(page, running, tmp_path):
    page.goto(running.at("/c/auto/read"))
    card = page.locator(".thing").first
    author = card.locator(".author").inner_text()
    with page.expect_download() as waiting:
        card.get_by_role("button", name="Cite").click()
    waiting.value.save_as(tmp_path / "cited.html")
    text = (tmp_path / "cited.html").read_text(encoding="utf-8")
    assert author in text and "sha256:" in text and ".warc.gz" in text


def test_a_baseline_crawl_is_read_as_pages(page, running):
    page.goto(running.at("/c/blind/read"))
    line = page.locator(".line .plain-link").first
    title = line.inner_text()
    line.click()
    expect(page.frame_locator("iframe").locator("body")).to_contain_text(title.split(" ")[0])


@pytest.mark.parametrize("size", [(1280, 850), (1280, 560), (390, 800)])
def test_the_last_post_of_a_page_is_seen_too(page, running, crawled, size):
    """Below the last post there is too little to bring it to the top of the frame."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    things = Library(crawled).open("auto").objects(Filter(kind="post", limit=1000))
    last = {one["url"]: one for one in things}
    one = max(last.values(), key=lambda each: sum(other["url"] == each["url"] for other in things))
    page.goto(running.at("/c/auto/ask"))
    page.locator(".answer td").first.wait_for()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(f"SELECT ?post ?text {{ BIND(<{one['id']}> AS ?post) ?post sioc:content ?text }}")
    page.wait_for_timeout(300)
    page.keyboard.press("Control+Enter")
    expect(page.locator(".answer tbody tr")).to_have_count(1)
    page.evaluate("window.scrollTo(0, 0)")
    page.locator(".answer tbody tr").get_by_role("button", name="open").dispatch_event("click")
    expect(page.frame_locator("iframe").locator("#siteseer-here")).to_be_in_viewport()
    expect(page.locator(".shown")).to_be_in_viewport(ratio=0.999)
    page.frames[-1].evaluate("window.scrollTo(0, 0)")  # as if the page had been laid out for another size
    page.set_viewport_size({"width": size[0], "height": size[1] - 100})
    expect(page.frame_locator("iframe").locator("#siteseer-here")).to_be_in_viewport()


def test_the_certificate_is_made_and_shown(page, running):
    page.goto(running.at("/c/auto/result"))
    page.get_by_role("button", name="Look at a sample").click()
    expect(page.get_by_text(re.compile("of the site's text is missing|No content is missing"))).to_be_visible()


def test_every_prepared_question_has_an_answer_without_editing(page, running):
    page.goto(running.at("/c/auto/ask"))
    status = page.get_by_role("status").first
    for name in ("Posts with a word", "All by one author", "Who wrote most"):
        page.get_by_role("button", name=name).click()
        expect(status).to_have_text(re.compile(r"^[1-9][\d,]* rows"))
        expect(page.locator(".answer tbody tr").first).to_be_visible()


def test_every_text_of_the_interface_is_used():
    folder = Path(texts.__file__).parents[1]
    code = "\n".join(path.read_text(encoding="utf-8") for path in folder.rglob("*.py") if path.name != "texts.py")
    names = [name for name in vars(texts) if name.isupper()]
    assert len(names) > 100
    assert [name for name in names if not re.search(rf"\btexts\.{name}\b", code)] == []


def test_a_wrong_query_is_answered_in_one_sentence(page, running):
    page.goto(running.at("/c/auto/ask"))
    page.locator(".answer td").first.wait_for()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text("SELECT ?x WHERE { ?x a ")
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Ask", exact=True).click()
    expect(page.get_by_text("not valid SPARQL")).to_be_visible()


def test_an_entry_is_checked_and_saved_to_the_own_knowledge(page, running):
    page.goto(running.at("/knowledge?type=fluxbb"))
    expect(page.get_by_role("heading", name="FluxBB", exact=True)).to_be_visible()
    page.get_by_role("tab", name="Edit").click()
    page.get_by_role("button", name="Check").click()
    expect(page.get_by_text("No problems.")).to_be_visible()
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    detect = "<detect><pattern decisive='yes'>body#x</pattern></detect>"
    page.keyboard.insert_text(f'<application id="../escape" category="forum">{detect}</application>')
    page.wait_for_timeout(300)
    page.get_by_role("button", name="Save to my knowledge").click()
    expect(page.locator("td", has_text="../escape")).to_be_visible()
    assert not list(Path(running.own).parent.rglob("*escape*"))


def test_the_new_entry_that_is_offered_has_no_errors(page, running):
    page.goto(running.at("/knowledge"))
    page.get_by_role("tab", name="Edit").click()
    page.get_by_role("button", name="Save to my knowledge").click()
    expect(page.get_by_text("my-software.xml.")).to_be_visible()
    assert (Path(running.own) / "my-software.xml").is_file()


def test_two_collections_are_compared(page, running):
    page.goto(running.at("/compare"))
    page.get_by_role("button", name="Compare").click()
    expect(page.get_by_text("Choose at least two collections.")).to_be_visible()
    page.get_by_label("Collections").click()
    for name in ("blind", "auto"):
        page.get_by_role("option", name=name, exact=True).click()
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Compare").click()
    expect(page.locator("table tbody tr")).to_have_count(2)
    assert "blind · Reference" in page.locator("table").inner_text()


def test_everything_is_reached_with_the_keyboard(page, running):
    page.goto(running.at("/c/auto/read"))
    page.locator(".thing").first.wait_for()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.innerText") == "Skip to the content"
    page.keyboard.press("Enter")
    for _ in range(30):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText") == "Archived page":
            break
    page.keyboard.press("Enter")
    expect(page.frame_locator("iframe").locator("#siteseer-here")).to_be_visible()


def test_replay_opens_the_capture_in_a_tab_of_its_own(page, running):
    pytest.importorskip("pywb", reason="replay needs pywb")
    page.goto(running.at("/c/auto/read"))
    said = page.locator(".thing .said").first.inner_text().split("\n")[0][:30]
    with page.context.expect_page() as waiting:
        page.locator(".thing").first.get_by_role("button", name="Replay").click()
    replayed = waiting.value
    replayed.wait_for_url(re.compile(r"http://localhost:\d+/auto/"))
    expect(replayed.frame_locator("iframe").locator("body")).to_contain_text(said)
