"""Finds the block that is the headline of a page, by its similarity to the declared titles."""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from siteseer.extract.article.declared_metadata import DeclaredMetadata
from siteseer.extract.article.element_flags import BIT
from siteseer.extract.article.text_blocks import Blocks
from siteseer.extract.article.token_features import HASH_MASK, Codes, among, codes, distinct
from siteseer.extract.article.unspaced_scripts import tokens_of

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
    short = set((codes(tokens_of(headline(claims))) & HASH_MASK).tolist())
    known = distinct(codes(tokens_of(f"{claims.title} {claims.og_title}")) & HASH_MASK)
    if not len(known) or not len(alike):
        return alike
    whole = set(known.tolist())
    lengths = np.diff(offsets)
    share = np.add.reduceat(among(hashes, known).astype(np.int64), offsets[:-1]) / lengths
    for block in np.flatnonzero((share > 0.3) & (lengths <= _LONGEST)).tolist():
        own = set(hashes[offsets[block] : offsets[block + 1]].tolist())
        dice = 2 * len(own & short) / (len(own) + len(short)) if short else 0.0
        if len(own) == 1 and dice < 1:
            continue
        alike[block] = max(dice, len(own & whole) / len(own) if len(own) >= 4 else 0.0)
    return alike


def title_block(
    blocks: Blocks, alike: NDArray[np.float64], density: NDArray[np.float64], inherited: NDArray[np.int64]
) -> int:
    """Return the number of the headline's block, -1 for none: similar, a heading, early, no link, not related."""
    best, found = -1.0, -1
    for block in np.flatnonzero(alike > ACCEPTED).tolist():
        node = blocks.nodes[block]
        tag = blocks.tag(node)
        value = alike[block] + 0.25 * (tag == "h1") + 0.1 * (tag == "h2") - 0.3 * block / len(blocks)
        value -= 0.3 * (density[block] > 0.5) + 0.2 * bool(inherited[node] & BIT["related"])
        if value > best:
            best, found = float(value), block
    return found
