"""Measures the text blocks of a page as numpy arrays: lengths, links, words, flags, signatures."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from siteseer.extract.article.declared_metadata import DeclaredMetadata, claims
from siteseer.extract.article.element_flags import BIT
from siteseer.extract.article.headline import title_block, title_scores
from siteseer.extract.article.text_blocks import Blocks, blocks
from siteseer.extract.article.token_features import DIGITS, FUNCTION, HASH_MASK, Codes, codes, mixed
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
PROSE = 8
"""Tokens from which a block counts as prose."""


@dataclass(slots=True)
class BlockArrays:
    """The blocks of a page as numbers; arrays are by block unless they say otherwise."""

    blocks: Blocks
    claims: DeclaredMetadata
    words: Codes
    """All words of the page, one after the other."""
    offsets: Whole
    """Where the words of each block begin; one more for the end."""
    lengths: Floats
    density: Floats
    """Share of words inside links."""
    function: Floats
    """Share of function words."""
    good: Floats
    """Words outside links, those of prose counted fully, others as a fifth."""
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
    places: Codes
    """By element: its signature, of its name, of those of the two above, and of the tag of the third."""
    kinds: Whole
    """Signatures of the blocks' elements, numbered."""
    alike: Floats
    title: int
    """The headline's block; -1 if there is none."""

    @property
    def hashes(self) -> Codes:
        """The words as hashes, without the bits of their form."""
        return self.words & HASH_MASK

    def sums(self, values: NDArray[np.generic]) -> Floats:
        """Return the sum by block of values by word."""
        return spans(values, self.offsets[:-1], self.offsets[1:])

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
    lengths = np.fromiter(map(len, found.tokens), np.int64, len(found))
    offsets = np.zeros(len(found) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    words = codes(list(chain.from_iterable(found.tokens)))
    linked = np.minimum(np.array(found.linked, np.float64), lengths)
    density = linked / np.maximum(lengths, 1)
    is_function = (words & np.uint64(FUNCTION)) > 0
    function = spans(is_function, offsets[:-1], offsets[1:]) / np.maximum(lengths, 1)
    spoken = np.count_nonzero(is_function) > 0.1 * np.count_nonzero((words & np.uint64(DIGITS)) == 0)
    is_prose = (lengths >= PROSE) & ((function > 0.2) | (not spoken))
    good: Floats = ((lengths - linked) * np.where(is_prose, 1.0, 0.2)).astype(np.float64)
    nodes, parents = np.array(found.nodes, np.int64), np.array(found.parents, np.int64)
    starts, ends = np.array(found.starts, np.int64), np.array(found.ends, np.int64)
    own = _believed(found, spans((lengths - linked) * (lengths >= PROSE), starts, ends))
    inherited = _inherited(found.parents, own)
    names, places = _places(found, parents)
    alike = title_scores(said, words, offsets)
    return BlockArrays(
        found, said, words, offsets, lengths.astype(np.float64), density, function, good, nodes, parents, starts, ends,
        np.array(inherited, np.int64), np.array(own, np.int64), names, places,
        np.unique(places[nodes], return_inverse=True)[1].astype(np.int64),
        alike, title_block(found, alike, density, inherited),
    )  # fmt: skip


def _believed(found: Blocks, mass: Floats) -> list[int]:
    """Return the flags of elements; one unlucky name on a wrapper of the whole page must not condemn the page."""
    own = [shape.flags for shape in found.shapes]
    total = mass[0] if len(mass) else 0.0
    for node in np.flatnonzero(mass > MOST * total) if total else ():
        own[node] &= ~(_BAD_AND_COMMENT if mass[node] > NEARLY_ALL * total else _BAD)
    return own


def _inherited(parents: list[int], own: list[int]) -> list[int]:
    inherited = list(own)
    for node, parent in enumerate(parents):
        inherited[node] |= inherited[parent]
    return inherited


def _places(found: Blocks, parents: Whole) -> tuple[Codes, Codes]:
    """Return names and signatures of the elements; a full path would be too brittle."""
    count = len(found.shapes)
    tags = np.fromiter((shape.tag_code for shape in found.shapes), np.uint64, count)
    names = np.fromiter((shape.name_code for shape in found.shapes), np.uint64, count)
    above = parents[parents]
    return names, mixed(mixed(mixed(names, names[parents]), names[above]), tags[parents[above]])
