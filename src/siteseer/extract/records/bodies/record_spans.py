"""Finds where the records of a list begin and end on a page: what stands there is not told of the page's own text.

A record is its body with its date and author; these take the largest box around them that holds no body, such as the
line above a comment.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from siteseer.extract.records.record_document import Document


@dataclass(frozen=True, slots=True)
class RecordSpans:
    """Stretches of a page that belong to records of its lists.

    >>> spans = RecordSpans([(3, 7), (9, 12)])
    >>> [spans.hold(at) for at in (2, 3, 6, 7, 11)]
    [False, True, True, False, True]
    """

    spans: Sequence[tuple[int, int]]

    def hold(self, at: int) -> bool:
        """Say whether a position belongs to a record."""
        return any(start <= at < end for start, end in self.spans)


def record_span(doc: Document, body: int, values: Iterable[int], bodies: Sequence[int]) -> tuple[int, int]:
    """Return where a record begins and ends, from the positions of its values; `bodies` are all bodies in order."""
    starts = [doc.start_at[one] for one in bodies]
    start, end = doc.start_at[body], doc.end_at[body]
    for at in values:
        box = element_at(doc, at)
        while (above := doc.parent[box]) >= 0 and not _holds_any(doc, above, starts):
            box = above
        start, end = min(start, doc.start_at[box]), max(end, doc.end_at[box])
    return start, end


def element_at(doc: Document, at: int) -> int:
    """Return the innermost element that holds a position."""
    element = max(0, bisect_right(doc.start_at, at) - 1)
    while doc.end_at[element] <= at and doc.parent[element] >= 0:
        element = doc.parent[element]
    return element


def common_boxes(doc: Document, one: int, other: int) -> int:
    """Return how many elements hold both of two elements."""
    boxes = set()
    while one >= 0:
        boxes.add(one)
        one = doc.parent[one]
    count = 0
    while other >= 0:
        count += other in boxes
        other = doc.parent[other]
    return count


def _holds_any(doc: Document, box: int, starts: Sequence[int]) -> bool:
    place = bisect_left(starts, doc.start_at[box])
    return place < len(starts) and starts[place] < doc.end_at[box]
