"""Runs FOREST on text blocks instead of all elements, vectorised with numpy.

Reference: as `extract.article.forest`. Differs: only block elements are nodes, words are numbers, sums are over ranges
of blocks; `forest.structural_patterns` is its slow twin.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from siteseer.extract.article.block_arrays import BlockArrays, Floats, spans
from siteseer.extract.article.forest.signifiers import SIGNIFIERS
from siteseer.extract.article.token_features import DIGITS, FUNCTION, LONE, Codes, among, distinct, distinct_counts

Place = tuple[str, int]
"""Element type and level: a structural pattern."""


def forest_elements(pages: Sequence[BlockArrays]) -> list[tuple[int, Floats]]:
    """Return FOREST's element of each page, -1 if none, and the share of signifiers in each block."""
    meant = [(page.words & np.uint64(FUNCTION | DIGITS | LONE)) == 0 for page in pages]
    known = signifiers([page.hashes[terms] for page, terms in zip(pages, meant, strict=True)])
    signified = [
        spans(among(page.hashes, own), page.offsets[:-1], page.offsets[1:])
        for page, own in zip(pages, known, strict=True)
    ]
    bests = [
        _bests(page, page.within(hits), page.within(spans(terms, page.offsets[:-1], page.offsets[1:])))
        for page, hits, terms in zip(pages, signified, meant, strict=True)
    ]
    chosen = _choose(bests)
    return [
        (node, hits / np.maximum(1, page.lengths)) for page, node, hits in zip(pages, chosen, signified, strict=True)
    ]


def signifiers(documents: Sequence[Codes], k: int = SIGNIFIERS) -> list[Codes]:
    """Return, for each document, its k terms of largest tf × ln(n / df), sorted; equals go by their digits.

    >>> [found.tolist() for found in signifiers([np.array([1, 2, 2], np.uint64), np.array([1, 3], np.uint64)])]
    [[2], [3]]
    """
    counted = [distinct_counts(document) for document in documents]
    every, spread = distinct_counts(np.concatenate([terms for terms, _ in counted]))
    n = len(documents)
    rarity = np.array([math.log(n / max(1, df)) for df in range(n + 1)])
    found = []
    for terms, tf in counted:
        weights = tf * rarity[spread[np.searchsorted(every, terms)]]
        least = np.partition(weights, -k)[-k] if len(weights) > k else 0.0
        chosen = np.flatnonzero((weights > 0) & (weights >= least)).tolist()
        chosen.sort(key=lambda place: (-weights[place], str(terms[place])))
        found.append(distinct(terms[chosen[:k]]))
    return found


def _bests(page: BlockArrays, x: Floats, n: Floats) -> dict[Place, tuple[float, int]]:
    """Return the most informative element of each pattern (2.2 to 2.4), with its value."""
    if not len(x) or not x[0]:
        return {}
    shapes, depths = page.blocks.shapes, page.blocks.depths.tolist()
    y = n - x
    density = (x + 0.5 - np.sqrt((x + 0.5) * (y + 0.5) / np.maximum(1, n))) / (n + 1)
    rare, common = math.log2(x[0]), math.log2(y[0]) if y[0] else 0.0
    values = np.where(x > 0, np.maximum(0.0, density) * (n * math.log2(n[0]) - x * rare - y * common), 0.0)
    found: dict[Place, tuple[float, int]] = {}
    on_path = np.flatnonzero(values > 0)
    for node, value in zip(on_path.tolist(), values[on_path].tolist(), strict=True):
        shape = shapes[node]
        place = (shape.name if shape.name != shape.tag else f"{shape.tag}{node}", depths[node] + 1)
        if place not in found or value > found[place][0]:
            found[place] = value, node
    return found


def _choose(bests: Sequence[dict[Place, tuple[float, int]]]) -> list[int]:
    """Return each page's element of the most relevant pattern (2.5, 2.7) that it has."""
    sums: dict[Place, float] = {}
    pages: dict[Place, int] = {}
    for found in bests:
        for place, (value, _) in found.items():
            sums[place] = sums.get(place, 0.0) + value
            pages[place] = pages.get(place, 0) + 1
    ranks = {place: (-value * pages[place] * place[1], -place[1], place[0]) for place, value in sums.items()}
    return [found[min(found, key=ranks.__getitem__)][1] if found else -1 for found in bests]
