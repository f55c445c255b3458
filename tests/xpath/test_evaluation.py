from __future__ import annotations

import pytest
from hypothesis import given
from lxml import etree, html

from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.xpath.evaluation import matches, select, select_all, to_xpath
from siteseer.xpath.parser import parse
from siteseer.xpath.syntax import Expression
from tests.xpath.expressions import expressions, pages

THREAD = html.document_fromstring("""
<html lang=en><head><title>T</title></head><body>
<table><tr><td class="who user">Ann</td><td><div class=body><p>one <b>two</b></p></div></td></tr>
<tr><td class=who>Bob</td><td><div class="body last"><p>three</p><a href=/x rel=next>n</a></div></td></tr></table>
</body></html>""")


def texts(expression: str, node: html.HtmlElement = THREAD) -> list[str]:
    found = select(parse(expression), node)
    return [one if isinstance(one, str) else one.text_content() for one in found]


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("td.who", ["Ann", "Bob"]),
        (".user", ["Ann"]),
        (".use", []),
        ("td[contains(@class,'use')]", ["Ann"]),
        ("div.body.last/p", ["three"]),
        ("a[@rel='next']/@href", ["/x"]),
        ("tr[2]/td[1]", ["Bob"]),
        ("tr[last()]/td[not(.//p)]", ["Bob"]),
        ("/html/head/title", ["T"]),
        ("html/@lang", ["en"]),
        ("p/b | title", ["two"]),
        ("h1 | title", ["T"]),
        ("p/text()", ["one ", "three"]),
        ("td[. = 'Ann' or .='Bob']", ["Ann", "Bob"]),
        ("td[starts-with(.,'B')]", ["Bob"]),
        ("td[@class!='who']", ["Ann"]),
        ("tr[td/div/a]/td.who", ["Bob"]),
    ],
)
def test_select_in_a_document(expression: str, found: list[str]) -> None:
    assert texts(expression) == found


@pytest.mark.parametrize(
    ("expression", "found"),
    [
        ("p", ["three"]),
        ("./p", ["three"]),
        ("./b", []),
        ("parent::td/preceding-sibling::td", ["Bob"]),
        ("ancestor::tr/td.who", ["Bob"]),
        ("following-sibling::*", []),
        ("ancestor::tr/preceding-sibling::tr[1]/td.user", ["Ann"]),
        ("//td.who", ["Ann", "Bob"]),
        (".", ["threen"]),
    ],
)
def test_select_in_a_record(expression: str, found: list[str]) -> None:
    assert texts(expression, THREAD.find_class("last")[0]) == found


def test_reverse_axes_answer_in_document_order() -> None:
    row = THREAD.xpath("//b")[0]
    assert [node.tag for node in select(parse("ancestor::*"), row)] == ["html", "body", "table", "tr", "td", "div", "p"]


def test_select_all_unites_in_document_order() -> None:
    found = select_all(parse("b | td.who"), THREAD)
    assert [node.text for node in found] == ["Ann", "two", "Bob"]


def test_attribute_values_do_not_hold_the_tree() -> None:
    (found,) = select(parse("a/@href"), THREAD)
    assert type(found) is str


def test_matches_asks_any_alternative() -> None:
    assert matches(parse("h1 | b"), THREAD)
    assert not matches(parse("h1 | h2"), THREAD)


def test_names_with_a_colon_and_strings_with_both_quotes() -> None:
    root = html.document_fromstring("""<body><fb:like xml:lang="it's &quot;q&quot;">x""")
    assert select(parse("fb:like/@xml:lang"), root) == ['it\'s "q"']
    assert select(parse("fb:like[@xml:lang='it''s \"q\"']/text()"), root) == ["x"]


@given(expressions, pages)
def test_every_expression_is_xpath_and_alternatives_are_its_parts(expression: Expression, page: Page) -> None:
    root = tree(page)
    every = etree.XPath(to_xpath(expression))(root)
    assert len(select_all(expression, root)) == len(every)
    assert matches(expression, root) == bool(every) == bool(select(expression, root))
