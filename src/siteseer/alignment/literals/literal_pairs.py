"""Finds the pairs of literals that may be equal, each with a probability, once before the first round."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.literals.literal_keys import Hashes, KeyedText
from siteseer.alignment.literals.numerals import NumberedText, numbers_agree
from siteseer.alignment.literals.similarity_join import LONGEST, SHORTEST, similar_pairs
from siteseer.alignment.literals.spelling_errors import deletion_hashes, may_be_misspelt
from siteseer.alignment.sparse_products import Groups, cross_groups, run_starts, within_budget

SLIP, SLIP_IN_NUMBER, SIMILAR = 0.9, 0.6, 0.9
LEAST = 0.2
"""Less probable pairs are no evidence worth carrying."""
LOOSE_PAIRS = 3_000_000
CHARACTERS = 20_000_000
"""How much text of one side is cut into shingles."""


@dataclass(frozen=True, slots=True)
class EqualLiterals:
    """Pairs of literals, by left literal, with the probability that they are equal."""

    left: Ints
    right: Ints
    probability: Floats
    """What the pair is worth as evidence: the more a literal resembles others too, the less."""
    similarity: Floats
    """How alike the two are."""


def equal_literals(left: KeyedText, right: KeyedText) -> EqualLiterals:
    """Return the pairs of equal literals, compared as `exact`, `alnum` or `shingle`.

    >>> one, two = KeyedText(["Dickens, Charles", "9.50"], "shingle"), KeyedText(["Charles Dickens", "9.5"], "shingle")
    >>> found = equal_literals(one, two)
    >>> found.left.tolist(), found.right.tolist(), found.probability.round(2).tolist()
    ([0, 1], [0, 1], [0.94, 1.0])
    """
    kept = _others if left is right else _as_they_are
    exact = kept(_met(left, right))
    if left.how != "shingle":
        return _best([exact])
    loose = _best([exact, kept(_by_looser_keys(left, right))])
    found = [loose, *map(kept, _misspelt(left, right, loose)), *map(kept, _similar(left, right, loose))]
    return _weighed(_best([exact, *(_same_numbers(pairs, left.numbers, right.numbers) for pairs in found)]))


def alike_literals(texts: KeyedText) -> EqualLiterals:
    """Return the pairs of equal literals within one list; each literal also pairs with itself.

    >>> found = alike_literals(KeyedText(["Dickens, Charles", "Charles Dickens", "9.5"], "shingle"))
    >>> list(zip(found.left.tolist(), found.right.tolist()))
    [(0, 0), (0, 1), (1, 0), (1, 1), (2, 2)]
    """
    others = equal_literals(texts, texts)
    every = np.arange(len(texts.texts))
    left, right = np.concatenate((others.left, every)), np.concatenate((others.right, every))
    order = np.lexsort((right, left))
    ones = np.ones(len(every))
    probability = np.concatenate((others.probability, ones))[order]
    return EqualLiterals(left[order], right[order], probability, np.concatenate((others.similarity, ones))[order])


def _as_they_are(pairs: EqualLiterals) -> EqualLiterals:
    return pairs


def _others(pairs: EqualLiterals) -> EqualLiterals:
    """Leave out what is paired with itself."""
    keep = pairs.left != pairs.right
    return EqualLiterals(pairs.left[keep], pairs.right[keep], pairs.probability[keep], pairs.similarity[keep])


def _pairs(left: Ints, right: Ints, similarity: Floats) -> EqualLiterals:
    return EqualLiterals(left, right, similarity, similarity)


def _met(left: KeyedText, right: KeyedText) -> EqualLiterals:
    """Return the pairs with the same key."""
    i, j = _joined(left.hashes, right.hashes)
    return _pairs(i, j, np.ones(len(i)))


def _joined(a: Hashes, b: Hashes) -> tuple[Ints, Ints]:
    """Return the places of equal hashes on both sides; what too many share is left out."""
    common = np.intersect1d(a, b)
    rows = [np.flatnonzero(np.isin(hashes, common)) for hashes in (a, b)]
    numbers = [np.searchsorted(common, hashes[kept]) for hashes, kept in zip((a, b), rows, strict=True)]
    one, two = (Groups.by(side, len(common)) for side in numbers)
    cost = one.sizes * two.sizes
    used = np.flatnonzero(within_budget(cost, LOOSE_PAIRS))
    i, j, _ = cross_groups(one, used, two, used)
    return rows[0][i], rows[1][j]


def _by_looser_keys(left: KeyedText, right: KeyedText) -> EqualLiterals:
    (a, x, v), (b, y, w) = left.looser, right.looser
    i, j = _joined(a, b)
    return _pairs(x[i], y[j], v[i] * w[j])


def _misspelt(left: KeyedText, right: KeyedText, known: EqualLiterals) -> Iterable[EqualLiterals]:
    """Yield the pairs that a slip tells apart; at least one of the two has no equal yet."""
    for one, other in _lonely(left.keys, right.keys, known, may_be_misspelt):
        h, i = deletion_hashes([left.keys[k] for k in one.tolist()])
        g, j = deletion_hashes([right.keys[k] for k in other.tolist()])
        rows, columns = _joined(h, g)
        place, x, y = i[rows], one[i[rows]], other[j[columns]]
        numbers = np.array([left.keys[k].isdigit() for k in one.tolist()], bool)
        length = np.array([len(left.keys[k]) for k in one.tolist()], np.int64)
        weight = np.where(numbers[place], SLIP_IN_NUMBER, SLIP) * (1 - 1 / length[place])
        yield _pairs(x, y, weight)


def _similar(left: KeyedText, right: KeyedText, known: EqualLiterals) -> Iterable[EqualLiterals]:
    for one, other in _lonely(left.keys, right.keys, known, lambda key: len(key) >= SHORTEST and not key.isdigit()):
        one, other = _shorter(one, left.texts), _shorter(other, right.texts)
        i, j, jaccard = similar_pairs([left.texts[k] for k in one.tolist()], [right.texts[k] for k in other.tolist()])
        yield _pairs(one[i], other[j], SIMILAR * jaccard)


def _shorter(chosen: Ints, texts: list[str]) -> Ints:
    """Return the texts that are compared: the longest are left out where all together are too long."""
    lengths = np.array([min(len(texts[k]), LONGEST) for k in chosen.tolist()], np.int64)
    return chosen[within_budget(lengths, CHARACTERS)]


def _lonely(
    left: list[str], right: list[str], known: EqualLiterals, fits: Callable[[str], bool]
) -> Iterable[tuple[Ints, Ints]]:
    """Yield what to compare: left literals without equal with all right ones, then the rest with lonely right ones."""
    fit = [np.array([fits(key) for key in side], bool) for side in (left, right)]
    sure = known.probability >= SLIP
    alone = [np.ones(len(side), bool) for side in (left, right)]
    alone[0][known.left[sure]] = False
    alone[1][known.right[sure]] = False
    yield np.flatnonzero(fit[0] & alone[0]), np.flatnonzero(fit[1])
    yield np.flatnonzero(fit[0] & ~alone[0]), np.flatnonzero(fit[1] & alone[1])


def _same_numbers(pairs: EqualLiterals, left: NumberedText, right: NumberedText) -> EqualLiterals:
    """Leave out texts that differ in a number: volume 1 is not volume 2. Pure numbers may have a slip."""
    probability = pairs.probability * numbers_agree(left, right, pairs.left, pairs.right)
    keep = probability > 0
    return _pairs(pairs.left[keep], pairs.right[keep], probability[keep])


def _best(found: Iterable[EqualLiterals]) -> EqualLiterals:
    """Return each pair once, with its highest probability."""
    tables = list(found)
    left = np.concatenate([table.left for table in tables])
    right = np.concatenate([table.right for table in tables])
    probability = np.concatenate([table.probability for table in tables])
    order = np.lexsort((-probability, right, left))
    left, right, probability = left[order], right[order], probability[order]
    width = int(right.max(initial=0)) + 1
    first = run_starts(left * width + right)
    return _pairs(left[first], right[first], probability[first])


def _weighed(pairs: EqualLiterals) -> EqualLiterals:
    """Divide the probability of a pair by its place among the pairs of its left and of its right literal.

    What resembles one text is probably meant to be it; what resembles ten says little about each.
    """
    place = np.maximum(_place(pairs.left, pairs.probability), _place(pairs.right, pairs.probability))
    probability = np.where(pairs.probability == 1.0, 1.0, pairs.probability / place)
    probability = np.where(probability >= LEAST, probability, 0.0)
    return EqualLiterals(pairs.left, pairs.right, probability, pairs.similarity)


def _place(number: Ints, probability: Floats) -> npt.NDArray[np.float64]:
    """Return how many pairs of the same number are at least as probable."""
    order = np.lexsort((probability, number))
    n, p = number[order], probability[order]
    ends = np.append(run_starts(n)[1:], len(n)) if len(n) else np.empty(0, np.int64)
    run = np.cumsum(np.concatenate(([False], n[1:] != n[:-1]))) if len(n) else np.empty(0, np.int64)
    tied = np.cumsum(np.concatenate(([False], (n[1:] != n[:-1]) | (p[1:] != p[:-1])))) if len(n) else run
    lowest = run_starts(tied)[tied] if len(n) else run
    place = np.empty(len(n))
    place[order] = ends[run] - lowest
    return place
