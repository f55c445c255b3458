"""Attributes from marked values, nodes, ranges and XPaths; what is said where a mark is wrong."""

from __future__ import annotations

import pytest
from lxml import html

from siteseer.errors import UsageError
from siteseer.wrapper.induction import Mark, induce
from siteseer.wrapper.induction.evaluate_with_lxml import hits, read
from siteseer.wrapper.induction.induce_attributes import view_of
from siteseer.wrapper.oxpath.language.parser import parse

BOOK = """<html><body><div id=menu><a href=/>Home</a><a href=/all>All books</a></div>{ad}
<h1>{title}</h1><div class=facts><p><b>Author:</b> <a href=/a>{author}</a></p>{publisher}
<p><b>Pages:</b> {pages}</p><p>Price: {price} EUR, with tax</p></div>
<ul class=also><li>{other}<li>{author}</ul></body></html>"""


def book(title: str, author: str, pages: int, price: str, publisher: str = "", ad: str = "") -> bytes:
    line = f"<p><b>Publisher:</b> <i>{publisher}</i></p>" if publisher else ""
    shown = BOOK.format(
        title=title, author=author, pages=pages, price=price, publisher=line, ad=ad, other="More " + title
    )
    return shown.encode()


PAGES = (
    book("Sea and Sky", "Ann Lee", 120, "12.50", "Harbour"),
    book("The Long Road", "Bob Ray", 88, "7.00", "Old Press", ad="<div class=ad>Sale!</div>"),
    book("Nine", "Cy Dunn", 431, "30.10", "", ad="<div class=ad>Sale!</div><div class=ad>Now</div>"),
    book("Winter", "Di Moss", 214, "19.99", "Harbour"),
)
SHOWN = (
    {"title": "Sea and Sky", "author": "Ann Lee", "pages": "120", "publisher": "Harbour"},
    {"title": "The Long Road", "author": "Bob Ray", "pages": "88", "publisher": "Old Press"},
    {"title": "Nine", "author": "Cy Dunn", "pages": "431"},
)
MARKS = [Mark(page, name, value) for page, shown in enumerate(SHOWN) for name, value in shown.items()]


def test_values_are_found_on_pages_not_marked() -> None:
    found = induce(PAGES, MARKS)
    roots = [view_of(page).root for page in PAGES]
    assert [found["title"].value(root) for root in roots] == ["Sea and Sky", "The Long Road", "Nine", "Winter"]
    assert [found["author"].values(root) for root in roots][2:] == [("Cy Dunn",), ("Di Moss",)]
    assert [found["pages"].values(root) for root in roots][2:] == [("431",), ("214",)]
    assert [found["publisher"].values(root) for root in roots][2:] == [(), ("Harbour",)]


def test_attributes_missing_somewhere_are_optional() -> None:
    found = induce(PAGES, MARKS)
    assert found["publisher"].optional
    assert not found["title"].optional


def test_expressions_are_xpath_and_oxpath_and_their_hits_are_told() -> None:
    for attribute in induce(PAGES, MARKS).values():
        assert 1 <= len(attribute.expressions) <= 5
        for one in attribute.expressions:
            parse(one.xpath)
            assert [read(one.xpath, view_of(page).root) for page in PAGES] == list(one.hits)
            assert 0 < one.robustness <= 1 and 0 < one.f1 <= 1
        scores = [one.f1 for one in attribute.expressions]
        assert scores[0] == 1.0


def test_the_first_expression_outlives_renamed_classes_and_changed_labels() -> None:
    author = induce(PAGES, MARKS)["author"]
    renamed = PAGES[2].replace(b"class=facts", b"class=f7").replace(b"id=menu", b"id=m2")
    reworded = PAGES[2].replace(b"Author:", b"AUTHOR").replace(b"Publisher:", b"House")
    assert author.value(view_of(renamed).root) == "Cy Dunn"
    assert author.value(view_of(reworded).root) == "Cy Dunn"


def test_a_part_of_a_text_is_cut_out() -> None:
    found = induce(PAGES, [Mark(0, "price", "12.50"), Mark(1, "price", "7.00")])["price"]
    assert [found.values(view_of(page).root) for page in PAGES] == [("12.50",), ("7.00",), ("30.10",), ("19.99",)]
    assert found.best.value == "substring-before(substring-after(normalize-space(.),'Price: '),' EUR,')"
    node = view_of(PAGES[2]).root.xpath(found.best.xpath)[0]
    assert node.getparent().xpath(found.best.value) == "30.10"


def test_nodes_xpaths_and_attributes_may_be_marked() -> None:
    root = view_of(PAGES[0]).root
    by_node = induce([root, PAGES[1]], [Mark(0, "title", root.find(".//h1"))])["title"]
    assert by_node.values(view_of(PAGES[2]).root) == ("Nine",)
    by_path = induce(PAGES, [Mark(0, "link", "//p/a/@href"), Mark(1, "link", "//p/a/@href")])["link"]
    assert by_path.best.hits[2:] == (("/a",), ("/a",))
    by_range = induce(PAGES, [Mark(0, "price", "//p[4]", part="12.50"), Mark(1, "price", "//p[4]", part="7.00")])[
        "price"
    ]
    assert by_range.values(view_of(PAGES[3]).root) == ("19.99",)


def test_a_value_over_several_texts_is_an_element() -> None:
    pages = [
        f"<p>No. {n}</p><h1>Big <em>{word}</em></h1><p>Big {n}</p>".encode()
        for n, word in enumerate(("cat", "dog", "owl"))
    ]
    found = induce(pages, [Mark(0, "name", "Big cat"), Mark(1, "name", "Big dog")])["name"]
    assert found.values(view_of(pages[2]).root) == ("Big owl",)


def test_the_same_value_everywhere_is_warned_of() -> None:
    same = induce(PAGES, [Mark(0, "publisher", "Harbour"), Mark(3, "publisher", "Harbour")])["publisher"]
    assert "mark a page where it differs" in same.warning
    assert not induce(PAGES, MARKS)["title"].warning


@pytest.mark.parametrize(
    ("mark", "words"),
    [
        (Mark(0, "x", "not written there"), "does not show"),
        (Mark(0, "x", "//video"), "selects nothing"),
        (Mark(0, "x", "//b["), "no XPath"),
        (Mark(9, "x", "Ann Lee"), "there are 4 pages"),
        (Mark(0, "x", ""), "does not show"),
        (Mark(0, "x", "//h1", part="nowhere"), "does not show"),
    ],
)
def test_wrong_marks_get_one_sentence(mark: Mark, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        induce(PAGES, [mark])
    with pytest.raises(UsageError, match="nothing is marked"):
        induce(PAGES, [])


def test_hits_tell_where_each_value_is() -> None:
    root = html.document_fromstring("<p>a<b>x</b> <!-- c -->tail <i>y</i>end</p>")
    for one in hits("//p/text()[normalize-space()]", root):
        assert read(one.path, root) == (one.value,)


def test_hostile_pages_are_read() -> None:
    deep = b"<div>" * 200 + b"<b>Author:</b> <i>Deep One</i>"
    odd = b"<o:p id=\"a'b&quot;c\" class='\x01 z'>\x00<b>Auth\x0bor:</b> <i>Odd One</i></o:p>"
    marks = [Mark(0, "author", "Deep One"), Mark(1, "author", "Odd One")]
    found = induce([deep, odd], marks, [b"<i>" * 100_000, b"", b"\xff\xfe<", b"<b>Author:</b>" * 5000])["author"]
    assert found.best.hits[:2] == (("Deep One",), ("Odd One",))


def test_very_wide_pages_take_no_minutes() -> None:
    wide = b"<i>v</i>" * 20_000
    names = " ".join(f"k{number}" for number in range(20_000)).encode()
    many = b"<div class='" + names + b"'><b>v</b></div>"
    for page in (wide, many):
        assert induce([page, page], [Mark(0, "x", "v"), Mark(1, "x", "v")])["x"].best.hits[0][0] == "v"
