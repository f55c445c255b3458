"""Measures the text blocks of a page as numpy arrays: lengths, links, words, flags, signatures."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from siteseer.extract.article.declared_metadata import DeclaredMetadata, claims
from siteseer.extract.article.element_appearance import rows_of
from siteseer.extract.article.element_flags import BIT
from siteseer.extract.article.headline import title_block, title_scores
from siteseer.extract.article.runs_of_text import numbers_of
from siteseer.extract.article.text_blocks import Blocks, blocks
from siteseer.extract.article.token_features import CAPITALS, DIGITS, FUNCTION, HASH_MASK, LOWER, NUMERAL, Codes, mixed
from siteseer.model import Page
from siteseer.page.tree import cached

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]

_BAD = sum(
    BIT[name]
    for name in "navt head foot aside form related share caption byline nav ad side meta hidden promo figure".split()
)
_BAD_AND_COMMENT = _BAD | BIT["comment"]
MOST, NEARLY_ALL = 0.6, 0.85
"""What wraps this share of a page's prose cannot be furniture, or comments: its name says something else."""
_LOOKS = (FUNCTION, LOWER, CAPITALS, DIGITS)
_A_NUMBER = np.uint64(0x5851F42D4C957F00)
_ODD = np.cumprod(np.full(1024, 0x9E3779B97F4A7C15, np.uint64))
"""What the place of a word in its block multiplies its hash by."""
PROSE = 8
"""Tokens from which a block counts as prose."""


@dataclass(slots=True)
class BlockArrays:
    """The blocks of a page as numbers; arrays are by block unless they say otherwise."""

    blocks: Blocks
    claims: DeclaredMetadata
    words: Codes
    """All words of the page, one after the other."""
    hashes: Codes
    """The words as hashes, without the bits of their form."""
    offsets: Whole
    """Where the words of each block begin; one more for the end."""
    lengths: Floats
    density: Floats
    """Share of words inside links."""
    looks: Floats
    """Shares of function words, words in small letters, in capitals, numbers: a row for each."""
    good: Floats
    """Words outside links, those of prose counted fully, others as a fifth."""
    said: NDArray[np.uint8]
    """Set phrases as bits, ends of sentences, commas, whether it ends as a sentence: a column for each."""
    nodes: Whole
    parents: Whole
    """By element."""
    starts: Whole
    ends: Whole
    """By element: its range of blocks."""
    inherited: Whole
    """By element: flags of its own and of its ancestors."""
    own: Whole
    """By element: its flags, without those that a wrapper of the whole page cannot mean."""
    names: Codes
    """By element: its name."""
    tags: Whole
    """By element: the number of its tag in `TAGS`."""
    places: Codes
    """By element: its signature, of its name, of those of the two above, and of the tag of the third."""
    kinds: Whole
    """Signatures of the blocks' elements, numbered."""
    texts: Codes
    """A hash of the words of each block."""
    patterns: Codes
    """The same, all numbers alike."""
    alike: Floats
    title: int
    """The headline's block; -1 if there is none."""

    def within(self, values: NDArray[np.generic]) -> Floats:
        """Return the sum by element of values by block."""
        return spans(values, self.starts, self.ends)


def spans(values: NDArray[np.generic], starts: Whole, ends: Whole) -> Floats:
    """Return the sums over ranges; what lies beyond the last value counts nothing.

    >>> spans(np.array([1, 2, 4]), np.array([0, 1]), np.array([2, 3])).tolist()
    [3.0, 6.0]
    """
    total = np.zeros(len(values) + 1)
    np.cumsum(values, out=total[1:])
    last = len(values)
    found: Floats = total[np.minimum(ends, last)] - total[np.minimum(starts, last)]
    return found


@cached
def measured(page: Page) -> BlockArrays:
    """Return the blocks of a page as numbers."""
    return measure(blocks(page), claims(page))


def measure(found: Blocks, said: DeclaredMetadata) -> BlockArrays:
    """Measure the blocks of a page."""
    words, offsets = found.words, found.offsets
    borders = offsets[:-1]
    lengths = np.diff(offsets).astype(np.float64)
    looks = np.array([words & np.uint64(bit) != 0 for bit in _LOOKS]).astype(np.float64)
    looks = np.add.reduceat(looks, borders, axis=1) / lengths if len(borders) else np.zeros((len(_LOOKS), 0))
    linked = np.minimum(found.linked, lengths)
    is_function, is_number = words & np.uint64(FUNCTION) != 0, words & np.uint64(DIGITS) != 0
    spoken = np.count_nonzero(is_function) > 0.1 * (len(words) - np.count_nonzero(is_number))
    is_prose = lengths >= PROSE
    plain = lengths - linked
    good: Floats = plain * np.where(is_prose & ((looks[0] > 0.2) | (not spoken)), 1.0, 0.2)
    rows = rows_of(found.shapes)
    own = _believed(rows["flags"], spans(plain * is_prose, found.starts, found.ends))
    inherited = _inherited(found.parents.tolist(), own)
    parents, names = found.parents, rows["name_code"]
    above = parents[parents]
    places = mixed(mixed(mixed(names, names[parents]), names[above]), rows["tag_code"][parents[above]])
    density = linked / lengths
    masked = np.where(words & np.uint64(NUMERAL | DIGITS) != 0, _A_NUMBER, words & HASH_MASK)
    alike = title_scores(said, words, offsets)
    return BlockArrays(
        found, said, words, words & HASH_MASK, offsets, lengths, density, looks, good, numbers_of(found.facts),
        found.nodes, parents, found.starts, found.ends, inherited, own, names, rows["tag"], places,
        _numbered(places[found.nodes]), _summed(words & HASH_MASK, offsets), _summed(masked, offsets), alike,
        title_block(found, alike, density, inherited),
    )  # fmt: skip


def _summed(hashes: Codes, offsets: Whole) -> Codes:
    """Return a hash of the words of each block, in order."""
    if len(offsets) < 2:
        return np.zeros(0, np.uint64)
    place = np.arange(len(hashes)) - np.repeat(offsets[:-1], np.diff(offsets))
    found: Codes = np.add.reduceat(hashes * _ODD[place % len(_ODD)], offsets[:-1])
    return found


def _numbered(values: Codes) -> Whole:
    """Return the number of each value among the distinct ones."""
    order = np.argsort(values, kind="stable")
    ordered = values[order]
    numbers = np.empty(len(values), np.int64)
    numbers[order] = np.cumsum(np.diff(ordered, prepend=ordered[:1]) != 0)
    return numbers


def _believed(flags: Whole, mass: Floats) -> Whole:
    """Return the flags of elements; one unlucky name on a wrapper of the whole page must not condemn the page."""
    total = mass[0] if len(mass) else 0.0
    if not total:
        return flags.copy()
    without = np.where(mass > NEARLY_ALL * total, _BAD_AND_COMMENT, np.where(mass > MOST * total, _BAD, 0))
    return flags & ~without


def _inherited(parents: list[int], own: Whole) -> Whole:
    inherited = own.tolist()
    for node, parent in enumerate(parents):
        inherited[node] |= inherited[parent]
    return np.array(inherited, np.int64)
