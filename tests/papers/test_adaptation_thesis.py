"""The worked examples of M. Faheem's thesis, chapter 3: relaxation, desktop against mobile, levels."""

from __future__ import annotations

import pytest
from lxml import html

from siteseer.knowledge.types import Detection, Level, Pattern
from siteseer.model import Page
from siteseer.strategies.aware.adaptation.level_detection import level_pattern
from siteseer.xpath.evaluation import matches, select
from siteseer.xpath.page_vocabulary import Vocabulary
from siteseer.xpath.parser import parse
from siteseer.xpath.relaxation import relaxations
from siteseer.xpath.syntax import Expression

HTML = (("Content-Type", "text/html"),)


def first_that_selects(failing: str, page: str, prefix: int = 0) -> tuple[str, tuple[str, ...]]:
    """Relax until something is selected, as Algorithm 3.2 does on one page."""
    root = html.document_fromstring(page)
    assert not select(parse(failing), root)
    words = Vocabulary.of([root])
    for one in relaxations(parse(failing), words, prefix, lambda path: matches(Expression((path,)), root)):
        if select(one.expression, root):
            return str(one.expression), one.changes
    raise AssertionError("nothing found")


def test_section_3_6_8_post_title_becomes_storytitle() -> None:
    page = "<div class=post><h2 class=storytitle>One</h2><div class=storycontent>Text</div></div>"
    found, changes = first_that_selects("div[@class='post']/h2[@class='post-title']", page, prefix=1)
    assert found == "div[@class='post']/h2[@class='storytitle']"
    assert len(changes) == 1


@pytest.mark.parametrize(
    ("desktop", "mobile"),
    [
        ("div[@class='post_title']/h3/a", "div[@class='post_title']/h2/a"),
        ("div[@class='post_info']", "div[@class='post_author']"),
        ("div[@class='post_content']", "div[@class='content']"),
    ],
)
def test_table_3_2_desktop_against_mobile(desktop: str, mobile: str) -> None:
    page = (
        "<div class=post_title><h2><a href=/1>Title</a></h2></div><div class=post_author>by Ann</div>"
        "<div class=content><p>Text</p></div>"
    )
    root = html.document_fromstring(page)
    words = Vocabulary.of([root])
    alive = [
        str(one.expression) for one in relaxations(parse(desktop), words, limit=60) if select(one.expression, root)
    ]
    assert mobile in alive[:6]


def test_section_3_5_2_a_detection_prefix_is_left_alone() -> None:
    page = "<div class='post x'><h2 class=post-head>One</h2></div><div id=other><h2>Two</h2></div>"
    root = html.document_fromstring(page)
    words = Vocabulary.of([root])
    failing = parse("div[contains(@class,'post')]/h2[@class='post-title']")
    found = [str(one.expression) for one in relaxations(failing, words, 1)]
    assert all(text.startswith("div[contains(@class,'post')]") for text in found)
    assert found[0] == "div[contains(@class,'post')]/h2[@class='post-head']"


def page_of(body: str) -> Page:
    return Page("http://e.org/", 200, HTML, f"<html><body>{body}</body></html>".encode())


def test_section_3_5_2_level_patterns_are_relaxed_one_by_one_until_one_works() -> None:
    # Candidates: @class='post', @id='forum', @class='blog' with article, div, ...: the first that tells the level.
    posts = [page_of(f"<article class='post'><p>{n}</p></article><div class=blog>x</div>") for n in range(4)]
    others = [page_of("<div id=forum><a href=/1>x</a></div><div class=blog>x</div>") for _ in range(3)]
    level = Level("post", "terminal", detections=(Detection((Pattern("div[@class='post']"),), 30),))
    found = level_pattern(level, posts, others)
    assert found is not None and found.candidate.text == "article[@class='post']"
    assert found.candidate.method == "relaxation" and found.candidate.changes == ("div became article",)


def test_a_pattern_that_also_holds_elsewhere_is_no_success() -> None:
    alike = [page_of("<div class=blog>x</div>") for _ in range(3)]
    level = Level("post", "terminal", detections=(Detection((Pattern("div[@class='post']"),)),))
    assert level_pattern(level, alike, alike) is None
