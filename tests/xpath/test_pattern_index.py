from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from siteseer.model import Page
from siteseer.xpath.evaluation import to_xpath
from siteseer.xpath.feature_cover import Feature, cover
from siteseer.xpath.linear_scan import LinearScan
from siteseer.xpath.literal_matcher import CHUNK, Literals
from siteseer.xpath.parser import parse
from siteseer.xpath.pattern_index import IndexedPattern, PatternIndex, estimated_frequency
from siteseer.xpath.syntax import Expression
from siteseer.xpath.virtual_document import virtual_document
from siteseer.xpath.yfilter import YFilter
from tests.xpath.expressions import HTML, expressions, pages


def patterns(*texts: str) -> list[IndexedPattern]:
    return [IndexedPattern(text, parse(text)) for text in texts]


def page(body: str) -> Page:
    return Page("http://e.org/", headers=HTML, body=body.encode())


def indexed(found: Sequence[Expression]) -> list[IndexedPattern]:
    return [IndexedPattern(f"p{n}", one, priority=n % 3) for n, one in enumerate(found)]


@settings(deadline=None, max_examples=500)
@given(st.lists(expressions, min_size=1, max_size=6), pages)
def test_index_linear_automaton_and_lxml_agree(found: list[Expression], page: Page) -> None:
    known = indexed(found)
    expected = {one.id for one in known if etree.XPath(to_xpath(one.expression, "virtual"))(virtual_document(page))}
    linear = LinearScan(known).matches(page)
    assert set(linear) == expected
    for system in (PatternIndex.build(known), PatternIndex.build(known, sample=[page]), YFilter(known)):
        assert system.matches(page) == linear
        assert system.first(page) == next(iter(linear), None)


@settings(deadline=None)
@given(st.lists(expressions, min_size=2, max_size=5), pages)
def test_patterns_added_later_are_found_too(found: list[Expression], page: Page) -> None:
    known = indexed(found)
    index = PatternIndex.build(known[:1])
    index.matches(page)
    for one in known[1:]:
        index.add(one)
    assert index.matches(page) == LinearScan(known).matches(page)


def test_only_patterns_that_join_http_and_html_put_the_document_together() -> None:
    asked = page("<p id=x>")
    apart = ("http-status[@code='200']", "p#x", "/html/body/p", "#x", "*[@code]", "http-redirect | body/*[@id='x']")
    known = patterns(*apart, "page[http-status]//p", "p[/html]")
    alone = PatternIndex.build(known[:6])
    assert len(alone.matches(asked)) == 6 and not any(
        virtual_document.__qualname__ in key.split(".")[-1:] for key in asked.memo
    )
    assert len(PatternIndex.build(known).matches(asked)) == 8


def test_worked_example() -> None:
    known = patterns(
        "script[contains(@src,'vbulletin_global.js')]",
        "meta[@name='generator'][contains(@content,'WordPress')]",
        "a.forum/@href",
        "http-cookie[contains(@name,'phpbb3_')]",
        "h2[.='Forum']/a",
    )
    index = PatternIndex.build(known)
    body = "<script src='/js/vbulletin_global.js?v=3'></script><h2>Forum</h2><a class='forum hot' href=f.php>x</a>"
    assert index.candidates(page(body)) == {0, 2, 4}
    assert set(index.matches(page(body))) == {known[0].id, known[2].id}


@pytest.mark.parametrize(
    ("text", "features"),
    [
        ("a[@x='v' or contains(@y,'w')]", {Feature("value", "a", "x", "v"), Feature("inside", "a", "y", "w")}),
        ("article[not(@x='v')]", {Feature("tag", "article")}),
        ("*[not(@x)]", None),
        ("*[contains(@x,'')]", None),
        ("*[@x='']", {Feature("attribute", "*", "x")}),
        ("*[@x='v' or not(b)]", None),
        ("img/@src[.='v']", {Feature("value", "img", "src", "v")}),
        ("img//@src[.='v']", {Feature("value", "*", "src", "v")}),
        ("td[b/@x='v']", {Feature("value", "b", "x", "v")}),
        ("@*[contains(.,'v')]", {Feature("inside", "*", "*", "v")}),
        ("*[contains(.//b/text(),'long literal')]", {Feature("text", "*", "", "long literal")}),
        ("*.x | *", None),
    ],
)
def test_covers(text: str, features: set[Feature] | None) -> None:
    assert cover(parse(text)) == features


def test_a_sample_tells_which_feature_is_rare() -> None:
    known = patterns("meta[@name='generator'][contains(@content,'Wx')]")
    common = [page(f"<meta name=generator content='{n}'>") for n in range(20)]
    expression = known[0].expression
    assert cover(expression) == {Feature("value", "meta", "name", "generator")}
    sampled = cover(expression, estimated_frequency(known, common))
    assert sampled == {Feature("inside", "meta", "content", "Wx")}


def test_a_candidate_has_all_that_its_pattern_asks_for() -> None:
    index = PatternIndex.build(patterns("aside/a[@rel='x']", "aside/a[@rel='x'] | p/a[@rel='x']", "a.c[@rel='x'][@id]"))
    assert index.candidates(page("<p><a rel=x>")) == {1}
    assert index.candidates(page("<aside><a rel=x class='b c'>")) == {0, 1}


def test_what_many_patterns_ask_for_is_not_looked_up() -> None:
    known = patterns(*(f"meta[@name='generator'][contains(@content,'Product{n}')]" for n in range(200)))
    assert PatternIndex.build(known).candidates(page("<meta name=generator content=Product7>")) == {7}


def test_best_first_by_priority_then_by_what_it_asks_for_and_each_id_once() -> None:
    known = [
        IndexedPattern("weak", parse("p")),
        IndexedPattern("strong", parse("p[@id='x']")),
        IndexedPattern("chosen", parse("body"), priority=5),
        IndexedPattern("weak", parse("body/p")),
    ]
    index = PatternIndex.build(known)
    assert index.matches(page("<p id=x>")) == ["chosen", "strong", "weak"]
    assert [hit.expression for hit in index.hits(page("<p>"))] == [known[2].expression, known[3].expression, parse("p")]
    assert index.first(page("<b>")) == "chosen"
    assert PatternIndex.build(known[1:2]).first(page("<b>")) is None


@given(
    st.lists(st.text("aé€", min_size=1, max_size=12), max_size=40),
    st.text("aé€", max_size=30),
    st.integers(0, 40),
)
def test_no_literal_that_occurs_is_missed(literals: list[str], text: str, few: int) -> None:
    known = Literals(few)
    for literal in literals:
        known.add(literal)
    occurring = {literal for literal in literals if literal in text}
    assert occurring <= known.likely(text) <= set(literals)


def test_literals_are_found_across_the_chunks_of_a_long_text() -> None:
    words = [f"word number {n}" for n in range(500)]
    known = Literals()
    for word in words:
        known.add(word)
    for place in (*range(CHUNK - 16, CHUNK + 2), 3 * CHUNK - 5, 10 * CHUNK):
        assert known.likely("." * place + words[place % 500]) == {word for word in words if word in words[place % 500]}


TRICKY = (
    "div[2]/a",
    "div[last()]//b",
    "div[2]//a/@href",
    "html[preceding-sibling::http-status]",
    "p/parent::div/following-sibling::div",
    "a/ancestor::page/http-url",
    "p[@id and /html/body]",
    "p[@id and //http-status]",
    "b[not(//http-status)]",
    "div/p/parent::div",
    "a/preceding-sibling::p",
    "/html/body/div/b",
    "/body",
    "//div/div",
)


@pytest.mark.parametrize("text", TRICKY)
def test_positions_axes_and_roots_mean_the_same_everywhere(text: str) -> None:
    asked = page("<div><p id=x>1</p><a href=/1>2</a></div><div><p>3</p><a href=/2>4</a><b>5</b></div>")
    expected = [text] if etree.XPath(to_xpath(parse(text), "virtual"))(virtual_document(asked)) else []
    for system in (PatternIndex.build, LinearScan, YFilter):
        assert system(patterns(text)).matches(asked) == expected
