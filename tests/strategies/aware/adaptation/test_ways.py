"""Ways that fail while others work: lists that no action reaches, pages that continue others."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from crossed import KNOWLEDGE, ORIGIN, crossed, misses, served

from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.load import load, load_trusted
from siteseer.knowledge.merge import merge
from siteseer.knowledge.save import to_xml
from siteseer.knowledge.types import Application, Identity, Level, Navigation
from siteseer.knowledge.url_identity import object_url
from siteseer.model import Page
from siteseer.page.links import links
from siteseer.strategies.aware.adaptation.extraction.extraction_repair import Change
from siteseer.strategies.aware.adaptation.navigation.exploration import Explorer
from siteseer.strategies.aware.adaptation.navigation.exploration_order import next_trials
from siteseer.strategies.aware.adaptation.navigation.link_groups import LinkGroup, group_links
from siteseer.strategies.aware.adaptation.navigation.navigation_repair import paging_of
from siteseer.strategies.aware.adaptation.navigation.url_skeletons import skeleton
from siteseer.strategies.aware.adaptation.site_adapter import SiteAdaptation
from siteseer.strategies.aware.adaptive_strategy import AdaptiveStrategy
from siteseer.strategies.aware.aware_strategy import AwareStrategy
from siteseer.strategies.scope import SeedScope
from tests.real.adaptation_drive import drive


def forum_with_lost_lists() -> Application:
    """Return knowledge of a forum whose way from the index to the lists fails, beside one to the latest threads."""
    known = load(KNOWLEDGE / "forum-modern.xml")
    index = known.level("index")
    assert index is not None
    ways = (replace(index.navigations[0], text="h3.no-such/a/@href"),)
    ways += (Navigation("child", "div.node-last/a/@href", "thread", 10.0),)
    levels = [replace(one, navigations=ways) if one.id == "index" else one for one in known.levels]
    return replace(known, levels=tuple(levels))


def test_lists_that_no_action_reaches_are_found_by_exploring() -> None:
    site = served("forum", "modern", 1, 16)
    known, scope = KnowledgeBase([forum_with_lost_lists()]), SeedScope([ORIGIN + "/"])
    without, _ = drive(AwareStrategy(known, scope), site)  # type: ignore[arg-type]
    run, notes = drive(AdaptiveStrategy(known, scope), site)  # type: ignore[arg-type]
    wanted = {one["page"] for one in site.truth["texts"]}
    seen = {page.url.removeprefix(ORIGIN).partition("#")[0] for page in run.pages}
    assert wanted <= seen and len(without.pages) < 0.7 * len(wanted)
    repaired = [note.details for note in notes if note.event == "adapted_action"]
    assert ("index", "child to list") in {(one["level"], one["field"]) for one in repaired}
    assert len(run.asked) <= 1.4 * site.truth["oracle"]  # five of its links are redirected


@pytest.mark.parametrize(("kind", "known", "template"), [("forum", "modern", "classic"), ("wiki", "modern", "classic")])
def test_knowledge_of_another_template(kind: str, known: str, template: str) -> None:
    found = crossed(kind, known, template, 1, 24, False)
    assert found["adapted"] > 0
    assert [name for name in misses(found) if name != "requests"] == []
    assert found["requests"] <= 1.5  # sites of usual size: bench/crossed.py


def test_further_pages_of_an_object_are_that_object(tmp_path: Path) -> None:
    paging = paging_of("http://e.org/a-boat/comment-page-2/", "http://e.org/a-boat/")
    assert paging is not None
    blog = Application("blog", "blog", identity=Identity(pagings=(paging,)))
    saved = load_trusted(to_xml(blog), "blog.xml")
    for one in (blog, saved, merge(saved, blog)):
        assert len(one.identity.pagings) == 1
        assert object_url("http://e.org/a-ship/comment-page-11/", one) == "http://e.org/a-ship/"
        assert object_url("http://e.org/a-comment-page-2/", one) == "http://e.org/a-comment-page-2/"
        assert object_url("http://other.org/a-ship/comment-page-2/", one) != "http://other.org/a-ship/"
    assert paging_of("http://e.org/17/2/", "http://e.org/17/") is None


def explorer() -> Explorer:
    """Return an explorer that knows where the content of a site is, and of other kinds of links."""
    made = Explorer()
    for url, pager in (
        ("/topic/1", 0), ("/topic/1/print", 0), ("/topic/1?sort=desc", 0), ("/author/ann", 0), ("/author/ann/page/2", 1)
    ):  # fmt: skip
        where = "http://e.org/author/ann" if pager else "http://e.org/"
        group = LinkGroup("a", skeleton(url), {f"http://e.org{url}": None}, {where}, 6, 1, False, pager)
        made.classes.place(group, where)
    one = made.classes.of("http://e.org/topic/1")
    assert one is not None
    made.classes.judge(one, "terminal", "topic")
    return made


def test_tools_other_orders_and_further_pages_of_nothing_are_not_tried() -> None:
    assert {one.matches for one, _, _ in next_trials(explorer(), 9)} == {"^/author/ann/page/[0-9]+$"}  # a list goes on
    found = explorer()
    author = found.classes.of("http://e.org/author/ann")
    assert author is not None
    found.classes.judge(author, "nothing")
    assert [url for _, url, _ in next_trials(found, 9)] == ["http://e.org/author/ann/page/2"]  # no other list goes on
    found = explorer()
    for url, verdict in (("/author/ann", "nothing"), ("/latest/2", "list")):
        one = found.classes.place(
            LinkGroup("a", skeleton(url), {f"http://e.org{url}": None}, set(), 1, 1, False, 1), ""
        )
        found.classes.judge(one, verdict)
    assert list(next_trials(found, 9)) == []


def test_the_head_of_an_article_is_not_aside() -> None:
    body = (
        "<body><header id=banner><h1><a href='/'>A blog</a></h1></header><article><header class=entry-header><h2>"
        "<a href='/a/1-one'>One</a></h2></header><footer><a href='/tag/x'>x</a></footer></article></body>"
    )
    page = Page("http://e.org/", 200, (("Content-Type", "text/html"),), f"<html>{body}</html>".encode())
    groups = group_links(page, [link.url for link in links(page)])
    aside = {url: group.aside for group in groups.values() for url in group.urls}
    assert aside == {"http://e.org/": True, "http://e.org/a/1-one": False, "http://e.org/tag/x": True}


def test_lists_passed_with_a_poor_action_are_looked_at_again_when_a_better_one_is_learned() -> None:
    known = load(KNOWLEDGE / "forum-modern.xml")
    ways = SiteAdaptation(known, "e.org", lambda url: ()).ways
    level = known.level("list") or next(one for one in known.levels if not one.is_terminal)
    first, second = Page("http://e.org/1"), Page("http://e.org/2")
    ways.passes(first, level, 1)
    assert ways.passed_before([Change(level.id, "child to thread", "", "a/@href", "links", (), 1.0, "")]) == []
    ways.levels[level.id] = Level(level.id, level.kind, navigations=(Navigation("child", "a/@href", "thread"),))
    ways.passes(first, level, 1)
    ways.passes(second, level, 2)
    assert ways.passed_before([Change("thread", "post/body", "", "p", "records", (), 1.0, "")]) == []
    better = [Change(level.id, "child to thread", "a/@href", "td/a/@href", "links", (), 1.0, "")]
    assert ways.passed_before(better) == [(first, 1), (second, 2)]
    assert ways.passed_before(better) == []
