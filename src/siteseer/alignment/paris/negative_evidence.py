"""Candidates in, the same with less certainty out: values that differ speak against equality, equation E2 of PARIS.

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011: the probability is multiplied by
1 - fun(r) Pr(r'<=r) prod over r'(x',y') of (1 - Pr(y=y')), and by the same with fun(r') and Pr(r<=r'), for each r(x,y).
Differs: only from the second round, for relations that say the same and of which an instance has one value, and with
texts compared as loosely as they can be: a telephone number written otherwise would count against the pair.
"""

from __future__ import annotations

import numpy as np

from siteseer.align.comparison import compare, counterparts
from siteseer.align.evidence import Relations
from siteseer.align.functionality import Edges
from siteseer.align.graph import Floats, Ints
from siteseer.align.inclusion import Values

LEARNED, FUNCTIONAL = 0.5, 0.95


def weakened(
    pair: Ints, weight: Floats, left: Edges, right: Edges, believed: Relations, alike: Values, instances: int
) -> Floats:
    """Return -log(1 - Pr) of each pair once what differs has spoken."""
    told = [
        (r, s)
        for r, s in counterparts(believed, left, right)
        if min(left.fun[r], right.fun[s]) >= FUNCTIONAL
        and max(believed.within[r, s], believed.contains[r, s]) >= LEARNED
    ]
    x, y = np.divmod(pair, max(instances, 1))
    compared = compare(x, y, left, right, told, alike, None)
    different = compared.both * (1 - compared.alike)
    probability = -np.expm1(-weight)
    for k, (r, s) in enumerate(told):
        probability = probability * (1 - left.fun[r] * believed.contains[r, s] * different[:, k])
        probability = probability * (1 - right.fun[s] * believed.within[r, s] * different[:, k])
    return -np.log1p(-np.minimum(probability, 1 - 1e-16))
