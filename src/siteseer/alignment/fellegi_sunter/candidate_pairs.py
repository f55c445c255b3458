"""Builds the candidate pairs that record linkage scores: cross-source candidates and same-source decoys.

The decoys are known non-matches: similar instances of one source. Another edition of a book, the next volume, another
book by the same author look as much like it there as on the other side. `false_discovery` uses them to estimate how
many accepted matches are wrong (target–decoy, Elias & Gygi 2007).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.fellegi_sunter.field_comparison import FieldComparison, Texts, compare
from siteseer.alignment.literals.literal_pairs import EqualLiterals
from siteseer.alignment.paris.fixed_point import Round, Sides
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.paris.inclusion import Values
from siteseer.alignment.paris.instance_evidence import Relations, evidence, shared_values
from siteseer.alignment.source_statistics import SourceStatistics, sample_edges

Pairs = tuple[Ints, Ints]
CANDIDATES = 4
"""The best candidates of each instance are judged."""


@dataclass(frozen=True, slots=True)
class CandidatePairs:
    """Instance pairs of two sources (or of one source with itself), ready to be compared field by field."""

    sides: tuple[Edges, Edges]
    instances: tuple[int, int]
    nodes: tuple[int, int]
    pairs: Pairs
    equal: EqualLiterals
    """Nodes that are literals."""
    texts: Texts

    @property
    def keys(self) -> Ints:
        """Number each pair: left instance times the number of right instances plus right instance; in order."""
        return self.pairs[0] * max(self.instances[1], 1) + self.pairs[1]

    def compare_fields(
        self, relations: list[tuple[int, int]], odds: Floats | None, pairs: Pairs | None = None
    ) -> FieldComparison:
        """Compare the fields of these or other pairs; linked instances count as equal with the odds of their pair."""
        x, y = self.pairs if pairs is None else pairs
        return compare((x, y), self.sides, relations, self._values(odds), self.texts)

    def _values(self, odds: Floats | None) -> Values:
        left, right, p = [self.equal.left], [self.equal.right], [self.equal.similarity]
        if odds is not None:
            good = odds > 0
            left, right, p = [*left, self.pairs[0][good]], [*right, self.pairs[1][good]], [*p, logistic(odds[good])]
            if self.sides[0] is self.sides[1]:
                every = np.arange(self.instances[0])
                left, right, p = [*left, every], [*right, every], [*p, np.ones(len(every))]
        return Values.of(np.concatenate(left), np.concatenate(right), np.concatenate(p), self.nodes[1])

    def best_log_odds(self, odds: Floats) -> Floats:
        """Return the highest log odds of each instance."""
        best = np.full(self.instances[0], -np.inf)
        np.maximum.at(best, self.pairs[0], odds)
        return best


def candidates_and_decoys(
    given: Sides, last: Round, known: SourceStatistics, pairs: Pairs
) -> tuple[CandidatePairs, CandidatePairs, CandidatePairs]:
    """Return the candidates, the decoys within the left source and the decoys within the right source."""
    believed = last.included.believed
    texts = Texts(*known.words, given.instances)
    return (
        CandidatePairs((given.left, given.right), given.instances, given.nodes, pairs, given.literals, texts),
        _within(given, known, 0, believed.within.max(axis=1, initial=0.0)),
        _within(given, known, 1, believed.contains.max(axis=0, initial=0.0)),
    )


def _within(given: Sides, known: SourceStatistics, k: int, trusted: Floats) -> CandidatePairs:
    side, own, nodes = (given.left, given.right)[k], given.instances[k], given.nodes[k]
    equal, words = known.alike[k], known.words[k]
    pairs = find_decoys(sample_edges(side, known.sample[k]), own, equal, trusted)
    table = EqualLiterals(equal.left + own, equal.right + own, equal.probability, equal.similarity)
    return CandidatePairs((side, side), (own, own), (nodes, nodes), pairs, table, Texts(words, words, (own, own)))


def linking_relations(edges: Edges, instances: int) -> set[int]:
    """Return the relations that lead to instances."""
    return set(np.unique(edges.relation[edges.target < instances]).tolist())


def logistic(odds: Floats) -> Floats:
    """Return the probability that has such log odds."""
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -50.0, 50.0))), np.float64)


def find_decoys(side: Edges, instances: int, literals: EqualLiterals, believed: Floats) -> tuple[Ints, Ints]:
    """Return pairs of instances of one source that share values; `believed` says how far each relation is to be
    trusted.
    """
    y, z = literals.left + instances, literals.right + instances
    used = literals.probability > 0
    shared = shared_values(side, side, y[used], z[used], literals.probability[used], instances)
    trusted = np.diag(believed)
    pair, weight = evidence(shared, side, side, Relations(trusted, trusted))
    x, other = np.divmod(pair, max(instances, 1))
    pair, weight = pair[x != other], weight[x != other]
    return np.divmod(pair[best_candidates(pair, weight, instances)], max(instances, 1))


def best_candidates(pair: Ints, weight: Floats, instances: int) -> npt.NDArray[np.bool_]:
    """Say which pairs are among the best of their left or of their right instance."""
    kept = np.zeros(len(pair), bool)
    for number in np.divmod(pair, max(instances, 1)):
        order = np.lexsort((-weight, number))
        sizes = np.bincount(number) if len(number) else np.zeros(0, np.int64)
        place = np.arange(len(pair)) - (np.cumsum(sizes) - sizes)[number[order]]
        kept[order[place < CANDIDATES]] = True
    return kept
