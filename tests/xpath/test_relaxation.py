from __future__ import annotations

import pytest
from lxml import html

from siteseer.page.similarity.name_parts import shared_parts
from siteseer.xpath.evaluation import matches, select
from siteseer.xpath.page_vocabulary import Vocabulary
from siteseer.xpath.parser import parse
from siteseer.xpath.relaxation import Relaxed, relaxations
from siteseer.xpath.syntax import Expression, Path

PAGE = html.document_fromstring("""
<html><body><div class="post"><h2 class="storytitle"><a href=/1>One</a></h2><div class="post_author">Ann</div>
<span class="when" title="2020-05-01">yesterday</span><div class="content"><p>Text</p></div></div>
<ul id=menu><li><a href=/2>x</a></li></ul></body></html>""")
WORDS = Vocabulary.of([PAGE])


def alive(prefix: Path) -> bool:
    return matches(Expression((prefix,)), PAGE)


def relaxed(text: str, prefix: int = 0, limit: int = 500) -> list[Relaxed]:
    return list(relaxations(parse(text), WORDS, prefix, alive, limit))


@pytest.mark.parametrize(
    ("failing", "prefix", "found"),
    [
        ("div[@class='post']/h2[@class='post-title']", 1, "div[@class='post']/h2[@class='storytitle']"),  # thesis 3.6.8
        ("div.post/h3.storytitle/a", 1, "div.post/h2.storytitle/a"),  # Table 3.2, first line
        ("div[@class='post_info']", 0, "div[@class='post_author']"),  # second line
        ("div[@class='post_content']", 0, "div[@class='content']"),  # third line
        ("div.post/span.when/@datetime", 1, "div.post/span.when/@title"),
        ("div.post/a/@href", 1, "div.post//a/@href"),
        ("div.post/section.body/p", 1, "div.post//p"),
        ("div.post/b.when", 1, "div.post/span.when"),
        ("div.post/time/@datetime", 1, "div.post/*/@title"),
    ],
)
def test_the_right_relaxation_is_among_the_first(failing: str, prefix: int, found: str) -> None:
    assert not select(parse(failing), PAGE)
    assert found in [str(one.expression) for one in relaxed(failing, prefix, limit=25)]


def test_storytitle_is_the_very_first() -> None:
    first = relaxed("div[@class='post']/h2[@class='post-title']", 1)[0]
    assert str(first.expression) == "div[@class='post']/h2[@class='storytitle']"
    assert first.changes == ("@class='post-title' became @class='storytitle'",)


def test_best_case_before_worst_case_and_fewer_changes_before_more() -> None:
    # One step can be changed once (best case) or more often (worst case).
    found = [(len(one.changes) > 1, len(one.changes), one.cost) for one in relaxed("div.post/h2.post-title", 1)]
    assert found == sorted(found) and {worst for worst, *_ in found} == {False, True}


def test_two_steps_changed_once_come_before_one_step_changed_twice() -> None:
    found = [str(one.expression) for one in relaxed("div.posting/h3.storytitle")]
    assert found.index("div.post/h2.storytitle") < found.index("div.post//h2")


def test_every_relaxation_selects_something_and_none_comes_twice() -> None:
    found = relaxed("div.post/h3.post-title/a/@href")
    assert all(select(one.expression, PAGE) for one in found)
    assert len({one.expression for one in found}) == len(found) > 0


def test_the_detection_prefix_is_left_alone() -> None:
    found = relaxed("div.post/h3.post-title", 1)
    assert found and all(str(one.expression).startswith("div.post/") for one in found)


def test_dead_prefixes_are_not_extended() -> None:
    asked: list[str] = []

    def nothing(prefix: Path) -> bool:
        asked.append(str(prefix))
        return False

    assert list(relaxations(parse("div.post/h2/a"), WORDS, 1, nothing)) == []
    assert asked == ["div.post"]


def test_lazy_and_bounded() -> None:
    asked = 0

    def counted(prefix: Path) -> bool:
        nonlocal asked
        asked += 1
        return True

    long = "/".join(["div.post[@title='post-x'][.='y']"] * 8)
    found = relaxations(parse(long), WORDS, 0, counted, limit=50)
    next(found)
    assert asked < 30
    assert len(list(found)) == 49


def test_only_what_occurs_is_used() -> None:
    for one in relaxed("div.post/h3.post-title"):
        for step in one.expression.alternatives[0].steps:
            assert step.test == "*" or step.test in WORDS.tags
            assert all(WORDS.has(step.test, "class", name) for name in step.classes)


def test_preferred_values_come_first() -> None:
    page = html.fromstring("<div><b class=title-x>1</b><b class=title-y>2</b></div>")
    first = next(relaxations(parse("b.title-z"), Vocabulary.of([page], preferred=["title-y"])))
    assert str(first.expression) == "b.title-y"


def test_shared_parts() -> None:
    assert shared_parts("post-title", "storytitle") > 0.3
    assert shared_parts("postTitle", "post_title") == 1.0
    assert shared_parts("post-title", "menu") == 0.0
