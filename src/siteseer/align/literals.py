"""Two lists of literals in, the pairs that may be equal out, each with a probability: fixed before the first round."""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
from xxhash import xxh3_64_intdigest

from siteseer.align.graph import Floats, Ints
from siteseer.align.normalise import alnum_key, exact_key, looser_keys
from siteseer.align.shingles import LONGEST, SHORTEST, similar
from siteseer.align.sparse import Groups, crossed, firsts, within_budget
from siteseer.align.spelling import may_be_misspelt, shortened

Hashes = npt.NDArray[np.uint64]
SLIP, SLIP_IN_NUMBER, SIMILAR = 0.9, 0.6, 0.9
LEAST = 0.2
"""Less probable pairs are no evidence worth carrying."""
LOOSE_PAIRS = 3_000_000
CHARACTERS = 20_000_000
"""How much text of one side is cut into shingles."""
_DIGITS = re.compile(r"\d+")
_LETTER = re.compile(r"[^\W\d_]")


@dataclass(frozen=True, slots=True)
class Equal:
    """Pairs of literals, by left literal, with the probability that they are equal."""

    left: Ints
    right: Ints
    probability: Floats
    """What the pair is worth as evidence: the more a literal resembles others too, the less."""
    similarity: Floats
    """How alike the two are."""


def equal_literals(left: list[str], right: list[str], how: str) -> Equal:
    """Return the pairs of equal literals, compared as `exact`, `alnum` or `shingle`.

    >>> found = equal_literals(["Dickens, Charles", "9.50"], ["Charles Dickens", "9.5"], "shingle")
    >>> found.left.tolist(), found.right.tolist(), found.probability.round(2).tolist()
    ([0, 1], [0, 1], [0.94, 1.0])
    """
    key = exact_key if how == "exact" else alnum_key
    keys = [key(text) for text in left], [key(text) for text in right]
    exact = _met(keys[0], keys[1])
    if how != "shingle":
        return _best([exact])
    loose = _best([exact, _by_looser_keys(left, right)])
    found = [loose, *_misspelt(keys, loose), *_similar(left, right, keys, loose)]
    return _weighed(_best([exact, *(_same_numbers(pairs, left, right) for pairs in found)]))


def _pairs(left: Ints, right: Ints, similarity: Floats) -> Equal:
    return Equal(left, right, similarity, similarity)


def _met(left: Iterable[str], right: Iterable[str]) -> Equal:
    """Return the pairs with the same key."""
    a = np.fromiter((_hash(key) for key in left), np.uint64)
    b = np.fromiter((_hash(key) for key in right), np.uint64)
    i, j = _joined(a, b)
    return _pairs(i, j, np.ones(len(i)))


def _hash(key: str) -> int:
    return xxh3_64_intdigest(key.encode("utf-8", "surrogatepass"))


def _joined(a: Hashes, b: Hashes) -> tuple[Ints, Ints]:
    """Return the places of equal hashes on both sides; what too many share is left out."""
    common = np.intersect1d(a, b)
    rows = [np.flatnonzero(np.isin(hashes, common)) for hashes in (a, b)]
    numbers = [np.searchsorted(common, hashes[kept]) for hashes, kept in zip((a, b), rows, strict=True)]
    one, two = (Groups.by(side, len(common)) for side in numbers)
    cost = one.sizes * two.sizes
    used = np.flatnonzero(within_budget(cost, LOOSE_PAIRS))
    i, j, _ = crossed(one, used, two, used)
    return rows[0][i], rows[1][j]


def _by_looser_keys(left: list[str], right: list[str]) -> Equal:
    def rows(texts: list[str]) -> tuple[Hashes, Ints, Floats]:
        keys, owners, weights = array("Q"), array("q"), array("d")
        for k, text in enumerate(texts):
            for key, weight in looser_keys(text):
                keys.append(_hash(key))
                owners.append(k)
                weights.append(weight)
        return np.array(keys, np.uint64), np.array(owners, np.int64), np.array(weights, np.float64)

    (a, x, v), (b, y, w) = rows(left), rows(right)
    i, j = _joined(a, b)
    return _pairs(x[i], y[j], v[i] * w[j])


def _misspelt(keys: tuple[list[str], list[str]], known: Equal) -> Iterable[Equal]:
    """Yield the pairs that a slip tells apart; at least one of the two has no equal yet."""
    for one, other in _lonely(keys, known, may_be_misspelt):
        h, i = shortened([keys[0][k] for k in one])
        g, j = shortened([keys[1][k] for k in other])
        rows, columns = _joined(h, g)
        x, y = one[i[rows]], other[j[columns]]
        numbers = np.array([key.isdigit() for key in keys[0]], bool)
        length = np.array([len(key) for key in keys[0]])
        weight = np.where(numbers[x], SLIP_IN_NUMBER, SLIP) * (1 - 1 / length[x])
        yield _pairs(x, y, weight)


def _similar(left: list[str], right: list[str], keys: tuple[list[str], list[str]], known: Equal) -> Iterable[Equal]:
    for one, other in _lonely(keys, known, lambda key: len(key) >= SHORTEST and not key.isdigit()):
        one, other = _shorter(one, left), _shorter(other, right)
        i, j, jaccard = similar([left[k] for k in one], [right[k] for k in other])
        yield _pairs(one[i], other[j], SIMILAR * jaccard)


def _shorter(chosen: Ints, texts: list[str]) -> Ints:
    """Return the texts that are compared: the longest are left out where all together are too long."""
    lengths = np.array([min(len(texts[k]), LONGEST) for k in chosen], np.int64)
    return chosen[within_budget(lengths, CHARACTERS)]


def _lonely(
    keys: tuple[list[str], list[str]], known: Equal, fits: Callable[[str], bool]
) -> Iterable[tuple[Ints, Ints]]:
    """Yield what to compare: left literals without equal with all right ones, then the rest with lonely right ones."""
    fit = [np.array([fits(key) for key in side], bool) for side in keys]
    sure = known.probability >= SLIP
    alone = [np.ones(len(side), bool) for side in keys]
    alone[0][known.left[sure]] = False
    alone[1][known.right[sure]] = False
    yield np.flatnonzero(fit[0] & alone[0]), np.flatnonzero(fit[1])
    yield np.flatnonzero(fit[0] & ~alone[0]), np.flatnonzero(fit[1] & alone[1])


def _same_numbers(pairs: Equal, left: list[str], right: list[str]) -> Equal:
    """Leave out texts that differ in a number: volume 1 is not volume 2. Pure numbers may have a slip."""
    wordy = [np.array([_has_both(text) for text in texts], bool) for texts in (left, right)]
    keep = np.ones(len(pairs.left), bool)
    numbers: list[dict[int, frozenset[str]]] = [{}, {}]
    for k in np.flatnonzero(wordy[0][pairs.left] & wordy[1][pairs.right]).tolist():
        a = _numbers(numbers[0], int(pairs.left[k]), left)
        b = _numbers(numbers[1], int(pairs.right[k]), right)
        keep[k] = a <= b or b <= a
    return _pairs(pairs.left[keep], pairs.right[keep], pairs.probability[keep])


def _has_both(text: str) -> bool:
    return _DIGITS.search(text) is not None and _LETTER.search(text) is not None


def _numbers(known: dict[int, frozenset[str]], k: int, texts: list[str]) -> frozenset[str]:
    if k not in known:
        known[k] = frozenset(_DIGITS.findall(texts[k]))
    return known[k]


def _best(found: Iterable[Equal]) -> Equal:
    """Return each pair once, with its highest probability."""
    tables = list(found)
    left = np.concatenate([table.left for table in tables])
    right = np.concatenate([table.right for table in tables])
    probability = np.concatenate([table.probability for table in tables])
    order = np.lexsort((-probability, right, left))
    left, right, probability = left[order], right[order], probability[order]
    width = int(right.max(initial=0)) + 1
    first = firsts(left * width + right)
    return _pairs(left[first], right[first], probability[first])


def _weighed(pairs: Equal) -> Equal:
    """Divide the probability of a pair by its place among the pairs of its left and of its right literal.

    What resembles one text is probably meant to be it; what resembles ten says little about each.
    """
    place = np.maximum(_place(pairs.left, pairs.probability), _place(pairs.right, pairs.probability))
    probability = np.where(pairs.probability == 1.0, 1.0, pairs.probability / place)
    probability = np.where(probability >= LEAST, probability, 0.0)
    return Equal(pairs.left, pairs.right, probability, pairs.similarity)


def _place(number: Ints, probability: Floats) -> npt.NDArray[np.float64]:
    """Return how many pairs of the same number are at least as probable."""
    order = np.lexsort((probability, number))
    n, p = number[order], probability[order]
    ends = np.append(firsts(n)[1:], len(n)) if len(n) else np.empty(0, np.int64)
    run = np.cumsum(np.concatenate(([False], n[1:] != n[:-1]))) if len(n) else np.empty(0, np.int64)
    tied = np.cumsum(np.concatenate(([False], (n[1:] != n[:-1]) | (p[1:] != p[:-1])))) if len(n) else run
    lowest = firsts(tied)[tied] if len(n) else run
    place = np.empty(len(n))
    place[order] = ends[run] - lowest
    return place
