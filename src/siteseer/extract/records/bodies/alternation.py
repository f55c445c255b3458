"""Bodies and field atoms in, how well they alternate out: each record has one date and one author.

No container of the record is needed for this, so it covers records spread over sibling rows, nested replies and
columns of authors: a record is a body plus the slot before it and the slot after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from siteseer.extract.records.sample import Instances, Numbers

Side = Literal["before", "after", "inside"]
SIDES: tuple[Side, ...] = ("before", "after", "inside")


@dataclass(frozen=True, slots=True)
class Slots:
    """The stretches of the line that belong to the bodies: before, inside and after each."""

    page_start: Numbers
    previous_end: Numbers
    start: Numbers
    end: Numbers
    next_start: Numbers

    def of(self, bodies: npt.NDArray[np.bool_] | Numbers) -> Slots:
        """Return the slots of some of the bodies."""
        parts = (self.page_start, self.previous_end, self.start, self.end, self.next_start)
        return Slots(*(part[bodies] for part in parts))


def slots_of(bodies: Instances, stride: int) -> Slots:
    """Return where each body's slots begin and end: at its neighbours on the page, or at the page's border."""
    page_start = bodies.page * stride
    page_end = page_start + stride
    previous_end, next_start = page_start.copy(), page_end.copy()
    same = bodies.page[1:] == bodies.page[:-1]
    previous_end[1:][same] = bodies.end[:-1][same]
    next_start[:-1][same] = bodies.start[1:][same]
    return Slots(page_start, previous_end, bodies.start, bodies.end, next_start)


def alternation(slots: Slots, at: Numbers) -> tuple[float, Side]:
    """Return the best of the three sides: share of bodies with exactly one atom there, times how many atoms serve.

    alt(B, X) = max over sides of share(B with exactly one X in its slot) * (.5 + .5 share of X that is used)
    """
    previous, start, end, following = (
        np.searchsorted(at, edge) for edge in (slots.previous_end, slots.start, slots.end, slots.next_start)
    )
    best: tuple[float, Side] = (0.0, "before")
    for side, count in zip(SIDES, (start - previous, following - end, end - start), strict=True):
        exactly = float(np.mean(count == 1)) if len(count) else 0.0
        if exactly > best[0]:
            used = float(np.sum(count >= 1)) / len(at)
            score = exactly * (0.5 + 0.5 * min(1.0, used))
            if score > best[0]:
                best = (score, side)
    return best


def where_several(bodies: Instances, stride: int) -> Slots:
    """Return the slots of the bodies that are not alone on their page: alone, anything once on a page alternates."""
    return slots_of(bodies, stride).of(np.bincount(bodies.page)[bodies.page] > 1)


def chosen(slots: Slots, at: Numbers, side: Side) -> Numbers:
    """Return for every body the number of the atom that is nearest to it on that side, or -1."""
    low, high = {
        "before": (slots.previous_end, slots.start),
        "after": (slots.end, slots.next_start),
        "inside": (slots.start, slots.end),
    }[side]
    first, stop = np.searchsorted(at, low), np.searchsorted(at, high)
    nearest = stop - 1 if side == "before" else first
    found: Numbers = np.where(stop > first, nearest, -1).astype(np.int64)
    return found
