"""Oita's thesis: the two blocks of Figure 2.5, the table of patterns of Figure 2.7 and its wrapper."""

from __future__ import annotations

from lxml import html

from siteseer.extract.article.forest.forest_document import document
from siteseer.extract.article.forest.forest_extractor import wrapper
from siteseer.extract.article.forest.structural_patterns import Pattern, informative, rank
from siteseer.extract.article.sigfeed import sigfeed
from siteseer.model import Page
from siteseer.page.feeds import FeedItem

HTML = (("Content-Type", "text/html"),)


def test_figure_2_5_the_article_s_block_is_denser_than_that_of_the_comments() -> None:
    body = b"""<body><div id=article><h2>A study on how to study</h2>
    <p>One of the most delightful aspects of being a scientist is that you are always learning.</p>
    <p>This morning the New York paper has an article on habits of study.</p></div>
    <div id=answers><ol><li><div id=c1><p>Posts that mention A study on how to study, by many who came</p></div>
    <li><div id=c2><p>I never was being a scientist but it is quite a nice text for the evening</p></div></ol></div>"""
    item = FeedItem(
        "1",
        title="A study on how to study",
        description="One of the most delightful aspects of being a scientist is that you are always learning."
        " This morning the New York [...]",
    )
    found = sigfeed(Page("http://e.org/1", headers=HTML, body=body), item)
    assert found is not None and found.element.get("id") == "article"
    assert found.signifiers == "3-grams"
    assert "I never" not in found.text and "habits of study" in found.text


def sample(number: int) -> str:
    """Make a page like those of Figure 2.6: the same path, but the story moves, and on two pages it lies elsewhere."""
    fill = "<i></i>" * (number % 3)
    inner = f"<p>kite{number} kite{number} wind{number}</p><p>and more words about weather{number}</p>"
    story = f"<div class='story page-{number}'>{inner}</div>"
    if number >= 8:
        story = f"<p style='text-align:justify; '>kite{number} kite{number} wind{number}</p>"
    return f"""<body><div id=container><div class=maincntnr><div class=idem>{fill}<div class=idem>
        menu weather sport politics travel culture letters puzzles {story}</div></div></div></div>
        <div class=foot>contact imprint</div></body>"""


def ranked() -> list[Pattern]:
    documents = [document(html.document_fromstring(sample(number))) for number in range(10)]
    signifiers = [{f"kite{number}": 0.6, f"wind{number}": 0.4} for number in range(10)]
    return rank(documents, [informative(one, own) for one, own in zip(documents, signifiers, strict=True)])


def test_figure_2_7_patterns_are_types_by_level_with_their_positions() -> None:
    table = {(one.level, one.type): (one.positions, one.pages) for one in ranked()}
    assert table[1, "body"] == ([1], 10)
    assert table[2, "div[@id='container']"] == ([2], 10)
    assert table[3, "div[@class='maincntnr']"] == ([3], 10)
    assert table[4, "div[@class='idem']"] == ([4], 10)
    assert table[5, "div[@class='idem']"] == ([5, 6, 7], 10)
    assert table[6, "div[@class='story']"] == ([6, 7, 8], 8)
    assert table[6, "p[@style='text-align:justify;']"][1] == 2
    assert table[7, "p[@dfs=7]"][1] < 8
    assert not any("foot" in kind for _, kind in table)


def test_figure_2_7_the_story_wins_and_its_wrapper_brackets_the_positions() -> None:
    best = ranked()[0]
    assert best.type == "div[@class='story']"
    made = wrapper(best)
    assert made is not None
    assert made.audit == "//div[contains(@class,'story') and (@dfs='6' or @dfs='7' or @dfs='8')]"
    page = html.document_fromstring(sample(3))
    assert [one.get("class") for one in page.xpath(made.exact)] == ["story page-3"]
    assert [one.get("class") for one in page.xpath(made.relaxed)] == ["story page-3"]
