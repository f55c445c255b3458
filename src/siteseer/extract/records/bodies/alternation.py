"""Measures how well bodies and field values alternate: each record has one date and one author.

No container of the record is needed for this, so it covers records spread over sibling rows, nested replies and
columns of authors: a record is a body plus the slot before it and the slot after it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt

from siteseer.extract.records.page_sample import Instances, Numbers, Sample

Side = Literal["before", "after", "inside"]
SIDES: tuple[Side, ...] = ("before", "after", "inside")
AS_GOOD = 0.05
"""A side that scores so much less may be the right one: where one column serves two kinds of records, both do."""
MOST_BOXES = 8
"""Boxes around a body that are looked at."""


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


@dataclass(frozen=True, slots=True)
class Boxes:
    """The boxes around each body, the innermost first: where they begin, and where they end."""

    start: Numbers
    end: Numbers

    @classmethod
    def around(cls, bodies: Instances, sample: Sample) -> Boxes:
        """Return the boxes around bodies."""
        start = np.zeros((len(bodies.page), MOST_BOXES), dtype=np.int64)
        end = start.copy()
        for row, (page, element) in enumerate(zip(bodies.page.tolist(), bodies.element.tolist(), strict=True)):
            doc, offset = sample.docs[page], int(sample.offsets[page])
            for level in range(MOST_BOXES):
                if (element := doc.parent[element]) < 0:
                    break
                start[row, level], end[row, level] = doc.start_at[element] + offset, doc.end_at[element] + offset
        return cls(start, end)

    def distance(self, slots: Slots, at: Numbers, side: Side) -> float:
        """Return how many boxes around a body the value beside it lies outside of, on average."""
        numbers = chosen(slots, at, side)
        rows = np.flatnonzero(numbers >= 0)
        value = at[numbers[rows]][:, None]
        return float(np.mean(np.sum((value < self.start[rows]) | (value >= self.end[rows]), axis=1)))


def alternation(slots: Slots, at: Numbers) -> tuple[float, Side]:
    """Return the best of the three sides: share of bodies with exactly one atom there, times how many atoms serve.

    alt(B, X) = max over sides of share(B with exactly one X in its slot) * (.5 + .5 share of X that is used)
    """
    return max(sides_of(slots, at), key=lambda scored: scored[0])


def sides_of(slots: Slots, at: Numbers) -> list[tuple[float, Side]]:
    """Return how well atoms alternate with bodies on each of the three sides."""
    previous, start, end, following = (
        np.searchsorted(at, edge) for edge in (slots.previous_end, slots.start, slots.end, slots.next_start)
    )
    found: list[tuple[float, Side]] = []
    for side, count in zip(SIDES, (start - previous, following - end, end - start), strict=True):
        exactly = float(np.mean(count == 1)) if len(count) else 0.0
        used = float(np.sum(count >= 1)) / len(at) if exactly else 0.0
        found.append((exactly * (0.5 + 0.5 * min(1.0, used)), side))
    return found


def closest_side(slots: Slots, at: Numbers, boxes: Boxes) -> tuple[float, Side]:
    """Return the best side; of sides that are nearly as good the one that lies in the same boxes as the bodies.

    The name below a question is also the nearest one above its first answer.
    """
    found = sides_of(slots, at)
    best = max(score for score, _ in found)
    good = [scored for scored in found if scored[0] > 0 and scored[0] >= best - AS_GOOD]
    if len(good) < 2:
        return max(found, key=lambda scored: scored[0])
    return min(good, key=lambda scored: (boxes.distance(slots, at, scored[1]), -scored[0]))


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
