"""Iterates the equations of PARIS to their fixed point: assigned instances and contained relations.

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011. Differs: an instance is assigned only where it is
also the best of its best; relations below `LEAST` are dropped whatever theta is, so that theta does not decide.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from siteseer.alignment.alignment_model import Settings
from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.literals.literal_pairs import EqualLiterals
from siteseer.alignment.paris.assignment import Assignment, empty_assignment, mutual_best
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.paris.inclusion import Inclusion, Values
from siteseer.alignment.paris.inclusion import inclusion_of_relations as included
from siteseer.alignment.paris.instance_evidence import (
    SILENCE,
    Relations,
    SharedValues,
    evidence,
    shared_values,
    sum_evidence,
)
from siteseer.alignment.paris.instance_evidence import link_evidence as linked
from siteseer.alignment.paris.negative_evidence import apply_negative_evidence
from siteseer.work_progress import tell_progress

LEAST = 0.1
"""Relations that contain each other less than this are no longer compared."""
SETTLED = 0.002
"""The share of assignments that may differ from the last round, or the one before it, in a round that ends it all: what
has no counterpart at all may swing between two others for ever."""
DAMPED_AFTER = 6
"""Rounds after which the mean of the last two beliefs is taken, should it swing."""


@dataclass(frozen=True, slots=True)
class Sides:
    """The two sources as graphs, numbered, and the literals that are equal."""

    left: Edges
    right: Edges
    instances: tuple[int, int]
    nodes: tuple[int, int]
    literals: EqualLiterals
    """Nodes, not places in the list of literals."""
    shared: SharedValues
    """Who shares literals."""


@dataclass(frozen=True, slots=True)
class Round:
    """The state after a round: assigned instances and contained relations."""

    number: int
    linked: SharedValues
    """Who shares instances."""
    pair: Ints
    weight: Floats
    """The candidates, and -log(1 - Pr) of each."""
    assigned: Assignment
    included: Inclusion
    settled: bool


def join_sides(
    left: Edges, right: Edges, instances: tuple[int, int], nodes: tuple[int, int], literals: EqualLiterals
) -> Sides:
    """Join both sources; literals are given as positions in the lists of literals."""
    y, z = literals.left + instances[0], literals.right + instances[1]
    used = literals.probability > 0
    shared = shared_values(left, right, y[used], z[used], literals.probability[used], instances[1])
    return Sides(left, right, instances, nodes, EqualLiterals(y, z, literals.probability, literals.similarity), shared)


def rounds(given: Sides, first: Relations, settings: Settings) -> Iterator[Round]:
    """Yield round after round, until it converges or the limit of rounds is reached."""
    believed, said = first, SILENCE
    before = earlier = empty_assignment(*given.instances)
    for number in range(1, settings.rounds + 1):
        shared, said = linked(given.left, given.right, before, believed, said)
        pair, weight = sum_evidence(
            [evidence(part, given.left, given.right, believed) for part in (given.shared, shared)]
        )
        if settings.negative and number > 1:
            known = Values.of(given.literals.left, given.literals.right, given.literals.similarity, given.nodes[1])
            weight = apply_negative_evidence(
                pair, weight, (given.left, given.right), believed, known, given.instances[1]
            )
        assigned = mutual_best(pair, weight, *given.instances)
        found = included(given.left, given.right, assigned, equal_nodes(given, assigned))
        settled = number > 1 and min(assigned.change(before), assigned.change(earlier)) <= SETTLED
        tell_progress(f"round {number} of at most {settings.rounds}", number, settings.rounds)
        yield Round(number, shared, pair, weight, assigned, found, settled)
        if settled:
            return
        believed = _next(found.believed, believed, number)
        before, earlier = assigned, before


def equal_nodes(given: Sides, assigned: Assignment) -> Values:
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
