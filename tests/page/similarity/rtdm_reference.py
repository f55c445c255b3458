"""Computes RTDM straight from its definition: the slow twin against which the fast version is tested."""

from __future__ import annotations

from siteseer.page.similarity.shared_subtrees import Nested


def size(tree: Nested) -> int:
    """Return the number of nodes.

    >>> size(("a", (("b", ()), ("c", ()))))
    3
    """
    return 1 + sum(map(size, tree[1]))


def plain_distance(a: Nested, b: Nested, restricted: bool = True) -> int:
    """Return the restricted top-down distance of two trees, or Selkow's where it is not restricted.

    >>> one, other = ("a", (("b", (("c", ()), ("d", ()))),)), ("a", (("x", (("c", ()), ("d", ()))),))
    >>> plain_distance(one, other), plain_distance(one, other, restricted=False)
    (5, 1)
    """
    cost = int(a[0] != b[0])
    if not a[1] or not b[1] or (restricted and cost):
        return cost + size(a) - 1 + size(b) - 1
    rows = [[0] * (len(b[1]) + 1) for _ in range(len(a[1]) + 1)]
    for j, other in enumerate(b[1], 1):
        rows[0][j] = rows[0][j - 1] + size(other)
    for i, one in enumerate(a[1], 1):
        rows[i][0] = rows[i - 1][0] + size(one)
        for j, other in enumerate(b[1], 1):
            rows[i][j] = min(
                rows[i - 1][j] + size(one),
                rows[i][j - 1] + size(other),
                rows[i - 1][j - 1] + plain_distance(one, other, restricted),
            )
    return cost + rows[-1][-1]
