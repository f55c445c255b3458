"""Chooses the pages of a site that are worth a visit now: those that most likely changed since they were last seen.

What is known of each page, its earlier visits and its class, goes into one estimate (`rate_priors`), so that pages that
were captured once are visited too, in the order in which their class tends to change. A visit shows something about its
class and about the pages beside it in lists: pages are chosen in small groups, and the results count for the next
group.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import pairwise

from siteseer.change.change_rates import DAY, Visit
from siteseer.change.rate_priors import Class, GammaRate, RatePriors

TOLD_BY = "told"
"""The feature of pages of which a source tells when they change: what it is silent about is rarer."""
History = Sequence[tuple[datetime, str]]
"""When a page was visited, and the digest of what was there; oldest first."""

HOPELESS = 5.0
"""Changes between two visits above which a page cannot be kept up with: it is visited less."""
NEAR = ((1, 1.0), (2, 0.7), (3, 0.4))
"""How much a page tells of those beside it in a list, by their distance."""
SHAPES_BESIDE = (0.1, 0.3, 1.0, 3.0, 1e6)
"""Shapes of the Gamma effect of the pages beside: the smaller, the more they tell; by the last they tell nothing. The
likeliest is taken."""
USUAL_BESIDE, FEWEST_CHANGES = 0.2, 4
"""The shape as long as fewer visits found a change."""
ROUNDS_BESIDE = 2
"""The kinds of pages and the pages beside them are estimated in turns: each explains what the other does not."""
LEAST_DAYS = 1 / 24
"""Pages of one crawl are not worth more or less for the minutes between them."""
CURIOUS = 0.3
"""How much more a page is worth whose kind was not visited yet."""
NOISY = 0.9
"""Where this share of all visits found other bytes, bytes tell nothing: each answer bears something new."""
FEWEST_INTERVALS = 10
MOST_FITTED = 1_000
"""About so many pages with several captures are enough to make a prior from."""
MOST_TOLD = 400
"""And so many of those of which sources tell whether they changed."""


def visits_of(history: History) -> list[Visit]:
    """Return the visits in a history of captures: the first capture is none."""
    return [Visit((b - a) / DAY, old != new) for (a, old), (b, new) in pairwise(history)]


@dataclass(frozen=True, slots=True)
class Evidence:
    """What is known of the pages besides their captures: the classes that each is in, and the lists that hold it."""

    classes: Mapping[str, Sequence[Class]]
    lists: Sequence[Sequence[str]] = ()
    left_out: Collection[str] = ()
    """Pages that need no visit, though their captures tell about others."""
    told: Mapping[str, bool] = field(default_factory=dict)
    """What sources say of pages: whether each has changed since its last capture."""


@dataclass(frozen=True, slots=True)
class _Model:
    """Rates of the kinds of pages, what they let expect of each page visited, and the effect of the pages beside."""

    shape: float
    priors: RatePriors
    before: Mapping[str, GammaRate]
    likelihood: float


class RevisitChooser:
    """Chooses pages to visit, and learns from the results."""

    def __init__(self, histories: Mapping[str, History], now: datetime, evidence: Evidence) -> None:
        self._last = {name: history[-1][0] for name, history in histories.items() if history}
        self._waiting = set(self._last) - set(evidence.left_out)
        self._now, self._classes = now, dict(evidence.classes)
        self._visits = {name: visits_of(history) for name, history in histories.items()}
        if _is_noise(self._visits.values()):
            self._visits = {name: [] for name in self._visits}
        self._beside = _neighbours(evidence.lists, self._last)
        self._found: dict[str, bool] = {}
        """Pages visited now: whether they had changed."""
        self._before: Mapping[str, GammaRate] = {}
        """What their kinds alone let expect of those pages."""
        self._told = {name: has_changed for name, has_changed in evidence.told.items() if name in self._last}
        for name, has_changed in self._told.items():
            self._tell(name, has_changed)

    def learn(self, name: str, changed: bool) -> None:
        """Record whether a page had changed since it was last seen."""
        if name in self._last and name not in self._found:
            self._found[name] = changed
            if self._told.get(name):
                self._tell(name, changed)
            else:
                self._visits[name] = [*self._visits[name], Visit(self._days(name), changed)]
            self._waiting.discard(name)

    def _tell(self, name: str, changed: bool) -> None:
        """Count what a source says of a page like a visit of another page of the same kinds.

        Sources lead to pages that changed: as visits those alone would make every kind look busy. What a source says
        of all pages is no such choice. It tells how often the kinds change, not what the source passes over in silence.
        """
        key = _as_told(name)
        self._visits[key] = [Visit(self._days(name), changed)]
        self._classes[key] = [one for one in self._classes.get(name, ()) if one.feature != TOLD_BY]

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
        is_told = sum(self._found.values()) >= FEWEST_CHANGES
        models = [self._model(shape) for shape in (SHAPES_BESIDE if is_told else (USUAL_BESIDE,))]
        best = max(models, key=lambda model: model.likelihood)
        self._before, found = best.before, {}
        for name in self._waiting:
            rate, days = best.priors.of(name), self._days(name) * self._effect_beside(name, best.shape, best.before)
            found[name] = rate.chance(days) / max(1.0, rate.mean * days / HOPELESS)
        return found

    def _model(self, shape: float) -> _Model:
        """Estimate the rates of the kinds and the effect of the pages beside in turns, for one shape of that effect."""
        before, sample = self._before, self._sample()
        for _ in range(ROUNDS_BESIDE):
            beside = {name: self._effect_beside(name, shape, before) for name in self._found}
            priors = RatePriors(self._visits, self._classes, sample, beside)
            before = {name: priors.before(name) for name in self._found}
        total = 0.0
        for name, rate in before.items():
            chance = rate.chance(self._days(name) * self._effect_beside(name, shape, before))
            likely = min(0.99, max(1e-6, chance))
            total += math.log(likely if self._found[name] else 1 - likely)
        return _Model(shape, priors, before, total)

    def _sample(self) -> list[str]:
        """Return the pages that the prior is made from: all visited now, some that were told of, and some others."""
        told = [_as_told(name) for name in self._told]
        known = {*self._found, *told}
        others = [name for name, own in self._visits.items() if own and name not in known]
        return [*self._found, *_every(told, MOST_TOLD), *_every(others, MOST_FITTED)]

    def _days(self, name: str) -> float:
        return max((self._now - self._last[name]) / DAY, LEAST_DAYS)

    def _curiosity(self, name: str, seen: Mapping[Class, int]) -> float:
        return math.prod(1 + CURIOUS / math.sqrt(1 + seen[one]) for one in self._classes.get(name, ()))

    def _effect_beside(self, name: str, shape: float, before: Mapping[str, GammaRate]) -> float:
        """Return how much more often the pages beside this one had changed than was expected: a Gamma effect."""
        told = [(other, weight) for other, weight in self._beside.get(name, ()) if other in before]
        changes = sum(weight * self._found[other] for other, weight in told)
        expected = sum(weight * before[other].chance(self._days(other)) for other, weight in told)
        return (shape + changes) / (shape + expected)


def _as_told(name: str) -> str:
    return f"{name} as told"


def _every(names: Sequence[str], most: int) -> Sequence[str]:
    """Return about so many of the names, evenly spread."""
    return names[:: max(1, len(names) // most)]


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
