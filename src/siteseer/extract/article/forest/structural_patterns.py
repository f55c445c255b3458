"""Documents and their signifiers in, ranked structural patterns out: where the sample keeps its articles.

Reference: the thesis, Algorithms 3 and 4, formulas 2.5 to 2.7. Differs: of several elements with one pattern on a page
the best counts; a page that lacks the winner takes the best pattern that it has.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from siteseer.extract.forest.document import Document
from siteseer.extract.forest.measures import Measure, informativeness

Term = TypeVar("Term", bound=Hashable)
Values = list[float]
"""By element; 0 off the significant paths."""


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
