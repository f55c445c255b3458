"""Equal values in, equal instances out: the positive evidence of PARIS, equation E1.

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011:
Pr(x=x') = 1 - prod over r(x,y), r'(x',y') of (1 - Pr(r'<=r) fun^-1(r) Pr(y=y')) (1 - Pr(r<=r') fun^-1(r') Pr(y=y')).
Differs: a factor is never below `FLOOR`, so that the order of near-certain candidates is kept; products are sums of
logarithms; the values that most instances share (hubs) are left out when all pairs together would be too many.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.align.functionality import Edges
from siteseer.align.graph import Floats, Ints
from siteseer.align.sparse import crossed, firsts, summed, within_budget

FLOOR = 0.01
ROWS = 8_000_000
"""Shared values looked at in a round; a city that ten thousand people live in tells none of them apart."""
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class Shared:
    """Pairs of instances that share a value: who, by which relations, and how equal the values are; ordered by pair."""

    pair: Ints
    """x * (instances on the right) + x'."""
    relations: Ints
    """r * (relations on the right, both ways) + r'."""
    probability: Floats


@dataclass(frozen=True, slots=True)
class Relations:
    """What is believed of relations: the probability that a left one is contained in a right one, and the reverse."""

    within: Floats
    """Pr(r <= r'), a row for each left relation."""
    contains: Floats
    """Pr(r' <= r)."""


def shared_values(left: Edges, right: Edges, y: Ints, z: Ints, probability: Floats, instances: int) -> Shared:
    """Return who shares the values y = z; `instances` is the number of instances on the right."""
    cost = left.by_target.sizes[y] * right.by_target.sizes[z]
    used = np.flatnonzero((cost > 0) & within_budget(cost, ROWS))
    i, j, k = crossed(left.by_target, y[used], right.by_target, z[used])
    pair = left.source[i] * instances + right.source[j]
    relations = left.relation[i] * len(right.fun) + right.relation[j]
    order = np.argsort(pair, kind="stable")
    return Shared(pair[order], relations[order], probability[used][k][order])


def weights(left: Edges, right: Edges, believed: Relations) -> tuple[Floats, Floats]:
    """Return Pr(r'<=r) fun^-1(r) and Pr(r<=r') fun^-1(r') for each two relations r, r'."""
    return (
        (believed.contains * left.inverse_fun[:, None]).ravel(),
        (believed.within * right.inverse_fun[None, :]).ravel(),
    )


def evidence(shared: Shared, left: Edges, right: Edges, believed: Relations) -> tuple[Ints, Floats]:
    """Return the pairs of instances that have evidence, and -log(1 - Pr(x=x')) of each."""
    a, b = weights(left, right, believed)
    used = (a + b > 0)[shared.relations]
    pair, relations, p = shared.pair[used], shared.relations[used], shared.probability[used]
    weight = row_weights(relations, p, a, b)
    first = firsts(pair)
    return pair[first], np.add.reduceat(weight, first) if len(first) else weight


def row_weights(relations: Ints, probability: Floats, a: Floats, b: Floats) -> Floats:
    """Return the evidence of each shared value: minus the logarithm of its two factors."""
    weight = np.empty(len(relations))
    for start in range(0, len(relations), _BLOCK):
        part = slice(start, start + _BLOCK)
        r, p = relations[part], probability[part]
        weight[part] = -np.log(np.maximum(1 - a[r] * p, FLOOR)) - np.log(np.maximum(1 - b[r] * p, FLOOR))
    return weight


def together(parts: list[tuple[Ints, Floats]]) -> tuple[Ints, Floats]:
    """Return the sum of several pieces of evidence."""
    return summed(np.concatenate([pair for pair, _ in parts]), np.concatenate([weight for _, weight in parts]))
