"""Navigation patterns: labels of links, the OXPath fragment written and read back, what patterns lead to."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import html

from siteseer.errors import ConfigurationError
from siteseer.model import Page
from siteseer.strategies.acebot.follow_patterns import Automaton, Reach
from siteseer.strategies.acebot.link_labels import MAX_DEPTH, labelled_links
from siteseer.strategies.acebot.oxpath_patterns import (
    Node,
    Pattern,
    PatternSyntaxError,
    Step,
    parse_label,
    parse_pattern,
)
from siteseer.strategies.acebot.site_graph import SiteGraph
from siteseer.strategies.acebot.stored_patterns import lines_of, patterns_of

THESIS = (
    'doc("www.rockamring-blog.de/index.html")\n'
    '/(/html/body/div[contains(@id,"wrapper")]/div[contains(@id,"navigation")]/a/@href{click/})+\n'
    '/(/html/body/div[contains(@id,"wrapper")]/div[contains(@id,"post-")]/a/@href{click/})'
)
HTML = (("Content-Type", "text/html"),)
NAMES = st.from_regex(r"[a-z][a-z0-9:-]{0,5}", fullmatch=True)
PARTS = st.text(st.characters(blacklist_characters='"', blacklist_categories=("Cs", "Cc")), max_size=6)
NODES = st.builds(Node, NAMES, st.lists(st.tuples(st.sampled_from(["id", "class"]), PARTS), max_size=2).map(tuple))
BOUNDS = st.sampled_from([(1, 1), (1, None), (0, None), (1, 3), (0, 2), (2, 2)])
STEPS = st.builds(lambda path, bound: Step(tuple(path), *bound), st.lists(NODES, min_size=1, max_size=4), BOUNDS)


@settings(deadline=None)
@given(PARTS, st.lists(STEPS, min_size=1, max_size=4))
def test_what_is_written_is_read_back(url: str, steps: list[Step]) -> None:
    pattern = Pattern(url, tuple(steps))
    assert parse_pattern(str(pattern)) == pattern


def test_the_example_of_the_thesis() -> None:
    first, second = parse_pattern(THESIS).steps
    assert (first.least, first.most, second.most) == (1, None, 1)
    assert second.path[-2] == Node("div", (("id", "post-"),))
    assert "".join(THESIS.split()) == str(parse_pattern(THESIS))


@pytest.mark.parametrize(
    ("text", "column"),
    [("doc()", 5), ('doc("u")', 9), ('doc("u")/(/html/a{click/})', 18), ('doc("u")/(/html/a[1]/@href{click/})', 18)],
)
def test_errors_show_the_column(text: str, column: int) -> None:
    with pytest.raises(PatternSyntaxError, match=f"column {column}:") as caught:
        parse_pattern(text)
    assert str(caught.value).splitlines()[-1] == "  " + " " * (column - 1) + "^"


@pytest.mark.parametrize("bounds", ["{3,1}", "{0,0}", "{1,9999}"])
def test_senseless_bounds_are_refused(bounds: str) -> None:
    with pytest.raises(PatternSyntaxError):
        parse_pattern(f'doc("u")/(/html/a/@href{{click/}}){bounds}')


def test_stored_patterns_are_read_back_in_order() -> None:
    texts = [f'doc("http://e.org/")/(/html/p{n}/a/@href{{click/}})' for n in (3, 1, 2)]
    lines = lines_of([{"pattern": text, "rank": rank} for rank, text in enumerate(texts, 1)])
    assert [str(one) for one in patterns_of(lines)] == texts == [str(one) for one in patterns_of("\n".join(texts))]


@pytest.mark.parametrize("line", ["{", '{"rank": 1}', '{"pattern": 7}', "[]", "doc(", "null"])
def test_a_file_of_something_else_is_named(line: str) -> None:
    with pytest.raises(ConfigurationError, match=r"mine\.jsonl, line 2"):
        patterns_of(f'doc("u")/(/html/a/@href{{click/}})\n{line}\n', "mine.jsonl")
    with pytest.raises(ConfigurationError, match="no navigation patterns"):
        patterns_of("\n\n", "mine.jsonl")


BODY = b"""<body id="top" class="x y"><div id="post-12" class="a"><a href="/1">one</a></div>
<div id="post-13"><p><a href="/2">two</a></p></div><div id="42"><a href="/3">three</a></div>
<map id='a"b'><area href="/4"></map><a href="#here">no</a><a href="mailto:x@e.org">no</a><a href="/p.jpg">no</a>
<a href="/p.jpg?page=2">yes</a><a href="javascript:void(0)">no</a>"""


def test_labels_show_id_and_class() -> None:
    page = Page("http://e.org/", headers=HTML, body=BODY)
    assert labelled_links(page, ()) == [
        ("http://e.org/1", "/html/body/div/a"),
        ("http://e.org/2", "/html/body/div/p/a"),
        ("http://e.org/3", "/html/body/div/a"),
        ("http://e.org/4", "/html/body/map/area"),
        ("http://e.org/p.jpg?page=2", "/html/body/a"),
    ]
    assert [label for _, label in labelled_links(page, ("id", "class"))] == [
        '/html/body[contains(@id,"top")][@class]/div[contains(@id,"post-")][@class]/a',
        '/html/body[contains(@id,"top")][@class]/div[contains(@id,"post-")]/p/a',
        '/html/body[contains(@id,"top")][@class]/div[@id]/a',
        '/html/body[contains(@id,"top")][@class]/map[@id]/area',
        '/html/body[contains(@id,"top")][@class]/a',
    ]


def test_labels_are_xpath_that_selects_their_links() -> None:
    page = Page("http://e.org/", headers=HTML, body=BODY)
    tree = html.document_fromstring(BODY)
    for url, label in labelled_links(page, ("id", "class")):
        assert url.removeprefix("http://e.org") in tree.xpath(f"{label}/@href")
        assert "".join(f"/{node}" for node in parse_label(label)) == label


def test_hostile_pages_have_short_labels() -> None:
    deep = (
        b"<div id='"
        + b"x" * 500
        + b"'>"
        + b"<b>" * 200
        + b"<a href=/deep>d</a>"
        + b"</b>" * 200
        + b"<a href=/flat>f</a>"
    )
    strange = b'<we"ird id="\x01\xff"><a href=/s>s</a></we"ird>'
    found = dict(labelled_links(Page("http://e.org/", headers=HTML, body=deep + strange)))
    assert "http://e.org/deep" not in found
    assert found["http://e.org/flat"] == "/html/body/div[@id]/a"
    assert all(len(label) < 100 * MAX_DEPTH and parse_label(label) for label in found.values())


def chain(*labels: str) -> SiteGraph:
    """Pages 0, 1, 2, ... each linked to the next under the given labels."""
    graph = SiteGraph()
    for place, name in enumerate(labels):
        graph.add_page(f"http://e.org/{place}", [(f"http://e.org/{place + 1}", f"/html/{name}/a")])
    return graph


def reached(graph: SiteGraph, *steps: str) -> list[str]:
    texts = [
        'doc("")' + "".join(f"/(/html/{step[0]}/a/@href{{click/}}){step[1:]}" for step in one.split()) for one in steps
    ]
    reach = Reach(graph, Automaton([parse_pattern(text) for text in texts]))
    return sorted(graph.urls[number].rpartition("/")[2] for number in reach.start([graph.number("http://e.org/0")]))


@pytest.mark.parametrize(
    ("labels", "pattern", "wanted"),
    [
        ("llll", "l", "01"),
        ("llll", "l+", "01234"),
        ("llll", "l{1,3}", "0123"),
        ("llm", "l l m", "0123"),
        ("llm", "l m", "01"),
        ("llm", "l* m", "0123"),
        ("mll", "l* m", "01"),
        ("lmlm", "l m", "012"),
        ("llmm", "l{2,2} m+", "01234"),
        ("lm", "l{0,2} m", "012"),
    ],
)
def test_patterns_lead_to_all_pages_on_their_way(labels: str, pattern: str, wanted: str) -> None:
    assert "".join(reached(chain(*labels), pattern)) == wanted


def test_a_page_reached_again_at_another_step_is_expanded_again() -> None:
    graph = SiteGraph()
    graph.add_page("http://e.org/0", [("http://e.org/1", "/html/l/a"), ("http://e.org/1", "/html/m/a")])
    graph.add_page("http://e.org/1", [("http://e.org/2", "/html/l/a"), ("http://e.org/3", "/html/n/a")])
    assert reached(graph, "l l") == ["0", "1", "2"]
    assert reached(graph, "l l", "m n") == ["0", "1", "2", "3"]


def test_the_graph_grows_alike_from_its_rows() -> None:
    graph, again = SiteGraph(), SiteGraph()
    rows = [
        graph.add_page("http://e.org/", [("http://e.org/a", "/html/a"), ("http://e.org/b?sid=" + "0" * 32, "/html/a")]),
        graph.add_alias("http://e.org/a", "http://e.org/c"),
        graph.add_page("http://e.org/c", [("http://e.org/", "/html/p/a"), ("http://e.org/b", "/html/p/a")]),
        graph.add_alias("http://e.org/b", "http://e.org/c"),
    ]
    for row in rows:
        again.replay(row)
    for name in ("urls", "depths", "labels", "links", "aliases"):
        assert getattr(graph, name) == getattr(again, name)
    assert graph.depths == [0, 1, 1, 1]
