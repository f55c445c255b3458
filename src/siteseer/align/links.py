"""Assigned instances in, what follows for their neighbours out: what is linked to equal instances is more likely equal.

Differs from PARIS: what an instance says of its neighbour leaves out what that neighbour said of it in the round
before. Without this, a person and an address that match wrongly, by a common word each, make each other certain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.align.assignment import Assignment
from siteseer.align.evidence import ROWS, Relations, Shared, row_weights, weights
from siteseer.align.functionality import Edges
from siteseer.align.graph import Floats, Ints
from siteseer.align.sparse import crossed, lookup, within_budget


@dataclass(frozen=True, slots=True)
class Said:
    """What instances said of their neighbours in a round: two edges, as one number, and the evidence; in order."""

    edges: Ints
    weight: Floats


SILENCE = Said(np.empty(0, np.int64), np.empty(0))


def linked(left: Edges, right: Edges, assigned: Assignment, believed: Relations, before: Said) -> tuple[Shared, Said]:
    """Return who shares instances that are assigned to each other, and what that says of each."""
    y, z, _ = assigned.pairs()
    cost = left.by_target.sizes[y] * right.by_target.sizes[z]
    used = np.flatnonzero((cost > 0) & within_budget(cost, ROWS))
    i, j, k = crossed(left.by_target, y[used], right.by_target, z[used])
    place, heard = lookup(before.edges, left.inverse[i] * len(right.source) + right.inverse[j])
    echo = np.where(heard, before.weight[place], 0.0) if len(before.edges) else 0.0
    probability = -np.expm1(-np.maximum(assigned.weight[y[used]][k] - echo, 0.0))
    pair = left.source[i] * len(assigned.left_of) + right.source[j]
    relations = left.relation[i] * len(right.fun) + right.relation[j]
    said = i * len(right.source) + j
    weight = row_weights(relations, probability, *weights(left, right, believed))
    by_edges, by_pair = np.argsort(said), np.argsort(pair, kind="stable")
    return (
        Shared(pair[by_pair], relations[by_pair], probability[by_pair]),
        Said(said[by_edges], weight[by_edges]),
    )
