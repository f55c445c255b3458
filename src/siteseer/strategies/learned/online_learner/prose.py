"""A page in, its prose out: the new-text measure of the learner, and the blocks by which pages are compared.

A block is the text between two borders of block-level elements. Only blocks of six words or more are prose, and a
2-gram counts only where neither word holds a digit: dates, counters, user lines and menus vanish without any model of
boilerplate. Hashes are cut to 32 bits, as they are written to the crawl's memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from xxhash import xxh3_64_intdigest

from siteseer.model import Page
from siteseer.page.grams import Grams, hash_words
from siteseer.page.packed_hashes import pack as pack
from siteseer.page.packed_hashes import unpack as unpack
from siteseer.page.placed_blocks import placed_blocks
from siteseer.page.text import WORD
from siteseer.page.tree import cached, is_html

MIN_WORDS = 6
MAX_WORDS = 200_000
"""A page with more words than a long book is not read to its end."""
MAX_CHARACTERS = 10 * MAX_WORDS
MAX_BLOCKS = 2_000
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_UNSPACED_WORD = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|[^\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+")
_WORD_MASK = (1 << 32) - 1


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
        return Prose(np.empty(0, np.uint64), ())
    sequence: list[str] = []
    blocks: dict[int, None] = {}
    shorter: dict[int, None] = {}
    for block in text_blocks(page):
        found = split_words(block[:MAX_CHARACTERS].lower())
        plain = [word if word.isalpha() else "0" for word in found]
        digest = xxh3_64_intdigest(" ".join(plain).encode("utf-8", "replace")) & _WORD_MASK
        if len(found) < MIN_WORDS:
            shorter[digest] = None
            continue
        blocks[digest] = None
        sequence.append("0")
        sequence.extend(plain)
        if len(sequence) > MAX_WORDS or len(blocks) >= MAX_BLOCKS:
            break
    return Prose(_countable(sequence), tuple(blocks), tuple(shorter)[:MAX_BLOCKS])


def split_words(text: str) -> list[str]:
    """Split a text into words; scripts written without spaces are split into characters."""
    return (_UNSPACED_WORD if _UNSPACED.search(text) else WORD).findall(text)


def _countable(sequence: list[str]) -> Grams:
    """Return the hashes of the pairs of which neither word is a number or a border."""
    if len(sequence) < 2:
        return np.empty(0, np.uint64)
    counts = np.fromiter((word != "0" for word in sequence), np.bool_, len(sequence))
    return np.unique(hash_words(sequence)[counts[:-1] & counts[1:]] >> np.uint64(32))


def text_blocks(page: Page) -> list[str]:
    """Return the texts between the borders of block-level elements, in page order, empty ones left out."""
    return [text for text, _, _ in placed_blocks(page)]
