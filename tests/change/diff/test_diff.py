"""What changed between two captures: kinds, places, measures, regions, verdicts, views."""

import time
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from siteseer.change.diff import VIEWS, compare, compare_objects, comparison_html
from siteseer.change.diff.page_regions import is_counter
from siteseer.model import Page, WebObject
from siteseer.page.similarity.set_measures import jaccard
from siteseer.page.similarity.text_measures import common_subsequence, resemblance, shingles

TYPE = (("Content-Type", "text/html; charset=utf-8"),)
PROSE = (
    "The ferry left the harbour before dawn, and the lamps of the town grew small behind it. Nobody on deck spoke. "
    "By noon the wind had turned, so the captain ordered the sails to be changed and tea to be made for all. "
)


def page(body: str) -> Page:
    return Page(
        "http://e.org/a", 200, TYPE, f"<html><body>{body}</body></html>".encode(), datetime(2020, 1, 1, tzinfo=UTC)
    )


def article(text: str = PROSE, extra: str = "", comments: int = 2) -> Page:
    remarks = "".join(
        f"<li class=comment id=c{n}><b>Reader {n}</b> <time>{n + 1} May 2015</time>"
        f"<p>I was there too, number {n} of all.</p></li>"
        for n in range(comments)
    )
    return page(
        f"<header><h2>Harbour news</h2></header><article class=post><h1>The ferry</h1><p>{text}</p><p>{PROSE[::-1]}</p>"
        f"<p>{PROSE}{PROSE}</p></article>{extra}<ol class=comments>{remarks}</ol><footer>Imprint</footer>"
    )


def test_every_kind_of_change_is_told_with_its_place() -> None:
    old = page(
        "<div id=a><p class=x>One two three four.</p><p>Stays here for good.</p><a href=/1>l</a><i>go now</i></div>"
    )
    new = page("<div id=a><p class=y>One two three four.</p><h3>Stays here for good.</h3><a href=/2>l</a></div>")
    changes = {(change.kind, change.what, change.xpath) for change in compare(old, new).changes}
    assert ("attribute", "changed", "/html/body/div/p[1]") in changes
    assert ("type", "changed", "/html/body/div/p[2]") in changes
    assert ("links", "changed", "/html/body/div/a") in changes
    assert ("content", "removed", "/html/body/div/i") in changes
    assert ("structure", "removed", "/html/body/div/i") in changes
    assert not any(kind == "content" and xpath.endswith("p[2]") for kind, _, xpath in changes)


def test_what_is_moved_is_not_new() -> None:
    old = page("<div><p>One two three.</p></div><section><b>x</b></section>")
    new = page("<div></div><section><b>x</b><p>One two three.</p></section>")
    found = compare(old, new)
    assert [(change.kind, change.what) for change in found.changes if change.kind == "structure"] == [
        ("structure", "moved")
    ]


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        (article(), article(PROSE.replace("dawn", "dusk")), "edited"),
        (article(), article(PROSE + "Then it rained on everybody for two days and nights."), "edited"),
        (article(comments=2), article(comments=3), "comments"),
        (article(extra="<p>Read 12 times</p>"), article(extra="<p>Read 1,304 times</p>"), "noise"),
        (
            article(extra="<div class=ad><p>Buy ten kettles now</p></div>"),
            article(extra="<div class=ad>Boots!</div>"),
            "noise",
        ),
        (article(), article(extra="<nav><a href=/new>Something new is in the menu today</a></nav>"), "noise"),
        (article(), article(), "same"),
    ],
)
def test_verdicts(before: Page, after: Page, verdict: str) -> None:
    found = compare(before, Page(after.url, 200, TYPE, after.body + b" "))
    assert found.verdict == verdict, found.because


def test_another_template_is_no_edit_and_an_edit_in_another_template_is_one() -> None:
    def modern(text: str) -> Page:
        return page(
            "<table class=m><tr><td class=top>Harbour news</td></tr><tr><td class=text><font size=5>The ferry</font>"
            f"<br><div class=w>{text}</div><div class=w>{PROSE[::-1]}</div><div class=w>{PROSE}{PROSE}</div></table>"
        )

    assert compare(article(), modern(PROSE)).verdict == "template"
    assert compare(article(), modern(PROSE.replace("captain ordered", "cook forbade"))).verdict == "edited"


def test_measures() -> None:
    assert jaccard(set("abc"), set("abc")) == 1.0
    assert common_subsequence("a b c".split(), "x y z".split()) == 0.0
    assert resemblance("a b c d".split(), "a b c d".split()) == 1.0
    assert compare(article(), article(PROSE.replace("dawn", "dusk"))).page["lcs"] > 0.98
    assert is_counter("3 comments", "4 comments")
    assert not is_counter(
        "about 3 people died in the long and terrible flood of the old town yesterday night", "about 9 people died in"
    )


@given(st.lists(st.sampled_from("abcdef"), max_size=30), st.lists(st.sampled_from("abcdef"), max_size=30))
def test_hashed_shingles_equal_plain_ones(a: list[str], b: list[str]) -> None:
    if min(len(a), len(b)) >= 4:
        assert resemblance(a, b) == pytest.approx(jaccard(shingles(a), shingles(b)))


@given(st.lists(st.sampled_from("abc"), max_size=12), st.lists(st.sampled_from("abc"), max_size=12))
def test_common_subsequence_is_never_longer_than_the_longest(a: list[str], b: list[str]) -> None:
    longest = [[0] * (len(b) + 1) for _ in range(len(a) + 1)]
    for i, x in enumerate(a):
        for j, y in enumerate(b):
            longest[i + 1][j + 1] = longest[i][j] + 1 if x == y else max(longest[i][j + 1], longest[i + 1][j])
    if a or b:
        assert common_subsequence(a, b) <= 2 * longest[-1][-1] / (len(a) + len(b)) + 1e-9


@pytest.mark.parametrize("name", sorted(VIEWS))
def test_views_show_the_difference_and_run_nothing(name: str) -> None:
    old, new = article(), article(PROSE.replace("dawn", "<script>alert(1)</script>dusk<img src=x onerror=alert(2)>"))
    drawn = comparison_html(name, old, new, compare(old, new))
    assert "<del>dawn" in drawn
    assert "<ins>dusk" in drawn
    assert "<script" not in drawn
    assert "<img" not in drawn


def test_objects_of_two_crawls() -> None:
    old = [WebObject("post", "a", "u", text="x y"), WebObject("post", "b", "u", text="z")]
    new = [WebObject("post", "a", "u", text="x  y", tags=("t",)), WebObject("post", "c", "u")]
    found = compare_objects(old, new)
    assert ([one.id for one in found.new], [one.id for one in found.gone], found.edited, found.same) == (
        ["c"],
        ["b"],
        [],
        1,
    )


@pytest.mark.parametrize("body", ["<div>" * 20_000 + "x", "<p>a</p>" * 15_000, "<b>" + "<i>x" * 20_000, ""])
def test_hostile_pages_cost_little(body: str) -> None:
    start = time.process_time()
    compare(page(body), page(body + "<p>y z</p>"))
    assert time.process_time() - start < 10
