"""What was fetched in, what it was worth out: saturated new text, credit for what it led to, duplicates shared fairly.

r = g² / (g² + g0²) with g the 2-grams of prose that no earlier page had and g0 a third of the usual gain: a page that
brings half a post is worth nearly as much as one that brings ten, so that listings with full texts do not make the
posts themselves look worthless. A record of a few words and numbers is worth a fixed share for being one, as far as the
site has such records instead of prose; among people, dates and tags (`arranged`) only where most pages are such. A page
is also worth what it was the first to lead to, four content pages counting as one. Of two pages with the same content,
the one whose kind is preferred is worth it, whichever came first. What a site does not want to see in search engines
(old states, lists in another order, forms) is worth a fraction of its text.
"""

from __future__ import annotations

from bisect import insort
from collections import defaultdict

from siteseer.navigation.economical.slot_novelty import ENOUGH

USUAL = 30
"""Gains from here on tell how much text the site's pages bring."""
SCALE, SCALE_LOW, SCALE_HIGH = 0.35, 30.0, 150.0
CREDIT_SHARE = 0.25
CREDIT_WORTH = 0.9
UNLISTED = 0.15
"""What a page that asks not to be indexed keeps of its worth: such a kind must be rich in new text throughout."""
RECORD, RICH_RECORD, MANY_VALUES = 0.6, 0.75, 4
"""What a page of new values is worth that has no prose; and with so many of them or more."""
FEW_PAGES = 2
"""So many pages more than prose brought must be records, before they count in full."""
SCALE_STEP = 0.1
"""The scale is adjusted when it is off by this share, so that estimates can be kept meanwhile."""


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
        self.shared_records: dict[int, float] = {}
        self._records: dict[int, float] = {}
        """What pages of new values are worth that have little prose."""
        self._arranged: set[int] = set()
        self._listed: set[int] = set()
        self._sparseness = 0.0
        """How many records there are for each page of prose: where prose is the rule, records are furniture."""
        self._unlisted: set[int] = set()
        self._credit: dict[int, float] = defaultdict(float)
        self._usual: list[int] = []

    def add(
        self,
        page: int,
        gain: int,
        *discoverers: int | None,
        unlisted: bool = False,
        values: int = 0,
        arranged: bool = False,
        listed: bool = False,
    ) -> bool:
        """Take in a page's gain, its new values and who led to it, closest first.

        `arranged` says that its link arranges what others lead to. Say whether all pages must be valued again.
        """
        self.gains[page] = gain
        if unlisted:
            self._unlisted.add(page)
        if values >= ENOUGH and gain < USUAL:
            self._records[page] = RICH_RECORD if values >= MANY_VALUES else RECORD
            if arranged:
                self._arranged.add(page)
            if listed:
                self._listed.add(page)
        brought = max(min(gain, 2 * self.scale), self._record(page) * self.scale)
        if brought > 0:
            share = UNLISTED if unlisted else 1.0
            for discoverer in discoverers:
                if discoverer is not None:
                    self._credit[discoverer] += share * brought
                share /= 2
        if gain >= USUAL and not unlisted:
            insort(self._usual, gain)
        return self._adjust()

    def share(self, preferred: int, other: int) -> None:
        """Give the worth of two pages with the same content to the preferred one."""
        gain = max(self._gain(preferred), self._gain(other))
        self.shared[preferred], self.shared[other] = gain, 0
        record = max(self._records.get(preferred, 0.0), self._records.get(other, 0.0))
        self.shared_records[preferred], self.shared_records[other] = record, 0.0

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
        worth = self.shared_records.get(page, self._records.get(page, 0.0))
        return worth * (
            max(0.0, 2 * self._sparseness - 1)
            if page in self._arranged
            else max(self._sparseness**2, 0.5 if page in self._listed else 0.0)
        )

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
