"""Finds pairs of similar texts by their common character pairs (shingles), without comparing all with all.

Reference: Broder, Glassman, Manasse, Zweig, Syntactic clustering of the Web, 1997 (shingles); Chaudhuri, Ganti,
Kaushik, A primitive operator for similarity joins, 2006 (prefix filter). Differs from Oita's thesis: the shingles are
the character pairs of each word, so that the order of words does not matter; candidates share a rare triple.
"""

from __future__ import annotations

import numpy as np

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.literals.normalise import WORD, fold_case
from siteseer.alignment.sparse_products import Groups, cross_groups, lookup, members, run_starts, within_budget
from siteseer.page.similarity.text_measures import letter_shingles

LEAST = 0.65
"""The least Jaccard similarity of two texts that may be equal."""
SHORTEST = 6
LONGEST = 300
RAREST = 8
"""The rarest groups of three characters by which a text is looked for."""
CANDIDATES = 2_000_000
"""Pairs of texts looked at; what is left out are those that only share common groups."""
_BLOCK = 500_000


def similar_pairs(left: list[str], right: list[str]) -> tuple[Ints, Ints, Floats]:
    """Return the pairs of texts with a similarity of at least `LEAST`, and their similarity.

    >>> [part.tolist() for part in similar_pairs(["Pride and Prejudise", "Emma"], ["Prejudice and Pride", "Em"])][:2]
    [[0], [0]]
    """
    x, y = _candidates(left, right)
    a, first, b, second = _numbered(*_letters(left), *_letters(right))
    sizes = np.bincount(first, minlength=len(left))[x], np.bincount(second, minlength=len(right))[y]
    comparable = np.minimum(*sizes) >= LEAST * np.maximum(*sizes)
    x, y, total = x[comparable], y[comparable], (sizes[0] + sizes[1])[comparable]
    texts, width = Groups.by(first, len(left)), int(max(a.max(initial=0), b.max(initial=0))) + 1
    known = second * width + b
    common = np.zeros(len(x))
    for start in range(0, len(x), _BLOCK):
        part = slice(start, start + _BLOCK)
        rows, pair = members(texts, x[part])
        _, found = lookup(known, y[part][pair] * width + a[rows])
        common[part] = np.bincount(pair, found, len(x[part]))
    jaccard = common / np.maximum(total - common, 1)
    good = jaccard >= LEAST
    return x[good], y[good], jaccard[good]


def _letters(texts: list[str], size: int = 2) -> tuple[Ints, Ints]:
    padded = [" " + " ".join(WORD.findall(fold_case(text[:LONGEST]))) + " " for text in texts]
    return letter_shingles(padded, size)


def _numbered(one: Ints, first: Ints, two: Ints, second: Ints) -> tuple[Ints, Ints, Ints, Ints]:
    """Number the shingles of both sides from the rarest on, in order within each text."""
    _, codes, frequency = np.unique(np.concatenate((one, two)), return_inverse=True, return_counts=True)
    rank = np.empty(len(frequency), np.int64)
    rank[np.argsort(frequency, kind="stable")] = np.arange(len(frequency))
    a, b = rank[codes[: len(one)]], rank[codes[len(one) :]]
    orders = np.lexsort((a, first)), np.lexsort((b, second))
    return a[orders[0]], first[orders[0]], b[orders[1]], second[orders[1]]


def _candidates(left: list[str], right: list[str]) -> tuple[Ints, Ints]:
    """Return the pairs that share some of the rarest groups of three characters of both: long texts at least two."""
    a, first, b, second = _numbered(*_letters(left, 3), *_letters(right, 3))
    one, two = _rarest(first, len(left)), _rarest(second, len(right))
    codes = int(max(a.max(initial=-1), b.max(initial=-1))) + 1
    of_left, of_right = Groups.by(a[one], codes), Groups.by(b[two], codes)
    cost = of_left.sizes * of_right.sizes
    used = np.flatnonzero((cost > 0) & within_budget(cost, CANDIDATES))
    i, j, _ = cross_groups(of_left, used, of_right, used)
    pairs = np.sort(first[one][i] * max(len(right), 1) + second[two][j])
    begin = run_starts(pairs)
    shared = np.diff(np.append(begin, len(pairs)))
    x, y = np.divmod(pairs[begin], max(len(right), 1))
    long = np.minimum(np.bincount(first, minlength=len(left))[x], np.bincount(second, minlength=len(right))[y]) > RAREST
    enough = shared > long
    return x[enough], y[enough]


def _rarest(owner: Ints, texts: int) -> Ints:
    """Return the rows of the first shingles of each text."""
    sizes = np.bincount(owner, minlength=texts)
    place = np.arange(len(owner)) - (np.cumsum(sizes) - sizes)[owner]
    return np.flatnonzero(place < RAREST)
