"""The parts of adaptation, each on its own."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from lxml import html

from siteseer.cli.knowledge.kb_merge import merge_into
from siteseer.extract.by_knowledge import extract
from siteseer.knowledge.types import Extraction, Field, Level
from siteseer.model import Note, Page, WebObject
from siteseer.page.links import links
from siteseer.page.urls import identity
from siteseer.strategies.aware.adaptation.adaptation_report import render
from siteseer.strategies.aware.adaptation.extraction.element_expressions import inside
from siteseer.strategies.aware.adaptation.extraction.value_checks import Context, are_plausible, is_plausible
from siteseer.strategies.aware.adaptation.failure_detection import failures, is_gone, is_in, missed_objects
from siteseer.strategies.aware.adaptation.match_earlier_objects import as_stored
from siteseer.strategies.aware.adaptation.navigation.link_groups import group_links, has_further_pages
from siteseer.strategies.aware.adaptation.navigation.lost_navigation import ExpectedLevels
from siteseer.strategies.aware.adaptation.navigation.url_skeletons import differs_in_one_number, expression_of, skeleton
from siteseer.strategies.aware.adaptation.site_adapter import SiteAdaptation
from tests.strategies.aware.adaptation.small_blog import ORIGIN, application, pages

NOW = Context(datetime(2024, 6, 1, tzinfo=UTC))


@pytest.mark.parametrize(
    ("type", "good", "bad"),
    [
        ("published", "2024-05-30T10:00:00Z", "2031-01-01"),
        ("published", "2019-01-01", "soon"),
        ("author", "Cora Lind", "Posted in Boats: nothing to see here, move along please"),
        ("title", "A title", "two\nlines"),
        ("body", "Words.", "  "),
        ("permalink", "http://e.org/1#c2", "#c2"),
    ],
)
def test_nonsense_is_told_by_type(type: str, good: str, bad: str) -> None:
    assert is_plausible(type, good, NOW) and not is_plausible(type, bad, NOW)


def test_the_same_body_everywhere_is_no_body() -> None:
    assert not are_plausible("body", ["Leave a comment below, please"] * 20, NOW)
    assert are_plausible("author", ["Ann"] * 20, NOW)


def test_shapes_of_addresses() -> None:
    urls = [f"http://e.org/viewtopic.php?f={n}&t={n * 7}" for n in range(1, 5)]
    assert len({skeleton(url) for url in urls}) == 1
    assert expression_of(urls) == r"^/viewtopic\.php\?f=[0-9]+&t=[0-9]+$"
    assert expression_of(["http://e.org/about/", "http://e.org/contact/"]) == "^/[^/?&;]+/$"
    assert not differs_in_one_number("http://e.org/a?x=1&y=2", "http://e.org/a?x=2&y=3")


def test_links_of_one_role_are_one_group() -> None:
    home = pages("new")[identity(ORIGIN + "/")]
    groups = group_links(home, [link.url for link in links(home)])
    best = max(groups.values(), key=lambda group: group.score)
    assert best.matches == r"^/entry/[0-9]+-story\.html$" and len(best.urls) == 6
    assert best.expression.endswith("h2.storytitle/a/@href")
    assert has_further_pages(home)


def test_expressions_name_what_they_select() -> None:
    scope = html.fromstring("<div><p class=meta>by <b id=author>Ann</b></p></div>")
    assert next(inside(scope[0][0], scope)) == "b#author"
    assert next(inside(scope, scope)) == "."


def test_failures_are_noticed_and_absence_of_comments_alone_is_none() -> None:
    blog = application()
    level = blog.level("post")
    assert level is not None
    posts = [page for url, page in pages("old").items() if "/entry/" in url]
    works = [(page, extract(page, level, blog)) for page in posts]
    assert failures(level, works, NOW) == []
    fails = [(page, extract(page, level, blog)) for url, page in pages("new").items() if "/entry/" in url]
    assert {(one.kind, one.field) for one in failures(level, fails, NOW)} == {("post", "record"), ("comment", "record")}


def test_a_date_of_the_last_change_is_none_of_publication_except_of_wiki_pages() -> None:
    blog = application()
    level = blog.level("post")
    assert level is not None
    posts = [page for url, page in pages("old").items() if "/entry/" in url]
    edited = [
        (page, [replace(one, published=None, modified=one.published) for one in extract(page, level, blog)])
        for page in posts
    ]
    assert ("post", "published") in {(one.kind, one.field) for one in failures(level, edited, NOW)}
    wiki = replace(level, extractions=tuple(replace(one, of="page") for one in level.extractions if one.of == "post"))
    pages_ = [(page, [replace(one, kind="page") for one in ones if one.kind == "post"]) for page, ones in edited]
    assert failures(wiki, pages_, NOW) == []


def test_comments_that_are_found_elsewhere_are_not_missed() -> None:
    blog = application()
    level = blog.level("post")
    assert level is not None
    posts = [page for url, page in pages("old").items() if "/entry/" in url]
    bare = [(page, [one for one in extract(page, level, blog) if one.kind == "post"]) for page in posts]
    site = SiteAdaptation(blog, "blog.example", lambda url: ())
    for page, objects in bare:
        site.watch(page, level, objects)
    assert {one.kind for one in site.failing(level)} == {"comment"}
    site.watch(posts[0], replace(level, id="page"), extract(posts[0], level, blog))
    assert site.failing(level) == []


def test_moved_is_not_gone() -> None:
    blog = application()
    level = blog.level("post")
    assert level is not None
    key = identity(f"{ORIGIN}/entry/3-story.html")
    stored = extract(pages("old")[key], level, blog)
    new, deleted = pages("new")[key], pages("old", without=[3])[key]
    assert {one.id for _, one in missed_objects({new.url: stored}, [(new, ())])} == {one.id for one in stored}
    assert missed_objects({deleted.url: stored}, [(deleted, ())]) == []
    assert all(is_in(one, new) and is_gone(one, deleted) for one in stored)


def test_an_object_keeps_its_name() -> None:
    text = "one two three four five six seven"
    old = WebObject("post", "http://e.org/1#this", "http://e.org/1", text=text)
    new = WebObject("post", "urn:x:1", "http://e.org/1", text=text)
    reply = WebObject("comment", "urn:x:2", "http://e.org/1", text="ok", parent="urn:x:1")
    assert [one.id for one in as_stored([new, reply], [old])] == [old.id, "urn:x:2"]
    assert as_stored([new, reply], [old])[1].parent == old.id


def test_the_report_shows_old_and_new_and_escapes() -> None:
    change = {"level": "post", "field": "post/title", "old": "h2.<a>", "new": "h2.b", "relaxations": ["a became b"]}
    details = {**change, "method": "relaxation", "confidence": 0.97, "example": "http://e.org/?a=1&b=<script>"}
    failed = {"level": "list", "field": "next to list", "example": "javascript:alert(1)"}
    page = render(
        [Note("x", event="adapted_action", details=details), Note("y", event="failed_action", details=failed)]
    )
    assert "h2.&lt;a&gt;" in page and "a became b" in page and "97%" in page and "Still failing" in page
    assert "<script" not in page and "javascript:" not in page and "http://" not in page.replace("http://e.org", "")
    assert "nothing had to be adapted" in render([])


def test_learned_files_are_added_to_the_own_knowledge(tmp_path: Path) -> None:
    text = (
        '<application id="weblog" category="blog"><learned from="{0}" method="adaptation"/><site host="{0}">'
        '<level id="list" kind="intermediate"><learned from="{0}" method="links"/>'
        '<follow role="child" to="post">h2/a/@href</follow></level></site></application>'
    )
    own = tmp_path / "own"
    for host in ("a.example", "b.example"):
        (tmp_path / "learned.xml").write_text(text.format(host))
        target, merged = merge_into(tmp_path / "learned.xml", own)
    assert target == own / "weblog.xml"
    assert [site.host for site in merged.sites] == ["a.example", "b.example"]


def test_hostile_pages_teach_nothing() -> None:
    deep = b"<div class=a>" * 3000 + b"x" * 100
    page = Page(ORIGIN + "/", 200, (("Content-Type", "text/html"),), deep + b"<a href='/\xff\xfe?%%%=1'>" * 500)
    assert all(len(group.urls) >= 1 for group in group_links(page, [link.url for link in links(page)]).values())


def test_the_report_names_the_software_and_claims_no_proof_that_was_not_made() -> None:
    details = {"level": "", "field": "type", "old": "body#a", "new": "div.b", "method": "relaxed type"}
    page = render([Note("taken for weblog", event="adapted_action", details=details)])
    assert "<h2>The software</h2>" in page and "the software itself" in page and "proven" not in page


def test_only_where_pages_are_the_content_must_they_say_who_wrote_them() -> None:
    fields = (Field("author", "p.by"), Field("body", "div"))
    page = Level("page", "terminal", extractions=(Extraction("page", "body", fields),))
    for levels, expected in (((*application().levels, page), set()), ((page,), {"author"})):
        site = SiteAdaptation(replace(application(), levels=levels), "blog.example", lambda url: ())
        for number in range(12):
            url = f"{ORIGIN}/imprint-{number}"
            text = f"Page {number} tells {number * 7} things about boats."
            site.watch(Page(url), page, [WebObject("page", url, url, text=text)])
        assert {one.field for one in site.failing(page)} == expected


def test_pages_that_are_not_what_links_promised_are_doubted_after_a_few() -> None:
    promises, blog = ExpectedLevels(application()), application()
    listing = blog.level("list")
    assert listing is not None
    taken = [promises.hear(Page(f"{ORIGIN}/{number}"), "post", listing) for number in range(4)]
    assert [len(one) for one in taken] == [0, 0, 3, 1]
    post = blog.level("post")
    assert post is not None
    known = ExpectedLevels(blog)
    for number in range(4):
        assert not known.hear(Page(f"{ORIGIN}/{number}"), "post", post)
    assert not any(known.hear(Page(f"{ORIGIN}/x{number}"), "post", listing) for number in range(5))


def test_one_slug_on_two_addresses_is_no_kind_of_page() -> None:
    urls = [f"http://e.org/2021/05/a-long-story/comment-page-{number}/" for number in (1, 2)]
    assert expression_of(urls) == "^/[0-9]+/[0-9]+/[^/?&;]+/comment-page-[0-9]+/$"
