"""Aligns two sources of facts with PARIS: equal instances, contained relations and contained classes.

Reference: Suchanek, Abiteboul, Senellart, PARIS: probabilistic alignment of relations, instances, and schema,
PVLDB 5(3), 2011; joins and literals after Oita, Deriving semantic objects from the structured Web, 2012, section 3.6.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from siteseer.alignment.alignment_model import Alignment, Fact, Match, Settings
from siteseer.alignment.fact_graph import Floats, Graph, compile_graph
from siteseer.alignment.fellegi_sunter.final_matches import FinalMatches, accepted_matches
from siteseer.alignment.joins import promising_paths, with_joined_relations
from siteseer.alignment.literals.literal_keys import KeyedText
from siteseer.alignment.literals.literal_pairs import EqualLiterals, equal_literals
from siteseer.alignment.paris.assignment import Assignment
from siteseer.alignment.paris.fixed_point import LEAST, Round, Sides, equal_nodes, join_sides, rounds
from siteseer.alignment.paris.functionality import edges
from siteseer.alignment.paris.inclusion import Inclusion, Values, contained_classes, inclusion_of_relations
from siteseer.alignment.paris.instance_evidence import Relations
from siteseer.alignment.paris.relation_priors import initial_probabilities
from siteseer.alignment.source_statistics import SAMPLE, SourceStatistics

LEAST_SUPPORT = 0.5
"""Relations that were judged by less than half a fact are not told."""


def align(left: Iterable[Fact], right: Iterable[Fact], settings: Settings = Settings()) -> Alignment:  # noqa: B008
    """Return which instances, relations and classes of two sets of facts belong together.

    >>> shop = [Fact("r1", "title", "Emma", True), Fact("r1", "author", "Jane Austen", True)]
    >>> world = [Fact("b", "label", "Emma", True), Fact("w", "created", "b"), Fact("w", "label", "Jane Austen", True)]
    >>> found = align(shop, world)
    >>> [(match.left, match.right) for match in found.instances]
    [('r1', 'b')]
    """
    return align_graphs(compile_graph(left), compile_graph(right), settings)


def align_graphs(one: Graph, two: Graph, settings: Settings = Settings()) -> Alignment:  # noqa: B008
    """Align two ontologies that are numbered already."""
    literals, known = _compared(one, two, settings.literals)
    given, last = _settled(one, two, literals, settings)
    count = last.number
    if settings.joins > 1:
        longer = _with_joins(one, two, given, last, known, settings.joins)
        if longer != (one, two):
            one, two = longer
            given, last = _settled(one, two, literals, settings)
            count += last.number
    verdict = accepted_matches(given, last, known)
    found = inclusion_of_relations(given.left, given.right, verdict.assigned, equal_nodes(given, verdict.assigned))
    return Alignment(
        _instances(one, two, verdict, given, last),
        tuple(_relations(one, two, found)),
        contained_classes(one, two, verdict.x, verdict.y, verdict.probability),
        count,
    )


def _compared(one: Graph, two: Graph, how: str) -> tuple[EqualLiterals, SourceStatistics]:
    """Compare literals; the keys of many are forgotten afterwards, as siblings need few of them."""
    keyed = KeyedText(one.literals, how), KeyedText(two.literals, how)
    equal = equal_literals(*keyed)
    if max(len(one.instances), len(two.instances)) > SAMPLE:
        keyed = KeyedText(one.literals, how), KeyedText(two.literals, how)
    return equal, SourceStatistics((one, two), (edges(one), edges(two)), keyed)


def _settled(one: Graph, two: Graph, literals: EqualLiterals, settings: Settings) -> tuple[Sides, Round]:
    instances, nodes = (len(one.instances), len(two.instances)), (one.nodes, two.nodes)
    given = join_sides(edges(one), edges(two), instances, nodes, literals)
    first = initial_probabilities(one.relations, two.relations, settings.theta, settings.hints)
    *_, last = rounds(given, Relations(first, first), settings)
    return given, last


def _with_joins(
    one: Graph, two: Graph, given: Sides, last: Round, about: SourceStatistics, longest: int
) -> tuple[Graph, Graph]:
    """Return both graphs with the joins that equal a relation of the other side."""
    assigned = accepted_matches(given, last, about).assigned
    known = equal_nodes(given, assigned)
    single = last.included.believed
    mirrored = Values.of(known.right, known.left, known.probability, given.nodes[0])
    weight = np.zeros(len(assigned.left_of))
    there = assigned.left_of >= 0
    weight[there] = assigned.weight[assigned.left_of[there]]
    back = Assignment(assigned.left_of, assigned.right_of, weight)
    of_right = promising_paths(
        given.right, given.left, assigned, known, single.within.max(axis=1, initial=0.0), longest
    )
    of_left = promising_paths(
        given.left, given.right, back, mirrored, single.contains.max(axis=0, initial=0.0), longest
    )
    return with_joined_relations(one, of_left, given.left), with_joined_relations(two, of_right, given.right)


def _instances(one: Graph, two: Graph, verdict: FinalMatches, given: Sides, last: Round) -> tuple[Match, ...]:
    pair = verdict.x * max(given.instances[1], 1) + verdict.y
    support = np.zeros(len(pair), np.int64)
    for shared in (given.shared, last.linked):
        first, after = np.searchsorted(shared.pair, pair), np.searchsorted(shared.pair, pair, side="right")
        support += after - first
    columns = (verdict.x.tolist(), verdict.y.tolist(), verdict.probability.tolist(), support.tolist())
    found = [Match("instance", one.instances[x], two.instances[y], p, n) for x, y, p, n in zip(*columns, strict=True)]
    return tuple(sorted(found, key=lambda match: (-match.probability, match.left, match.right)))


def _relations(one: Graph, two: Graph, found: Inclusion) -> list[Match]:
    names = [[*graph.relations, *(f"{name}~" for name in graph.relations)] for graph in (one, two)]
    matches: list[Match] = []
    for r, s in _told(found.believed.within, found.left_support[:, None], len(one.relations)):
        p, support = float(found.believed.within[r, s]), round(float(found.left_support[r]))
        matches.append(Match("relation", names[0][r], names[1][s], p, support, "<"))
    for r, s in _told(found.believed.contains, found.right_support[None, :], len(one.relations)):
        p, support = float(found.believed.contains[r, s]), round(float(found.right_support[s]))
        matches.append(Match("relation", names[0][r], names[1][s], p, support, ">"))
    return sorted(
        matches, key=lambda match: (-match.probability, -match.support, match.direction, match.left, match.right)
    )


def _told(believed: Floats, support: Floats, relations: int) -> Iterator[tuple[int, int]]:
    """Return the relations worth telling; a pair of inverses says what the pair itself says, and is left out."""
    good = (believed >= LEAST) & np.broadcast_to(support >= LEAST_SUPPORT, believed.shape)
    return ((int(r), int(s)) for r, s in np.argwhere(good[:relations]))
