"""Blocks made of marked text are those of a plain walk through the tree."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.campaigns.relevance.relevance_blocks import blocks_of
from siteseer.demo import SiteRequest, make_site
from siteseer.model import Page
from tests.campaigns.relevance.plain_blocks import plain_blocks

PIECES = st.sampled_from(
    [
        "<div class='post'>",
        "</div>",
        "<p>",
        "</p>",
        "<br>",
        "<a href='/x'>",
        "<a href='?y'>",
        "<a href='z#w' rel=author>",
    ]
    + ["</a>", "<span class='author b'>", "</span>", "<i itemprop='author'>", "</i>", "<article>", "</article>", "<hr>"]
    + ["<textarea>t</textarea>", "<script>s</script>", "<!-- c -->", "Ada", " kelp ", "Äpfel — 日本", "&amp;", "\n  "]
    + ["<ul><li>", "</ul>", "<td>", "<b class='x'>", "</b>", "<a name='n'>", "<a href='http://f.org/'>"]
)


def page(body: str, url: str = "http://e.org/dir/page?q=1") -> Page:
    return Page(url, 200, (("Content-Type", "text/html; charset=utf-8"),), body.encode())


@settings(max_examples=150, deadline=None)
@given(st.lists(PIECES, max_size=40))
def test_blocks_are_those_of_a_plain_walk(pieces: list[str]) -> None:
    one = page("".join(pieces))
    assert blocks_of(one) == plain_blocks(one)


@pytest.mark.parametrize("kind", ["blog", "forum", "wiki"])
def test_blocks_of_demo_sites_are_those_of_a_plain_walk(kind: str) -> None:
    site = make_site(kind, 3)
    for path in sorted(site.truth.oracle_paths)[::12]:
        answer = site.respond(SiteRequest("GET", path, {"host": "demo.test"}))
        one = Page(f"http://demo.test{path}", answer.status, answer.headers, answer.body)
        assert blocks_of(one) == plain_blocks(one)


def test_links_around_blocks_have_the_text_of_the_blocks() -> None:
    cards = page(
        "<ul><li><a href='/k'><h3>Kelp</h3><p>is back</p></a></li><li><a href='/t'><div>Tea</div></a></li></ul>"
    )
    assert [one.links for one in blocks_of(cards) if one.links] == [
        (("http://e.org/k", "Kelp is back"),),
        (("http://e.org/t", "Tea"),),
    ]


def test_pages_nested_deeply_are_read() -> None:
    deep = page("<div>" * 2_000 + "<p class='author'>Ada</p><p>kelp <a href='/k'>k</a>" + "</div>" * 2_000)
    assert [(one.text, one.author) for one in blocks_of(deep)] == [("Ada", "Ada"), ("kelp k", "Ada")]
    assert len(blocks_of(page("<div>" * 50_000 + "x"))) <= 1


def test_forged_marks_break_nothing() -> None:
    for mark in map(chr, range(0xFDD0, 0xFDD9)):
        forged = page(f"<p class='{mark}'>{mark * 40}<a href='/x{mark}'>{mark}kelp{mark}</a>{mark}x" * 50)
        assert len(blocks_of(forged)) <= 5_000


def test_blank_characters_of_all_kinds_part_the_words_of_long_texts() -> None:
    blanks = "".join(filter(str.isspace, map(chr, range(0x3001)))).replace("\r", "")  # parsers make another of it
    one = page("".join(f"kelp{blank * (number % 4 + 1)}" for number, blank in enumerate(blanks)) * 4)
    (block,) = blocks_of(one)
    assert block.text.split(" ") == ["kelp"] * 4 * len(blanks) and [block] == plain_blocks(one)


def test_the_name_of_an_author_is_what_their_box_says_first() -> None:
    box = "<div class=poster><ul><li><a href='/u/6'><img src=a.png></a><h4><a href='/u/6'>Kesa</a></h4><li>Posts: 116"
    one = page(f"<article>{box}</ul></div><p>Kelp <a href='/k'>k</a></p></article>")
    assert {block.author for block in blocks_of(one)} == {"Kesa"} and blocks_of(one) == plain_blocks(one)
