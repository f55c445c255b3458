"""Groups instances by type: by their classes or, where a source states none, by the relations that they have."""

from __future__ import annotations

import numpy as np

from siteseer.alignment.fact_graph import Graph, Ints
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.sparse_products import run_starts

MOST = 50
"""Kinds that are told apart."""


def types_of_instances(graph: Graph, edges: Edges) -> Ints:
    """Return the number of each instance's type; instances of one type share their classes, or relations.

    >>> from siteseer.alignment.paris.functionality import edges
    >>> from siteseer.alignment.fact_graph import compile_graph
    >>> from siteseer.alignment.alignment_model import Fact
    >>> graph = compile_graph([Fact("a", "title", "x", True), Fact("b", "title", "y", True), Fact("a", "by", "c")])
    >>> types_of_instances(graph, edges(graph)).tolist()
    [0, 0, 1]
    """
    told = _by_relations(edges, len(graph.instances))
    order = np.lexsort((graph.class_, graph.member))
    member, class_ = graph.member[order], graph.class_[order]
    start = run_starts(member)
    names: dict[bytes, int] = {}
    offset = len(edges.fun) + 1
    for k, group in zip(member[start].tolist(), np.split(class_, start[1:]), strict=False):
        told[k] = offset + names.setdefault(group.tobytes(), len(names))
    return _most(told)


def _most(told: Ints) -> Ints:
    """Number the kinds from the most frequent on; the rarest are one kind."""
    _, kind, count = np.unique(told, return_inverse=True, return_counts=True)
    rank = np.empty(len(count), np.int64)
    rank[np.argsort(-count, kind="stable")] = np.arange(len(count))
    return np.minimum(rank[kind.reshape(-1)], MOST - 1)


def _by_relations(edges: Edges, instances: int) -> Ints:
    """Number instances so that those which have a relation in common, if only through others, are of one kind."""
    kind = np.arange(len(edges.fun))
    here = edges.source < instances
    source, relation = edges.source[here], edges.relation[here]
    lowest = np.full(instances, len(kind))
    while True:
        np.minimum.at(lowest, source, kind[relation])
        new = kind.copy()
        np.minimum.at(new, relation, lowest[source])
        if (new == kind).all():
            return lowest
        kind = new
