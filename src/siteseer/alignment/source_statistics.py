"""What can be known of each side by itself: its words, which of its literals are alike, what is of a kind.

Nothing is found out before it is asked for. Of a large side, siblings are looked for in a sample only.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from siteseer.align.functionality import Edges
from siteseer.align.graph import Graph, Ints
from siteseer.align.keyed import Keyed
from siteseer.align.kinds import kinds
from siteseer.align.literals import Equal, alike_literals
from siteseer.align.sparse import Groups, distinct, members
from siteseer.align.wording import Worded, worded

SAMPLE = 8_000
"""Instances of a side among which siblings are looked for, those linked to them not counted."""


@dataclass(frozen=True)
class Knowledge:
    """Both sides: their graphs, edges, and literals with their keys."""

    graphs: tuple[Graph, Graph]
    sides: tuple[Edges, Edges]
    keyed: tuple[Keyed, Keyed]

    @cached_property
    def words(self) -> tuple[Worded, Worded]:
        """The words of the literals."""
        return worded(self.graphs[0].literals, self.graphs[1].literals)

    @cached_property
    def kinds(self) -> tuple[Ints, Ints]:
        """The kind of each instance, as a number."""
        return kinds(self.graphs[0], self.sides[0]), kinds(self.graphs[1], self.sides[1])

    @cached_property
    def sample(self) -> tuple[Ints, Ints]:
        """The instances among which siblings are looked for."""
        return self._sample(0), self._sample(1)

    @cached_property
    def alike(self) -> tuple[Equal, Equal]:
        """Which literals of the sample are alike."""
        return self._alike(0), self._alike(1)

    def _sample(self, k: int) -> Ints:
        side, instances = self.sides[k], len(self.graphs[k].instances)
        if instances <= SAMPLE:
            return np.arange(instances)
        drawn = np.random.default_rng(0).choice(instances, SAMPLE, replace=False)
        rows, _ = members(side.by_source, drawn)
        near = side.target[rows]
        return distinct(np.concatenate((drawn, near[near < instances])))

    def _alike(self, k: int) -> Equal:
        instances = len(self.graphs[k].instances)
        rows, _ = members(self.sides[k].by_source, self.sample[k])
        used = distinct(self.sides[k].target[rows])
        used = used[used >= instances] - instances
        found = alike_literals(self.keyed[k].some(used))
        return Equal(used[found.left], used[found.right], found.probability, found.similarity)


def thinned(side: Edges, sample: Ints) -> Edges:
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
