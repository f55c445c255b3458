"""What was learned as an entry of the knowledge base: addresses, marks, levels."""

import re

import pytest

from siteseer.knowledge.pattern_match import pattern_matches
from siteseer.model import Page
from siteseer.strategies.learned.knowledge_entry.level_patterns import Groups, template_pattern
from siteseer.strategies.learned.knowledge_entry.navigation_actions import (
    Route,
    actions,
    address_expression,
    drops,
    pagings,
)
from siteseer.strategies.learned.online_learner.identity_rules import Part

HTML = (("Content-Type", "text/html"),)


def page(body: str, url: str = "http://e.org/") -> Page:
    return Page(url, headers=HTML, body=body.encode())


@pytest.mark.parametrize(
    ("url", "template", "also", "not_these"),
    [
        ("http://e.org/t.php?t=5&f=2", "/t.php?f=0&t=0", "/t.php?t=77&f=1", ["/t.php?f=1&t=77", "/t.php?t=7"]),
        ("http://e.org/2020/05/a-b.html", "/0/0/*.html", "/1999/1/x.html", ["/1999/x.html", "/1999/1/x.php"]),
        ("http://e.org/i.php?topic=12.msg7", "/i.php?topic=0.msg0", "/i.php?topic=1.msg22", ["/i.php?topic=1.22"]),
        ("http://e.org/?id=a:b&do=x", "/?do=x&id=*", "/?id=c&do=x", ["/?id=c&do=y", "/?id=c"]),
        ("http://e.org/a(b/+", "/a(b/*", "/a(b/c", ["/ab/c"]),
    ],
)
def test_the_expression_of_an_address(url: str, template: str, also: str, not_these: list[str]) -> None:
    said = address_expression(url, template)
    assert said is not None
    own = "/" + url.partition("://")[2].partition("/")[2]
    assert re.search(said, own) and re.search(said, also)
    assert not any(re.search(said, other) for other in not_these)


def test_a_session_id_may_follow() -> None:
    said = address_expression("http://e.org/t.php?t=5&sid=0123456789abcdef0123456789abcdef", "/t.php?t=0")
    assert said is not None
    assert (
        re.search(said, "/t.php?t=8") and re.search(said, "/t.php?t=8&sid=77") and not re.search(said, "/t.php?t=8&x=1")
    )


def test_each_order_of_parameters_is_an_alternative() -> None:
    route = Route("/t.php?f=0&t=0", ("http://e.org/t.php?t=5&f=2", "http://e.org/t.php?f=2&t=9"))
    (action,) = actions([route], "test")
    assert re.search(action.matches, "/t.php?t=1&f=1") and re.search(action.matches, "/t.php?f=1&t=1")


def test_idle_parameters_are_dropped_and_numbers_turn_pages() -> None:
    dropped = drops([Part("*", "token", "*"), Part("/v/0", "start", "0"), Part("", "print", "print")])
    assert [(one.name, one.value, one.path) for one in dropped] == [("token", "", ""), ("start", "^0$", "^/v/[0-9]+$")]
    assert not pagings(["/list?page=0", "/list"])


def test_marks_tell_a_group_from_others() -> None:
    groups = Groups()
    frame = "<div id=wrap><div id=head></div><div id=foot></div><p class=note></p><p class=date></p>"
    for number in range(20):
        groups.add("posts", page(f"{frame}<div class=entry id=p{number}><div class=comments></div></div>"))
        groups.add("other", page(f"{frame}<div class=entry></div><ul class=pager></ul>"))
    posts, lists = (page(f"{frame}<div class=entry>{inside}") for inside in ("<div class=comments>", ""))
    patterns = groups.telling("posts")
    assert all(pattern_matches(one, posts) != one.is_absence for one in patterns)
    assert not all(pattern_matches(one, lists) != one.is_absence for one in patterns)
    shared = template_pattern(groups.common())
    assert (
        shared is not None
        and pattern_matches(shared, posts)
        and not pattern_matches(shared, page("<div id=wrap><div id=head>"))
    )


def test_few_marks_are_not_enough_to_know_a_template_by() -> None:
    groups = Groups()
    for _ in range(9):
        groups.add("other", page("<div id=wrap><p class=note>"))
    assert template_pattern(groups.common()) is None
