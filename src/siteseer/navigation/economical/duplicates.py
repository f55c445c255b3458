"""Pages in, pairs of the same content out: near-duplicates by their rare blocks.

Two pages are the same if four fifths of the rare blocks of each are in the other. A block is rare if few pages show it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

SAME = 0.8
RARE_PAGES, RARE_SHARE = 3, 0.2
NEW_TEXTS = 3
"""A page that shows more texts than this for the first time, and more than a fifth of its blocks, repeats no other."""
MANY = 64
"""Of a block that more pages share than this, only the first pages are looked up."""


def shows_new_texts(new: int, blocks: int) -> bool:
    """Say whether a page shows too much for the first time to repeat another one: `new` texts of any length.

    Blocks alone do not tell the pages of a list apart whose entries are a few words long.

    >>> shows_new_texts(10, 2), shows_new_texts(2, 0), shows_new_texts(9, 60)
    (True, False, False)
    """
    return new > max(NEW_TEXTS, (1 - SAME) * blocks)


class Duplicates:
    """The blocks of all pages so far.

    >>> pages = Duplicates()
    >>> pages.add(0, (1, 2, 3)), pages.add(1, (4, 5)), pages.add(2, (3, 2, 1))
    ([], [], [0])
    """

    def __init__(self) -> None:
        self._blocks: dict[int, frozenset[int]] = {}
        self._pages: dict[int, list[int]] = {}
        self._count: Counter[int] = Counter()

    def add(self, page: int, blocks: Sequence[int]) -> list[int]:
        """Take in the blocks of a page; return the earlier pages that are the same, closest first."""
        found = self.same(frozenset(blocks))
        self.put(page, blocks)
        return found

    def put(self, page: int, blocks: Sequence[int]) -> None:
        """Take in the blocks of a page."""
        mine = self._blocks[page] = frozenset(blocks)
        for block in mine:
            self._count[block] += 1
            places = self._pages.setdefault(block, [])
            if len(places) < MANY:
                places.append(page)

    def same(self, blocks: frozenset[int]) -> list[int]:
        """Return the earlier pages that show the same rare blocks, closest first."""
        rare = self._rare(blocks)
        if not rare:
            return []
        shared = Counter(page for block in rare for page in self._pages.get(block, ()))
        found = []
        for page, common in shared.most_common(8):
            if common < SAME * len(rare):
                break
            theirs = self._rare(self._blocks[page])
            if len(theirs & blocks) >= SAME * len(theirs):
                found.append(page)
        return found

    def is_same(self, one: int, other: int) -> bool:
        """Say whether two known pages show the same rare blocks; of pages without any, the same blocks."""
        mine, theirs = self._blocks[one], self._blocks[other]
        rare, rare_theirs = self._rare(mine), self._rare(theirs)
        if not rare and not rare_theirs:
            return mine == theirs
        return len(rare & theirs) >= SAME * len(rare) and len(rare_theirs & mine) >= SAME * len(rare_theirs)

    def _rare(self, blocks: frozenset[int]) -> frozenset[int]:
        limit = max(RARE_PAGES, RARE_SHARE * len(self._blocks))
        return frozenset(block for block in blocks if self._count[block] <= limit)
