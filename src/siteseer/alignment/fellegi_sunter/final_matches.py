"""The last round in, the matches that stand out: candidates are judged by all that both sides know of them.

An instance keeps the best of its candidates when it is also the best for that one, and when what is as good is rarely
found where nothing can be right: within one side. Whether several instances of one side may be the same thing is read
from the data: only where many that lost their place agree as well as winners do, the losers are matches too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.align.agreement import agreement
from siteseer.align.assignment import Assignment
from siteseer.align.court import logistic
from siteseer.align.graph import Floats, Ints
from siteseer.align.iterate import Round, Sides
from siteseer.align.knowledge import Knowledge
from siteseer.align.siblings import best_candidates
from siteseer.align.trial import tried

AGREEING = 0.5
"""The share of possible evidence that a pair has which is taken for true at first."""
ENOUGH = 20
"""Pairs from which what is usual can be learned; with fewer, `AGREEING_LITTLE` decides."""
AGREEING_LITTLE = 0.25
LIKELY = 0.5
"""What is false as likely as not does not stand."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """Pairs of instances that stand, with their probability; and the part of them that is one to one."""

    x: Ints
    y: Ints
    probability: Floats
    assigned: Assignment


def judged(given: Sides, last: Round, known: Knowledge) -> Verdict:
    """Return which candidates of the last round stand."""
    kept = best_candidates(last.pair, last.weight, given.instances[1])
    pair, weight = last.pair[kept], last.weight[kept]
    x, y = np.divmod(pair, max(given.instances[1], 1))
    share = _share(given, last, pair)
    chance = -np.expm1(-weight)
    start = np.where(share >= AGREEING, chance, 0.0)
    if start.sum() < ENOUGH:
        stands = (last.assigned.right_of[x] == y) & (share >= AGREEING_LITTLE)
        return Verdict(x[stands], y[stands], chance[stands], _only(last.assigned, x[stands], y[stands]))
    found = tried(given, last, known, (x, y), start)
    likely = logistic(found.odds) * (1 - found.doubt)
    won = likely > LIKELY
    stands = won | found.again
    probability = chance * np.where(won, likely, logistic(found.odds))
    return Verdict(x[stands], y[stands], probability[stands], _only(last.assigned, x[won], y[won], weight[won]))


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
