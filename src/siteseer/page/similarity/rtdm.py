"""Two trees in, their restricted top-down distance out (RTDM).

Reference: Reis et al., Automatic web news extraction using tree edit distance, WWW 2004; used to tell target pages by
Vidal et al., Structure-based crawling in the hidden Web. Unit costs: inserting, deleting or replacing a node costs 1,
insertions and deletions take whole subtrees, and below a replaced node nothing is mapped. Differs: equal subtrees are
found anywhere, not only on the same level, as both trees share them in a `Forest`.
"""

from __future__ import annotations

from siteseer.model import Page
from siteseer.page.trees.bounds import path_bound
from siteseer.page.trees.forest import Forest

ALIKE = 0.8
"""Pages this similar are taken for pages of one template."""
REPEATS = 2
"""When kinds of page are compared, more equal neighbours than this say how long a list is, not what page it is."""


class Comparison:
    """Distances between trees of one forest; each pair of distinct subtrees is compared once.

    >>> forest = Forest()
    >>> one, other = (forest.plant(("a", children)) for children in ((("b", ()), ("c", ())), (("c", ()),)))
    >>> Comparison(forest).distance(one, other), round(Comparison(forest).similarity(one, other), 2)
    (1, 0.8)
    """

    def __init__(self, forest: Forest) -> None:
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
    forest = Forest()
    return Comparison(forest).similarity(forest.grow(one, repeats), forest.grow(other, repeats))
