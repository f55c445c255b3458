"""Pages in, how much of what they say is new out: samples of word sequences, outside links."""

from __future__ import annotations

import re
from typing import Any

from lxml import etree
from xxhash import xxh3_64_intdigest

from siteseer.model import Page
from siteseer.page.tree import cached, tree

SHINGLE = 4
LONG = 8
"""A text node of fewer words is a label."""
ENOUGH = 12
NEW_SHARE = 0.35
_TEXTS: Any = etree.XPath(
    "//body//text()[not(ancestor::a or ancestor::script or ancestor::style or ancestor::select or ancestor::textarea)]",
    smart_strings=False,
)
_WORD = re.compile(r"\w+")


@cached
def shingles(page: Page) -> frozenset[int]:
    """Return about every fourth sequence of four words in the long texts of a page, as numbers."""
    found: set[int] = set()
    for text in _TEXTS(tree(page))[:5_000]:
        if text.count(" ") < LONG - 1:
            continue
        words = _WORD.findall(text.lower()[:20_000])
        for place, word in enumerate(words[: 1 - SHINGLE]):
            if (ord(word[0]) + len(word)) % 4 == 0:  # the text itself says which sequences are taken
                sequence = " ".join(words[place : place + SHINGLE])
                found.add(xxh3_64_intdigest(sequence.encode("utf-8", "replace")))
    return frozenset(found)


def is_new(page: Page, known: set[int]) -> bool:
    """Say whether enough of what a page says is not known yet."""
    said = shingles(page)
    return adds(page, known) and len(said - known) >= NEW_SHARE * len(said)


def adds(page: Page, known: set[int]) -> bool:
    """Say whether a page says anything of some length that is not known yet, however much it repeats."""
    return len(shingles(page) - known) >= ENOUGH
