"""A page in, its prose out: the new-text measure of the learner, and the blocks by which pages are compared.

A block is the text between two borders of block-level elements. Only blocks of six words or more are prose, and a
2-gram counts only where neither word holds a digit: dates, counters, user lines and menus vanish without any model of
boilerplate. Hashes are cut to 32 bits, as they are written to the crawl's memory.
"""

from __future__ import annotations

import re
from base64 import b64decode, b64encode
from dataclasses import dataclass

import numpy as np
from lxml import etree
from xxhash import xxh3_64_intdigest

from siteseer.model import Page
from siteseer.page.grams import Grams, hash_words
from siteseer.page.text import BLOCKS, UNREAD, WORD
from siteseer.page.tree import cached, is_html, tree

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
    pieces: list[str] = []
    walk = etree.iterwalk(tree(page), events=("start", "end", "comment"))
    for event, element in walk:
        tag = element.tag
        if event == "start":
            if tag in UNREAD:
                walk.skip_subtree()
                continue
            if tag in BLOCKS:
                pieces.append("\n\0")
            if element.text:
                pieces.append(element.text)
            continue
        if event == "end" and tag in BLOCKS:
            pieces.append("\n\0")
        if element.tail:
            pieces.append(element.tail)
    return [block for block in "".join(pieces).split("\n\0") if not block.isspace() and block]


def pack(hashes: Grams | tuple[int, ...]) -> str:
    """Return 32-bit hashes as text.

    >>> pack((1, 2))
    'AQAAAAIAAAA='
    """
    return b64encode(np.asarray(hashes, np.uint64).astype("<u4").tobytes()).decode("ascii")


def unpack(text: str) -> Grams:
    """Return the hashes that `pack` wrote.

    >>> unpack("AQAAAAIAAAA=").tolist()
    [1, 2]
    """
    return np.frombuffer(b64decode(text), "<u4").astype(np.uint64)
