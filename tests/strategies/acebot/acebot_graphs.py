"""Random site graphs, and the plain twins of ACEBot's fast algorithms."""

from __future__ import annotations

import numpy as np
from hypothesis import strategies as st

from siteseer.strategies.acebot.site_graph import SiteGraph

ROOT = "http://e.org/0"
LABELS = ("/html/l/a", "/html/m/a", "/html/n/a")


@st.composite
def graphs(draw: st.DrawFn, pages: int = 9) -> SiteGraph:
    """A site of a few pages with few labels and few 2-grams, so that clusters and gains meet and tie."""
    count = draw(st.integers(1, pages))
    graph = SiteGraph()
    graph.number(ROOT)
    for page in range(count):
        link = st.tuples(st.integers(0, count), st.sampled_from(LABELS))
        links = [(f"http://e.org/{target}", label) for target, label in draw(st.lists(link, max_size=5))]
        items = draw(st.sets(st.integers(0, 14), max_size=6))
        graph.add_page(f"http://e.org/{page}", links, np.array(sorted(items), np.uint64))
    return graph


Word = tuple[tuple[str, bool], ...]


def targets(graph: SiteGraph, pages: set[int], label: str) -> set[int]:
    """Where links of that label lead to from these URL numbers, the root left out."""
    found = set()
    for page in pages:
        for number, ends in graph.links.get(page, ()):
            if graph.labels[number] == label:
                found |= {graph.resolved(end) for end in ends}
    return {end for end in found if end in graph.grams and end != 0}


def all_patterns(graph: SiteGraph, steps: int, continuity: int | None) -> dict[Word, list[set[int]]]:
    """Every word of at most that many steps with the clusters of its prefixes; redundant pages are kept."""
    found: dict[Word, list[set[int]]] = {}

    def extend(word: Word, clusters: list[set[int]], last: set[int]) -> None:
        for label in LABELS:
            first = targets(graph, last, label)
            if not first or (word and word[-1] == (label, True)):
                continue
            cluster, times = set(first), 1
            newest = first
            while newest and (continuity is None or times < continuity):
                newest = targets(graph, newest, label) - cluster
                cluster |= newest
                times += 1
            if cluster <= set().union({0}, *clusters):
                continue
            longer = (*word, (label, cluster != first))
            found[longer] = [*clusters, cluster]
            if len(longer) < steps:
                extend(longer, found[longer], cluster)

    extend((), [], {0})
    return found


def eager(
    graph: SiteGraph, patterns: dict[Word, list[set[int]]], ratio: float, least: float
) -> list[tuple[Word, float]]:
    """Select greedily, every score computed anew in every round (Algorithm 5.1)."""
    items = {page: set(map(int, grams)) for page, grams in graph.grams.items()}
    pages = {word: {page for page in set().union(*clusters) if items[page]} for word, clusters in patterns.items()}
    everything = set().union(items[0], *(items[page] for found in pages.values() for page in found))
    covered, selected, chosen = set(items[0]), set(), []
    while len(covered) < ratio * len(everything):
        best = None
        for word in sorted(pages, key=lambda word: (len(word), word)):
            new = pages[word] - selected
            gain = set().union(*(items[page] for page in new)) - covered if new else set()
            score = len(gain) / len(new) if new else 0.0
            if best is None or score > best[0]:
                best = (score, word)
        if best is None or best[0] < least:
            break
        selected |= pages[best[1]]
        covered |= set().union(*(items[page] for page in pages[best[1]]))
        chosen.append((best[1], best[0]))
    return chosen
