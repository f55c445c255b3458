"""The reduction from Set Cover in the proof of Proposition 5.1 of Faheem's thesis (Figure 5.1)."""

from __future__ import annotations

from itertools import chain, combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.strategies.acebot.follow_patterns import Automaton, Reach
from siteseer.strategies.acebot.oxpath_patterns import Pattern, Step, parse_label
from siteseer.strategies.acebot.site_graph import SiteGraph

SETS = st.lists(st.sets(st.integers(0, 4), min_size=1), min_size=1, max_size=4)


def label(number: int) -> str:
    return f"/html/l{number}/a"


def construction(sets: list[set[int]]) -> tuple[SiteGraph, int]:
    """A chain of N empty pages under l0, from whose end li leads to the page that holds the i-th set."""
    universe = set().union(*sets)
    long = len(sets) * (len(universe) - 1) + 1
    graph = SiteGraph()
    for place in range(long):
        graph.add_page(f"http://e.org/x{place}", [(f"http://e.org/x{place + 1}", label(0))])
    graph.add_page(
        f"http://e.org/x{long}", [(f"http://e.org/s{number}", label(number)) for number in range(1, len(sets) + 1)]
    )
    return graph, long


def pages_of(graph: SiteGraph, chosen: tuple[int, ...]) -> set[str]:
    """The pages that a set of patterns l0* li leads to, without the root."""
    patterns = [
        Pattern("", (Step(parse_label(label(0)), 0, None), Step(parse_label(label(number))))) for number in chosen
    ]
    reach = Reach(graph, Automaton(patterns))
    reach.start([graph.number("http://e.org/x0")])
    return {graph.urls[number].rpartition("/")[2] for number in reach.states} - {"x0"}


@settings(deadline=None, max_examples=60)
@given(SETS)
def test_a_score_is_reached_exactly_where_a_cover_exists(sets: list[set[int]]) -> None:
    graph, long = construction(sets)
    universe = set().union(*sets)
    numbers = range(1, len(sets) + 1)
    best, smallest = 0.0, len(sets)
    for chosen in chain.from_iterable(combinations(numbers, size) for size in numbers):
        pages = pages_of(graph, chosen)
        held = set().union(*(sets[number - 1] for number in chosen))
        assert pages == {f"x{place}" for place in range(1, long + 1)} | {f"s{number}" for number in chosen}
        score = len(held) / len(pages)
        assert score == len(held) / (len(chosen) + long)
        best = max(best, score)
        if held == universe:
            smallest = min(smallest, len(chosen))
    for size in numbers:
        assert (best >= len(universe) / (size + long)) == (smallest <= size)
