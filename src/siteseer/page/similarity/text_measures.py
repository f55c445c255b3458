"""Measures the similarity of two texts: Jaccard, shingles, longest common subsequence; each from 0 to 1.

References: Broder, On the resemblance and containment of documents, 1997; thesis of Oita, section 1.2.2.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Hashable, Sequence
from difflib import SequenceMatcher
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from siteseer.page.similarity.set_measures import jaccard, jaccard_of_hashes
from siteseer.page.text import WORD
from siteseer.page.two_grams import Grams, distinct, hash_words

W = 4
"""Words in a shingle."""
LONGEST = 20_000
"""Words of a text that are compared in order; the sets take all."""
Numbers = NDArray[np.int64]
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


def shingles(words: Sequence[Item], w: int = W) -> set[tuple[Item, ...]]:
    """Return every run of w words.

    >>> sorted(shingles("a b c".split(), 2))
    [('a', 'b'), ('b', 'c')]
    """
    return set(runs(words, min(w, len(words)))) if words else set()


def runs(words: Sequence[Item], w: int = W) -> list[tuple[Item, ...]]:
    """Return every run of w words in order; none where there are fewer words.

    >>> runs("a b c".split(), 2), runs(["a"], 2)
    ([('a', 'b'), ('b', 'c')], [])
    """
    return list(zip(*(words[start:] for start in range(w)), strict=False))


def letter_pairs(text: str) -> set[str]:
    """Return the pairs of consecutive characters.

    >>> sorted(letter_pairs("tea"))
    ['ea', 'te']
    """
    return {text[at : at + 2] for at in range(len(text) - 1)}


def letter_shingles(texts: Sequence[str], size: int = 2) -> tuple[Numbers, Numbers]:
    """Return the distinct runs of characters of many texts, as numbers, and the number of the text, by text.

    A space parts words: it begins or ends a run, but does not stand inside of one.

    >>> letter_shingles(["aaab", "b"])[1].tolist()
    [0, 0]
    """
    lengths = np.array([len(text) for text in texts], np.int64)
    flat = np.frombuffer("".join(texts).encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.int64)
    owner = np.repeat(np.arange(len(texts)), lengths)
    count = max(len(flat) - size + 1, 0)
    code = np.zeros(count, np.int64)
    within = np.ones(count, bool)
    for k in range(size):
        code = code * 0x1FFFFF + flat[k : count + k]
        if 0 < k < size - 1:
            within &= flat[k : count + k] != ord(" ")
    within &= owner[:count] == owner[size - 1 :] if count else within
    owner, code = owner[:count][within], code[within]
    order = np.lexsort((code, owner))
    owner, code = owner[order], code[order]
    new = np.ones(len(code), bool)
    new[1:] = (owner[1:] != owner[:-1]) | (code[1:] != code[:-1])
    return code[new], owner[new]


def resemblance(a: Sequence[str], b: Sequence[str]) -> float:
    """Return the Jaccard similarity of the shingles of W words of two texts; of their words where one is shorter.

    >>> resemblance("a b c d e".split(), "a b c d f".split())
    0.3333333333333333
    """
    if min(len(a), len(b)) < W:
        return jaccard(set(a), set(b))
    return jaccard_of_hashes(_hashes(a), _hashes(b))


def _hashes(words: Sequence[str]) -> Grams:
    """Return the distinct shingles of four words as hashes: each is two pairs of words."""
    pairs = hash_words(list(words))
    return distinct((pairs[:-2] * _MIX) ^ (pairs[2:] >> np.uint64(7)))


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
