"""Finds near-duplicate pages by their rare blocks, or by their slot values where they have none.

Two pages are the same if four fifths of the rare blocks of each are in the other. A block is rare if few pages show it.
Pages without rare blocks, as those of a catalogue, are the same only if they show the same rare values, numbers
included; one number may differ, as a counter does. Pages that show the same blocks are different if values at two
places of one template differ: sizes of one article with one description.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from siteseer.page.slot_values import NO_VALUES, SlotComparison, SlotValues, Tally

SAME = 0.8
PART = 0.5
"""A page repeats a larger one that shows this share of its rare blocks: it may have a heading of its own."""
NEW_TEXTS = 3
"""A page that shows more texts than this for the first time, and more than a fifth of its blocks, repeats no other."""


def shows_new_texts(new: int, blocks: int) -> bool:
    """Say whether a page shows too much for the first time to repeat another one: `new` texts of any length.

    Blocks alone do not tell the pages of a list apart whose entries are a few words long.

    >>> shows_new_texts(10, 2), shows_new_texts(2, 0), shows_new_texts(9, 60)
    (True, False, False)
    """
    return new > max(NEW_TEXTS, (1 - SAME) * blocks)


class Duplicates:
    """The blocks and values of all pages so far.

    >>> pages = Duplicates()
    >>> pages.add(0, (1, 2, 3)), pages.add(1, (4, 5)), pages.add(2, (3, 2, 1))
    ([], [], [0])
    """

    def __init__(self, is_template: Callable[[int], bool] = lambda text: False) -> None:
        self._shown: dict[int, frozenset[int]] = {}
        self._blocks, self._values = Tally(), SlotComparison(is_template)

    def add(self, page: int, blocks: Sequence[int], values: SlotValues = NO_VALUES) -> list[int]:
        """Take in what a page shows; return the earlier pages that are the same, closest first.

        Those that show the same values too are preferred to others.
        """
        shown = self._shown[page] = frozenset(blocks)
        self._values.put(page, values)
        rare = self._blocks.rare(shown)
        found = self._blocks.sharing(rare, SAME) if rare else self._values.sharing(page)
        same = [one for one in found if self.is_same(page, one)]
        self._blocks.put(page, shown)
        return [one for one in same if self._values.is_same(page, one)] or same

    def known(self, blocks: Sequence[int]) -> frozenset[int]:
        """Return what is rare of a page and was shown by an earlier one."""
        return frozenset(one for one in self._blocks.rare(frozenset(blocks)) if self._blocks.is_known(one))

    def is_part(self, blocks: Sequence[int]) -> bool:
        """Say whether what is rare and known of a page, not taken in yet, stands on a larger page: a post of a thread.

        >>> pages = Duplicates()
        >>> _ = pages.add(0, (1, 2, 3))
        >>> pages.is_part((2, 9)), pages.is_part((1, 2, 3)), pages.is_part((8, 9))
        (True, False, False)
        """
        known = self.known(blocks)
        holding = self._blocks.sharing(known, PART) if known else []
        return any(len(self._blocks.rare(self._shown[one])) > len(known) for one in holding)

    def put(self, page: int, blocks: Sequence[int], values: SlotValues = NO_VALUES) -> None:
        """Take in what a page shows."""
        shown = self._shown[page] = frozenset(blocks)
        self._values.put(page, values)
        self._blocks.put(page, shown)

    def is_same(self, one: int, other: int) -> bool:
        """Say whether two known pages show the same rare blocks; of pages without any, the same blocks and values."""
        mine, theirs = self._shown[one], self._shown[other]
        rare, rare_theirs = self._blocks.rare(mine), self._blocks.rare(theirs)
        if not rare and not rare_theirs:
            return mine == theirs and self._values.is_same(one, other)
        alike = len(rare & theirs) >= SAME * len(rare) and len(rare_theirs & mine) >= SAME * len(rare_theirs)
        return alike and not self._values.contradicts(one, other)
