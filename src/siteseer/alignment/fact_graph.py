"""Compiles facts into a graph of integer arrays, so that PARIS can process a million facts with numpy."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from siteseer.alignment.alignment_model import TYPE_RELATIONS, Fact
from siteseer.errors import SiteseerError

Ints = npt.NDArray[np.int64]
Floats = npt.NDArray[np.float64]

LONGEST_LITERAL = 2_000
"""Characters of a text that are compared; nobody tells two things apart by what comes later."""
MOST_RELATIONS = 3_000
"""Relations of one side, inverses counted: every one is compared with every one of the other side."""


@dataclass(frozen=True, slots=True)
class Graph:
    """An ontology. Nodes are numbered: first the instances, in the order of their names, then the literals."""

    instances: list[str]
    literals: list[str]
    relations: list[str]
    """Names; relation `r` read backwards has the number `r + len(relations)`."""
    subject: Ints
    relation: Ints
    object: Ints
    """One entry per fact; an object is a node."""
    classes: list[str]
    member: Ints
    class_: Ints
    """One entry per instance and class that it belongs to."""

    @property
    def nodes(self) -> int:
        """How many instances and literals there are."""
        return len(self.instances) + len(self.literals)


def compile_graph(facts: Iterable[Fact]) -> Graph:
    """Number the parts of facts; empty texts and repeated facts are dropped.

    >>> graph = compile_graph([Fact("b", "title", "Hamlet", True), Fact("b", "title", " ", True), Fact("b", "by", "w")])
    >>> graph.instances, graph.literals, graph.relations
    (['b', 'w'], ['Hamlet'], ['by', 'title'])
    """
    instances: dict[str, int] = {}
    literals: dict[str, int] = {}
    relations: dict[str, int] = {}
    classes: dict[str, int] = {}
    triples = array("q")
    members: set[tuple[int, int]] = set()
    for subject, relation, value, literal in facts:
        if not literal and relation in TYPE_RELATIONS:
            members.add((instances.setdefault(subject, len(instances)), classes.setdefault(value, len(classes))))
            continue
        if literal:
            value = value[:LONGEST_LITERAL].strip()
            if not value:
                continue
            target = -1 - literals.setdefault(value, len(literals))
        else:
            target = instances.setdefault(value, len(instances))
        source = instances.setdefault(subject, len(instances))
        triples.extend((source, relations.setdefault(relation, len(relations)), target))
    if 2 * len(relations) > MOST_RELATIONS:
        raise SiteseerError(
            f"there are {len(relations):,} different relations; at most {MOST_RELATIONS // 2:,} can be aligned: "
            "leave out those that say nothing"
        )
    return _numbered(instances, literals, relations, classes, triples, members)


def _numbered(
    instances: dict[str, int],
    literals: dict[str, int],
    relations: dict[str, int],
    classes: dict[str, int],
    triples: array[int],
    members: set[tuple[int, int]],
) -> Graph:
    """Number again in the order of names, so that the order of the facts does not matter."""
    rank = {
        name: _ranks(table) for name, table in (("i", instances), ("l", literals), ("r", relations), ("c", classes))
    }
    rows = np.array(triples, np.int64).reshape(-1, 3)
    is_literal = rows[:, 2] < 0
    target = np.empty(len(rows), np.int64)
    target[~is_literal] = rank["i"][rows[~is_literal, 2]]
    target[is_literal] = rank["l"][-1 - rows[is_literal, 2]] + len(instances)
    subject, relation = rank["i"][rows[:, 0]], rank["r"][rows[:, 1]]
    order = np.lexsort((target, relation, subject))
    ordered = np.stack((subject, relation, target))[:, order]
    order = order[np.concatenate(([True], (ordered[:, 1:] != ordered[:, :-1]).any(axis=0)))[: len(order)]]
    belongs = np.array(sorted(members), np.int64).reshape(-1, 2)
    return Graph(
        sorted(instances),
        sorted(literals),
        sorted(relations),
        subject[order],
        relation[order],
        target[order],
        sorted(classes),
        rank["i"][belongs[:, 0]],
        rank["c"][belongs[:, 1]],
    )


def _ranks(table: dict[str, int]) -> Ints:
    """Return the new number of each old one."""
    ranks = np.empty(len(table), np.int64)
    ranks[[table[name] for name in sorted(table)]] = np.arange(len(table))
    return ranks
