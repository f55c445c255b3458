"""Plans over numbered elements find what XPath finds, in the same order."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.knowledge.alternatives import alternatives, vocabulary
from siteseer.knowledge.element_index import places
from siteseer.knowledge.query_plans import plan_of
from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.xpath.evaluation import select
from tests.xpath.expressions import random_expression, random_page

HTML = (("Content-Type", "text/html; charset=utf-8"),)
PAGE = Page(
    "http://e.org/",
    headers=HTML,
    body=b"<div id=a class='post  first'><p>one<a href=x rel=next>1</a><a href=y>2</a></p><div class=post><a href=z>3"
    b"</a></div></div><div class=post id=b><ul><li><a href=v>4</a></li><li class='last'>5</li></ul></div>",
)


@settings(max_examples=300, deadline=None)
@given(st.integers(0, 2**32))
def test_plans_find_what_xpath_finds(seed: int) -> None:
    random = Random(seed)
    page = random_page(random)
    for _ in range(20):
        text = str(random_expression(random))
        for element in random.sample(places(page).elements, min(3, len(places(page).elements))):
            for one in alternatives(text):
                wanted = select(one.expression, element)
                fits = one.words <= vocabulary(page)
                assert (one.select(page, element) if fits else []) == wanted, (text, page.body)


@pytest.mark.parametrize(
    "text",
    (
        *("div.post", "div.post//a/@href", "div.post/p/a[2]", "div.post[last()]", "*#b//li.last", "div#a.first"),
        *("a[not(@rel)]/@href", "@href", ".//@href", "./@id", "div[.//li]", "div[p/a/@href='y']", "a[contains(.,'3')]"),
        *("/html/body/div", "//a[@rel='next' or @href='v']/@href", "a/@href[starts-with(.,'z')]", "."),
    ),
)
def test_what_knowledge_files_write_has_a_plan(text: str) -> None:
    (one,) = alternatives(text)
    assert plan_of(one.expression.alternatives[0]) is not None
    for element in places(PAGE).elements:
        assert one.select(PAGE, element) == select(one.expression, element)


def test_nodes_inside_other_records_are_left_out() -> None:
    (one,) = alternatives("a/@href")
    outer, inner, _ = (places(PAGE).numbers[element] for element in tree(PAGE).findall(".//div"))
    element = places(PAGE).elements[outer]
    assert one.select(PAGE, element) == ["x", "y", "z"]
    assert one.select(PAGE, element, without=[inner]) == ["x", "y"]


def test_deep_and_wide_pages_take_linear_time() -> None:
    body = b"<div class=a>" * 2000 + b"<a href=x>" + b"</div>" * 2000 + b"<p class=a><i>x</i></p>" * 20_000
    page = Page("http://e.org/", headers=HTML, body=body)
    (one,) = alternatives("*.a//*.a//*.a//a/@href")
    assert one.select(page) == ["x"]
    (one,) = alternatives("*.a//*.a/i")
    assert one.select(page) == []
