"""Computes the positive evidence that instances are equal from shared values and neighbours (PARIS, equation E1).

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011:
Pr(x=x') = 1 - prod over r(x,y), r'(x',y') of (1 - Pr(r'<=r) fun^-1(r) Pr(y=y')) (1 - Pr(r<=r') fun^-1(r') Pr(y=y')).
Differs: a factor is never below `FLOOR`, so that the order of near-certain candidates is kept; products are sums of
logarithms; the values that most instances share (hubs) are left out when all pairs together would be too many. What an
instance says of its neighbour leaves out what that neighbour said of it in the round before: without this, a person and
an address that match wrongly, by a common word each, make each other certain.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.paris.assignment import Assignment
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.sparse_products import cross_groups, lookup, run_starts, sum_by_key, within_budget

FLOOR = 0.01
ROWS = 8_000_000
"""Shared values looked at in a round; a city that ten thousand people live in tells none of them apart."""
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class SharedValues:
    """Pairs of instances that share a value: who, by which relations, and how equal the values are; ordered by pair."""

    pair: Ints
    """x * (instances on the right) + x'."""
    relations: Ints
    """r * (relations on the right, both ways) + r'."""
    probability: Floats


@dataclass(frozen=True, slots=True)
class Relations:
    """Current probabilities that a left relation is contained in a right one, and the reverse."""

    within: Floats
    """Pr(r <= r'), a row for each left relation."""
    contains: Floats
    """Pr(r' <= r)."""


def shared_values(left: Edges, right: Edges, y: Ints, z: Ints, probability: Floats, instances: int) -> SharedValues:
    """Return who shares the values y = z; `instances` is the number of instances on the right."""
    cost = left.by_target.sizes[y] * right.by_target.sizes[z]
    used = np.flatnonzero((cost > 0) & within_budget(cost, ROWS))
    i, j, k = cross_groups(left.by_target, y[used], right.by_target, z[used])
    pair = left.source[i] * instances + right.source[j]
    relations = left.relation[i] * len(right.fun) + right.relation[j]
    order = np.argsort(pair, kind="stable")
    return SharedValues(pair[order], relations[order], probability[used][k][order])


def weights(left: Edges, right: Edges, believed: Relations) -> tuple[Floats, Floats]:
    """Return Pr(r'<=r) fun^-1(r) and Pr(r<=r') fun^-1(r') for each two relations r, r'."""
    return (
        (believed.contains * left.inverse_fun[:, None]).ravel(),
        (believed.within * right.inverse_fun[None, :]).ravel(),
    )


def evidence(shared: SharedValues, left: Edges, right: Edges, believed: Relations) -> tuple[Ints, Floats]:
    """Return the pairs of instances that have evidence, and -log(1 - Pr(x=x')) of each."""
    a, b = weights(left, right, believed)
    used = (a + b > 0)[shared.relations]
    pair, relations, p = shared.pair[used], shared.relations[used], shared.probability[used]
    weight = row_weights(relations, p, a, b)
    first = run_starts(pair)
    return pair[first], np.add.reduceat(weight, first) if len(first) else weight


def row_weights(relations: Ints, probability: Floats, a: Floats, b: Floats) -> Floats:
    """Return the evidence of each shared value: minus the logarithm of its two factors."""
    weight = np.empty(len(relations))
    for start in range(0, len(relations), _BLOCK):
        part = slice(start, start + _BLOCK)
        r, p = relations[part], probability[part]
        weight[part] = -np.log(np.maximum(1 - a[r] * p, FLOOR)) - np.log(np.maximum(1 - b[r] * p, FLOOR))
    return weight


def sum_evidence(parts: list[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """Return the sum of several pieces of evidence."""
    return sum_by_key(np.concatenate([pair for pair, _ in parts]), np.concatenate([weight for _, weight in parts]))


@dataclass(frozen=True, slots=True)
class LinkEvidence:
    """The evidence that instances gave their neighbours in a round, by pair of edges (as one number); in order."""

    edges: Ints
    weight: Floats


SILENCE = LinkEvidence(np.empty(0, np.int64), np.empty(0))


def link_evidence(
    left: Edges, right: Edges, assigned: Assignment, believed: Relations, before: LinkEvidence
) -> tuple[SharedValues, LinkEvidence]:
    """Return which pairs share instances that are assigned to each other, and the evidence for each pair."""
    y, z, _ = assigned.pairs()
    cost = left.by_target.sizes[y] * right.by_target.sizes[z]
    used = np.flatnonzero((cost > 0) & within_budget(cost, ROWS))
    i, j, k = cross_groups(left.by_target, y[used], right.by_target, z[used])
    place, heard = lookup(before.edges, left.inverse[i] * len(right.source) + right.inverse[j])
    echo = np.where(heard, before.weight[place], 0.0) if len(before.edges) else 0.0
    probability = -np.expm1(-np.maximum(assigned.weight[y[used]][k] - echo, 0.0))
    pair = left.source[i] * len(assigned.left_of) + right.source[j]
    relations = left.relation[i] * len(right.fun) + right.relation[j]
    said = i * len(right.source) + j
    weight = row_weights(relations, probability, *weights(left, right, believed))
    by_edges, by_pair = np.argsort(said), np.argsort(pair, kind="stable")
    return (
        SharedValues(pair[by_pair], relations[by_pair], probability[by_pair]),
        LinkEvidence(said[by_edges], weight[by_edges]),
    )
