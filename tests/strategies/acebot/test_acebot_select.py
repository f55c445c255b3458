"""Clustering and greedy selection of ACEBot against their plain twins."""

from __future__ import annotations

from collections import Counter
from itertools import islice

import numpy as np
import pytest
from acebot_samples import dense, site_like
from hypothesis import given, settings
from hypothesis import strategies as st

from siteseer.page.similarity.set_measures import jaccard_of_hashes
from siteseer.settings import AcebotOptions
from siteseer.strategies.acebot.duplicate_pages import alike_groups
from siteseer.strategies.acebot.enumerate_patterns import Candidate, Clusters
from siteseer.strategies.acebot.learn_patterns import learn
from siteseer.strategies.acebot.select_patterns import Selection
from siteseer.strategies.acebot.site_graph import SiteGraph
from siteseer.strategies.acebot.uncovered_grams import UncoveredGrams
from tests.strategies.acebot.acebot_graphs import ROOT, all_patterns, eager, graphs

SETS = st.lists(st.sets(st.integers(0, 20), max_size=8), max_size=8)


def array(items: set[int]) -> np.ndarray:
    return np.array(sorted(items), np.uint64)


@settings(deadline=None, max_examples=300)
@given(graphs(), st.integers(1, 3), st.sampled_from([1, 2, 3, None]))
def test_clusters_hold_the_pages_of_all_words(graph: SiteGraph, steps: int, continuity: int | None) -> None:
    groups = np.array([place if len(grams) else -1 for place, grams in enumerate(graph.grams.values())])
    candidates = Clusters(graph.edges(), graph.labels, graph.roots([ROOT]), groups).candidates(steps, continuity)
    order = graph.pages()
    found = {one.word: {order[place] for place in range(len(order)) if one.pages >> place & 1} for one in candidates}
    plain = all_patterns(graph, steps, continuity)
    with_items = {
        word: {page for page in set().union(*clusters) if len(graph.grams[page])} for word, clusters in plain.items()
    }
    for word, pages in found.items():
        assert with_items[word] == pages
    first = {}
    for word in sorted(with_items, key=lambda word: (len(word), word)):
        first.setdefault(frozenset(with_items[word]), word)
    assert set(found) == set(first.values()), "of words with the same pages the first one stays"


@settings(deadline=None, max_examples=300)
@given(graphs(), st.integers(1, 3), st.sampled_from([0.5, 0.85, 0.95, 1.0]), st.sampled_from([0.3, 1.0, 2.0]))
def test_lazy_equals_eager(graph: SiteGraph, steps: int, ratio: float, least: float) -> None:
    options = AcebotOptions(steps=steps, ratio=ratio, least_gain=least, alike=2.0)
    learned = learn(graph, [ROOT], options)
    wanted = eager(graph, all_patterns(graph, steps, 3), ratio, least)
    chosen = [
        (tuple((step.label, step.most is None) for step in one.pattern.steps), one.score) for one in learned.patterns
    ]
    assert chosen == wanted


def test_a_score_may_grow_when_its_prefix_is_selected() -> None:
    """Ten pages of one 2-gram lead to one of a thousand: 91.8 a page with them, 1000 once they are selected."""
    pages = [np.array([page], np.uint64) for page in range(10)] + [np.arange(100, 1100, dtype=np.uint64)]
    short = Candidate((("l", False),), 2**10 - 1)
    long = Candidate((("l", False), ("m", False)), 2**11 - 1)
    other = Candidate((("z", False),), 2**11)
    pages.append(np.arange(2000, 2500, dtype=np.uint64))
    selection = Selection([short, long, other], UncoveredGrams(pages), [])
    assert [(one.candidate, one.pages) for one in selection.run(1.0, 1.0)] == [(2, 1), (1, 11)]
    selection = Selection([short, long], UncoveredGrams(pages[:11]), [])
    assert list(selection.scores()) == [1.0, pytest.approx(1010 / 11)]
    selection.take(0)
    assert list(selection.scores()) == [0.0, 1000.0]


@settings(deadline=None)
@given(SETS, st.lists(st.integers(0, 7), max_size=4))
def test_items_count_as_sets_do(sets: list[set[int]], taken: list[int]) -> None:
    items, left = UncoveredGrams([array(one) for one in sets]), [set(one) for one in sets]
    for place in taken:
        if place < len(sets):
            items.take(np.array([place]))
            left = [one - sets[place] for one in left]
    owners = Counter(frozenset(p for p, one in enumerate(left) if item in one) for item in set().union(*left))
    assert items.own.tolist() == [owners[frozenset({place})] for place in range(len(sets))]
    shared = {frozenset(pages): weight for weight, pages in items.shared}
    assert shared == {pages: count for pages, count in owners.items() if len(pages) > 1}
    assert items.left == len(set().union(*left))


@pytest.mark.parametrize("graph", [site_like(260, 1), dense(60, 3, 4, 1), dense(90, 5, 2, 2)])
def test_selection_on_larger_graphs_equals_the_plain_one(graph: SiteGraph) -> None:
    grams = list(graph.grams.values())
    groups = alike_groups(grams, 0.95)
    candidates = Clusters(graph.edges(), graph.labels, [0], groups).candidates(2, 3)
    choices = islice(Selection(candidates, UncoveredGrams(grams), [0]).run(1.0, 1.0), 6)
    found = [(one.candidate, one.score, one.pages) for one in choices]
    assert len(found) > 2 and found == plainly_selected(candidates, grams, len(found))


def plainly_selected(candidates: list[Candidate], grams: list[np.ndarray], count: int) -> list[tuple]:
    """Select with every score computed anew in every round, the first page being the entry point."""
    pages = [{place for place in range(len(grams)) if one.pages >> place & 1} for one in candidates]
    items = [set(one.tolist()) for one in grams]
    covered, chosen = set(items[0]), []
    for _ in range(count):
        gains = [len(set().union(*(items[page] for page in one)) - covered) for one in pages]
        scores = [gain / len(one) if one else 0.0 for gain, one in zip(gains, pages, strict=True)]
        best = scores.index(max(scores))
        chosen.append((best, scores[best], len(pages[best])))
        covered.update(*(items[page] for page in pages[best]))
        pages = [one - pages[best] for one in pages]
    return chosen


@given(st.sets(st.integers(0, 20)), st.sets(st.integers(0, 20)))
def test_jaccard_of_hashes(left: set[int], right: set[int]) -> None:
    wanted = len(left & right) / len(left | right) if left and right else 0.0
    assert jaccard_of_hashes(array(left), array(right)) == wanted


def test_nearly_equal_pages_are_one_group() -> None:
    random = np.random.default_rng(5)
    first = np.unique(random.integers(0, 2**63, 1000).astype(np.uint64))
    near = np.unique(np.concatenate((first[:990], random.integers(0, 2**63, 10).astype(np.uint64))))
    far = np.unique(np.concatenate((first[:900], random.integers(0, 2**63, 100).astype(np.uint64))))
    empty = np.empty(0, np.uint64)
    assert list(alike_groups([first, far, near, empty, far], 0.95)) == [0, 1, 0, -1, 1]


def test_a_login_page_reached_from_everywhere_counts_once() -> None:
    graph = SiteGraph()
    login = np.arange(1000, 1100, dtype=np.uint64)
    graph.add_page(ROOT, [(f"http://e.org/login?{n}", "/html/p/a") for n in range(40)], array({1}))
    for n in range(40):
        graph.add_page(f"http://e.org/login?{n}", [], login)
    (one,) = learn(graph, [ROOT], AcebotOptions()).patterns
    assert (one.pages, one.two_grams, one.score) == (1, 100, 100.0)


def test_redundant_clusters_are_never_selected() -> None:
    """The same posts under years and under tags: one of the two ways is selected, whatever the ratio."""
    graph = SiteGraph()
    ways = [("http://e.org/years", "/html/y/a"), ("http://e.org/tags", "/html/t/a")]
    graph.add_page(ROOT, ways, array({1}))
    for list_of, _ in ways:
        graph.add_page(
            list_of, [(f"{list_of}/{n}", "/html/li/a") for n in range(5)], array({2 if "y" in list_of else 3})
        )
    for list_of, _ in ways:
        for n in range(5):
            graph.add_page(f"{list_of}/{n}", [], np.arange(100 * n + 100, 100 * n + 200, dtype=np.uint64))
    learned = learn(graph, [ROOT], AcebotOptions(ratio=1.0))
    posts = [one for one in learned.patterns if len(one.pattern.steps) == 2]
    assert len(posts) == 1 and learned.covered == 1.0


def test_page_flipping_becomes_one_repeated_step() -> None:
    graph = SiteGraph()
    for n in range(8):
        links = [(f"http://e.org/{n + 1}", "/html/nav/a"), (f"http://e.org/post{n}", "/html/h1/a")]
        graph.add_page(f"http://e.org/{n}", links, array({n}))
        graph.add_page(f"http://e.org/post{n}", [], np.arange(100 * n + 100, 100 * n + 200, dtype=np.uint64))
    bounded = learn(graph, [ROOT], AcebotOptions(ratio=1.0, least_gain=0))
    words = [tuple((step.label, step.most) for step in one.pattern.steps) for one in bounded.patterns]
    assert (("/html/nav/a", None), ("/html/h1/a", 1)) in words
    assert max(one.pages for one in bounded.patterns) == 6, "three pages of the list, and their posts"
    free = learn(graph, [ROOT], AcebotOptions(ratio=1.0, least_gain=0, continuity=None))
    assert sum(one.pages for one in free.patterns) == 15 and free.covered == 1.0
