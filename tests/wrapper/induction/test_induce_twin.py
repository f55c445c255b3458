"""The fast evaluation on views gives what lxml gives on the raw tree, for every expression that is tried."""

from __future__ import annotations

import random

from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from siteseer.wrapper.induction.candidates.search import Search, Sought
from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.evaluate_on_tables import values
from siteseer.wrapper.induction.evaluate_with_lxml import read
from siteseer.wrapper.induction.scoring import Example
from siteseer.wrapper.induction.site_vocabulary import Vocabulary
from siteseer.wrapper.oxpath.language.parser import parse

TAGS = ("div", "p", "b", "span", "li", "td")
WORDS = ("Price:", "Author:", "price", "one", "two", "12 EUR", 'it\'s "so"', "&nbsp;", "")


def random_page(seed: int, size: int = 25) -> html.HtmlElement:
    """Return a small page with labels, names, scripts, comments and blank texts in random places."""
    chance = random.Random(seed)
    parts = ["<html><body>"]
    open_tags: list[str] = []
    for _ in range(size):
        roll = chance.random()
        if roll < 0.5:
            tag = chance.choice(TAGS)
            name = chance.choice(("", " id='a'", " class='x y'", " class='y'", " itemprop='p'"))
            parts.append(f"<{tag}{name}>")
            open_tags.append(tag)
        elif roll < 0.7 and open_tags:
            parts.append(f"</{open_tags.pop()}>")
        elif roll < 0.75:
            parts.append("<script>var a = 1;</script><!-- note -->")
        parts.append(chance.choice(WORDS) + chance.choice((" ", "\n", "")))
    return html.document_fromstring("".join(parts) + "<i>end")


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**6))
def test_every_tried_expression_means_the_same_to_lxml(seed: int) -> None:
    views = [ElementTables(random_page(seed)), ElementTables(random_page(seed + 1))]
    text = random.Random(seed).randrange(len(views[0].texts))
    examples = [Example(views[0], frozenset((views[0].texts[text],)), frozenset((text,)))]
    search = Search("price", examples, Vocabulary(views[:1]))
    search.run(())
    assert search.pool
    for expression in search.pool:
        careful = expression.written("careful")
        for view in views:
            assert read(careful, view.root) == values(view, expression), careful


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**6))
def test_every_tried_expression_is_oxpath(seed: int) -> None:
    view = ElementTables(random_page(seed))
    search = Search("price", [Example(view, frozenset((view.texts[0],)), frozenset((0,)))], Vocabulary([view]))
    search.run(())
    for expression in list(search.pool)[:60]:
        for spelling in ("plain", "tidy", "careful"):
            parse(expression.written(spelling))


@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10**6))
def test_elements_too(seed: int) -> None:
    view = ElementTables(random_page(seed))
    element = random.Random(seed).randrange(1, len(view.nodes))
    search = Search(
        "x", [Example(view, frozenset(("",)), frozenset((element,)))], Vocabulary([view]), Sought(of_elements=True)
    )
    search.run(())
    for expression in search.pool:
        assert read(expression.written("careful"), view.root) == values(view, expression), str(expression)
