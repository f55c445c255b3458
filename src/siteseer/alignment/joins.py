"""Finds join paths: chains of relations of one source that equal a single relation of the other.

Reference: Oita, Deriving semantic objects from the structured Web, 2012, section 3.6: the author of a record may be
the label of whoever created the book, `created~ / label`. Paths are tried on a sample of the instances assigned so far,
never turn back on the relation they came by, and stop at hubs; those that equal a relation become relations themselves.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from siteseer.alignment.fact_graph import Floats, Graph, Ints
from siteseer.alignment.paris.assignment import Assignment
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.paris.inclusion import Values, inclusion_of_relations
from siteseer.alignment.sparse_products import Groups, distinct, members, within_budget

SAMPLE = 1_000
HUB = 1_000
"""Edges of an instance beyond which no path leads through it."""
PAIRS = 2_000_000
"""Pairs that all joins of one side may have."""
LEAST, LEAST_SUPPORT = 0.3, 2
BETTER = 0.1
"""How much better than any single relation a join must be."""
MOST = 12
"""Joins of one side."""

Path = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Walk:
    """Rows of instance, path and node reached."""

    start: Ints
    path: Ints
    node: Ints
    paths: list[Path]


def with_joined_relations(graph: Graph, paths: list[Path], edges: Edges) -> Graph:
    """Return the graph with a relation for each path."""
    if not paths:
        return graph
    walks = [_along(edges, path, len(graph.instances)) for path in paths]
    count = np.array([len(start) for start, _ in walks])
    n = len(graph.relations)
    fits = within_budget(count, PAIRS)
    used = [k for k in range(len(paths)) if fits[k]]
    numbers = np.repeat(np.arange(n, n + len(used)), count[used])
    return replace(
        graph,
        relations=[*graph.relations, *(path_name(paths[k], graph.relations) for k in used)],
        subject=np.concatenate((graph.subject, *(walks[k][0] for k in used))),
        relation=np.concatenate((graph.relation, numbers)),
        object=np.concatenate((graph.object, *(walks[k][1] for k in used))),
    )


def path_name(path: Path, relations: list[str]) -> str:
    """Return a path in readable form.

    >>> path_name((3, 1), ["created", "label"])
    'label~ / label'
    """
    n = len(relations)
    return " / ".join(relations[step % n] + ("~" if step >= n else "") for step in path)


def promising_paths(
    here: Edges, there: Edges, assigned: Assignment, values: Values, single: Floats, longest: int
) -> list[Path]:
    """Return the paths of this side that equal relations of the other side better than any single relation does.

    `assigned` and `values` have this side on the right; `single` says of each relation of the other side how well the
    best single relation contains it.
    """
    sample = _surest(assigned)
    walk = _walked(here, np.flatnonzero(sample.left_of >= 0), longest)
    if not walk.paths:
        return []
    reached = _as_edges(walk, len(here.by_source.start) - 1)
    found = inclusion_of_relations(there, reached, sample, values)
    score = found.believed.within * (found.left_support >= LEAST_SUPPORT - 0.5)[:, None]
    score[found.left_support < LEAST_SUPPORT * 0.1] = 0
    wanted = score >= np.maximum(LEAST, single + BETTER)[:, None]
    chosen: list[Path] = []
    for r in np.flatnonzero(wanted.any(axis=1)):
        order = sorted(
            np.flatnonzero(wanted[r]).tolist(),
            key=lambda k: (
                -round(float(score[r, k] + found.believed.contains[r, k]), 3),
                len(walk.paths[k]),
                walk.paths[k],
            ),
        )
        chosen.append(walk.paths[order[0]])
    return list(dict.fromkeys(chosen))[:MOST]


def _surest(assigned: Assignment) -> Assignment:
    x, y, _ = assigned.pairs()
    best = np.sort(np.lexsort((x, -assigned.weight[x]))[:SAMPLE])
    right_of, left_of = np.full_like(assigned.right_of, -1), np.full_like(assigned.left_of, -1)
    right_of[x[best]], left_of[y[best]] = y[best], x[best]
    return Assignment(right_of, left_of, assigned.weight)


def _walked(edges: Edges, start: Ints, longest: int) -> _Walk:
    """Walk from instances along all paths of two to `longest` steps."""
    paths: dict[Path, int] = {}
    parts: list[tuple[Ints, Ints, Ints]] = []
    steps: list[tuple[Path, Ints, Ints]] = [((), start, start)]
    for length in range(1, longest + 1):
        steps = [new for path, source, node in steps for new in _further(edges, path, source, node)]
        if length > 1:
            for path, source, node in steps:
                number = paths.setdefault(path, len(paths))
                parts.append((source, np.full(len(source), number), node))
    if not parts:
        return _Walk(start[:0], start[:0], start[:0], [])
    joint = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return _Walk(joint[0], joint[1], joint[2], list(paths))


def _further(edges: Edges, path: Path, source: Ints, node: Ints) -> Iterator[tuple[Path, Ints, Ints]]:
    """Go one step further from each node, by every relation that leads on."""
    open_ = edges.by_source.sizes[node] <= HUB
    rows, k = members(edges.by_source, node[open_])
    origin, target, relation = source[open_][k], edges.target[rows], edges.relation[rows]
    back = (path[-1] + len(edges.fun) // 2) % len(edges.fun) if path else -1
    for r in np.unique(relation).tolist():
        if r != back:
            yield _distinct((*path, r), origin[relation == r], target[relation == r], len(edges.by_source.start))


def _distinct(path: Path, source: Ints, node: Ints, width: int) -> tuple[Path, Ints, Ints]:
    keys = distinct((source * width + node)[source != node])
    return path, keys // width, keys % width


def _along(edges: Edges, path: Path, instances: int) -> tuple[Ints, Ints]:
    """Return all pairs that a path connects."""
    rows = np.flatnonzero(edges.relation == path[0])
    source, node = edges.source[rows], edges.target[rows]
    for r in path[1:]:
        step = np.flatnonzero(edges.relation == r)
        groups = Groups.by(edges.source[step], len(edges.by_source.start) - 1)
        cost = np.where(groups.sizes[node] <= HUB, groups.sizes[node], PAIRS)
        fits = within_budget(cost, PAIRS)
        found, k = members(groups, node[fits])
        _, source, node = _distinct(path, source[fits][k], edges.target[step[found]], len(edges.by_source.start))
    return source, node


def _as_edges(walk: _Walk, nodes: int) -> Edges:
    """Return what was walked as edges, a relation for each path; functionality does not matter here."""
    ones = np.ones(len(walk.paths))
    return Edges(
        walk.start,
        walk.path,
        walk.node,
        np.full(len(walk.start), -1),
        Groups.by(walk.start, nodes),
        Groups.by(walk.node, nodes),
        ones,
        ones,
    )
