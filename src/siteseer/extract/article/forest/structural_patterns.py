"""Ranks the structural patterns under which a sample of pages keeps its articles (FOREST, Algorithms 3 and 4).

Reference: Oita's thesis, Algorithms 3 and 4, formulas 2.5 to 2.7; section 2.6.2 for the informativeness of an element:
x and y are the signifiers and the other terms of an element, with their multiplicity, X and Y those of its document.
Differs: of several elements with one pattern on a page the best counts; a page that lacks the winner takes the best
pattern that it has; logarithms to base 2, where the thesis' examples were computed with natural ones.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import log2, sqrt
from typing import TypeVar

from siteseer.extract.article.forest.forest_document import Document

Term = TypeVar("Term", bound=Hashable)
Values = list[float]
"""By element; 0 off the significant paths."""
Measure = Callable[[int, int, int, int], float]
"""x, y, X, Y to a value."""


def density(x: int, y: int) -> float:
    """Return J (2.2): the lower end of the interval around the add-half estimate of the share of signifiers.

    >>> round(density(8, 20), 3), round(density(3, 5), 3), round(density(1, 0), 2), density(0, 1)
    (0.207, 0.217, 0.32, 0.0)
    """
    n = x + y
    if n == 0:
        return 0.0
    return max(0.0, (x + 0.5 - sqrt((x + 0.5) * (y + 0.5) / n)) / (n + 1))


def unexpectedness(x: int, y: int, X: int, Y: int) -> float:
    """Return U (2.3) in bits: how much shorter an element is to describe than to generate; 0 log 0 is 0.

    >>> round(unexpectedness(10, 26, 20, 100), 2), round(unexpectedness(3, 1, 20, 100), 2)
    (32.69, 8.02)
    """
    if X + Y == 0:
        return 0.0
    return (x + y) * log2(X + Y) - (x * log2(X) if x else 0.0) - (y * log2(Y) if y else 0.0)


def informativeness(x: int, y: int, X: int, Y: int) -> float:
    """Return I = J × U (2.4).

    >>> round(informativeness(10, 26, 20, 100), 2)
    6.82
    """
    return density(x, y) * unexpectedness(x, y, X, Y)


MEASURES: dict[str, Measure] = {
    "I": informativeness,
    "J": lambda x, y, X, Y: density(x, y),
    "U": unexpectedness,
}
"""The measure of FOREST, and its two factors alone (Figure 2.11)."""


@dataclass(slots=True)
class Pattern:
    """A structural pattern: an element type on a level, and where the sample has it."""

    type: str
    level: int
    value: float = 0.0
    """Sum over documents of the value of its best element."""
    nodes: dict[int, list[int]] = field(default_factory=dict)
    """By document: the elements, in document order."""
    best: dict[int, int] = field(default_factory=dict)
    """By document: the element of largest value."""

    @property
    def pages(self) -> int:
        """p: how many documents of the sample have it."""
        return len(self.nodes)

    @property
    def relevance(self) -> float:
        """R (2.5, 2.7): the sum times p times level."""
        return self.value * self.pages * self.level

    @property
    def positions(self) -> list[int]:
        """The dfs numbers at which it stands, each once."""
        return sorted({node + 1 for nodes in self.nodes.values() for node in nodes})


def counts(document: Document[Term], signifiers: Mapping[Term, float]) -> tuple[list[int], list[int]]:
    """Return x and y of every element: signifiers and other terms of all the text inside it."""
    is_signifier = signifiers.__contains__
    x = [sum(map(is_signifier, own)) if own else 0 for own in document.terms]
    y = [len(own) - found for own, found in zip(document.terms, x, strict=True)]
    for node in range(len(x) - 1, 0, -1):
        parent = document.parents[node]
        x[parent] += x[node]
        y[parent] += y[node]
    return x, y


def informative(
    document: Document[Term], signifiers: Mapping[Term, float], measure: Measure = informativeness
) -> Values:
    """Return the informativeness of every element of the significant paths."""
    x, y = counts(document, signifiers)
    if not x or not x[0]:
        return [0.0] * len(x)
    return [measure(own, other, x[0], y[0]) if own else 0.0 for own, other in zip(x, y, strict=True)]


def covering(document: Document[Term], signifiers: Mapping[Term, float]) -> Values:
    """Return the coverage (2.6) of every element: weights of its distinct signifiers over their number."""
    bits = {term: 1 << place for place, term in enumerate(signifiers)}
    held = [0] * len(document.types)
    for node in range(len(held) - 1, -1, -1):
        for term in document.terms[node]:
            held[node] |= bits.get(term, 0)
        if node:
            held[document.parents[node]] |= held[node]
    weighed = {mask: sum(weight for term, weight in signifiers.items() if bits[term] & mask) for mask in set(held)}
    return [weighed[mask] / max(1, len(signifiers)) for mask in held]


def rank(documents: Sequence[Document[Term]], values: Sequence[Values]) -> list[Pattern]:
    """Return the structural patterns of the significant paths, the most relevant first."""
    found: dict[tuple[str, int], Pattern] = {}
    for number, (document, own) in enumerate(zip(documents, values, strict=True)):
        here: dict[tuple[str, int], list[int]] = defaultdict(list)
        for node, value in enumerate(own):
            if value > 0:
                here[document.types[node], document.levels[node]].append(node)
        for key, nodes in here.items():
            pattern = found.setdefault(key, Pattern(*key))
            best = max(nodes, key=own.__getitem__)
            pattern.value += own[best]
            pattern.nodes[number], pattern.best[number] = nodes, best
    return sorted(found.values(), key=lambda pattern: (-pattern.relevance, -pattern.level, pattern.type))


def choose(ranked: Sequence[Pattern], documents: int) -> list[tuple[Pattern, int] | None]:
    """Return, for each document, the best pattern that it has, with its element there."""
    chosen: list[tuple[Pattern, int] | None] = [None] * documents
    missing = set(range(documents))
    for pattern in ranked:
        for number in missing & pattern.best.keys():
            chosen[number] = pattern, pattern.best[number]
        missing -= pattern.best.keys()
        if not missing:
            break
    return chosen
