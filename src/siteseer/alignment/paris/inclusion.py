"""Assigned instances in, contained relations out: equation E3 of PARIS.

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011:
Pr(r<=r') = sum over r(x,y) of (1 - prod over r'(x',y') of (1 - Pr(x=x') Pr(y=y'))), divided by the same sum with all
pairs x', y' in place of those of r': what the other side does not know at all does not count against the inclusion.
Differs: only the assignment is used, so x has one x' and the products run over the values equal to y.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from siteseer.align.assignment import Assignment
from siteseer.align.evidence import Relations
from siteseer.align.functionality import Edges
from siteseer.align.graph import Floats, Ints
from siteseer.align.sparse import Groups, counted, crossed, lookup, members, summed, within_budget

ROWS = 12_000_000
"""Pairs of facts looked at: instances with most facts are left out beyond."""
MOST_FACTS = 300
"""Facts of one instance that relations are judged by: of a country that everything lies in, not all."""
_BLOCK = 2_000_000


@dataclass(frozen=True, slots=True)
class Values:
    """Which nodes are equal: literals for ever, instances as they are assigned; ordered by `left`, then `right`."""

    left: Ints
    right: Ints
    probability: Floats
    keys: Ints
    width: int
    """Nodes on the right."""

    @classmethod
    def of(cls, left: Ints, right: Ints, probability: Floats, width: int) -> Values:
        """Put equal nodes in order; `width` is the number of nodes on the right."""
        keys = left * width + right
        order = np.argsort(keys, kind="stable")
        return cls(left[order], right[order], probability[order], keys[order], width)

    def equal(self, y: Ints, z: Ints) -> Floats:
        """Return the probability that y equals z, for each of them."""
        place, found = lookup(self.keys, y * self.width + z)
        return np.where(found, self.probability[place], 0.0) if len(self.keys) else np.zeros(len(y))


@dataclass(frozen=True, slots=True)
class Inclusion:
    """Pr(r <= r') for both directions, and the facts that each left or right relation was judged by."""

    believed: Relations
    left_support: Floats
    right_support: Floats


def included(left: Edges, right: Edges, assigned: Assignment, values: Values) -> Inclusion:
    """Return how far the relations contain each other, on the facts of assigned instances."""
    x, z, p = assigned.pairs()
    n, m = len(left.fun), len(right.fun)
    left, right = (replace(edges, by_source=edges.by_source.at_most(MOST_FACTS)) for edges in (left, right))
    used = within_budget(left.by_source.sizes[x] * right.by_source.sizes[z], ROWS)
    x, z, p = x[used], z[used], p[used]
    i, j, weight = _counterparts(left, right, x, z, p, values)
    within = _at_least_one(i * m + right.relation[j], weight, left.relation, m, n)
    contains = _at_least_one(j * n + left.relation[i], weight, right.relation, n, m).T
    known = _known(left, x, p, values.left, values.probability)
    known_right = _known(right, z, p, values.right, values.probability)
    return Inclusion(
        Relations(
            np.minimum(within / np.maximum(known, 1e-12)[:, None], 1.0),
            np.minimum(contains / np.maximum(known_right, 1e-12)[None, :], 1.0),
        ),
        known,
        known_right,
    )


def _counterparts(left: Edges, right: Edges, x: Ints, z: Ints, p: Floats, values: Values) -> tuple[Ints, Ints, Floats]:
    """Return the facts of x and z whose values are equal, and how probably both are; looked for block by block."""
    cost = np.cumsum(left.by_source.sizes[x] * right.by_source.sizes[z])
    parts = []
    for block in np.split(np.arange(len(x)), np.flatnonzero(np.diff(cost // _BLOCK)) + 1):
        i, j, k = crossed(left.by_source, x[block], right.by_source, z[block])
        equal = values.equal(left.target[i], right.target[j])
        there = equal > 0
        parts.append((i[there], j[there], (p[block][k] * equal)[there]))
    i, j, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    return i, j, weight


def _at_least_one(keys: Ints, weight: Floats, relation: Ints, width: int, relations: int) -> Floats:
    """Return for each two relations the facts with a counterpart; keys are fact * width + other relation."""
    key, logs = summed(keys, np.log1p(-np.minimum(weight, 1 - 1e-12)))
    fact, other = np.divmod(key, width)
    return counted(relation[fact] * width + other, -np.expm1(logs), relations * width).reshape(relations, width)


def _known(edges: Edges, x: Ints, p: Floats, y: Ints, equal: Floats) -> Floats:
    """Return for each relation how many facts of assigned instances have a value that the other side knows."""
    rows, k = members(edges.by_source, x)
    table = Groups.by(y, len(edges.by_source.start) - 1)
    match, row = members(table, edges.target[rows])
    key, logs = summed(row, np.log1p(-np.minimum(p[k][row] * equal[match], 1 - 1e-12)))
    return counted(edges.relation[rows[key]], -np.expm1(logs), len(edges.fun))
