"""Two texts in, how alike they are out: Jaccard, shingles, longest common subsequence; each from 0 to 1.

References: Broder, On the resemblance and containment of documents, 1997; thesis of Oita, section 1.2.2.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

import numpy as np

from siteseer.page.grams import Grams, hash_words
from siteseer.page.text import WORD

W = 4
"""Words in a shingle."""
LONGEST = 20_000
"""Words of a text that are compared in order; the sets take all."""
_MIX = np.uint64(0xD6E8FEB86659FD93)
Item = TypeVar("Item", bound=Hashable)
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
"""Runs of scripts that write no spaces between words: Thai, Lao, Burmese, Khmer, Japanese, Chinese."""
LETTERS_A_WORD = 2
_WITH_MARKS = re.compile(
    "[\\w\u0300-\u036f\u0483-\u0489\u0591-\u05bd\u05bf-\u05c7\u0610-\u061a\u064b-\u065f\u0670\u06d6-\u06ed"
    "\u0900-\u0963\u0966-\u0dff\u200c\u200d]+"
)
"""Words whose letters bear marks, as vowel signs of Indian scripts: `\\w` alone ends at each of them."""


def count_words(text: str) -> int:
    """Return how many words a text has; where a script writes no spaces, two letters count as one.

    >>> count_words("Three short words"), count_words("早上没有人看见港口"), count_words("阅读 12 次")
    (3, 5, 3)
    """
    if text.isascii():
        return len(WORD.findall(text))
    unspaced = sum(-(-len(run) // LETTERS_A_WORD) for run in UNSPACED.findall(text))
    return unspaced + len(_WITH_MARKS.findall(UNSPACED.sub(" ", text)))


def shingles(words: Sequence[str], w: int = W) -> set[tuple[str, ...]]:
    """Return every run of w words.

    >>> sorted(shingles("a b c".split(), 2))
    [('a', 'b'), ('b', 'c')]
    """
    if not words:
        return set()
    return set(zip(*(words[start:] for start in range(min(w, len(words)))), strict=False))


def jaccard(a: Iterable[Item], b: Iterable[Item]) -> float:
    """Return the shared part of two sets.

    >>> jaccard("abc", "bcd")
    0.5
    """
    one, two = set(a), set(b)
    return len(one & two) / len(one | two) if one or two else 1.0


def resemblance(a: Sequence[str], b: Sequence[str]) -> float:
    """Return the Jaccard similarity of the shingles of W words of two texts; of their words where one is shorter.

    >>> resemblance("a b c d e".split(), "a b c d f".split())
    0.3333333333333333
    """
    if min(len(a), len(b)) < W:
        return jaccard(a, b)
    one, two = _hashes(a), _hashes(b)
    shared = len(np.intersect1d(one, two, assume_unique=True))
    return shared / (len(one) + len(two) - shared)


def _hashes(words: Sequence[str]) -> Grams:
    """Return the distinct shingles of four words as hashes: each is two pairs of words."""
    pairs = hash_words(list(words))
    return np.unique((pairs[:-2] * _MIX) ^ (pairs[2:] >> np.uint64(7)))


def containment(a: Sequence[str], b: Sequence[str], w: int = W) -> float:
    """Return the share of the first text's shingles that the second also has."""
    mine = shingles(a, w)
    return len(mine & shingles(b, w)) / len(mine) if mine else 1.0


def common_subsequence(a: Sequence[str], b: Sequence[str]) -> float:
    """Return twice the length of a long common subsequence over both lengths.

    The subsequence is that of the matching blocks, found from the longest on: never longer than the longest one.

    >>> common_subsequence("a b c d".split(), "a x c d".split())
    0.75
    """
    a, b = a[:LONGEST], b[:LONGEST]
    if a == b:
        return 1.0
    head = _common(a, b)
    tail = _common(a[head:][::-1], b[head:][::-1])
    matched = head + tail + _matched(a[head : len(a) - tail], b[head : len(b) - tail])
    return 2 * matched / (len(a) + len(b))


def _matched(a: Sequence[str], b: Sequence[str]) -> int:
    """Long texts with nothing in order in common would take quadratic time: there, words in common are counted."""
    if len(a) * len(b) > 4_000_000:
        return (Counter(a) & Counter(b)).total()
    return sum(block.size for block in SequenceMatcher(None, a, b, autojunk=False).get_matching_blocks())


def _common(a: Sequence[str], b: Sequence[str]) -> int:
    for number, (one, two) in enumerate(zip(a, b, strict=False)):
        if one != two:
            return number
    return min(len(a), len(b))
