"""Passages: the unit in which the coverage certificate counts content.

A passage is a run of four words of prose (blocks of six words and more; numbers end a run). Text that two pages share
counts once, as with 2-grams, but what a site holds adds up: pairs of words recur in texts that have nothing to do with
each other, so that a site of which half the texts are missing keeps far more than half of its 2-grams. Runs of four
words hardly recur (shingles: Broder, On the resemblance and containment of documents, 1997).
"""

from __future__ import annotations

import numpy as np

from siteseer.model import Page
from siteseer.page.text import text_blocks
from siteseer.page.tree import cached, is_html
from siteseer.page.two_grams import Grams, distinct, hash_words
from siteseer.strategies.learned.online_learner.prose import (
    MAX_CHARACTERS,
    MAX_WORDS,
    MIN_WORDS,
    split_words,
)

RUN = 4
_MIX = np.uint64(0xC2B2AE3D27D4EB4F)


@cached
def passages(page: Page) -> Grams:
    """Return the distinct passages of a page, sorted.

    >>> body = b"<p>One two three four five six.<p>Too short.<p>In 2019 one two three four."
    >>> len(passages(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body)))
    3
    """
    if not is_html(page):
        return np.empty(0, np.uint64)
    sequence: list[str] = []
    for block in text_blocks(page):
        words = split_words(block[:MAX_CHARACTERS].lower())
        if len(words) >= MIN_WORDS:
            sequence.append("0")
            sequence.extend(word if word.isalpha() else "0" for word in words)
        if len(sequence) > MAX_WORDS:
            break
    return _runs(sequence)


def _runs(sequence: list[str]) -> Grams:
    """Return the hashes of the runs of which no word is a number or a border."""
    if len(sequence) < RUN:
        return np.empty(0, np.uint64)
    counts = np.fromiter((word != "0" for word in sequence), np.bool_, len(sequence))
    whole = counts[:-3] & counts[1:-2] & counts[2:-1] & counts[3:]
    pairs = hash_words(sequence)
    return distinct((pairs[:-2] * _MIX ^ pairs[2:])[whole])
