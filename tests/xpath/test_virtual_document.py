from __future__ import annotations

import pytest
from lxml import etree

from siteseer.model import Page
from siteseer.page.tree import tree
from siteseer.xpath.evaluation import matches
from siteseer.xpath.parser import parse
from siteseer.xpath.virtual_document import virtual_document

PAGE = Page(
    "https://forum.example:8443/board/viewtopic.PHP?t=5&f=a%20b&flag",
    404,
    (
        ("Content-Type", "text/html"),
        ("X-Powered-By", "PHP/8"),
        ("Set-Cookie", "PHPBB3_u=secret; Path=/; Domain=.forum.example"),
        ("Set-Cookie", "sid=hidden"),
    ),
    b"<html><body id=phpbb><p>hello",
    redirected_from=("http://forum.example/5",),
)


@pytest.mark.parametrize(
    "pattern",
    [
        "http-url[@scheme='https'][@host='forum.example'][@port='8443'][@ext='php']",
        "http-url[contains(.,'viewtopic')]",
        "http-url[@path='/board/viewtopic.PHP'][contains(@query,'t=5')]",
        "http-param[@name='f'][@value='a b']",
        "http-param[@name='flag'][@value='']",
        "http-seg[@n='1'][@value='board']",
        "http-status[@code='404']",
        "http-header[@name='x-powered-by'][starts-with(@value,'PHP')]",
        "http-cookie[contains(@name,'phpbb3_')][@domain='.forum.example']",
        "http-redirect[@from='http://forum.example/5']",
        "/html/body#phpbb/p",
        "/page/html/body",
        "page[http-status]//p",
        "p[/html/body]",
        "html[preceding-sibling::http-header]",
    ],
)
def test_patterns_see_http_and_html(pattern: str) -> None:
    assert matches(parse(pattern), virtual_document(PAGE))


def test_cookie_values_are_left_out() -> None:
    written = etree.tostring(virtual_document(PAGE))
    assert b"secret" not in written and b"hidden" not in written


def test_made_once_and_the_tree_of_the_page_stays_as_it_was() -> None:
    assert virtual_document(PAGE) is virtual_document(PAGE)
    assert tree(PAGE).getparent() is None


@pytest.mark.parametrize(
    "page",
    [
        Page("http://[bad/"),
        Page("http://e.org:port/%00?\x00=\x1f", headers=(("X\x00", "\x01\udc80"), ("Set-Cookie", ";;="))),
        Page("", body=b"\x89PNG"),
        Page("http://e.org/" + "a/" * 5000 + "?" + "x=1&" * 5000, headers=(("a", "b" * 100_000),) * 1000),
    ],
)
def test_hostile_pages_have_a_virtual_document(page: Page) -> None:
    root = virtual_document(page)
    assert root.find("html") is not None
    assert len(root) < 1500 and len(etree.tostring(root)) < 10**7
    assert matches(parse("http-status[@code='200']"), root)
