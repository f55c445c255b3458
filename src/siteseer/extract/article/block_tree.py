"""Finds the tree of elements in a sequence of marks, with numpy: what is open after each mark, and its parent."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Whole = NDArray[np.int64]
_STEPS = np.array([0, 1, -1, 0], np.int64)
"""What a mark does to the depth: none, an element begins, it ends, a run of text is split."""
BEGINS, ENDS = 1, 2


class ElementTree(NamedTuple):
    """The elements of a page in document order."""

    open: Whole
    """By mark: the element that is open after it."""
    parents: Whole
    """By element; the root is its own."""
    depths: Whole
    first: Whole
    """By element: the mark with which it begins."""
    last: Whole
    """By element: the mark with which it ends; the number of marks where it does not."""


def element_tree(marks: Whole) -> ElementTree:
    """Return the tree of elements of which `marks` tells where they begin and end.

    >>> tree = element_tree(np.array([BEGINS, BEGINS, ENDS, BEGINS, ENDS, ENDS]))
    >>> tree.open.tolist(), tree.parents.tolist(), tree.last.tolist()
    ([0, 1, 0, 2, 0, 0], [0, 0, 0], [5, 2, 4])
    """
    depth = np.cumsum(_STEPS[marks])
    first = np.flatnonzero(marks == BEGINS)
    span = len(marks) + 1
    keys = depth[first] * span + first
    order = np.argsort(keys)
    keys = keys[order]
    # the element that is open at a depth is the last that began there
    places = np.searchsorted(keys, depth * span + np.arange(len(marks)), "right") - 1
    after = np.where(places >= 0, order[places], 0) if len(first) else np.zeros(len(marks), np.int64)
    last = np.full(len(first), len(marks), np.int64)
    ends = np.flatnonzero(marks == ENDS)
    ends = ends[ends > 0]
    if len(first):
        last[after[ends - 1]] = ends
    parents = np.where(first > 0, after[first - 1], 0) if len(first) else first
    return ElementTree(after, parents, depth[first] - 1, first, last)
