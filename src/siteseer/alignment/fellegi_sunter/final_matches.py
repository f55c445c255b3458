"""Accepts the final matches: mutually best candidates with a low false discovery rate.

An instance keeps the best of its candidates when it is also the best for that one, and when equally good pairs are
rare among decoys. Whether several instances of one source may be the same thing is read from the data: only where many
candidates that lost their place agree as well as winners do, the losers are matches too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.fellegi_sunter.candidate_pairs import best_candidates, logistic
from siteseer.alignment.fellegi_sunter.expectation_maximisation import estimate_scores
from siteseer.alignment.fellegi_sunter.field_agreement import agreement
from siteseer.alignment.paris.assignment import Assignment
from siteseer.alignment.paris.fixed_point import Round, Sides
from siteseer.alignment.source_statistics import SourceStatistics

AGREEING = 0.5
"""The share of possible evidence that a pair has which is taken for true at first."""
ENOUGH = 20
"""Pairs from which what is usual can be learned; with fewer, `AGREEING_LITTLE` decides."""
AGREEING_LITTLE = 0.25
LIKELY = 0.5
"""What is false as likely as not does not stand."""


@dataclass(frozen=True, slots=True)
class FinalMatches:
    """The accepted pairs of instances with their probability, and those among them that are one to one."""

    x: Ints
    y: Ints
    probability: Floats
    assigned: Assignment


def accepted_matches(given: Sides, last: Round, known: SourceStatistics) -> FinalMatches:
    """Return the candidates of the last round that are accepted as matches."""
    kept = best_candidates(last.pair, last.weight, given.instances[1])
    pair, weight = last.pair[kept], last.weight[kept]
    x, y = np.divmod(pair, max(given.instances[1], 1))
    share = _share(given, last, pair)
    chance = -np.expm1(-weight)
    start = np.where(share >= AGREEING, chance, 0.0)
    if start.sum() < ENOUGH:
        stands = (last.assigned.right_of[x] == y) & (share >= AGREEING_LITTLE)
        return FinalMatches(x[stands], y[stands], chance[stands], _only(last.assigned, x[stands], y[stands]))
    found = estimate_scores(given, last, known, (x, y), start)
    likely = logistic(found.odds) * (1 - found.doubt)
    won = likely > LIKELY
    stands = won | found.again
    probability = chance * np.where(won, likely, logistic(found.odds))
    return FinalMatches(x[stands], y[stands], probability[stands], _only(last.assigned, x[won], y[won], weight[won]))


def _share(given: Sides, last: Round, pair: Ints) -> Floats:
    there, possible = agreement(
        pair, [given.shared, last.linked], given.left, given.right, last.included.believed, given.instances[1]
    )
    return there / np.maximum(possible, 1e-9)


def _only(assigned: Assignment, x: Ints, y: Ints, weight: Floats | None = None) -> Assignment:
    right_of, left_of = np.full_like(assigned.right_of, -1), np.full_like(assigned.left_of, -1)
    right_of[x], left_of[y] = y, x
    weights = assigned.weight.copy()
    if weight is not None:
        weights[x] = weight
    return Assignment(right_of, left_of, weights)
