"""The worked example of PARIS with joins: records of two books, and an ontology that knows them and their author.

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011; Oita's thesis, 2012, section 3.6.
"""

from __future__ import annotations

import numpy as np
import pytest

from siteseer.alignment import Alignment, Fact, Settings, align
from siteseer.alignment.fact_graph import Graph, compile_graph
from siteseer.alignment.literals.literal_keys import KeyedText
from siteseer.alignment.literals.literal_pairs import equal_literals
from siteseer.alignment.paris.fixed_point import Round, join_sides, rounds
from siteseer.alignment.paris.functionality import Edges, edges
from siteseer.alignment.paris.instance_evidence import Relations

RECORDS = [
    Fact("a1", "title", "Great Expectations", True),
    Fact("a1", "author", "Charles Dickens", True),
    Fact("a1", "price", "9.99", True),
    Fact("a2", "title", "David Copperfield", True),
    Fact("a2", "author", "Charles Dickens", True),
    Fact("a2", "price", "9.99", True),
    Fact("a1", "rdf:type", "A:Rec"),
    Fact("a2", "rdf:type", "A:Rec"),
]
ONTOLOGY = [
    Fact("b1", "label", "Great Expectations", True),
    Fact("b2", "label", "David Copperfield", True),
    Fact("d", "label", "Charles Dickens", True),
    Fact("d", "created", "b1"),
    Fact("d", "created", "b2"),
    Fact("b1", "rdf:type", "Book"),
    Fact("b2", "rdf:type", "Book"),
    Fact("d", "rdf:type", "Person"),
]
JOINED = [*ONTOLOGY, Fact("b1", "J", "Charles Dickens", True), Fact("b2", "J", "Charles Dickens", True)]


def run(theta: float = 0.1) -> tuple[Graph, Graph, Edges, Edges, list[Round]]:
    one, two = compile_graph(RECORDS), compile_graph(JOINED)
    a, b = edges(one), edges(two)
    literals = equal_literals(KeyedText(one.literals, "exact"), KeyedText(two.literals, "exact"))
    given = join_sides(a, b, (len(one.instances), len(two.instances)), (one.nodes, two.nodes), literals)
    flat = np.full((len(a.fun), len(b.fun)), theta)
    return one, two, a, b, list(rounds(given, Relations(flat, flat), Settings()))


def chances(one: Graph, two: Graph, after: Round) -> dict[tuple[str, str], float]:
    x, y = np.divmod(after.pair, len(two.instances))
    names = zip(x, y, -np.expm1(-after.weight), strict=True)
    return {(one.instances[i], two.instances[j]): float(p) for i, j, p in names}


def test_functionality() -> None:
    one, two, a, b, _ = run()
    left = dict(zip(one.relations, zip(a.fun, a.inverse_fun, strict=True), strict=False))
    right = dict(zip(two.relations, zip(b.fun, b.inverse_fun, strict=True), strict=False))
    assert left == {"title": (1, 1), "author": (1, 0.5), "price": (1, 0.5)}
    assert right == {"label": (1, 1), "created": (0.5, 1), "J": (1, 0.5)}


def test_the_first_round() -> None:
    one, two, _, _, after = run()
    found = chances(one, two, after[0])
    assert found["a1", "b1"] == pytest.approx(1 - 0.81 * 0.9025) == pytest.approx(0.269, abs=5e-4)
    assert found["a1", "b2"] == pytest.approx(0.0975)
    assert found["a1", "d"] == pytest.approx(0.145)
    x, y, _ = after[0].assigned.pairs()
    assert [(one.instances[i], two.instances[j]) for i, j in zip(x, y, strict=True)] == [("a1", "b1"), ("a2", "b2")]


def test_relations_after_the_first_round() -> None:
    one, two, _, _, after = run()
    believed = after[0].included.believed
    for r, s in (("title", "label"), ("author", "J")):
        i, j = one.relations.index(r), two.relations.index(s)
        assert believed.within[i, j] == pytest.approx(1) and believed.contains[i, j] == pytest.approx(1)
    assert believed.within[one.relations.index("price")].max() == 0


def test_the_second_round() -> None:
    one, two, _, _, after = run()
    found = chances(one, two, after[1])
    assert found["a1", "b1"] == pytest.approx(1.0, abs=1e-3)
    assert found["a1", "b2"] == pytest.approx(0.75)
    assert len(after) == 2 and after[1].settled


@pytest.mark.parametrize("theta", [0.01, 0.05, 0.1, 0.2])
def test_theta_only_boots(theta: float) -> None:
    one, two, _, _, after = run(theta)
    assert chances(one, two, after[-1])["a1", "b1"] == pytest.approx(1.0, abs=1e-3)
    assert after[-1].settled


def relations(found: Alignment) -> dict[tuple[str, str, str], float]:
    return {(m.left, m.direction, m.right): m.probability for m in found.relations}


def test_the_join_is_found() -> None:
    found = align(RECORDS, ONTOLOGY)
    told = relations(found)
    for direction in "<>":
        assert told["title", direction, "label"] == pytest.approx(1)
        assert told["author", direction, "created~ / label"] == pytest.approx(1)
    assert {(m.left, m.right) for m in found.instances} == {("a1", "b1"), ("a2", "b2")}
    assert all(m.probability == pytest.approx(1, abs=1e-3) for m in found.instances)


def test_classes() -> None:
    found = align(RECORDS, ONTOLOGY)
    assert {(m.left, m.right) for m in found.classes} == {("A:Rec", "Book")}
    assert all(m.probability == pytest.approx(1, abs=1e-3) for m in found.classes)


def test_without_joins_the_author_is_not_aligned() -> None:
    found = align(RECORDS, ONTOLOGY, Settings(joins=1))
    assert {(m.left, m.right) for m in found.instances} == {("a1", "b1"), ("a2", "b2")}
    assert {m.left for m in found.relations} == {"title"}
