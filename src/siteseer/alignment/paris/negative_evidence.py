"""Lowers the probability of candidates whose values differ (PARIS, negative evidence, equation E2).

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011: the probability is multiplied by
1 - fun(r) Pr(r'<=r) prod over r'(x',y') of (1 - Pr(y=y')), and by the same with fun(r') and Pr(r<=r'), for each r(x,y).
Differs: only from the second round, for relations that say the same and of which an instance has one value, and with
texts compared as loosely as they can be: a telephone number written otherwise would count against the pair.
"""

from __future__ import annotations

import numpy as np

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.fellegi_sunter.field_comparison import compare, counterparts
from siteseer.alignment.paris.functionality import Edges
from siteseer.alignment.paris.inclusion import Values
from siteseer.alignment.paris.instance_evidence import Relations

LEARNED, FUNCTIONAL = 0.5, 0.95


def apply_negative_evidence(
    pair: Ints, weight: Floats, sides: tuple[Edges, Edges], believed: Relations, alike: Values, instances: int
) -> Floats:
    """Return -log(1 - Pr) of each pair after the negative evidence of differing values."""
    left, right = sides
    told = [
        (r, s)
        for r, s in counterparts(believed, left, right)
        if min(left.fun[r], right.fun[s]) >= FUNCTIONAL
        and max(believed.within[r, s], believed.contains[r, s]) >= LEARNED
    ]
    compared = compare(np.divmod(pair, max(instances, 1)), sides, told, alike)
    different = compared.both * (1 - compared.alike)
    probability = -np.expm1(-weight)
    for k, (r, s) in enumerate(told):
        probability = probability * (1 - left.fun[r] * believed.contains[r, s] * different[:, k])
        probability = probability * (1 - right.fun[s] * believed.within[r, s] * different[:, k])
    return -np.log1p(-np.minimum(probability, 1 - 1e-16))
