from __future__ import annotations

from siteseer.extract.article.forest import coverage, forest
from siteseer.extract.article.forest.comment_zones import comment_zones
from siteseer.extract.article.forest.forest_document import document
from siteseer.extract.article.forest.forest_extractor import description
from siteseer.extract.article.forest.signifiers import of_items, of_query, terms, tf_idf
from siteseer.extract.article.forest.structural_patterns import covering
from siteseer.extract.article.sigfeed import sigfeed
from siteseer.model import Page
from siteseer.page.feeds import FeedItem
from siteseer.page.tree import tree
from tests.extract.article.article_site import HTML, TOPICS, site, story


def items() -> list[FeedItem]:
    return [FeedItem(topic, title=f"All about {topic}", description=story(topic)[0]) for topic in TOPICS]


def test_forest_finds_the_article_of_each_page_without_comments() -> None:
    for topic, found in zip(TOPICS, forest(site()), strict=True):
        assert found is not None and found.pages == len(TOPICS)
        assert all(paragraph in found.text for paragraph in story(topic))
        assert "of the other town" not in found.text


def test_signifiers_may_come_from_the_feed_or_from_a_query() -> None:
    for given in (of_items(items()), [of_query(topic) for topic in TOPICS]):
        for topic, found in zip(TOPICS, forest(site(), given), strict=True):
            assert found is not None and story(topic)[1] in found.text


def test_coverage_finds_it_too() -> None:
    for topic, found in zip(TOPICS, coverage(site()), strict=True):
        assert found is not None and story(topic)[2] in found.text


def test_coverage_counts_each_signifier_once() -> None:
    page = document(tree(Page("", headers=HTML, body=b"<body><p>kite kite kite</p><div><p>kite</p><p>wind</p></div>")))
    values = covering(page, {"kite": 0.6, "wind": 0.4})
    assert [round(value, 2) for value in values] == [0.5, 0.3, 0.5, 0.3, 0.2]


def test_a_page_without_signifiers_has_no_article() -> None:
    assert forest([Page("http://e.org/", headers=HTML, body=b"<p>one</p>")]) == [None]
    assert forest([]) == []


def test_terms_on_every_page_are_no_signifiers() -> None:
    assert all("home" not in found for found in tf_idf([terms("home kites"), terms("home owls")]))
    common = of_items([FeedItem(str(n), title=f"topic{n}", description="read more") for n in range(4)])
    assert [list(found) for found in common] == [["topic0"], ["topic1"], ["topic2"], ["topic3"]]


def test_sigfeed_falls_back_to_keywords() -> None:
    page = site()[1]
    found = sigfeed(page, FeedItem("1", title="Kites", description="council kites winter"), items())
    assert found is not None and found.signifiers == "keywords" and story("kites")[1] in found.text
    assert sigfeed(page, FeedItem("1", title="zebra")) is None


def test_sigfeed_joins_blocks_of_one_paragraph_each() -> None:
    inner = "".join(f"<div><p>{text}</p></div>" for text in story("owls"))
    page = Page("", headers=HTML, body=f"<body><div id=all>{inner}</div><div>about us</div>".encode())
    found = sigfeed(page, FeedItem("1", title="Owls", description=" ".join(story("owls"))))
    assert found is not None and found.element.get("id") == "all"


def test_description_is_what_the_feed_says() -> None:
    assert description(FeedItem("1", title="T", content="<p>whole</p>")) == "T\nwhole"


def test_a_zone_of_comments_never_holds_nearly_all_text() -> None:
    assert comment_zones(tree(Page("", headers=HTML, body=b"<body><div id=comments>all of it is here</div>"))) == set()
