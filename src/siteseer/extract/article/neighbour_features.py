"""Computes features of a block from the first classification of its neighbours and surroundings, for the second pass.

Context is always given as a difference that is 0 where nothing is known, so that a page without it is not distrusted.
"""

from __future__ import annotations

import numpy as np

from siteseer.extract.article.block_arrays import BlockArrays, Floats, spans
from siteseer.extract.article.block_features import COLUMN, stacked

REPEATED = {
    "ld": "ld", "istitle": "istitle", "short": "short", "by": "by", "date": "date", "cap": "a_caption", "kw": "kw",
    "copy": "copy", "end": "end", "inab": "inab", "abmiss": "abmiss", "list": "t_li", "bq": "a_quote", "dupin": "dupin",
    "hid": "a_hidden",
}  # fmt: skip
"""Features of the first opinion that the second sees again."""
_REPEATED = [COLUMN[name] for name in REPEATED.values()]
_HEADINGS = [COLUMN[name] for name in ("t_h1", "t_h2", "t_h3")]
CONTEXT_FEATURES = (
    *"l1 d_prev d_next d_win3 d_win8 d_sig d_par d_gpar inC beforeC afterC Cdist first last logn l1logn h".split(),
    *REPEATED,
)
CLIP = 6.0
_OUTSIDE = -4.0
_FAR = 20


def context_features(page: BlockArrays, matrix: Floats, logits: Floats) -> Floats:
    """Return the columns of `CONTEXT_FEATURES`; `logits` are those of the first pass, clipped."""
    if not len(logits):
        return np.zeros((0, len(CONTEXT_FEATURES)))
    logn = matrix[:, COLUMN["logn"]]
    heading = matrix.T[_HEADINGS].sum(axis=0)
    columns = [logits, *_neighbours(page, logits), *_surroundings(page, logits), *_core(page, logits)]
    columns += [logn, logits * logn / 3, heading]
    return stacked([*columns, matrix.T[_REPEATED].ravel()], len(logits))


def _neighbours(page: BlockArrays, logits: Floats) -> list[Floats]:
    padded = np.concatenate(([_OUTSIDE], logits, [_OUTSIDE]))
    order, count = np.arange(len(logits)), len(logits)
    found = [padded[:-2] - logits, padded[2:] - logits]
    for width in (3, 8):
        low, high = np.maximum(order - width, 0), np.minimum(order + width + 1, count)
        found.append(_others(page, logits, spans(_weighed(page, logits), low, high), spans(_weights(page), low, high)))
    return found


def _weights(page: BlockArrays) -> Floats:
    return np.minimum(page.lengths, 40) + 1


def _weighed(page: BlockArrays, logits: Floats) -> Floats:
    found: Floats = logits * _weights(page)
    return found


def _others(page: BlockArrays, logits: Floats, sums: Floats, weights: Floats) -> Floats:
    """Return the mean of the others minus the block's own value; 0 where there are no others."""
    left = weights - _weights(page)
    means = (sums - _weighed(page, logits)) / np.where(left > 0.5, left, 1.0)
    return np.where(left > 0.5, means - logits, 0.0)


def _surroundings(page: BlockArrays, logits: Floats) -> list[Floats]:
    weighed, weights = _weighed(page, logits), _weights(page)
    sums_alike: Floats = np.bincount(page.kinds, weighed).astype(np.float64)
    totals_alike: Floats = np.bincount(page.kinds, weights).astype(np.float64)
    alike = _others(page, logits, sums_alike[page.kinds], totals_alike[page.kinds])
    sums, totals = page.within(weighed), page.within(weights)
    parent = page.parents[page.nodes]
    above = page.parents[parent]
    return [alike, *(_others(page, logits, sums[nodes], totals[nodes]) for nodes in (parent, above))]


def core_element(page: BlockArrays, logits: Floats) -> int:
    """Return C, the element that holds most wanted and least unwanted text; the deepest of equals."""
    gain = page.within(page.lengths * (1 / (1 + np.exp(-logits)) - 0.5))
    return int(len(gain) - 1 - np.argmax(gain[::-1])) if len(gain) else 0


def _core(page: BlockArrays, logits: Floats) -> list[Floats]:
    order = np.arange(len(logits))
    node = core_element(page, logits)
    first, last = page.starts[node], page.ends[node]
    wanted = np.flatnonzero((order >= first) & (order < last) & (logits > 0))
    inside = (order >= first) & (order < last)
    if not len(wanted):
        far = np.full(len(order), 1.0)
        return [inside * 1.0, (order < first) * 1.0, (order >= last) * 1.0, far, order * 0.0, order * 0.0]
    place = np.searchsorted(wanted, order)
    before = wanted[np.maximum(place - 1, 0)]
    after = wanted[np.minimum(place, len(wanted) - 1)]
    distance = np.minimum(np.abs(order - before), np.abs(after - order))
    return [
        inside * 1.0, (order < first) * 1.0, (order >= last) * 1.0, np.minimum(distance, _FAR) / _FAR,
        (order < wanted[0]) * 1.0, (order > wanted[-1]) * 1.0,
    ]  # fmt: skip
