"""Two trees in, a distance out that RTDM cannot fall below: most pairs are told apart without comparing them.

A pair of nodes with equal labels has only equal labels above it, so equal tag paths; a replaced pair has equal paths of
parents. With P the tag paths of the nodes of a tree, Q those of their parents, and & the size of what two bags share:

    RTDM ≥ n1 + n2 − |P1 & P2| − |Q1 & Q2|
"""

from __future__ import annotations

from collections import Counter

from siteseer.page.trees.forest import Forest

Bag = Counter[int]
MAX_NODES = 100_000
"""Larger trees are not walked; their bound is the difference in size."""


def path_bound(forest: Forest, a: int, b: int) -> int:
    """Return a number that the distance of two trees is never below."""
    n1, n2 = forest.sizes[a], forest.sizes[b]
    if max(n1, n2) > MAX_NODES:
        return abs(n1 - n2)
    (p1, q1), (p2, q2) = paths(forest, a), paths(forest, b)
    return n1 + n2 - shared(p1, p2) - shared(q1, q2)


def paths(forest: Forest, root: int) -> tuple[Bag, Bag]:
    """Return the bags of hashed tag paths: of all nodes, and of the parents of all nodes.

    >>> forest = Forest()
    >>> [sorted(bag.values()) for bag in paths(forest, forest.plant(("ul", (("li", ()), ("li", ())))))]
    [[1, 2], [1, 2]]
    """
    nodes: Bag = Counter()
    parents: Bag = Counter()
    waiting = Counter({(root, 0): 1})
    while waiting:  # level by level, equal subtrees with equal parents together
        below: Counter[tuple[int, int]] = Counter()
        for (node, parent), times in waiting.items():
            path = hash((parent, forest.labels[node]))
            nodes[path] += times
            parents[parent] += times
            for child in forest.children[node]:
                below[child, path] += times
        waiting = below
    return nodes, parents


def shared(one: Bag, other: Bag) -> int:
    """Return how many members two bags have in common.

    >>> shared(Counter("aab"), Counter("abb"))
    2
    """
    if len(one) > len(other):
        one, other = other, one
    return sum(min(count, other[key]) for key, count in one.items() if key in other)
