"""Measures the similarity of two texts by their common rare words (IDF-weighted).

Reference: Cohen, Ravikumar, Fienberg, A comparison of string distance metrics for name-matching tasks, 2003 (words
weighed by how few texts have them). Differs: a text that is contained in a longer one, a title without its subtitle or
a publisher without its group, is half as good as an equal one, however long the other.
"""

from __future__ import annotations

from array import array
from dataclasses import dataclass

import numpy as np

from siteseer.alignment.fact_graph import Floats, Ints
from siteseer.alignment.literals.normalise import WORD, fold_case
from siteseer.alignment.literals.numerals import NumberedText, numbers_agree
from siteseer.alignment.sparse_products import Groups, lookup, members

LONGEST = 300
LEAST = 0.3
"""What has less in common is different."""
MOST = 0.85
"""Common words in whatever order are never quite the same text."""
_BLOCK = 200_000


@dataclass(frozen=True, slots=True)
class WordWeights:
    """The words of texts: rows ordered by text and word, and the weight of each word."""

    texts: list[str]
    word: Ints
    of_text: Groups
    weight: Floats
    """By word."""
    total: Floats
    """By text."""
    numbers: NumberedText


def weigh_words(left: list[str], right: list[str]) -> tuple[WordWeights, WordWeights]:
    """Return the words of both lists, weighed by their rarity in both together."""
    known: dict[str, int] = {}
    rows = [_rows(texts, known) for texts in (left, right)]
    frequency = np.bincount(np.concatenate([word for _, word in rows]), minlength=len(known))
    weight = np.log1p((len(left) + len(right)) / np.maximum(frequency, 1))
    one, two = (_weighed(texts, *row, weight) for texts, row in zip((left, right), rows, strict=True))
    return one, two


def _rows(texts: list[str], known: dict[str, int]) -> tuple[Ints, Ints]:
    owner, word = array("q"), array("q")
    for k, text in enumerate(texts):
        for one in set(WORD.findall(fold_case(text[:LONGEST]).replace("'", ""))):
            owner.append(k)
            word.append(known.setdefault(one, len(known)))
    owners, words = np.array(owner, np.int64), np.array(word, np.int64)
    order = np.lexsort((words, owners))
    return owners[order], words[order]


def _weighed(texts: list[str], owner: Ints, word: Ints, weight: Floats) -> WordWeights:
    total = np.bincount(owner, weight[word], len(texts)).astype(np.float64)
    return WordWeights(texts, word, Groups.by(owner, len(texts)), weight, total, NumberedText.of(texts))


def rare_word_similarity(left: WordWeights, right: WordWeights, y: Ints, z: Ints) -> Floats:
    """Return for each pair of texts how much they have in common, from 0 to `MOST`.

    >>> one, two = weigh_words(["Emma: A Novel", "Emma"], ["Emma", "Persuasion: A Novel"])
    >>> rare_word_similarity(one, two, np.array([0, 0, 1]), np.array([0, 1, 0])).round(2).tolist()
    [0.54, 0.51, 0.85]
    """
    width = len(left.weight)
    owner = np.repeat(np.arange(len(right.texts)), right.of_text.sizes)
    known = owner * width + right.word
    common = np.zeros(len(y))
    for start in range(0, len(y), _BLOCK):
        part = slice(start, start + _BLOCK)
        rows, pair = members(left.of_text, y[part])
        word = left.word[rows]
        _, there = lookup(known, z[part][pair] * width + word)
        common[part] = np.bincount(pair, there * left.weight[word], len(y[part]))
    a, b = left.total[y], right.total[z]
    shorter, together = np.maximum(np.minimum(a, b), 1e-9), np.maximum(a + b - common, 1e-9)
    found = np.asarray(MOST * (common / shorter + common / together) / 2, np.float64)
    found[found < LEAST] = 0.0
    good = np.flatnonzero(found)
    found[good] *= numbers_agree(left.numbers, right.numbers, y[good], z[good])
    return found
