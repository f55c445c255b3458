"""Explains in words where two pages differ: "0.91 similar; differs here"."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from lxml import html

from siteseer.model import Page
from siteseer.page.links import step
from siteseer.page.similarity.rtdm import Comparison
from siteseer.page.similarity.shared_subtrees import SharedSubtrees, inside
from siteseer.page.tree import tree

Element: TypeAlias = html.HtmlElement
MOST = 1_000
"""So many differences are collected; nobody reads more."""


@dataclass(frozen=True, slots=True)
class Difference:
    """One place where two pages differ: a part that only one of them has, or two parts that do not match."""

    where: str
    """The steps from the root to the parent of the part."""
    first: str
    second: str
    """The part as it stands in each page, `tag#id.class`; empty where it is missing."""
    nodes: int
    """How many elements it costs."""

    def __str__(self) -> str:
        if self.first and self.second:
            return f"{self.where}: {self.first} against {self.second} ({self.nodes})"
        only, which = (self.first, "first") if self.first else (self.second, "second")
        return f"{self.where}: {only} only in the {which} ({self.nodes})"


@dataclass(frozen=True, slots=True)
class Explanation:
    """How similar two pages are, and where they differ, the largest difference first."""

    similarity: float
    differences: tuple[Difference, ...]

    def __str__(self) -> str:
        if not self.differences:
            return f"{self.similarity:.2f} similar"
        return f"{self.similarity:.2f} similar; differs in " + "; ".join(map(str, self.differences[:3]))


def explain(one: Page, other: Page) -> Explanation:
    """Return how similar the layouts of two pages are, and where they differ.

    >>> kind = (("Content-Type", "text/html"),)
    >>> first = Page("http://e.org/1", headers=kind, body=b"<div class=post><p>a</p></div>")
    >>> second = Page("http://e.org/2", headers=kind, body=b"<div class=post><p>a</p><ul class=tags><li>t</ul></div>")
    >>> str(explain(first, second))
    '0.80 similar; differs in html/body/div.post: ul.tags only in the second (2)'
    """
    forest = SharedSubtrees()
    roots = tree(one), tree(other)
    numbers = forest.elements(roots[0]) | forest.elements(roots[1])
    comparison = Comparison(forest)
    found: list[Difference] = []
    waiting = [(roots[0], roots[1], "")]
    while waiting and len(found) < MOST:
        a, b, where = waiting.pop()
        path = f"{where}/{step(a)}" if where else step(a)
        for ours, theirs in _aligned(comparison, numbers, a, b):
            if ours is None or theirs is None or ours.tag != theirs.tag:
                found.append(_difference(path, ours, theirs, forest, numbers))
            elif numbers[ours] != numbers[theirs]:
                waiting.append((ours, theirs, path))
    found.sort(key=lambda difference: -difference.nodes)
    return Explanation(comparison.similarity(numbers[roots[0]], numbers[roots[1]]), tuple(found))


def _aligned(
    comparison: Comparison, numbers: dict[Element, int], a: Element, b: Element
) -> list[tuple[Element | None, Element | None]]:
    """Return the children of two mapped elements as the cheapest mapping pairs them."""
    ours = [child for child in inside(a) if child in numbers]
    theirs = [child for child in inside(b) if child in numbers]
    rows = comparison.table(tuple(numbers[child] for child in ours), tuple(numbers[child] for child in theirs))
    sizes = comparison.forest.sizes
    pairs: list[tuple[Element | None, Element | None]] = []
    i, j = len(ours), len(theirs)
    while i or j:
        here = rows[i][j]
        if i and j and here == rows[i - 1][j - 1] + comparison.distance(numbers[ours[i - 1]], numbers[theirs[j - 1]]):
            i, j = i - 1, j - 1
            pairs.append((ours[i], theirs[j]))
        elif i and here == rows[i - 1][j] + sizes[numbers[ours[i - 1]]]:
            i -= 1
            pairs.append((ours[i], None))
        else:
            j -= 1
            pairs.append((None, theirs[j]))
    return pairs[::-1]


def _difference(
    where: str, ours: Element | None, theirs: Element | None, forest: SharedSubtrees, numbers: dict[Element, int]
) -> Difference:
    sizes = [0 if one is None else forest.sizes[numbers[one]] for one in (ours, theirs)]
    nodes = sum(sizes) - int(all(sizes))
    return Difference(where, "" if ours is None else step(ours), "" if theirs is None else step(theirs), nodes)
