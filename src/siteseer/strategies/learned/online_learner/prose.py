"""Measures the prose of a page: 2-grams for the learner's measure of new text, and blocks for comparing pages.

A block is the text between two borders of block-level elements. Only blocks of six words or more are prose, and a
2-gram counts only where neither word holds a digit: dates, counters, user lines and menus vanish without any model of
boilerplate. Hashes are cut to 32 bits, as they are written to the crawl's memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from siteseer.model import Page
from siteseer.page.packed_hashes import pack as pack
from siteseer.page.packed_hashes import unpack as unpack
from siteseer.page.text import WORD
from siteseer.page.tree import cached, is_html
from siteseer.page.two_grams import Grams, distinct, hash_pairs
from siteseer.page.word_hashes import Flags, Places, hash_runs, hash_strings, split_word_hashes

MIN_WORDS = 6
MAX_WORDS = 200_000
"""A page with more words than a long book is not read to its end."""
MAX_CHARACTERS = 10 * MAX_WORDS
MAX_BLOCKS = 2_000
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_UNSPACED_WORD = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|[^\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+")
_NOTHING = np.empty(0, np.uint64)
_FIRST = np.ones(1, np.bool_)
NUMBER = hash_strings(["0"])[0]
"""Stands for every word that is not of letters only."""


@dataclass(frozen=True, slots=True)
class Prose:
    """The distinct 2-grams of a page's prose, sorted, its blocks and its shorter texts in page order; all hashes."""

    grams: Grams
    blocks: tuple[int, ...]
    shorter: tuple[int, ...] = ()


@cached
def prose(page: Page) -> Prose:
    """Return the prose of a page.

    >>> body = b"<p>One two three four five six.<p>Too short.<p>Of 12 words, these are enough for it."
    >>> found = prose(Page("http://e.org/", headers=(("Content-Type", "text/html"),), body=body))
    >>> len(found.grams), len(found.blocks)
    (10, 2)
    """
    if not is_html(page):
        return Prose(_NOTHING, ())
    words = split_word_hashes(page)
    if not len(words.hashes):
        return Prose(_NOTHING, ())
    plain = np.where(words.are_letters, words.hashes, NUMBER)
    begins = np.flatnonzero(np.concatenate((_FIRST, words.blocks[1:] != words.blocks[:-1])))
    sizes = np.diff(begins, append=len(plain))
    is_prose = sizes >= MIN_WORDS
    digests = (hash_runs(plain, begins, sizes) >> np.uint64(32)).tolist()
    blocks: dict[int, int] = {}
    shorter: dict[int, None] = {}
    size = 0
    for number, (digest, length) in enumerate(zip(digests, sizes.tolist(), strict=True)):
        if length < MIN_WORDS:
            shorter[digest] = None
        elif digest not in blocks:
            blocks[digest] = number
            size += length
            if size > MAX_WORDS or len(blocks) >= MAX_BLOCKS:
                is_prose[number + 1 :] = False
                break
    return Prose(_countable(plain, np.repeat(is_prose, sizes), begins), tuple(blocks), tuple(shorter)[:MAX_BLOCKS])


def _countable(words: Grams, in_prose: Flags, begins: Places) -> Grams:
    """Return the hashes of the pairs of words of one block of prose of which neither is a number."""
    counts = in_prose & (words != NUMBER)
    counts[:-1] &= counts[1:]
    counts[begins[1:] - 1] = False
    return distinct(hash_pairs(words)[counts[:-1]] >> np.uint64(32))


def split_words(text: str) -> list[str]:
    """Split a text into words; scripts written without spaces are split into characters."""
    return (WORD if text.isascii() or not _UNSPACED.search(text) else _UNSPACED_WORD).findall(text)
