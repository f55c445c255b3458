"""Finds the block that is the headline of a page, by its similarity to the declared titles."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from siteseer.extract.article.declared_metadata import DeclaredMetadata
from siteseer.extract.article.element_flags import BIT
from siteseer.extract.article.text_blocks import Blocks
from siteseer.extract.article.token_features import HASH_MASK, Codes, among, codes, distinct
from siteseer.page.text import WORD

_SEPARATORS = re.compile(r"\s+[|\-–—:·•»›]+\s+|\s*[|»]\s*|:\s+")
_LONGEST = 40
ACCEPTED = 0.5
"""A block that resembles the title less is not taken for the headline."""


def headline(claims: DeclaredMetadata) -> str:
    """Return the title without the name of the site: the longest part between separators.

    >>> headline(DeclaredMetadata(title="Floods in the north - The Daily News"))
    'Floods in the north'
    """
    declared = claims.og_title or claims.title
    return max(_SEPARATORS.split(declared), key=len) if declared else ""


def title_scores(claims: DeclaredMetadata, words: Codes, offsets: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return, for each block, how much it resembles the title."""
    alike = np.zeros(len(offsets) - 1)
    hashes = words & HASH_MASK
    short = set((codes(WORD.findall(headline(claims))) & HASH_MASK).tolist())
    known = distinct(codes(WORD.findall(f"{claims.title} {claims.og_title}")) & HASH_MASK)
    if not len(known):
        return alike
    whole = set(known.tolist())
    hits = np.zeros(len(words) + 1, np.int64)
    np.cumsum(among(hashes, known), out=hits[1:])
    lengths = offsets[1:] - offsets[:-1]
    share = (hits[offsets[1:]] - hits[offsets[:-1]]) / np.maximum(lengths, 1)
    for block in np.flatnonzero((share > 0.3) & (lengths <= _LONGEST)):
        own = set(hashes[offsets[block] : offsets[block + 1]].tolist())
        dice = 2 * len(own & short) / (len(own) + len(short)) if short else 0.0
        if len(own) == 1 and dice < 1:
            continue
        alike[block] = max(dice, len(own & whole) / len(own) if len(own) >= 4 else 0.0)
    return alike


def title_block(blocks: Blocks, alike: NDArray[np.float64], density: NDArray[np.float64], inherited: list[int]) -> int:
    """Return the number of the headline's block, -1 for none: similar, a heading, early, no link, not related."""
    best, found = -1.0, -1
    for block in np.flatnonzero(alike > ACCEPTED):
        node = blocks.nodes[block]
        tag = blocks.tag(node)
        value = alike[block] + 0.25 * (tag == "h1") + 0.1 * (tag == "h2") - 0.3 * block / len(blocks)
        value -= 0.3 * (density[block] > 0.5) + 0.2 * bool(inherited[node] & BIT["related"])
        if value > best:
            best, found = value, int(block)
    return found
