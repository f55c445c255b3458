"""Detects duplicates within a source; their further candidates are matches as well."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from siteseer.alignment.fact_graph import Floats, Ints

Mask = npt.NDArray[np.bool_]
STRONG, REPEATED = 6.0, 0.2
"""Where so large a share of winners has a further candidate of such odds, the side repeats itself."""


def duplicate_candidates(odds: Floats, won: Mask, x: Ints, y: Ints) -> Mask:
    """Return the candidates of losers x for winners y; none where x's side does not repeat itself.

    >>> odds, won = np.array([9.0, 8.0]), np.array([True, False])
    >>> duplicate_candidates(odds, won, np.array([0, 1]), np.array([0, 0])).tolist()
    [False, True]
    >>> duplicate_candidates(odds, won, np.array([0, 0]), np.array([0, 1])).tolist()
    [False, False]
    """
    if not won.any():
        return np.zeros(len(odds), bool)
    best = np.full(int(x.max()) + 1, -np.inf)
    np.maximum.at(best, x, odds)
    placed = np.zeros(len(best), bool)
    placed[x[won]] = True
    taken = np.zeros(int(y.max()) + 1, bool)
    taken[y[won]] = True
    lost: Mask = ~placed[x] & taken[y] & (odds >= best[x]) & (odds > 0)
    return lost if (odds[lost] >= STRONG).sum() >= REPEATED * won.sum() else np.zeros(len(odds), bool)
