"""What a page is, and what speaks against a request: without any crawler."""

from __future__ import annotations

from pathlib import Path

from siteseer.integrations.request_filter import ASKED, Rows, Site
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.model import Follow, Page

KNOWLEDGE = KnowledgeBase.with_files([Path(__file__).with_name("demo-forum.xml"), "none"])
ORIGIN = "http://forum.example"
HEAD = '<meta name="generator" content="Siteseer demo">'
INDEX = '<div class=nodes><h3 class=node-title><a href="/board/1-a/">A</a></h3></div>'
LIST = '<p class=orders></p><div class=topic-title><a href="/thread/{n}-x/">x</a></div>'
WHY = Follow(ORIGIN + "/", "test")


def page(path: str, body: str) -> Page:
    return Page(ORIGIN + path, headers=(("Content-Type", "text/html"),), body=(HEAD + body).encode())


def test_a_document_is_asked_for_under_one_spelling() -> None:
    site = Site(ORIGIN, KNOWLEDGE)
    seen = site.see(page("/", INDEX + '<a href="/board/1-a/page-1/">1</a><a href="/">home</a>'), WHY)
    assert seen is not None and seen.where == "demo-forum/index"
    assert site.refusal(seen, ORIGIN + "/board/1-a/") is None
    assert site.refusal(seen, ORIGIN + "/board/1-a/") is None, "the crawler's own filter sees to exact repetitions"
    again = site.refusal(seen, ORIGIN + "/board/1-a/page-1/")
    assert again is not None and again.rule == ASKED
    home = site.refusal(seen, ORIGIN + "/")
    assert home is not None and home.rule == ASKED
    assert site.missing(seen) == []


def test_a_reason_is_given_on_every_page_that_links_there() -> None:
    site = Site(ORIGIN, KNOWLEDGE)
    for path in ("/", "/board/1-a/"):
        body = INDEX if path == "/" else LIST.format(n=1)
        seen = site.see(page(path, body + '<a href="/members/">m</a>'), WHY)
        assert seen is not None
        refused = site.refusal(seen, ORIGIN + "/members/")
        assert refused is not None and refused.because == "profiles of members"


def test_what_was_wanted_and_not_sent_may_be_sent_from_a_later_page() -> None:
    site = Site(ORIGIN, KNOWLEDGE)
    first = site.see(page("/board/1-a/", LIST.format(n=1)), WHY)
    later = site.see(page("/board/2-b/", LIST.format(n=1) + LIST.format(n=2)), WHY)
    assert first is not None and later is not None
    assert [follow.url for follow in later.follows.values()] == [ORIGIN + "/thread/2-x/"]
    assert site.refusal(later, ORIGIN + "/thread/1-x/") is None
    assert site.missing(first) == []
    assert [follow.url for follow in site.missing(later)] == [ORIGIN + "/thread/2-x/"]
    assert site.missing(later) == []


def test_links_of_an_unknown_page_are_not_counted_as_asked_for() -> None:
    site = Site(ORIGIN, KNOWLEDGE)
    html = (("Content-Type", "text/html"),)
    assert site.see(Page(ORIGIN + "/hello", headers=html, body=b'<a href="/board/1-a/">A</a>'), WHY) is None
    seen = site.see(page("/", INDEX), WHY)
    assert seen is not None
    assert [follow.url for follow in site.missing(seen)] == [ORIGIN + "/board/1-a/"]


def test_no_page_no_opinion() -> None:
    site = Site(ORIGIN, KNOWLEDGE)
    image = Page(ORIGIN + "/a.png", headers=(("Content-Type", "image/png"),), body=b"\x89PNG")
    assert site.see(image, WHY) is None
    assert site.see(Page(ORIGIN + "/gone", 404, (("Content-Type", "text/html"),), HEAD.encode()), WHY) is None


def test_memory_survives_in_the_crawlers_own_dict() -> None:
    saved: dict[str, dict[str, object]] = {}
    first = Site(ORIGIN, KNOWLEDGE, memory=Rows(saved))
    assert first.see(page("/", INDEX), WHY) is not None
    resumed = Site(ORIGIN, KNOWLEDGE, memory=Rows(saved))
    seen = resumed.see(page("/", INDEX), WHY)
    assert seen is not None and dict(seen.follows) == {}
