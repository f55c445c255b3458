"""Chooses the pages of a site that are worth a visit now: those that most likely changed since they were last seen.

What is known of each page, its earlier visits and its kind, goes into one estimate (`rate_priors`), so that pages that
were captured once are visited too, in the order in which their kind tends to change. A visit teaches about its kind and
about the pages beside it in lists: pages are chosen in small groups, and what came back counts for the next group.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

from siteseer.changes.rate_priors import Class, RatePriors
from siteseer.changes.rates import DAY, Visit, irregular

History = Sequence[tuple[datetime, str]]
"""When a page was visited, and the digest of what was there; oldest first."""

HOPELESS = 5.0
"""Changes between two visits above which a page cannot be kept up with: it is visited less."""
NEAR = ((1, 1.0), (2, 0.7), (3, 0.4))
"""How much a page tells of those beside it in a list, by their distance."""
SHAPES_BESIDE = (0.1, 0.3, 1.0, 3.0)
"""Shapes of the Gamma effect of the pages beside: the smaller, the more they tell. The likeliest is taken."""
USUAL_BESIDE, FEWEST_CHANGES = 0.2, 4
"""The shape as long as fewer visits found a change."""
CURIOUS = 0.3
"""How much more a page is worth whose kind was not visited yet."""
NOISY = 0.9
"""Where this share of all visits found other bytes, bytes tell nothing: each answer bears something new."""
FEWEST_INTERVALS = 10
MOST_FITTED = 1_000
"""About so many pages with several captures are enough to make a prior from."""


def rate_of(history: History) -> float:
    """Return how often a page changes a day, as its visits show; 0 where they show no change.

    >>> from datetime import UTC
    >>> days = [datetime(2024, 5, day, tzinfo=UTC) for day in (1, 2, 3, 4)]
    >>> round(rate_of(list(zip(days, "aabb"))), 2), rate_of(list(zip(days, "aaaa")))
    (0.41, 0.0)
    """
    return irregular(visits_of(history))


def visits_of(history: History) -> list[Visit]:
    """Return the looks that a history of captures is: the first capture is none."""
    return [Visit((b - a) / DAY, old != new) for (a, old), (b, new) in pairwise(history)]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the pages besides their captures: the kinds that each is in, and lists in which they stand."""

    classes: Mapping[str, Sequence[Class]]
    lists: Sequence[Sequence[str]] = ()
    left_out: Collection[str] = ()
    """Pages that need no visit, though their captures tell about others."""


class Schedule:
    """Chooses pages to visit, and learns from what the visits found."""

    def __init__(self, histories: Mapping[str, History], now: datetime, evidence: Evidence) -> None:
        self._last = {name: history[-1][0] for name, history in histories.items() if history}
        self._waiting = set(self._last) - set(evidence.left_out)
        self._now, self._classes = now, evidence.classes
        self._visits = {name: visits_of(history) for name, history in histories.items()}
        if _is_noise(self._visits.values()):
            self._visits = {name: [] for name in self._visits}
        self._beside = _neighbours(evidence.lists, self._last)
        self._found: dict[str, tuple[bool, float]] = {}
        """Pages visited now: whether they had changed, and how likely that had been."""
        self._chances: dict[str, float] = {}

    def learn(self, name: str, changed: bool) -> None:
        """Hear whether a page had changed since it was last seen."""
        if name in self._last and name not in self._found:
            days = self._days(name)
            self._found[name] = changed, self._chances.get(name, 0.0)
            self._visits[name] = [*self._visits[name], Visit(days, changed)]
            self._waiting.discard(name)

    def choose(self, count: int) -> list[str]:
        """Return the pages that are most worth a visit, the best first; none is returned twice."""
        worth = self.worth()
        seen = Counter(one for name in self._last if name not in self._waiting for one in self._classes.get(name, ()))
        chosen: list[str] = []
        order = sorted(worth, key=lambda name: (-worth[name], name))
        while order and len(chosen) < count:
            best = max(order[: 4 * count + 50], key=lambda name: worth[name] * self._curiosity(name, seen))
            order.remove(best)
            chosen.append(best)
            seen.update(self._classes.get(best, ()))
        self._waiting.difference_update(chosen)
        return chosen

    def worth(self) -> dict[str, float]:
        """Return how likely each waiting page has changed, in proportion; less where it changes too often."""
        priors, found = RatePriors(self._visits, self._classes, self._sample()), {}
        shape = self._shape_beside()
        for name in self._waiting:
            rate, days = priors.of(name), self._days(name)
            hopeless = max(1.0, rate.mean * days / HOPELESS)
            self._chances[name] = rate.chance(days)
            found[name] = self._chances[name] * self._effect_beside(name, shape) / hopeless
        return found

    def _sample(self) -> list[str]:
        """Return the pages that the prior is made from: all that were visited now, and some of the others."""
        others = [name for name, own in self._visits.items() if own and name not in self._found]
        return [*self._found, *others[:: max(1, len(others) // MOST_FITTED)]]

    def _days(self, name: str) -> float:
        return max((self._now - self._last[name]) / DAY, 1e-9)

    def _curiosity(self, name: str, seen: Mapping[Class, int]) -> float:
        return math.prod(1 + CURIOUS / math.sqrt(1 + seen[one]) for one in self._classes.get(name, ()))

    def _effect_beside(self, name: str, shape: float) -> float:
        """Return how much more often the pages beside this one had changed than was expected: a Gamma effect."""
        told = [(self._found[other], weight) for other, weight in self._beside.get(name, ()) if other in self._found]
        changes = sum(weight * changed for (changed, _), weight in told)
        expected = sum(weight * chance for (_, chance), weight in told)
        return (shape + changes) / (shape + expected)

    def _shape_beside(self) -> float:
        """Return the shape under which the visits so far are likeliest, the usual one as long as few found a change."""
        if sum(changed for changed, _ in self._found.values()) < FEWEST_CHANGES:
            return USUAL_BESIDE
        return max(SHAPES_BESIDE, key=self._likelihood_beside)

    def _likelihood_beside(self, shape: float) -> float:
        total = 0.0
        for name, (changed, chance) in self._found.items():
            likely = min(0.99, max(1e-6, chance * self._effect_beside(name, shape)))
            total += math.log(likely if changed else 1 - likely)
        return total


def due_pages(histories: Mapping[str, History], now: datetime, visits: int) -> list[str]:
    """Return so many pages, those first that most likely changed, by their histories alone."""
    return Schedule(histories, now, Evidence({})).choose(visits)


def histories(captures: Iterable[tuple[str, str, str]]) -> dict[str, list[tuple[datetime, str]]]:
    """Group captures (URL, time, digest) by URL, oldest first; captures of one moment count once."""
    found: dict[str, list[tuple[datetime, str]]] = {}
    for url, time, digest in captures:
        moment = datetime.fromisoformat(time.replace("Z", "+00:00"))
        own = found.setdefault(url, [])
        if not own or moment - own[-1][0] > timedelta(0):
            own.append((moment, digest))
    return found


def _is_noise(visits: Iterable[Sequence[Visit]]) -> bool:
    """Say whether other bytes mean nothing on this site: as good as every visit found some."""
    looks = [visit for own in visits for visit in own]
    return len(looks) >= FEWEST_INTERVALS and sum(v.changed for v in looks) >= NOISY * len(looks)


def _neighbours(lists: Sequence[Sequence[str]], known: Mapping[str, object]) -> dict[str, list[tuple[str, float]]]:
    """Return for each page those that stand beside it in some list, with their weights."""
    found: dict[str, dict[str, float]] = {}
    for one in lists:
        names = [name for name in one if name in known]
        for distance, weight in NEAR:
            for a, b in zip(names, names[distance:], strict=False):
                if a != b:
                    for here, there in ((a, b), (b, a)):
                        own = found.setdefault(here, {})
                        own[there] = max(own.get(there, 0.0), weight)
    return {name: list(beside.items()) for name, beside in found.items()}
