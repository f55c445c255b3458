"""Texts in, pairs of similar texts out: the share of common character pairs, found without comparing all with all.

Reference: Broder, Glassman, Manasse, Zweig, Syntactic clustering of the Web, 1997 (shingles); Chaudhuri, Ganti,
Kaushik, A primitive operator for similarity joins, 2006 (prefix filter). Differs from Oita's thesis: the shingles are
the character pairs of each word, so that the order of words does not matter; candidates share a rare shingle.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from siteseer.align.graph import Floats, Ints
from siteseer.align.normalise import WORD, folded
from siteseer.align.sparse import Groups, crossed, lookup, members, within_budget

LEAST = 0.65
"""The least Jaccard similarity of two texts that may be equal."""
SHORTEST = 6
LONGEST = 300
CANDIDATES = 6_000_000
"""Pairs of texts looked at; what is left out are the commonest shingles."""


def shingles(texts: list[str]) -> tuple[npt.NDArray[np.uint64], Ints]:
    """Return the distinct shingles of each text, and the number of the text, by text.

    >>> [len(shingles([text])[0]) for text in ("great gatsby", "gatsby, great")]
    [11, 11]
    """
    padded = [" " + " ".join(WORD.findall(folded(text[:LONGEST]))) + " " for text in texts]
    lengths = np.array([len(text) for text in padded], np.int64)
    flat = np.frombuffer("".join(padded).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    owner = np.repeat(np.arange(len(texts)), lengths)
    if len(flat) < 2:
        return np.empty(0, np.uint64), np.empty(0, np.int64)
    pairs = flat[:-1] * 0x110000 + flat[1:]
    inside = (owner[:-1] == owner[1:]) & ~((flat[:-1] == 32) & (flat[1:] == 32))
    _, codes = np.unique(pairs[inside], return_inverse=True)
    keys = np.unique(owner[:-1][inside] * (int(codes.max(initial=0)) + 1) + codes)
    number, code = np.divmod(keys, int(codes.max(initial=0)) + 1)
    return np.unique(pairs[inside])[code].astype(np.uint64), number


def similar(left: list[str], right: list[str]) -> tuple[Ints, Ints, Floats]:
    """Return the pairs of texts with a similarity of at least `LEAST`, and their similarity.

    >>> [part.tolist() for part in similar(["Pride and Prejudise", "Emma"], ["Prejudice and Pride", "Em"])][:2]
    [[0], [0]]
    """
    one, first = shingles(left)
    two, second = shingles(right)
    if not len(one) or not len(two):
        return np.empty(0, np.int64), np.empty(0, np.int64), np.empty(0)
    _, codes = np.unique(np.concatenate((one, two)), return_inverse=True)
    frequency = np.bincount(codes)
    rank = np.empty(len(frequency), np.int64)
    rank[np.argsort(frequency, kind="stable")] = np.arange(len(frequency))
    a, b = rank[codes[: len(one)]], rank[codes[len(one) :]]
    pairs = _candidates(a, first, b, second, len(frequency), (len(left), len(right)))
    return _judged(pairs, a, first, b, second, (len(left), len(right)))


def _candidates(a: Ints, first: Ints, b: Ints, second: Ints, codes: int, n: tuple[int, int]) -> Ints:
    """Return the pairs, as numbers, that share one of the shingles by which similar texts must meet."""
    one, two = _rarest(a, first, n[0]), _rarest(b, second, n[1])
    left, right = Groups.by(a[one], codes), Groups.by(b[two], codes)
    cost = left.sizes * right.sizes
    used = np.flatnonzero((cost > 0) & within_budget(cost, CANDIDATES))
    i, j, _ = crossed(left, used, right, used)
    return np.unique(first[one][i] * n[1] + second[two][j])


def _rarest(codes: Ints, number: Ints, n: int) -> Ints:
    """Return the rows that hold the rarest shingles of each text: so many that two similar texts share one."""
    order = np.lexsort((codes, number))
    ordered = number[order]
    sizes = np.bincount(number, minlength=n)
    place = np.arange(len(ordered)) - (np.cumsum(sizes) - sizes)[ordered]
    return np.asarray(order[place <= sizes[ordered] - np.ceil(LEAST * sizes[ordered])], np.int64)


def _judged(pairs: Ints, a: Ints, first: Ints, b: Ints, second: Ints, n: tuple[int, int]) -> tuple[Ints, Ints, Floats]:
    x, y = np.divmod(pairs, n[1])
    sizes = np.bincount(first, minlength=n[0]), np.bincount(second, minlength=n[1])
    small, large = np.minimum(sizes[0][x], sizes[1][y]), np.maximum(sizes[0][x], sizes[1][y])
    x, y = x[small >= LEAST * large], y[small >= LEAST * large]
    texts = Groups.by(first, n[0])
    width = int(max(a.max(initial=0), b.max(initial=0))) + 1
    known = np.sort(second * width + b)
    common = np.zeros(len(x))
    for start in range(0, len(x), 500_000):
        part = slice(start, start + 500_000)
        rows, pair = members(texts, x[part])
        _, found = lookup(known, y[part][pair] * width + a[rows])
        common[part] = np.bincount(pair, found, len(x[part]))
    jaccard = common / np.maximum(sizes[0][x] + sizes[1][y] - common, 1)
    good = jaccard >= LEAST
    return x[good], y[good], jaccard[good]
