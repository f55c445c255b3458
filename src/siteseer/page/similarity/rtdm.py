"""Computes the restricted top-down distance of two trees (RTDM), a tree edit distance, and a lower bound of it.

Reference: Reis et al., Automatic web news extraction using tree edit distance, WWW 2004; used to tell target pages by
Vidal et al., Structure-based crawling in the hidden Web. Unit costs: inserting, deleting or replacing a node costs 1,
insertions and deletions take whole subtrees, and below a replaced node nothing is mapped. Differs: equal subtrees are
found anywhere, not only on the same level, as both trees share them in a `SharedSubtrees`.

The bound decides most pairs without comparing them. A pair of nodes with equal labels has only equal labels above it,
so equal tag paths; a replaced pair has equal paths of parents. With P the tag paths of the nodes of a tree, Q those of
their parents, and & the size of what two bags share:

    RTDM ≥ n1 + n2 − |P1 & P2| − |Q1 & Q2|
"""

from __future__ import annotations

from collections import Counter

from siteseer.model import Page
from siteseer.page.similarity.shared_subtrees import SharedSubtrees

ALIKE = 0.8
"""Pages this similar are taken for pages of one template."""
REPEATS = 2
"""When kinds of page are compared, more equal neighbours than this say how long a list is, not what page it is."""
Bag = Counter[int]
MAX_NODES = 100_000
"""Larger trees are not walked; their bound is the difference in size."""


class Comparison:
    """Distances between trees of one forest; each pair of distinct subtrees is compared once.

    >>> forest = SharedSubtrees()
    >>> one, other = (forest.plant(("a", children)) for children in ((("b", ()), ("c", ())), (("c", ()),)))
    >>> Comparison(forest).distance(one, other), round(Comparison(forest).similarity(one, other), 2)
    (1, 0.8)
    """

    def __init__(self, forest: SharedSubtrees) -> None:
        self.forest = forest
        self._known: dict[tuple[int, int], int] = {}

    def distance(self, a: int, b: int) -> int:
        """Return the cost of turning tree a into tree b."""
        if a == b:
            return 0
        found = self._known.get((a, b))
        if found is None:
            found = self._known[a, b] = self._known[b, a] = self._compare(a, b)
        return found

    def similarity(self, a: int, b: int) -> float:
        """Return 1 for equal trees, close to 0 for trees that share nothing."""
        return 1.0 - self.distance(a, b) / (self.forest.sizes[a] + self.forest.sizes[b])

    def is_alike(self, a: int, b: int, least: float = ALIKE) -> bool:
        """Say whether two trees are at least so similar; the bound decides most pairs without comparing them."""
        sizes = self.forest.sizes[a] + self.forest.sizes[b]
        if 1.0 - path_bound(self.forest, a, b) / sizes < least:
            return False
        return self.similarity(a, b) >= least

    def _compare(self, a: int, b: int) -> int:
        forest = self.forest
        sizes = forest.sizes
        ours, theirs = forest.children[a], forest.children[b]
        if forest.labels[a] != forest.labels[b]:
            return 1 + sizes[a] - 1 + sizes[b] - 1
        if not ours or not theirs:
            return sizes[a] - 1 + sizes[b] - 1
        ours, theirs = trimmed(ours, theirs)
        return self.table(ours, theirs)[-1][-1]

    def table(self, ours: tuple[int, ...], theirs: tuple[int, ...]) -> list[list[int]]:
        """Return the cheapest way to turn the first i of our subtrees into the first j of theirs, for all i and j."""
        sizes, labels = self.forest.sizes, self.forest.labels
        costs = [sizes[other] for other in theirs]
        row = [0]
        for cost in costs:
            row.append(row[-1] + cost)
        rows = [row]
        for one in ours:
            size, label, left, above = sizes[one], labels[one], row[0] + sizes[one], row
            row = [left]
            for place, other in enumerate(theirs):
                left = min(above[place + 1] + size, left + costs[place])
                if one == other:
                    left = min(left, above[place])
                elif label == labels[other]:
                    left = min(left, above[place] + self.distance(one, other))
                else:
                    left = min(left, above[place] + size + costs[place] - 1)
                row.append(left)
            rows.append(row)
        return rows


def trimmed(ours: tuple[int, ...], theirs: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Drop equal subtrees at both ends: mapping them to each other is never dearer than anything else.

    >>> trimmed((1, 2, 3), (1, 4, 4, 3))
    ((2,), (4, 4))
    """
    start, most = 0, min(len(ours), len(theirs))
    while start < most and ours[start] == theirs[start]:
        start += 1
    end = 0
    while end < most - start and ours[-1 - end] == theirs[-1 - end]:
        end += 1
    return ours[start : len(ours) - end], theirs[start : len(theirs) - end]


def similarity(one: Page, other: Page, repeats: int | None = REPEATS) -> float:
    """Return how similar two pages are laid out, from 0 to 1.

    >>> pages = [Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=b) for b in (b"<p>a", b"<p>b<p>")]
    >>> round(similarity(*pages), 2)
    0.86
    """
    forest = SharedSubtrees()
    return Comparison(forest).similarity(forest.grow(one, repeats), forest.grow(other, repeats))


def path_bound(forest: SharedSubtrees, a: int, b: int) -> int:
    """Return a number that the distance of two trees is never below."""
    n1, n2 = forest.sizes[a], forest.sizes[b]
    if max(n1, n2) > MAX_NODES:
        return abs(n1 - n2)
    (p1, q1), (p2, q2) = paths(forest, a), paths(forest, b)
    return n1 + n2 - shared(p1, p2) - shared(q1, q2)


def paths(forest: SharedSubtrees, root: int) -> tuple[Bag, Bag]:
    """Return the bags of hashed tag paths: of all nodes, and of the parents of all nodes.

    >>> forest = SharedSubtrees()
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
