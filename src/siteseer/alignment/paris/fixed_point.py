"""Two graphs in, assigned instances and contained relations out: the fixed point of PARIS.

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011. Differs: an instance is assigned only where it is
also the best of its best; relations below `LEAST` are dropped whatever theta is, so that theta does not decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from siteseer.align.assignment import Assignment, mutual_best, nobody
from siteseer.align.evidence import Relations, Shared, evidence, shared_values, together
from siteseer.align.functionality import Edges
from siteseer.align.graph import Floats, Ints
from siteseer.align.inclusion import Inclusion, Values, included
from siteseer.align.links import SILENCE, linked
from siteseer.align.literals import Equal
from siteseer.align.model import Settings
from siteseer.align.negative import weakened

LEAST = 0.1
"""Relations that contain each other less than this are no longer compared."""
SETTLED = 0.002
"""The share of assignments that may differ from the last round, or the one before it, in a round that ends it all: what
has no counterpart at all may swing between two others for ever."""
DAMPED_AFTER = 6
"""Rounds after which the mean of the last two beliefs is taken, should it swing."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sides, numbered, and the literals that are equal."""

    left: Edges
    right: Edges
    instances: tuple[int, int]
    nodes: tuple[int, int]
    literals: Equal
    """Nodes, not places in the list of literals."""
    shared: Shared
    """Who shares literals."""


@dataclass(frozen=True, slots=True)
class Round:
    """What is believed after a round."""

    number: int
    linked: Shared
    """Who shares instances."""
    pair: Ints
    weight: Floats
    """The candidates, and -log(1 - Pr) of each."""
    assigned: Assignment
    included: Inclusion
    settled: bool


def sides(left: Edges, right: Edges, instances: tuple[int, int], nodes: tuple[int, int], literals: Equal) -> Sides:
    """Bring both sides together; literals are given as places in the lists of literals."""
    y, z = literals.left + instances[0], literals.right + instances[1]
    used = literals.probability > 0
    shared = shared_values(left, right, y[used], z[used], literals.probability[used], instances[1])
    return Sides(left, right, instances, nodes, Equal(y, z, literals.probability, literals.similarity), shared)


def rounds(given: Sides, first: Relations, settings: Settings) -> Iterator[Round]:
    """Yield round after round, until nothing much changes or there were too many."""
    believed, said = first, SILENCE
    before = earlier = nobody(*given.instances)
    for number in range(1, settings.rounds + 1):
        shared, said = linked(given.left, given.right, before, believed, said)
        pair, weight = together([evidence(part, given.left, given.right, believed) for part in (given.shared, shared)])
        if settings.negative and number > 1:
            known = Values.of(given.literals.left, given.literals.right, given.literals.similarity, given.nodes[1])
            weight = weakened(pair, weight, given.left, given.right, believed, known, given.instances[1])
        assigned = mutual_best(pair, weight, *given.instances)
        found = included(given.left, given.right, assigned, values(given, assigned))
        settled = number > 1 and min(assigned.change(before), assigned.change(earlier)) <= SETTLED
        yield Round(number, shared, pair, weight, assigned, found, settled)
        if settled:
            return
        believed = _next(found.believed, believed, number)
        before, earlier = assigned, before


def values(given: Sides, assigned: Assignment) -> Values:
    """Return which nodes are equal: literals, and the instances assigned to each other."""
    x, z, p = assigned.pairs()
    return Values.of(
        np.concatenate((x, given.literals.left)),
        np.concatenate((z, given.literals.right)),
        np.concatenate((p, given.literals.probability)),
        given.nodes[1],
    )


def _next(found: Relations, before: Relations, number: int) -> Relations:
    def kept(new: Floats, old: Floats) -> Floats:
        mixed = (new + old) / 2 if number >= DAMPED_AFTER else new
        return np.where(mixed >= LEAST, mixed, 0.0)

    return Relations(kept(found.within, before.within), kept(found.contains, before.contains))
