"""One side in, pairs of its own instances that resemble each other out: none of them is a true pair.

What two sources have in common is judged by what a source has in common with itself: another edition of a book, the
next volume, another book by the same author look as much like it there as on the other side. (Decoys, as in Elias,
Gygi, Target-decoy search strategy, 2007: hits among what must be wrong tell how many of the others are wrong.)
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from siteseer.align.evidence import Relations, evidence, shared_values
from siteseer.align.functionality import Edges
from siteseer.align.graph import Floats, Ints
from siteseer.align.literals import Equal

CANDIDATES = 4
"""The best candidates of each instance are judged."""


def siblings(side: Edges, instances: int, literals: Equal, believed: Floats) -> tuple[Ints, Ints]:
    """Return pairs of instances of a side that share values; `believed` says how far each relation is to be trusted."""
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
