"""Hostile pages and posts in a real browser: nothing from an archive ever runs in the interface."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from siteseer.collection.description import Description
from siteseer.collection.state import State, capture_of
from siteseer.demo import Server, Site, SiteRequest, SiteResponse, Truth
from siteseer.demo.site import html
from siteseer.model import WebObject
from siteseer.web.service.library import Library
from tests.web.chromium import Interface, crawl_beside, interface
from tests.web.evil import ATTACKS, RUN

EVIL = " ".join(ATTACKS)


def evil_site() -> Site:
    page = f"<!DOCTYPE html><html><head><title>{EVIL}</title></head><body onload='{RUN}'>{EVIL}<p>End</p></body></html>"

    def answer(request: SiteRequest) -> SiteResponse:
        return html(page, 200 if request.path == "/" else 404)

    return Site(Truth("evil", 0, "classic", (), frozenset(("/",)), frozenset(), 1, frozenset(("/",))), answer)


@pytest.fixture(scope="module")
def crawled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("evil") / "collections"
    with Server(evil_site()) as server:
        crawl_beside(server.url, folder / "evil", strategy="blind", limit=20)
    state = State(folder / "evil", create=False)
    row = next(row for row in state.captures() if row["status"] == 200)
    state.db.execute("UPDATE urls SET because = ?, rule = ? WHERE status IN (3, 4)", (EVIL, EVIL))
    state.note(1, EVIL, "failed_action", EVIL, {})
    state.commit()
    state.close()
    capture = capture_of([row[name] for name in ("file", "offset", "length", "time", "digest", "record")])
    fields = {name: f"{name} {EVIL}" for name in ("title", "author", "text", "html", "because")}
    links = {"permalink": f"javascript:{RUN}", "author_url": f"javascript:{RUN}"}
    made = [
        WebObject(
            kind, f"http://e.example/{kind}", row["url"], **fields, **links, tags=(EVIL,), links=("javascript:x",),
            published="2020-01-01", fields={EVIL: EVIL}, thread="http://e.example/thread",
        )
        for kind in ("post", "comment", "thread")
    ]  # fmt: skip
    with Description(folder / "evil") as description:
        description.add((one, capture) for one in made)
        description.settle()
    return folder


@pytest.fixture(scope="module")
def running(crawled: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Interface]:
    with interface(crawled, SITESEER_KNOWLEDGE=str(tmp_path_factory.mktemp("own"))) as started:
        yield started


@pytest.fixture
def watched(context: Any, running: Interface) -> Iterator[Any]:
    """A page that fails when a dialog opens, a script of the archive ran, or a browser went elsewhere."""
    tab = context.new_page()
    events: list[str] = []
    tab.on("dialog", lambda dialog: (events.append("dialog"), dialog.dismiss()))
    tab.on("console", lambda message: events.append("a script ran") if message.text == "pwned" else None)
    tab.on("request", lambda request: events.append(request.url) if is_elsewhere(request.url, running) else None)
    tab.goto(running.link)
    yield tab
    tab.close()
    assert events == []


def is_elsewhere(url: str, running: Interface) -> bool:
    return not url.startswith((running.base, "http://localhost:", "data:", "about:", "blob:"))


def settled(page: Any) -> None:
    """Give what might run the time to do so."""
    page.wait_for_timeout(600)


def test_the_attacks_would_run_in_a_page_that_is_not_careful(chromium):
    tab = chromium.new_page()
    ran: list[str] = []
    tab.on("console", lambda message: ran.append(message.text) if message.text == "pwned" else None)
    for attack in (ATTACKS[0], ATTACKS[1], ATTACKS[2], ATTACKS[3], ATTACKS[4], ATTACKS[7]):
        before = len(ran)
        tab.set_content(f"<body>{attack}</body>")
        tab.wait_for_timeout(200)
        assert len(ran) > before, attack
    tab.close()


VIEWS = ("/", "/c/evil/result", "/c/evil/read", "/c/evil/read?pages=true", "/c/evil/skipped", "/compare")


@pytest.mark.parametrize("path", VIEWS)
def test_no_view_runs_what_comes_from_pages(watched, running, path):
    watched.goto(running.at(path))
    watched.get_by_role("heading", level=1).wait_for()
    settled(watched)


def test_posts_are_text_and_their_links_lead_nowhere_else(watched, running):
    watched.goto(running.at("/c/evil/read"))
    watched.locator(".thing").nth(2).wait_for()
    assert f"<script>{RUN}" in watched.locator(".thing").first.inner_text()
    addresses = watched.eval_on_selector_all("a", "all => all.map(one => one.href)")
    assert all(one.startswith("http://127.0.0.1:") for one in addresses)
    watched.locator(".thing .author").first.click()
    settled(watched)
    watched.goto(running.at(f"/c/evil/read?thread={quote('http://e.example/post', safe='')}"))
    watched.locator(".thing").nth(2).wait_for()
    settled(watched)


def test_the_archived_page_runs_nothing_in_its_frame(watched, running):
    watched.goto(running.at("/c/evil/read"))
    watched.locator(".thing").first.get_by_role("button", name="Archived page").click()
    inside = watched.frame_locator("iframe")
    inside.get_by_text("End", exact=True).wait_for()
    assert watched.locator("iframe").get_attribute("sandbox") == ""
    frame = next(one for one in watched.frames if one.url.startswith("http://localhost:"))
    assert frame.url.partition("/")[0] != running.base
    settled(watched)
    assert inside.locator("script, iframe, object, input").count() == 0


def test_answers_and_their_chart_are_text(watched, running):
    watched.goto(running.at("/c/evil/ask"))
    watched.locator(".answer td").first.wait_for()
    assert "<script>" in watched.locator(".answer").inner_text()
    watched.get_by_role("button", name="Who wrote most").click()
    watched.locator(".answer th", has_text="posts").wait_for()
    watched.get_by_role("tab", name="Chart").click()
    watched.locator(".answer, canvas").first.wait_for()
    watched.mouse.move(700, 700)
    settled(watched)


def test_a_pattern_tried_on_a_hostile_page_runs_nothing(watched, running, crawled):
    watched.goto(running.at("/knowledge"))
    watched.get_by_label("Take the page from").click()
    watched.get_by_role("option", name="evil").click()
    url = Library(crawled).collections()[0].seed
    watched.get_by_label("Address of a page").fill(url)
    watched.get_by_label("Expression").fill("p | a | script")
    watched.get_by_role("button", name="Try", exact=True).click()
    watched.get_by_text("hits").wait_for()
    watched.frame_locator("iframe").get_by_text("End", exact=True).wait_for()
    settled(watched)
