"""Estimates the false discovery rate of accepted matches from decoy matches (target–decoy).

An instance without a counterpart finds on the other side what it finds within its own source: decoys. So the odds of
decoys tell how many of the matches with such odds are false (Elias, Gygi, Target-decoy search strategy, 2007; local
false discovery rate: Efron, 2004). The rate is taken to fall as the odds rise (pool adjacent violators).
"""

from __future__ import annotations

import numpy as np

from siteseer.alignment.fact_graph import Floats

BINS = 400


def false_discovery_rates(matches: Floats, siblings: Floats, each: float) -> Floats:
    """Return the false discovery rate of matches with such odds; each decoy stands for `each` false matches.

    >>> false_discovery_rates(np.array([9.0, 8.0, 1.0, 1.0]), np.array([1.0, -2.0]), 1.0).round(2).tolist()
    [0.0, 0.0, 0.5, 0.5]
    """
    if not len(matches):
        return np.zeros(0)
    edges = np.unique(np.quantile(matches, np.linspace(0, 1, BINS), method="lower"))
    place = np.searchsorted(edges, matches, side="right") - 1
    true = np.bincount(place, minlength=len(edges)).astype(np.float64)
    reached = siblings[siblings >= edges[0]]
    met = np.bincount(np.searchsorted(edges, reached, side="right") - 1, minlength=len(edges))
    false = each * met.astype(np.float64)
    return np.minimum(_falling(false, true)[place], 1.0)


def _falling(false: Floats, true: Floats) -> Floats:
    """Return false / true by bin, pooled so that it never rises from bin to bin."""
    blocks: list[tuple[float, float, int]] = []
    for f, t in zip(false.tolist(), true.tolist(), strict=True):
        n = 1
        while blocks and blocks[-1][0] * t < f * blocks[-1][1]:
            f, t, n = f + blocks[-1][0], t + blocks[-1][1], n + blocks[-1][2]
            blocks.pop()
        blocks.append((f, t, n))
    return np.repeat([f / max(t, 1e-9) for f, t, _ in blocks], [n for _, _, n in blocks])
