from __future__ import annotations

import json
from importlib.resources import files

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.extract.article import Hint, article, articles
from siteseer.extract.article.block_arrays import BlockArrays, measured, spans
from siteseer.extract.article.block_models import COLUMNS
from siteseer.extract.article.cross_page_features import compare
from siteseer.extract.article.declared_metadata import claims
from siteseer.extract.article.forest.forest_document import Document
from siteseer.extract.article.forest.forest_on_blocks import forest_elements
from siteseer.extract.article.forest.signifiers import tf_idf
from siteseer.extract.article.forest.structural_patterns import choose, informative, rank
from siteseer.extract.article.marked_text import marked, walked
from siteseer.extract.article.text_blocks import blocks
from siteseer.extract.article.token_features import DIGITS, FUNCTION, LONE
from siteseer.model import Page, WebObject
from siteseer.page.feeds import FeedItem
from siteseer.page.tree import tree
from tests.extract.article.article_site import HTML, TOPICS, page, site, story


def html_page(body: str) -> Page:
    return Page("http://e.org/a", 200, HTML, body.encode())


def test_a_page_that_says_nothing_beside_others_is_an_empty_article() -> None:
    found = articles([*site(), html_page("<div>" * 20_000), html_page("")])
    assert found[0].text and [one.text for one in found[-2:]] == ["", ""]


@pytest.mark.parametrize("together", [True, False])
def test_articles_are_found_without_what_stands_around_them(together: bool) -> None:
    found = articles(site()) if together else [article(one) for one in site()]
    for topic, one in zip(TOPICS, found, strict=True):
        assert one.title == f"All about {topic}"
        assert one.text.split("\n") == story(topic)
        assert one.facts.author == "Ann Example" and one.facts.published == "2020-05-01T10:00:00Z"
        assert one.method == ("siblings" if together else "page")
        assert one.confidence is not None and one.confidence > 0.6


def test_the_xpath_leads_to_the_element_of_the_text() -> None:
    one = page("kites")
    found = article(one)
    (element,) = tree(one).xpath(found.xpath)
    assert element.get("class") == "article-body" and found.facts.images == ("http://paper.example.org/p.jpg",)


def test_a_new_comment_does_not_change_the_article() -> None:
    assert article(page("owls", 1)).text == article(page("owls", 9)).text


def test_knowledge_overrules_an_unsure_model() -> None:
    body = "<body><div id=post><p>Gone fishing.</p></div>" + "".join(
        f"<div class=says><p>Reader number {n} wishes you a good day and many large fish, as we all do here.</p></div>"
        for n in range(9)
    )
    known = WebObject("post", "urn:x", "http://e.org/a", text="Gone fishing.", title="Away", author="Bo")
    found = article(html_page(body), Hint(known=known))
    assert found.method == "knowledge" and (found.title, found.facts.author) == ("Away", "Bo")
    assert "Gone fishing." in found.text


def test_a_feed_item_names_title_and_author() -> None:
    item = FeedItem(
        "1", title="Kites, all of them", author="Cy", content=" ".join(story("kites")), published="2021-01-02"
    )
    found = article(page("kites"), Hint(item=item))
    assert (found.title, found.facts.author, found.facts.published, found.method) == (
        "Kites, all of them",
        "Cy",
        "2021-01-02",
        "feed",
    )
    assert found.text.split("\n") == story("kites")


def test_copies_of_a_page_do_not_make_its_article_furniture() -> None:
    pages = [page("kites"), page("kites"), page("owls"), page("rivers")]
    told = compare([measured(one) for one in pages])
    texts = blocks(pages[0]).texts
    assert told[0].repeated[texts.index(story("kites")[0])] == 0
    assert told[0].repeated[texts.index("Sport")] == 1
    assert articles(pages)[0].text.split("\n") == story("kites")


def test_one_unlucky_name_on_a_wrapper_does_not_lose_the_page() -> None:
    wrapped = page("kites").body.decode().replace("<body>", "<body><div class='comments sidebar'>")
    assert article(html_page(wrapped)).text.split("\n") == story("kites")


def test_text_swallowed_by_an_unclosed_title_is_found_again() -> None:
    paragraphs = "".join(f"<p>{text}</p>" for topic in TOPICS for text in story(topic))
    broken = f"<html><head><title>Lost<body><div>{paragraphs}{'<br>' * 900}</div>"
    assert story("owls")[0] in article(html_page(broken)).text


def test_two_breaks_end_a_block_and_one_does_not() -> None:
    found = blocks(html_page("<div>one<br>two<br><br>three <b>four</b></div>"))
    assert found.texts == ["one two", "three four"]


def test_hidden_words_and_linked_words_are_told_apart() -> None:
    found = blocks(html_page("<p>one <span style='display:none'>two</span><a href=/>three four</a></p>"))
    assert found.texts == ["one three four"] and found.linked == [2]


def test_text_without_spaces_counts_as_words_of_usual_length() -> None:
    sentence = "市政府上个星期决定重新修建河边的旧桥，因为过去的方法已经不能满足需要。"
    thai = "เทศบาลเมืองตัดสินใจสร้างสะพานเก่าริมแม่น้ำขึ้นใหม่เพราะวิธีการเดิมไม่เพียงพออีกต่อไป"
    found = blocks(html_page(f"<p>{sentence}<p>{thai}<p>हिन्दी में लिखा गया"))
    assert np.diff(found.offsets).tolist() == [17, 21, 4]
    menu = "<ul>" + "".join(f"<li><a href=/{n}>{name}</a>" for n, name in enumerate(("首页", "新闻", "体育"))) + "</ul>"
    text = "".join(f"<p>{sentence * 3}</p>" for _ in range(4))
    one = article(
        html_page(f"<title>河边旧桥 | 新闻</title>{menu}<div><h1>河边旧桥</h1>{text}</div><div>版权所有</div>")
    )
    assert (one.title, one.text) == ("河边旧桥", "\n".join([sentence * 3] * 4))


def test_elements_without_text_are_left_out_and_the_others_keep_their_place() -> None:
    found = blocks(html_page("<div><p></p><p>one</p></div><div><i></i></div><p>two</p>"))
    assert [shape.tag for shape in found.shapes] == ["html", "body", "div", "p", "p"]
    assert [found.element(node).text for node in found.nodes] == ["one", "two"]
    assert (found.starts.tolist(), found.ends.tolist()) == ([0, 0, 0, 0, 1], [2, 2, 1, 1, 2])


@given(st.lists(st.integers(0, 9), max_size=30), st.integers(0, 30), st.integers(0, 30))
def test_sums_over_ranges_are_those_of_slices(values: list[int], start: int, end: int) -> None:
    start, end = min(start, end), max(start, end)
    assert spans(np.array(values), np.array([start]), np.array([end]))[0] == sum(values[start:end])


@settings(max_examples=60, deadline=None)
@given(st.text(alphabet="<>/abdivp \"'=&;#x0\n\u4e2d\x01", max_size=300))
def test_no_page_breaks_the_extractor(source: str) -> None:
    found = article(html_page(f"<html>{source}"))
    assert found.confidence is not None and 0 <= found.confidence <= 1


def test_hostile_pages_cost_little_and_raise_nothing() -> None:
    deep = "<div>" * 30_000 + "deep down there is a word or two" + "</div>" * 30_000
    many = "<p>word</p>" * 60_000
    script = f'<script type="application/ld+json">{"[" * 50_000}</script><p>text</p>'
    for body in (deep, many, script, "", "<title>", "<p>\ufdd0\u202e</p>"):
        assert article(html_page(body)).url == "http://e.org/a"
    assert claims(html_page(script)).author == ""
    assert articles([]) == []


def test_weights_name_their_provenance_and_every_feature() -> None:
    told = json.loads(files("siteseer.extract.article").joinpath("weights.json").read_text("utf-8"))
    assert told["provenance"]["trained_by"] == "training/train_articles.py" and told["provenance"]["blocks"] > 10_000
    for name, columns in COLUMNS.items():
        assert set(told[name]) == {"bias", *columns}


_SOURCES = st.lists(
    st.sampled_from(
        "<div> </div> <p> <p/class=a> <ul><li> </li></ul> <a/href=/> </a> <b> </b> <br> <script>x</script> <!--c-->"
        " <span/style='display:none'> <i/style=VISIBILITY:&#9;HIDDEN> </span> <noscript> </noscript>"
        " word two, \n &nbsp; <div/id=a1/role=main/hidden> <select><option>o</select> \ufdd0 \ufdd1"
        " \ufdd2 \ufdd6".split(" ")
    ),
    max_size=40,
)


@settings(max_examples=150, deadline=None)
@given(_SOURCES)
def test_the_stylesheet_marks_a_page_as_a_plain_walk_does(source: list[str]) -> None:
    root = tree(html_page("<html><body>" + " ".join(source).replace("/", " ").replace("< ", "</")))
    assert marked(root) == "".join(walked(root))


@settings(max_examples=150, deadline=None)
@given(_SOURCES)
def test_blocks_find_their_elements_again(source: list[str]) -> None:
    one = html_page("<html><body>" + " ".join(source).replace("/", " ").replace("< ", "</").replace("\ufdd0", ""))
    found = blocks(one)
    elements = [found.element(node) for node in range(len(found.shapes))]
    assert [element.tag for element in elements] == [shape.tag for shape in found.shapes]
    assert len(set(elements)) == len(elements)
    order = {element: place for place, element in enumerate(found.root.iter())}
    assert sorted(elements, key=order.__getitem__) == elements


def test_a_page_that_writes_our_marks_spoils_only_itself() -> None:
    body = "<p>one</p>" + "".join(chr(0xFDD0 + place) * 3 for place in range(7)) + "<p>two three</p>"
    assert articles([html_page(body), page("kites"), page("owls")])[1].text.split("\n") == story("kites")


def test_forest_on_blocks_is_forest() -> None:
    pages = [measured(one) for one in [*site(), page("kites", 3)]]
    documents = [_document(one) for one in pages]
    known = tf_idf([one.all_terms() for one in documents])
    values = [informative(one, own) for one, own in zip(documents, known, strict=True)]
    chosen = choose(rank(documents, values), len(documents))
    assert [node for node, _ in forest_elements(pages)] == [choice[1] if choice else -1 for choice in chosen]
    assert len({node for node, _ in forest_elements(pages)}) and -1 not in [node for node, _ in forest_elements(pages)]


def _document(one: BlockArrays) -> Document[int]:
    """Return the blocks of a page as a document of FOREST."""
    shapes = one.blocks.shapes
    named = [shape.name if shape.name != shape.tag else f"{shape.tag}{place}" for place, shape in enumerate(shapes)]
    terms: list[list[int]] = [[] for _ in shapes]
    for block, node in enumerate(one.blocks.nodes):
        own = one.words[one.offsets[block] : one.offsets[block + 1]]
        terms[node] += [int(word) & ~0xFF for word in own if not int(word) & (FUNCTION | DIGITS | LONE)]
    return Document(one.blocks.parents, [depth + 1 for depth in one.blocks.depths], named, terms)


def test_confidence_tells_lists_and_errors_from_articles() -> None:
    teasers = "".join(
        f"<div class=post><h2><a href=/{topic}>All about {topic}</a></h2><p>{story(topic)[0]}</p></div>"
        for topic in TOPICS
    )
    listing = article(html_page(f"<html><title>News</title><body><div id=main>{teasers}</div>"))
    one = article(page("kites"))
    error = article(Page("http://e.org/", 404, HTML, page("kites").body))
    known = article(page("kites"), Hint(is_listing=True))
    assert listing.confidence is not None and one.confidence is not None
    assert listing.confidence <= 0.5 < 0.7 < one.confidence
    assert error.confidence == known.confidence == pytest.approx(one.confidence / 10, abs=0.001)
