"""Table 5.1 of Faheem's thesis: the navigation patterns of the example site with their scores."""

from __future__ import annotations

import numpy as np
import pytest

from siteseer.settings import AcebotOptions
from siteseer.strategies.acebot.duplicate_pages import alike_groups
from siteseer.strategies.acebot.enumerate_patterns import Clusters
from siteseer.strategies.acebot.learn_patterns import learn
from siteseer.strategies.acebot.select_patterns import Selection
from siteseer.strategies.acebot.site_graph import SiteGraph
from siteseer.strategies.acebot.uncovered_grams import UncoveredGrams

L1, L2, L3, L4 = (f"/html/body/l{number}/a" for number in (1, 2, 3, 4))
TABLE = {  # navigation pattern: total 2-grams, distinct 2-grams, score
    (L1,): (5266, 5107, 2553.5),
    (L1, L4): (7866, 7214, 2404.7),
    (L3,): (754, 754, 754),
    (L2,): (239, 239, 239),
}


def grams(start: int, count: int) -> np.ndarray:
    return np.arange(start, start + count, dtype=np.uint64)


def url(page: int) -> str:
    return f"http://example.org/p{page}"


def example() -> SiteGraph:
    """The site of Figure 5.4: p3 and p4 share 159 2-grams, p5 shares 493 with them, everything else is apart."""
    graph = SiteGraph()
    links = [(url(2), L2), (url(3), L1), (url(4), L1), (url(6), L3)]
    graph.add_page(url(1), links, grams(0, 0))
    graph.add_page(url(2), [], grams(100_000, 239))
    graph.add_page(url(3), [(url(5), L4)], grams(0, 3227))
    graph.add_page(url(4), [(url(5), L4)], grams(3227 - 159, 2039))
    graph.add_page(url(5), [], grams(5107 - 493, 2600))
    graph.add_page(url(6), [], grams(200_000, 754))
    return graph


def test_the_table() -> None:
    graph = example()
    pages = [graph.grams[number] for number in graph.pages()]
    clusters = Clusters(graph.edges(), graph.labels, graph.roots([url(1)]), alike_groups(pages, 0.95))
    candidates = clusters.candidates(3, 3)
    items = UncoveredGrams(pages)
    scores = Selection(candidates, items, [0]).scores()
    found = {}
    for one, score in zip(candidates, scores, strict=True):
        assert not any(repeated for _, repeated in one.word)
        places = [place for place in range(len(pages)) if one.pages >> place & 1]
        distinct = items.reached(np.array([place in places for place in range(len(pages))]))
        total = sum(len(pages[place]) for place in places)
        assert score == distinct / len(places)
        found[tuple(label for label, _ in one.word)] = (total, distinct, round(distinct / len(places), 1))
    assert found == TABLE


@pytest.mark.parametrize(("ratio", "count"), [(0.85, 2), (0.90, 3), (0.95, 3), (1.0, 4)])
def test_the_greedy_selection(ratio: float, count: int) -> None:
    learned = learn(example(), [url(1)], AcebotOptions(ratio=ratio))
    words = [tuple(step.label for step in one.pattern.steps) for one in learned.patterns]
    assert words == [(L1,), (L1, L4), (L3,), (L2,)][:count]
    assert [one.score for one in learned.patterns] == [2553.5, 2107, 754, 239][:count]
    assert [one.two_grams for one in learned.patterns] == [5107, 2107, 754, 239][:count]
    assert [one.pages for one in learned.patterns] == [2, 1, 1, 1][:count]
    assert learned.two_grams == 8207
