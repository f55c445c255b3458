"""Measures the prose of a page: 2-grams for the learner's measure of new text, and blocks for comparing pages.

A block is the text between two borders of block-level elements. Only blocks of six words or more are prose, and a
2-gram counts only where neither word holds a digit: dates, counters, user lines and menus vanish without any model of
boilerplate. Hashes are cut to 32 bits, as they are written to the crawl's memory.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from xxhash import xxh3_64_intdigest

from siteseer.model import Page
from siteseer.page.packed_hashes import pack as pack
from siteseer.page.packed_hashes import unpack as unpack
from siteseer.page.text import WORD, text_blocks
from siteseer.page.tree import cached, is_html
from siteseer.page.two_grams import Grams, distinct, hash_pairs, word_hashes

MIN_WORDS = 6
MAX_WORDS = 200_000
"""A page with more words than a long book is not read to its end."""
MAX_CHARACTERS = 10 * MAX_WORDS
MAX_BLOCKS = 2_000
REPEATED = 2_000
"""Characters: menus, teasers and posts, no longer than this, stand on several pages, and are read once."""
_UNSPACED = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]")
_UNSPACED_WORD = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|[^\W\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]+")
_WORD_MASK = (1 << 32) - 1
_NOTHING = np.empty(0, np.uint64)
_NO_WORD = np.uint64(xxh3_64_intdigest(b"0"))


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
    hashes: list[Grams] = []
    size = 0
    blocks: dict[int, None] = {}
    shorter: dict[int, None] = {}
    for block in dict.fromkeys(text_blocks(page)):
        digest, found = _read_again(block) if len(block) <= REPEATED else _read(block)
        if not len(found):
            shorter[digest] = None
            continue
        blocks[digest] = None
        hashes.append(found)
        size += len(found)
        if size > MAX_WORDS or len(blocks) >= MAX_BLOCKS:
            break
    return Prose(_countable(hashes), tuple(blocks), tuple(shorter)[:MAX_BLOCKS])


def _read(block: str) -> tuple[int, Grams]:
    """Return the digest of a block and, where it is prose, the hashes of a border and of its words."""
    plain = [word if word.isalpha() else "0" for word in split_words(block[:MAX_CHARACTERS].lower())]
    digest = xxh3_64_intdigest(" ".join(plain).encode("utf-8", "replace")) & _WORD_MASK
    return digest, word_hashes(["0", *plain]) if len(plain) >= MIN_WORDS else _NOTHING


_read_again = lru_cache(maxsize=8_192)(_read)


def split_words(text: str) -> list[str]:
    """Split a text into words; scripts written without spaces are split into characters."""
    return (WORD if text.isascii() or not _UNSPACED.search(text) else _UNSPACED_WORD).findall(text)


def _countable(blocks: list[Grams]) -> Grams:
    """Return the hashes of the pairs of which neither word is a number or a border."""
    if not blocks:
        return _NOTHING
    words = np.concatenate(blocks)
    counts = words != _NO_WORD
    return distinct(hash_pairs(words)[counts[:-1] & counts[1:]] >> np.uint64(32))
