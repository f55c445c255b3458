"""Assigned instances in, contained classes out: equation E4 of PARIS, computed once, at the end.

Reference: Suchanek, Abiteboul, Senellart, PARIS, PVLDB 5(3), 2011: Pr(c <= c') is the share of the members of c that
equal a member of c'. Sources rarely cover each other, so the share among those members that equal anything is told too.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from siteseer.align.graph import Floats, Graph, Ints
from siteseer.align.model import Match
from siteseer.align.sparse import Groups, members, summed

LEAST = 0.1


def contained_classes(one: Graph, two: Graph, x: Ints, y: Ints, p: Floats) -> tuple[Match, ...]:
    """Return the classes that are contained in classes of the other side, best first."""
    found = [
        *_contained(one, two, x, y, p, "<"),
        *_contained(two, one, y, x, p, ">"),
    ]
    return tuple(sorted(found, key=lambda match: (-match.probability, match.direction, match.left, match.right)))


def _contained(one: Graph, two: Graph, x: Ints, y: Ints, p: Floats, direction: Literal["<", ">"]) -> Iterator[Match]:
    if not one.classes or not two.classes:
        return
    of_left, of_right = Groups.by(one.member, len(one.instances)), Groups.by(two.member, len(two.instances))
    j, k = members(of_right, y)
    width = len(two.classes)
    key, logs = summed(x[k] * width + two.class_[j], np.log1p(-np.minimum(p[k], 1 - 1e-12)))
    member, other = np.divmod(key, width)
    i, k = members(of_left, member)
    key, share = summed(one.class_[i] * width + other[k], -np.expm1(logs)[k])
    sizes = np.bincount(one.class_, minlength=len(one.classes))
    matched = np.bincount(one.class_[np.isin(one.member, x)], minlength=len(one.classes))
    for c, d, equal in zip(*np.divmod(key, width), share.tolist(), strict=True):
        if equal >= LEAST * sizes[c]:
            names = (one.classes[c], two.classes[d]) if direction == "<" else (two.classes[d], one.classes[c])
            among = min(equal / max(int(matched[c]), 1), 1.0)
            yield Match("class", *names, min(equal / int(sizes[c]), 1.0), int(matched[c]), direction, among)
