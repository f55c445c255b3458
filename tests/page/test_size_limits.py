"""Pages made to cost time and memory without end are read in bounded time, and what was left off is said."""

from __future__ import annotations

import time

import pytest

from siteseer.demo.hostile.documents import tricky_markup
from siteseer.forms.parse_forms import forms
from siteseer.knowledge.knowledge_base import KnowledgeBase
from siteseer.knowledge.recognise import recognise_in_full
from siteseer.model import Follow, Page
from siteseer.page.links import links
from siteseer.page.scripts.needs_scripts import script_need
from siteseer.page.size_limits import MAX_ATTRIBUTES, MAX_DEPTH, MAX_TAGS
from siteseer.page.text import text
from siteseer.page.tree import left_off, title, tree
from siteseer.page.two_grams import grams
from siteseer.strategies.learned.online_learner.prose import prose
from siteseer.strategies.redirects_and_assets import follow_requisites

HTML = (("Content-Type", "text/html; charset=utf-8"),)
MOST_SECONDS = 8.0
"""Of this process, for everything that a crawl asks of a page; 1 to 3 on an idle machine."""
MILLION, MANY = 1_000_000, 300_000


def page_of(markup: bytes) -> Page:
    return Page("http://e.org/a/", headers=HTML, body=b"<html><head><title>Odd</title></head><body>" + markup)


@pytest.mark.parametrize("name", tricky_markup(0))
def test_very_many_of_anything_take_a_bounded_time(name: str) -> None:
    page = page_of(tricky_markup(MILLION if name.startswith("attribute") else MANY)[name]())
    knowledge = KnowledgeBase.shipped()
    recognise_in_full(page_of(b"<p>the index of the knowledge base is made once</p>"), knowledge)
    began = time.process_time()
    for read in (tree, text, grams, links, prose, script_need, forms):
        read(page)  # type: ignore[operator]
    recognise_in_full(page, knowledge)
    list(follow_requisites(page, Follow(page.url, "")))
    assert time.process_time() - began < MOST_SECONDS
    assert title(page) == "Odd"


@pytest.mark.parametrize(("count", "squares"), [(10_000, 20), (50_000, 20)])
def test_the_time_grows_with_the_size_and_not_with_its_square(count: int, squares: int) -> None:
    def seconds(number: int) -> float:
        page = page_of(tricky_markup(number)["attributes"]())
        began = time.process_time()
        recognise_in_full(page, KnowledgeBase.shipped())
        return time.process_time() - began

    seconds(100)
    assert seconds(10 * count) < squares * max(seconds(count), 0.02)


def test_what_is_left_off_is_said() -> None:
    assert left_off(page_of(b"<p>An ordinary page</p>" * 1_000)) == ""
    for name in ("attributes", "attribute-names", "attributes-of-many-tags"):
        page = page_of(tricky_markup(50_000)[name]())
        assert left_off(page) == f"a tag has more than {MAX_ATTRIBUTES} attributes", name
    for name in ("metas", "cells", "comments"):
        assert left_off(page_of(tricky_markup(MANY)[name]())) == f"it has more than {MAX_TAGS:,} tags", name
    for name in ("classes", "entities", "ampersands", "long-values", "no-utf-8", "spaces-in-a-tag"):
        assert left_off(page_of(tricky_markup(50_000)[name]())) == "", name
    assert left_off(page_of(b"<div>" * 5_000 + b"the bottom")) == "its tags nest more than 2,048 levels deep"
    assert left_off(page_of(b"word " * 4_000_000)) == "it is longer than 16 MB"


def test_attributes_up_to_the_bound_stay_with_quotes_and_all() -> None:
    many = b" ".join(b'a%d="x > %d < y"' % (number, number) for number in range(600))
    page = page_of(b"<p>before</p>" * 8_000 + b"<p id=first " + many + b">inside</p><a href=/next>after</a>")
    (element,) = [one for one in tree(page).iter("p") if one.get("id") == "first"]
    assert element.get("a0") == "x > 0 < y" and len(element.attrib) == MAX_ATTRIBUTES
    assert element.text == "inside" and [link.url for link in links(page)] == ["http://e.org/next"]


def test_a_long_value_is_no_reason_to_leave_anything_off() -> None:
    page = page_of(b'<p title="' + b"a=b c=d " * 10_000 + b'">x</p><p data-x=\'{"a": "b c d"}\' class=last>y</p>' * 300)
    assert left_off(page) == "" and len(tree(page).xpath("//p[@class='last']")) == 300
    assert len(tree(page).find(".//p").get("title")) == 80_000


def test_tags_that_nobody_closed_do_not_hide_the_rest_of_a_page() -> None:
    page = page_of(tricky_markup(0)["unclosed-fonts"]())
    assert left_off(page) == "" and "the bottom" in text(page) and len(links(page)) == 5_000


def test_what_nests_too_deep_is_moved_up_in_page_order() -> None:
    rows = b"".join(b"<b>row %d</b> and %d " % (number, number) for number in range(30_000))
    page = page_of(b"<div>" * 600 + rows + b"</div>" * 600 + b"<p>end</p>")
    depth = max(sum(1 for _ in one.iterancestors()) for one in tree(page).iter("b"))
    assert depth < MAX_DEPTH
    assert text(page).split()[:6] == "row 0 and 0 row 1".split() and text(page).split()[-1] == "end"
    assert text(page).count("row") == 30_000
