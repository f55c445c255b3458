"""The vectorised rounds believe what the plain ones believe, on any small pair of sources."""

from __future__ import annotations

import numpy as np
import pytest
from align_made import catalogues
from align_plain import plain
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.alignment import Fact, Settings
from siteseer.alignment.fact_graph import compile_graph
from siteseer.alignment.literals.literal_keys import KeyedText
from siteseer.alignment.literals.literal_pairs import equal_literals
from siteseer.alignment.paris.fixed_point import join_sides, rounds
from siteseer.alignment.paris.functionality import edges
from siteseer.alignment.paris.instance_evidence import Relations

TEXTS = st.sampled_from(["red", "Red", "blue", "1.50", "1.5", "15", "a b", "ab"])
FACTS = st.lists(
    st.one_of(
        st.builds(Fact, st.sampled_from("abcde"), st.sampled_from("rst"), TEXTS, st.just(True)),
        st.builds(Fact, st.sampled_from("abcde"), st.sampled_from("uv"), st.sampled_from("abcde"), st.just(False)),
    ),
    min_size=1,
    max_size=14,
)


def compare(left: list[Fact], right: list[Fact], most: int = 10) -> None:
    one, two = compile_graph(left), compile_graph(right)
    a, b = edges(one), edges(two)
    literals = equal_literals(KeyedText(one.literals, "alnum"), KeyedText(two.literals, "alnum"))
    given_ = join_sides(a, b, (len(one.instances), len(two.instances)), (one.nodes, two.nodes), literals)
    flat = np.full((len(a.fun), len(b.fun)), 0.1)
    *_, last = rounds(given_, Relations(flat, flat), Settings(rounds=most))
    slow = plain(left, right, most=most)
    x, y, p = last.assigned.pairs()
    assert {(one.instances[i], two.instances[j]) for i, j in zip(x, y, strict=True)} == set(slow.assigned.items())
    assert p == pytest.approx([-np.expm1(-slow.weight[one.instances[i]]) for i in x], abs=1e-6)
    assert last.number == slow.rounds
    names = [[(name, back) for back in (False, True) for name in graph.relations] for graph in (one, two)]
    for found, wanted in (
        (last.included.believed.within, slow.within),
        (last.included.believed.contains, slow.contains),
    ):
        for i, r in enumerate(names[0]):
            for j, s in enumerate(names[1]):
                assert found[i, j] == pytest.approx(wanted.get((r, s), 0.0), abs=1e-6), (r, s)


@given(FACTS, FACTS)
@settings(max_examples=60, deadline=None)
def test_small_sources(left: list[Fact], right: list[Fact]) -> None:
    compare(left, right, most=4)


def test_two_catalogues() -> None:
    left, right, _ = catalogues(400)
    compare(left, right)
