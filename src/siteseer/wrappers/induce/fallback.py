"""An expression that fails is better empty than wrong: then another one, standing on other anchors, answers for it."""

from __future__ import annotations

from collections.abc import Sequence

from siteseer.wrappers.induce.evaluate import values
from siteseer.wrappers.induce.score import Candidate
from siteseer.wrappers.induce.shortlist import WITHIN
from siteseer.wrappers.induce.view import View

OF_A_KIND = 0.6
"""Labels tend to change together, and so do names: a fallback of the other kind may have a lower score."""


def fallbacks(first: Candidate, candidates: Sequence[Candidate], views: Sequence[View]) -> list[Candidate]:
    """Return the candidates, best first, that say the same as the first on all pages but stand on other anchors."""
    own = anchors(first)
    answers = [values(view, first.expression) for view in views]
    same = [
        one
        for one in candidates
        if one.score > first.score - WITHIN
        and not anchors(one) & own
        and all(values(view, one.expression) == answer for view, answer in zip(views, answers, strict=True))
    ]
    starts_at_label = first.expression.label is not None
    return sorted(
        same, key=lambda one: -one.score + OF_A_KIND * ((one.expression.label is not None) == starts_at_label)
    )


def anchors(one: Candidate) -> frozenset[str]:
    """Return the names and texts on which an expression stands; its tags where it has none."""
    return one.expression.quotes or frozenset(move.test.tag for move in one.expression.moves)


def joined(first: str, other: str, is_record: bool = False) -> str:
    """Return one XPath for both: the other only where the first selects nothing.

    >>> joined("//b", "//i")
    '//b | //i[not(//b)]'
    >>> joined(".//b", ".//i", is_record=True)
    './/b | self::*[not(.//b)]//i'
    """
    return f"{first} | self::*[not({first})]{other[1:]}" if is_record else f"{first} | {other}[not({first})]"
