"""Computes statistics of each source by itself, on demand: words, similar literals, instance types, decoys.

For a large source, decoys are searched in a sample only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from siteseer.alignment.fact_graph import Graph, Ints
from siteseer.alignment.instance_types import types_of_instances
from siteseer.alignment.literals.literal_keys import KeyedText
from siteseer.alignment.literals.literal_pairs import EqualLiterals, alike_literals
from siteseer.alignment.literals.rare_words import WordWeights, weigh_words
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.sparse_products import Groups, distinct, members

SAMPLE = 8_000
"""Instances of a side among which siblings are looked for, those linked to them not counted."""


@dataclass(frozen=True)
class SourceStatistics:
    """Both sources: their graphs, edges, and literals with their keys."""

    graphs: tuple[Graph, Graph]
    sides: tuple[Edges, Edges]
    keyed: tuple[KeyedText, KeyedText]

    @cached_property
    def words(self) -> tuple[WordWeights, WordWeights]:
        """The words of the literals."""
        return weigh_words(self.graphs[0].literals, self.graphs[1].literals)

    @cached_property
    def kinds(self) -> tuple[Ints, Ints]:
        """The type of each instance, as a number."""
        return types_of_instances(self.graphs[0], self.sides[0]), types_of_instances(self.graphs[1], self.sides[1])

    @cached_property
    def sample(self) -> tuple[Ints, Ints]:
        """The instances among which decoys are searched."""
        return self._sample(0), self._sample(1)

    @cached_property
    def alike(self) -> tuple[EqualLiterals, EqualLiterals]:
        """Which literals of the sample are similar."""
        return self._alike(0), self._alike(1)

    def _sample(self, k: int) -> Ints:
        side, instances = self.sides[k], len(self.graphs[k].instances)
        if instances <= SAMPLE:
            return np.arange(instances)
        drawn = np.random.default_rng(0).choice(instances, SAMPLE, replace=False)
        rows, _ = members(side.by_source, drawn)
        near = side.target[rows]
        return distinct(np.concatenate((drawn, near[near < instances])))

    def _alike(self, k: int) -> EqualLiterals:
        instances = len(self.graphs[k].instances)
        rows, _ = members(self.sides[k].by_source, self.sample[k])
        used = distinct(self.sides[k].target[rows])
        used = used[used >= instances] - instances
        found = alike_literals(self.keyed[k].some(used))
        return EqualLiterals(used[found.left], used[found.right], found.probability, found.similarity)


def sample_edges(side: Edges, sample: Ints) -> Edges:
    """Return the edges of a sample of the instances."""
    nodes = len(side.by_source.start) - 1
    chosen = np.zeros(nodes, bool)
    chosen[sample] = True
    kept = np.flatnonzero(chosen[side.source])
    if len(kept) == len(side.source):
        return side
    source, target = side.source[kept], side.target[kept]
    by = Groups.by(source, nodes), Groups.by(target, nodes)
    return Edges(source, side.relation[kept], target, np.full(len(kept), -1), *by, side.fun, side.inverse_fun)
