"""Scores an expression: by F-measure on marked pages, by plausibility of its values on unmarked ones."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.evaluate_on_tables import evaluate, reader
from siteseer.wrapper.induction.induced_xpath import Expression

MISSING = 0.3
"""What an empty answer is worth where the attribute is missing on a marked page too."""
FLOOR = 0.02


@dataclass(frozen=True, slots=True)
class Example:
    """A marked page: the values wanted there, none where the attribute is absent; their nodes if those were marked."""

    view: ElementTables
    wanted: frozenset[str]
    nodes: frozenset[int] | None = None


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Precision and recall over the marked pages, and the weight of recall (beta)."""

    precision: float
    recall: float
    beta: float = 1.0

    @property
    def f(self) -> float:
        """Return the F-measure: the harmonic mean, weighted.

        >>> Accuracy(0.5, 1.0).f < Accuracy(0.5, 1.0, beta=2).f
        True
        """
        square = self.beta**2
        both = square * self.precision + self.recall
        return (1 + square) * self.precision * self.recall / both if both else 0.0


def accuracy(expression: Expression, examples: Sequence[Example], beta: float = 1.0) -> Accuracy:
    """Compare the values that an expression selects with the marks; every page counts the same."""
    precisions, recalls = [], []
    for example in examples:
        found = evaluate(example.view, expression)
        right, share = _right(example, expression, found)
        if found:
            precisions.append(right / len(found))
        if example.wanted:
            recalls.append(share)
    return Accuracy(_mean(precisions), _mean(recalls), beta)


def _right(example: Example, expression: Expression, found: tuple[int, ...]) -> tuple[int, float]:
    """Return how many of the found nodes are right, and which share of the wanted ones is among them."""
    if example.nodes is not None:
        right = len(example.nodes.intersection(found))
        return right, right / max(1, len(example.nodes))
    read = reader(example.view, expression.leaf)
    hits = [value for one in found if (value := read(one)) in example.wanted]
    return len(hits), len(set(hits)) / max(1, len(example.wanted))


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


@lru_cache(maxsize=20_000)
def shape(value: str) -> tuple[float, float, float, float]:
    """Return the logarithm of a value's length, and its shares of digits, letters and punctuation."""
    size = max(1, len(value))
    digits, letters = sum(map(str.isdigit, value)), sum(map(str.isalpha, value))
    spaces = value.count(" ")
    return math.log(size), digits / size, letters / size, (len(value) - digits - letters - spaces) / size


def shape_similarity(value: str, known: Iterable[str]) -> float:
    """Return the similarity of a value to the nearest of known ones, from 0 to 1.

    >>> shape_similarity("9780805087444", ["9780312370848"]) > 0.99 > shape_similarity("see all", ["9780312370848"])
    True
    """
    a = shape(value)
    return max((_near(a, shape(one)) for one in known), default=0.0)


def _near(a: tuple[float, ...], b: tuple[float, ...]) -> float:
    weights = (0.5, 1.5, 1.0, 1.0)
    return math.exp(-sum(weight * abs(x - y) for weight, x, y in zip(weights, a, b, strict=True)))


@dataclass(frozen=True, slots=True)
class Expected:
    """The expectations for other pages that follow from the marks."""

    values: tuple[str, ...]
    missing: float
    """What an empty answer is worth."""
    most: int
    """How many values a page shows, at most."""
    differs: bool
    """Whether the marked pages show different values."""

    @classmethod
    def by(cls, examples: Sequence[Example]) -> Expected:
        """Derive the expectations from the marks."""
        sets = [one.wanted for one in examples]
        shown = [one for one in sets if one]
        return cls(
            tuple(sorted(set().union(*sets))),
            MISSING if len(shown) < len(sets) else 0.0,
            max(map(len, shown), default=0),
            len(set(shown)) > 1,
        )


def plausibility(answers: Sequence[tuple[str, ...]], expected: Expected) -> float:
    """Return U: how much the answers on unmarked pages look like one value of this attribute a page."""
    total, firsts = 0.0, []
    for answer in answers:
        distinct = list(dict.fromkeys(answer))
        if not distinct:
            total += expected.missing
            continue
        firsts.append(distinct[0])
        few = 0.8 if expected.most > 1 and len(distinct) <= max(3, 2 * expected.most) else 1 / len(distinct)
        total += (1.0 if len(distinct) == 1 else few) * (0.4 + 0.6 * shape_similarity(distinct[0], expected.values))
    share = total / len(answers)
    if expected.differs and len(firsts) >= 4 and len(set(firsts)) == 1:
        share *= 0.4
    return max(FLOOR, share)
