"""The one walk of a page and its cuts agree with texts collected element by element."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from siteseer.model import Page
from siteseer.page.placed_blocks import placed_blocks
from siteseer.page.text import BLOCKS, MARKS, UNREAD, marked_text, plain_walk, text, text_below, text_blocks
from siteseer.page.tree import tree

TAGS = ("div", "p", "a", "b", "br", "li", "ul", "script", "noscript", "textarea", "svg", "template", "span", "td", "h1")
PIECES = st.one_of(
    st.sampled_from(
        ["One", " two ", "3", "\n", "Łódź", "&amp;", "&#129;", "&#x9D;", "\x8d", "&#1290;", "<!-- no -->", "<hr>"]
    ),
    st.sampled_from(TAGS).flatmap(lambda tag: st.sampled_from([f"<{tag}>", f"</{tag}>", f"<{tag} class=x>"])),
)
MADE = st.lists(PIECES, max_size=40).map("".join)


def page_of(body: str) -> Page:
    return Page("http://e.org/", 200, (("Content-Type", "text/html; charset=utf-8"),), body.encode())


def nodes(element: etree._Element) -> list[tuple[str, etree._Element, bool]]:
    """Return the visible text nodes below an element, each with its block and whether a link is around it."""
    found = []

    def visit(one: etree._Element, block: etree._Element, linked: bool) -> None:
        if one.tag in UNREAD or not isinstance(one.tag, str):
            return
        block = one if one.tag in BLOCKS else block
        linked = linked or one.tag == "a"
        found.append((one.text or "", block, linked))
        for child in one:
            visit(child, block, linked)
            found.append((child.tail or "", block, linked))

    visit(element, element, False)
    return found


def readable(shown: str) -> str:
    return shown.translate(dict.fromkeys(map(ord, MARKS), "\ufffd"))


@given(MADE)
def test_the_walk_in_c_equals_the_plain_one(body: str) -> None:
    page = page_of(body)
    assert marked_text(page) == plain_walk(tree(page))


@given(MADE)
def test_the_visible_text_is_that_of_the_text_nodes(body: str) -> None:
    page = page_of(body)
    shown = [readable(one) for one, _, _ in nodes(tree(page)) if one]
    assert text(page) == text_below(tree(page)) == " ".join(shown).rstrip()


@given(MADE)
def test_blocks_hold_the_text_nodes_between_borders(body: str) -> None:
    page = page_of(body)
    found = placed_blocks(page)
    assert [one for one, _, _ in found] == text_blocks(page)
    for _, _, element in found:
        assert element.tag in BLOCKS
    for one in {element for _, _, element in found}:
        held = "".join(readable(shown) for shown, block, _ in nodes(tree(page)) if block is one)
        own = "".join(readable(shown) for shown, block, linked in nodes(tree(page)) if block is one and not linked)
        pieces = [(shown, outside) for shown, outside, element in found if element is one]
        assert "".join(shown for shown, _ in pieces).split() == held.split()
        assert "".join(outside for _, outside in pieces).split() == own.split()


def test_a_word_is_not_divided_by_an_inline_element_in_a_block_but_in_the_text() -> None:
    page = page_of("<p>hin<b>ge</b></p><p>12<br>mm")
    assert (text_blocks(page), text(page)) == (["hinge", "12", "mm"], "hin ge 12 mm")


def test_a_page_nested_deeper_than_a_style_sheet_goes_is_walked() -> None:
    page = page_of("<b>" * 5_000 + "deep" + "</b>" * 5_000 + "<p>flat")
    assert text(page).split() == ["deep", "flat"]


def test_a_page_that_holds_a_mark_says_nothing_false() -> None:
    page = page_of("<p>a&#x81;b</p>c\x8dd<p>e&#143;f<a href=x>g</a>")
    assert text_blocks(page) == ["a\ufffdb", "c\ufffdd", "e\ufffdfg"]
    assert [own for _, own, _ in placed_blocks(page)] == ["a\ufffdb", "c\ufffdd", "e\ufffdf"]
