"""Measures how far candidate pairs agree: the evidence that was found as a share of the evidence that was possible.

Positive evidence alone calls two people one when they share a telephone; what else is known of both may say otherwise.
Of every two relations that are believed to say the same, and that both instances have, the best pair of values counts.
"""

from __future__ import annotations

import numpy as np

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.paris.instance_evidence import Relations, SharedValues, row_weights, weights
from siteseer.alignment.sparse_products import Groups, cross_groups, distinct, lookup, run_starts, weighted_counts

_BLOCK = 50_000
Compared = tuple[Edges, Edges, tuple[Groups, Ints], tuple[Groups, Ints], Floats, Floats]
"""Both sides, the relations of their nodes, and what each two relations weigh."""


def agreement(
    pair: Ints, shared: list[SharedValues], left: Edges, right: Edges, believed: Relations, instances: int
) -> tuple[Floats, Floats]:
    """Return for each of the ordered pairs the evidence that was found, and the evidence that was possible."""
    sides = left, right, _relations(left), _relations(right), *weights(left, right, believed)
    blocks = np.array_split(pair, len(pair) // _BLOCK + 1)
    found = [_of_block(block, [_within(part, block) for part in shared], sides, instances) for block in blocks]
    return np.concatenate([there for there, _ in found]), np.concatenate([possible for _, possible in found])


def _within(shared: SharedValues, block: Ints) -> SharedValues:
    """Return what the pairs of a block share."""
    first, last = np.searchsorted(shared.pair, (block[0], block[-1] + 1)) if len(block) else (0, 0)
    return SharedValues(shared.pair[first:last], shared.relations[first:last], shared.probability[first:last])


def _of_block(pair: Ints, shared: list[SharedValues], sides: Compared, instances: int) -> tuple[Floats, Floats]:
    _, right, one, two, a, b = sides
    rows = [_best(part, pair, len(a)) for part in shared]
    keys = np.concatenate([key for key, _ in rows])
    p = np.concatenate([value for _, value in rows])
    k, r = np.divmod(keys, len(a))
    there = weighted_counts(k, row_weights(r, p, a, b), len(pair))
    x, y = np.divmod(pair, instances)
    i, j, k = cross_groups(one[0], x, two[0], y)
    r = one[1][i] * len(right.fun) + two[1][j]
    possible = weighted_counts(k, row_weights(r, np.ones(len(r)), a, b), len(pair))
    return there, possible


def _best(shared: SharedValues, pair: Ints, width: int) -> tuple[Ints, Floats]:
    """Return the best value shared by each pair through each two relations: place of the pair * width + relations."""
    place, found = lookup(pair, shared.pair)
    keys = place[found] * width + shared.relations[found]
    order = np.lexsort((-shared.probability[found], keys))
    first = run_starts(keys[order])
    return keys[order][first], shared.probability[found][order][first]


def _relations(edges: Edges) -> tuple[Groups, Ints]:
    """Return the distinct relations of each node."""
    n = len(edges.fun)
    keys = distinct(edges.source * n + edges.relation)
    return Groups.by(keys // n, len(edges.by_source.start) - 1), keys % n
