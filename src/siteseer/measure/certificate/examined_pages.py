"""Keeps the pages that an audit examined and where they lead, and chooses which to examine next."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from siteseer.measure.certificate.page_worth import Worth
from siteseer.measure.certificate.skipped_urls import SkippedUrl
from siteseer.page.two_grams import Grams

FEW, BATCH = 4, 0.3
"""So many pages of each kind are looked at first; then, round by round, this share of what is left of the budget."""
PRECISE = 0.005
"""A kind of page whose worth is known to this share of all content needs no further look."""


@dataclass(frozen=True, slots=True)
class UnknownLink:
    """An unknown URL to which a page leads; one that is not shown is only implied by the pages around it."""

    url: str
    is_pager: bool = False
    is_shown: bool = True
    is_chain: bool = False
    """Whether the list does not say how many pages follow."""


@dataclass(slots=True, eq=False)
class ExaminedPage:
    """A page that was examined: what it holds that the collection lacks, and where it leads."""

    url: str
    depth: int
    worth: Worth
    parent: ExaminedPage | None = None
    skipped: SkippedUrl | None = None
    is_pager: bool = False
    leads: dict[str, UnknownLink] = field(default_factory=dict)
    """Unknown URLs by identity, whether the strategy would follow them or not."""
    asked: frozenset[str] = frozenset()
    """Identities of what the strategy asked for when it was shown the page."""
    links: frozenset[str] = frozenset()

    @property
    def owner(self) -> ExaminedPage:
        """The page to which it belongs: for a further page of a list, the one that led there."""
        return self.parent.owner if self.is_pager and self.parent is not None else self


def without_parents(new: Grams, parent: ExaminedPage | None) -> Grams:
    """Return the passages that the pages on the way do not hold."""
    while parent is not None:
        new = np.setdiff1d(new, parent.worth.new, assume_unique=True)
        parent = parent.parent
    return new


Way = tuple[ExaminedPage, UnknownLink]
"""A page, and an unknown URL to which it leads."""


def choose_ways(
    groups: Mapping[str, Sequence[Way]], worths: Mapping[str, Sequence[float]], room: int, usual: float, content: int
) -> list[Way]:
    """Return which pages to examine next: a few of each kind, then most where most is uncertain.

    `groups` are the pages that wait, by kind, `worths` the worth of those that were examined, `usual` what a page of
    the site is worth, and `content` what the collection holds.
    """
    if few := few_of_each(groups, worths):
        return few[:room]
    doubts = {kind: _doubt(worths[kind], len(members), usual) for kind, members in groups.items()}
    total = sum(doubts.values())
    batch = max(1, int(BATCH * room))
    return [
        way
        for kind, members in groups.items()
        if doubts[kind] > PRECISE * content
        for way in members[: math.ceil(batch * doubts[kind] / total)]
    ]


def few_of_each(groups: Mapping[str, Sequence[Way]], worths: Mapping[str, Sequence[float]]) -> list[Way]:
    """Return a few pages of each kind of which fewer were examined."""
    return [way for kind, members in groups.items() for way in members[: max(0, FEW - len(worths.get(kind, ())))]]


def _doubt(worths: Sequence[float], waiting: int, usual: float) -> float:
    """Return how far the worth of the pages of a kind that wait may be from what is known of it."""
    share = (sum(one > 0 for one in worths) + 0.5) / (len(worths) + 1)
    spread = float(np.std(worths, ddof=1)) + share * (1 - share) * usual
    return waiting * spread / math.sqrt(len(worths))
