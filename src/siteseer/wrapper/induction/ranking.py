"""Ranks candidate expressions: S = 6 ln F + 2.5 ln U + 3 ln A + 0.7 ln R.

F is the F-measure on marked pages, R the robustness prior, U the plausibility of the answers on unmarked pages, A the
agreement of the candidates about them. One vote for each distinct vector of answers: a swarm of equivalent positional
paths must not outvote the one label that is right.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from siteseer.wrapper.induction.element_tables import ElementTables
from siteseer.wrapper.induction.evaluate_on_tables import values
from siteseer.wrapper.induction.induced_xpath import Expression
from siteseer.wrapper.induction.scoring import FLOOR, Accuracy, Expected, plausibility

SURVIVORS = 150
"""Only the best by F and R are tried on unmarked pages."""


@dataclass(slots=True)
class Candidate:
    """An expression with its scores."""

    expression: Expression
    accuracy: Accuracy
    robustness: float
    plausibility: float = 1.0
    agreement: float = 1.0
    answers: list[tuple[str, ...]] = field(default_factory=list)

    @property
    def first_look(self) -> float:
        """Return the sort key that is used before unmarked pages are evaluated."""
        return 6 * math.log(max(self.accuracy.f, 1e-6)) + 0.5 * math.log(self.robustness)

    @property
    def score(self) -> float:
        """Return S."""
        seen = 2.5 * math.log(self.plausibility) + 3 * math.log(max(self.agreement, FLOOR))
        return 6 * math.log(max(self.accuracy.f, 1e-6)) + seen + 0.7 * math.log(self.robustness)


def ranked(candidates: Sequence[Candidate], unmarked: Sequence[ElementTables], expected: Expected) -> list[Candidate]:
    """Return the best candidates, best first."""
    best = sorted(candidates, key=lambda one: (-one.first_look, _length(one)))[:SURVIVORS]
    if unmarked:
        for one in best:
            one.answers = [values(view, one.expression) for view in unmarked]
            one.plausibility = plausibility(one.answers, expected)
        _agree(best, len(unmarked))
    return sorted(best, key=lambda one: (-one.score, _length(one)))


def _length(one: Candidate) -> int:
    return len(str(one.expression))


def _agree(candidates: Sequence[Candidate], pages: int) -> None:
    """Let distinct vectors of first answers vote on every page, and give each candidate its mean share of the votes."""
    groups: dict[tuple[str, ...], list[Candidate]] = {}
    for one in candidates:
        groups.setdefault(tuple(answer[0] if answer else "" for answer in one.answers), []).append(one)
    weights = {}
    for firsts, members in groups.items():
        anchors = set().union(*(one.expression.quotes for one in members))
        strongest = max(one.accuracy.f**6 * one.robustness * one.plausibility for one in members)
        weights[firsts] = strongest * (1 + 0.2 * min(5, len(anchors)))
    total = sum(weights.values()) or 1.0
    for firsts, members in groups.items():
        share = 0.0
        for page in range(pages):
            share += sum(weight for other, weight in weights.items() if other[page] == firsts[page]) / total
        for one in members:
            one.agreement = share / pages
