"""Computes the functionality of relations and of their inverses (PARIS).

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011. The functionality of a relation is the harmonic
mean over its subjects of 1 / number of objects: distinct subjects / pairs. That of its inverse, distinct objects /
pairs, says how well a value tells who has it: near 1 for a telephone number, near 0 for a city.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.alignment.fact_graph import Floats, Graph, Ints
from siteseer.alignment.sparse_products import Groups, distinct


@dataclass(frozen=True, slots=True)
class Edges:
    """Every fact read forwards and, between instances, backwards: `source -relation-> target`."""

    source: Ints
    relation: Ints
    target: Ints
    inverse: Ints
    """The number of the edge read the other way; -1 where it ends at a literal."""
    by_source: Groups
    by_target: Groups
    fun: Floats
    """Functionality by relation; `r + n` is `r` read backwards."""
    inverse_fun: Floats


def edges(graph: Graph) -> Edges:
    """Return the edges of a graph and the functionality of its relations, both ways.

    >>> from siteseer.alignment.fact_graph import compile_graph
    >>> from siteseer.alignment.alignment_model import Fact
    >>> graph = compile_graph([Fact("d", "created", "b1"), Fact("d", "created", "b2")])
    >>> edges(graph).fun.tolist(), edges(graph).inverse_fun.tolist()
    ([0.5, 1.0], [1.0, 0.5])
    """
    n = len(graph.relations)
    between = graph.object < len(graph.instances)
    source = np.concatenate((graph.subject, graph.object[between]))
    relation = np.concatenate((graph.relation, graph.relation[between] + n))
    target = np.concatenate((graph.object, graph.subject[between]))
    inverse = np.full(len(source), -1)
    inverse[: len(between)][between] = np.arange(len(between), len(source))
    inverse[len(between) :] = np.flatnonzero(between)
    forward = functionality(graph.relation, graph.subject, n, graph.nodes)
    backward = functionality(graph.relation, graph.object, n, graph.nodes)
    return Edges(
        source,
        relation,
        target,
        inverse,
        Groups.by(source, graph.nodes),
        Groups.by(target, graph.nodes),
        np.concatenate((forward, backward)),
        np.concatenate((backward, forward)),
    )


def functionality(relation: Ints, first: Ints, relations: int, nodes: int) -> Floats:
    """Return for each relation the number of distinct first nodes by the number of pairs."""
    pairs = np.bincount(relation, minlength=relations)
    pairs_of = distinct(relation * nodes + first) // nodes
    return np.bincount(pairs_of, minlength=relations) / np.maximum(pairs, 1)
