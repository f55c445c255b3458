"""Computes which relations (PARIS, equation E3) and classes (E4) are contained in those of the other source.

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011.
Relations: Pr(r<=r') = sum over r(x,y) of (1 - prod over r'(x',y') of (1 - Pr(x=x') Pr(y=y'))), divided by the same sum
with all pairs x', y' in place of those of r': what the other side does not know at all does not count against the
inclusion. Differs: only the assignment is used, so x has one x' and the products run over the values equal to y.
Classes, once at the end: Pr(c <= c') is the share of the members of c that equal a member of c'. Sources rarely cover
each other, so the share among those members that equal anything is told too.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from siteseer.alignment.alignment_model import Match
from siteseer.alignment.fact_graph import Floats, Graph, Ints
from siteseer.alignment.paris.assignment import Assignment
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.paris.instance_evidence import Relations
from siteseer.alignment.sparse_products import (
    Groups,
    cross_groups,
    lookup,
    members,
    sum_by_key,
    weighted_counts,
    within_budget,
)

ROWS = 12_000_000
"""Pairs of facts looked at: instances with most facts are left out beyond."""
MOST_FACTS = 300
"""Facts of one instance that relations are judged by: of a country that everything lies in, not all."""
_BLOCK = 2_000_000
LEAST = 0.1


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


def inclusion_of_relations(left: Edges, right: Edges, assigned: Assignment, values: Values) -> Inclusion:
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
        i, j, k = cross_groups(left.by_source, x[block], right.by_source, z[block])
        equal = values.equal(left.target[i], right.target[j])
        there = equal > 0
        parts.append((i[there], j[there], (p[block][k] * equal)[there]))
    i, j, weight = (np.concatenate(column) for column in zip(*parts, strict=True))
    return i, j, weight


def _at_least_one(keys: Ints, weight: Floats, relation: Ints, width: int, relations: int) -> Floats:
    """Return for each two relations the facts with a counterpart; keys are fact * width + other relation."""
    key, logs = sum_by_key(keys, np.log1p(-np.minimum(weight, 1 - 1e-12)))
    fact, other = np.divmod(key, width)
    return weighted_counts(relation[fact] * width + other, -np.expm1(logs), relations * width).reshape(relations, width)


def _known(edges: Edges, x: Ints, p: Floats, y: Ints, equal: Floats) -> Floats:
    """Return for each relation how many facts of assigned instances have a value that the other side knows."""
    rows, k = members(edges.by_source, x)
    table = Groups.by(y, len(edges.by_source.start) - 1)
    match, row = members(table, edges.target[rows])
    key, logs = sum_by_key(row, np.log1p(-np.minimum(p[k][row] * equal[match], 1 - 1e-12)))
    return weighted_counts(edges.relation[rows[key]], -np.expm1(logs), len(edges.fun))


def contained_classes(one: Graph, two: Graph, x: Ints, y: Ints, p: Floats) -> tuple[Match, ...]:
    """Return the classes that are contained in classes of the other side, best first."""
    found = [
        *_contained(one, two, x, y, p, "<"),
        *_contained(two, one, y, x, p, ">"),
    ]
    return tuple(sorted(found, key=lambda match: (-match.probability, match.direction, match.left, match.right)))


def _contained(one: Graph, two: Graph, x: Ints, y: Ints, p: Floats, direction: Literal["<", ">"]) -> Iterator[Match]:
    if not one.classes or not two.classes:
        return
    of_left, of_right = Groups.by(one.member, len(one.instances)), Groups.by(two.member, len(two.instances))
    j, k = members(of_right, y)
    width = len(two.classes)
    key, logs = sum_by_key(x[k] * width + two.class_[j], np.log1p(-np.minimum(p[k], 1 - 1e-12)))
    member, other = np.divmod(key, width)
    i, k = members(of_left, member)
    key, share = sum_by_key(one.class_[i] * width + other[k], -np.expm1(logs)[k])
    sizes = np.bincount(one.class_, minlength=len(one.classes))
    matched = np.bincount(one.class_[np.isin(one.member, x)], minlength=len(one.classes))
    for c, d, equal in zip(*np.divmod(key, width), share.tolist(), strict=True):
        if equal >= LEAST * sizes[c]:
            names = (one.classes[c], two.classes[d]) if direction == "<" else (two.classes[d], one.classes[c])
            among = min(equal / max(int(matched[c]), 1), 1.0)
            yield Match("class", *names, min(equal / int(sizes[c]), 1.0), int(matched[c]), direction, among)
