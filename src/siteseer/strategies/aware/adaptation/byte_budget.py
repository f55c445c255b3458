"""Limits how many bytes of pages adaptation may learn from, so that its cost is bounded over a whole crawl.

The cost of learning grows with the bytes of the pages, and every fetched page earns some. Because the budget is in
bytes and not in seconds, the same crawl always decides the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from siteseer.model import Page

EARNED = 12_000
"""Bytes that one page earns: about 40 ms of learning."""
LOAN = 1_500_000
"""Bytes before anything is earned: what is repaired early serves the whole crawl."""
MOST_AT_ONCE = 600_000
"""Bytes of one repair: about two seconds."""
FEWEST_PAGES = 6
"""Fewer pages teach nothing that holds for others."""


@dataclass(slots=True)
class ByteBudget:
    """The number of bytes that may still be learned from."""

    left: int = LOAN

    def earn(self) -> None:
        """Count a fetched page towards the budget."""
        self.left += EARNED

    def grant(self, pages: Sequence[Page]) -> list[Page]:
        """Return the pages that may be learned from, spread evenly and without the largest where all are too much.

        Nothing is granted, and nothing spent, where that leaves too few of them.

        >>> sizes = lambda pages: [len(page.body) for page in pages]
        >>> sizes(ByteBudget(1_000).grant([Page("http://e.org/", body=b"x" * 100)] * 8))
        [100, 100, 100, 100, 100, 100, 100, 100]
        >>> ByteBudget(500).grant([Page("http://e.org/", body=b"x" * 100)] * 8)
        []
        """
        most = min(self.left, MOST_AT_ONCE)
        chosen = list(pages)
        if _size(chosen) > most:
            chosen = [page for page in chosen if len(page.body) * FEWEST_PAGES <= most]
            number = len(chosen) * most // max(1, _size(chosen))
            while number >= FEWEST_PAGES and _size(_spread(chosen, number)) > most:
                number -= 1
            chosen = _spread(chosen, number) if number >= FEWEST_PAGES else []
        self.left -= _size(chosen)
        return chosen


def _size(pages: Sequence[Page]) -> int:
    return sum(len(page.body) for page in pages)


def _spread(pages: list[Page], most: int) -> list[Page]:
    step = max(1.0, len(pages) / max(1, most))
    return [pages[int(place * step)] for place in range(min(most, len(pages)))]
