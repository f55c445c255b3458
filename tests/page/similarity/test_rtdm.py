"""How far apart two pages are, and what tells their kinds."""

from __future__ import annotations

import random
import time

import pytest

from siteseer.model import Page
from siteseer.page.similarity.explain_difference import explain
from siteseer.page.similarity.page_signature import hashed, signature
from siteseer.page.similarity.rtdm import Comparison, path_bound, similarity
from siteseer.page.similarity.set_measures import jaccard
from siteseer.page.similarity.shared_subtrees import Nested, SharedSubtrees
from tests.page.similarity.rtdm_reference import plain_distance


def page(body: str, url: str = "http://e.org/") -> Page:
    return Page(url, headers=(("Content-Type", "text/html"),), body=body.encode())


def read(text: str) -> Nested:
    """Read a tree written `a(b(c) d)`."""
    stack: list[tuple[str, list]] = [("", [])]
    for token in text.replace("(", " ( ").replace(")", " ) ").split():
        if token == "(":
            label = stack[-1][1].pop()[0]
            stack.append((label, []))
        elif token == ")":
            label, children = stack.pop()
            stack[-1][1].append((label, tuple(children)))
        else:
            stack[-1][1].append((token, ()))
    return stack[0][1][0]


SHELF = "html(head(title) body(div(ul(li li li)) div(p p)))"
VECTORS = [
    ("a", "b", 1),
    ("a(b c)", "a(c)", 1),
    ("a(b c)", "a(c b)", 2),
    ("a(b(d e) c)", "a(b(d) c)", 1),
    ("a(b(c d))", "a(x(c d))", 5),
    ("a(b(c(d)))", "a(c(d))", 4),
    ("r(a(x y) b)", "r(b a(x y))", 2),
    ("html(body(div(p p) div(p)))", "html(body(div(p p p) div(p) div(p)))", 3),
    (SHELF, "html(head(title) body(div(ul(li li li li li)) div(p p p)))", 3),
    (SHELF, "html(head(title meta) body(table(tr(td td) tr(td td))))", 15),
]


@pytest.mark.parametrize(("one", "other", "wanted"), VECTORS)
def test_worked_examples(one: str, other: str, wanted: int) -> None:
    forest = SharedSubtrees()
    a, b = forest.plant(read(one)), forest.plant(read(other))
    assert Comparison(forest).distance(a, b) == plain_distance(read(one), read(other)) == wanted


def random_tree(chance: random.Random, nodes: int) -> Nested:
    label = chance.choice("abc")
    children: list[Nested] = []
    nodes -= 1
    while nodes > 0 and len(children) < 5:
        share = chance.randint(1, nodes)
        children.append(random_tree(chance, share))
        nodes -= share
    return label, tuple(children)


def test_quick_and_plain_version_agree() -> None:
    chance = random.Random(4)
    for _ in range(600):
        one, other = (random_tree(chance, chance.randint(1, 18)) for _ in range(2))
        forest = SharedSubtrees()
        comparison = Comparison(forest)
        a, b = forest.plant(one), forest.plant(other)
        wanted = plain_distance(one, other)
        assert comparison.distance(a, b) == Comparison(forest).distance(b, a) == wanted
        assert path_bound(forest, a, b) <= wanted
        assert comparison.is_alike(a, b, 0.6) == (comparison.similarity(a, b) >= 0.6)


def test_lists_of_other_length_are_the_same_layout() -> None:
    short, long = (page("<ul>" + "<li><a href=x>t</a>" * count + "</ul>") for count in (3, 50))
    assert similarity(short, long) == 1.0
    assert similarity(short, long, repeats=None) < 0.6
    assert signature(short) == signature(long)


def test_a_browser_adds_table_bodies() -> None:
    assert similarity(page("<table><tr><td>x</table>"), page("<table><tbody><tr><td>x</table>")) == 1.0


def test_hostile_pages_cost_little() -> None:
    deep = page("<div>" * 30_000)
    wide = page("<b></b><i></i>" * 30_000)
    started = time.process_time()
    assert similarity(deep, wide, repeats=None) < 0.5
    assert similarity(deep, page("<div>" * 29_000)) > 0.9
    assert jaccard(signature(deep), signature(wide)) < 0.8
    assert time.process_time() - started < 20
    assert similarity(page(""), page("")) == 1.0


def test_it_says_where_pages_differ() -> None:
    first = page("<div id=a><h1>t</h1><p>x</p></div><div class=side><ul><li>1</ul></div>")
    second = page("<div id=a><h1>t</h1><p>x</p><p>y</p></div>")
    found = explain(first, second)
    assert [str(one) for one in found.differences] == [
        "html/body: div.side only in the first (3)",
        "html/body/div#a: p only in the second (1)",
    ]
    assert str(found).startswith("0.71 similar; differs in html/body: div.side only in the first (3);")
    assert sum(one.nodes for one in found.differences) == 4
    assert str(explain(first, first)) == "1.00 similar"


def test_signatures_tell_kinds_whatever_the_numbers_in_classes() -> None:
    thread = "<body class='p{n}'><div class='x{n} post'><div class=content>text</div></div>"
    one, other = (page(thread.format(n=n)) for n in (1, 2))
    assert signature(one) == signature(other)
    assert "body/div.post/div.content" in signature(one)
    board = page("<div class=forum><a class=title href=x>t</a></div>")
    assert jaccard(hashed(signature(one)), hashed(signature(board))) < 0.5
