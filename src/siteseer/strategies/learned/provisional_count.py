"""Estimates during a crawl how many objects the pages of an unknown site hold.

What a site's records look like is learned from its first pages and applied to each page as it comes. The objects
themselves are found when the crawl has ended (`record_extraction.py`), by a model of all pages, each text once at its
best place: this count is near that one, and never replaces it.
"""

from __future__ import annotations

from collections import deque

from siteseer.extract.records import RecordModel, learn_records
from siteseer.model import Page
from siteseer.strategies.learned.record_extraction import FEWEST, draw, page_objects, text_key

LEARNED_AT = (20, 40, 80, 160, 320)
"""Learning is tried after so many pages; after the second time only as long as nothing was found."""
USUALLY_ENOUGH = 2
MOST_KEPT = 40
"""Pages that are kept to learn from, and pages that may wait to be counted; of the rest only the number is known."""
LARGEST = 1_000_000
"""Bytes of a page that is looked at."""


class ProvisionalCount:
    """Counts the objects of the pages so far, a step at a time."""

    def __init__(self) -> None:
        self._kept: deque[Page] = deque(maxlen=MOST_KEPT)
        self._waiting: deque[Page] = deque()
        self._model: RecordModel | None = None
        self._pages = self._counted = self._uncounted = self._times_learned = 0
        self._texts: set[int] = set()

    def add(self, page: Page) -> None:
        """Take in a page; it is looked at later."""
        self._pages += 1
        if len(page.body) > LARGEST or len(self._waiting) >= MOST_KEPT:
            self._uncounted += 1
            return
        plain = Page(page.url, page.status, page.headers, page.body, page.fetched_at)
        if self._may_learn():
            self._kept.append(plain)
        self._waiting.append(plain)

    def step(self) -> bool:
        """Learn, or count one page; False where there is nothing to do."""
        if self._may_learn() and self._pages >= LEARNED_AT[self._times_learned]:
            self._learn()
            return True
        if self._model is None or not self._waiting:
            return False
        page = self._waiting.popleft()
        self._texts.update(map(text_key, page_objects(self._model, page)))
        self._counted += 1
        return True

    def so_far(self) -> int:
        """Return about how many objects there are; pages that were not looked at are taken to be like the others."""
        if not self._counted:
            return 0
        return round(len(self._texts) * (1 + self._uncounted / self._counted))

    def _may_learn(self) -> bool:
        if self._times_learned >= len(LEARNED_AT):
            return False
        return self._times_learned < USUALLY_ENOUGH or not self._texts

    def _learn(self) -> None:
        """Learn from the pages that are kept, and count them anew."""
        self._times_learned += 1
        sample = draw(self._kept, 0, MOST_KEPT)
        self._model = learn_records(sample) if len(sample) >= FEWEST else None
        if self._model is not None:
            self._texts.clear()
            self._counted = 0
            self._waiting = deque(self._kept)
            self._uncounted = self._pages - len(self._waiting)
        if not self._may_learn():
            self._kept.clear()
