"""Computes the reward of a fetched page: saturating new text, credit for what it led to, duplicates shared fairly.

r = g² / (g² + g0²) with g the 2-grams of prose that no earlier page had and g0 a third of the usual gain: a page that
brings half a post is worth nearly as much as one that brings ten, so that listings with full texts do not make the
posts themselves look worthless. A record of a few words and numbers is worth a fixed share for being one, as far as the
site has such records instead of prose, or lists that lead to them; among people, dates and tags only where most pages
are such. A page is also worth what it was the first to lead to, four content pages counting as one. Of two pages with
the same content, the one whose kind is preferred is worth it, whichever came first. What a site does not want to see in
search engines (old states, lists in another order, forms) is worth a fraction of its text.
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict
from dataclasses import dataclass

from siteseer.strategies.learned.online_learner.slot_novelty import ENOUGH

USUAL = 30
"""Gains from here on tell how much text the site's pages bring."""
SCALE, SCALE_LOW, SCALE_HIGH = 0.35, 30.0, 150.0
CREDIT_SHARE = 0.25
CREDIT_WORTH = 0.9
UNLISTED = 0.15
"""What a page that asks not to be indexed keeps of its worth: such a kind must be rich in new text throughout."""
RECORD, RICH_RECORD, MANY_VALUES = 0.6, 0.75, 4
"""What a page of new values is worth that has little prose; and with so many of them or more."""
ENTRY, ARRANGED = "entry", "arranged"
LISTED = 0.5
"""What a record that a list led to keeps of its worth among many pages of prose."""
FEW_PAGES = 2
"""So many pages more than prose brought must be records, before they count in full."""
SCALE_STEP = 0.1
"""The scale is adjusted when it is off by this share, so that estimates can be kept meanwhile."""


@dataclass(frozen=True, slots=True)
class Record:
    """How many values of a page are new, and what its link is: an entry of a list, an arrangement, or neither."""

    values: int
    role: str = ""


class Rewards:
    """The worth of all fetched pages, by number.

    >>> rewards = Rewards()
    >>> _ = rewards.add(0, 300, None); _ = rewards.add(1, 0, 0)
    >>> rewards.worth(0) > 0.8, rewards.worth(1)
    (True, 0.0)
    """

    def __init__(self) -> None:
        self.scale = SCALE_LOW
        self.gains: dict[int, int] = {}
        self.shared: dict[int, int] = {}
        """Gains of pages with the same content, as they were given to the preferred one."""
        self.shared_records: dict[int, Record | None] = {}
        self._records: dict[int, Record] = {}
        """The records among the pages that have little prose."""
        self._sparseness = 0.0
        """How many records there are for each page of prose: where prose is the rule, records are furniture."""
        self._unlisted: set[int] = set()
        self._credit: dict[int, float] = defaultdict(float)
        self._brought: dict[int, float] = {}
        """What each page was credited with to the one that led to it."""
        self._usual: list[int] = []

    def add(
        self, page: int, gain: int, *discoverers: int | None, unlisted: bool = False, record: Record | None = None
    ) -> bool:
        """Take in a page's gain and who led to it, closest first; say whether all pages must be valued again."""
        self.gains[page] = gain
        if unlisted:
            self._unlisted.add(page)
        if record is not None and record.values >= ENOUGH and gain < USUAL:
            self._records[page] = record
        brought = max(min(gain, 2 * self.scale), self._record(page) * self.scale)
        if brought > 0:
            share = UNLISTED if unlisted else 1.0
            self._brought[page] = share * brought
            for discoverer in discoverers:
                if discoverer is not None:
                    self._credit[discoverer] += share * brought
                share /= 2
        if gain >= USUAL and not unlisted:
            insort(self._usual, gain)
        return self._adjust()

    def move_credit(self, page: int, before: int, discoverer: int) -> None:
        """Credit another page with having led to a page."""
        brought = self._brought.get(page, 0.0)
        self._credit[before] -= brought
        self._credit[discoverer] += brought

    def share(self, preferred: int, other: int) -> None:
        """Give the worth of two pages with the same content to the preferred one."""
        gain = max(self._gain(preferred), self._gain(other))
        self.shared[preferred], self.shared[other] = gain, 0
        record = self._records.get(preferred) or self._records.get(other)
        self.shared_records[preferred], self.shared_records[other] = record, None

    def own(self, page: int) -> float:
        """Return what the text of a page was worth, from 0 to 1."""
        gain = float(self._gain(page)) ** 2
        worth = max(gain / (gain + self.scale**2), self._record(page))
        return worth * (UNLISTED if page in self._unlisted else 1.0)

    def worth(self, page: int) -> float:
        """Return what a page was worth, from 0 to 1: its text, or what it led to."""
        credit = CREDIT_SHARE * self._credit.get(page, 0.0) / (2 * self.scale)
        return max(self.own(page), CREDIT_WORTH * min(1.0, credit))

    def _record(self, page: int) -> float:
        """Return what a page is worth as a record."""
        record = self.shared_records.get(page, self._records.get(page))
        if record is None:
            return 0.0
        worth = RICH_RECORD if record.values >= MANY_VALUES else RECORD
        if record.role == ARRANGED:
            return worth * max(0.0, 2 * self._sparseness - 1)
        return worth * max(self._sparseness**2, LISTED if record.role == ENTRY else 0.0)

    def _gain(self, page: int) -> int:
        return self.shared.get(page, self.gains.get(page, 0))

    def _adjust(self) -> bool:
        sparseness = min(1.0, len(self._records) / (len(self._usual) + FEW_PAGES))
        has_changed = abs(sparseness - self._sparseness) >= SCALE_STEP
        if has_changed:
            self._sparseness = sparseness
        if not self._usual:
            return has_changed
        scale = min(max(SCALE * self._usual[len(self._usual) // 2], SCALE_LOW), SCALE_HIGH)
        if abs(scale - self.scale) < SCALE_STEP * self.scale:
            return has_changed
        self.scale = scale
        return True
