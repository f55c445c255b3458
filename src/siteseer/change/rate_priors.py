"""Estimates how often pages change that were seen once or twice (empirical Bayes): a Gamma prior from the whole site.

The changes of page i are a Poisson process of rate r_i. A priori r_i is Gamma with mean m_i = mu * product of the
effects of the classes that the page is in (address, folder, age, what its sitemap says), each effect Gamma with shape A
in its turn; the shapes of the pages and of the effects are those under which the visits of the site are likeliest.
After visits over T days with X changes a page is Gamma(a + X, a / m_i + T): a page seen once has the rate of its kind,
a page seen often its own. A visit that found a change may hide several: X counts their expected number.

References: Clayton and Kaldor, Empirical Bayes estimates of age-standardized relative risks, Biometrics 43, 1987
(Poisson counts with a Gamma prior from the data); Cho and Garcia-Molina, Estimating frequency of change, TOIT 2003
(several changes between two visits); Cho and Ntoulas, Effective change detection using sampling, VLDB 2002 and Tan and
Mitra, Clustering-based incremental Web crawling, TOIS 2010 (pages of one kind change together: a sample of each tells).
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from siteseer.change.change_rates import Visit

A = 1.0
"""Shape of the effect of a class: it counts as much as one expected change."""
SHAPES_OF_EFFECTS = (0.2, 0.5, A)
"""The smaller the shape, the more the parts of a site differ: where one is busy and all others are quiet, a few visits
tell. The likeliest is taken, for each feature by itself."""
FEWEST_CLASSES, FEWEST_CHANGES, SETTLED = 3, 4, 3
"""Where a feature has fewer classes, or fewer changes were seen, nothing is known of that shape; nor at first."""
PARTS = ("shape", "address", "level", "listed")
"""Features that say in what part of a site a page is."""
USUAL = 1 / 120
"""Changes a day of a page where nothing is known: once in four months.

Reference: Cho and Garcia-Molina, The evolution of the Web and implications for an incremental crawler, VLDB 2000.
"""
SHAPES = (0.1, 0.25, 0.5, 1.0, 2.0, 4.0)
GRID = np.exp(np.linspace(math.log(1e-4), math.log(60.0), 60))
"""Rates, in means, at which likelihoods are summed."""
ROUNDS = 12
WIDEST = 50.0
"""An effect is at most this, and at least one over it."""


@dataclass(frozen=True, slots=True)
class Class:
    """A class of pages by one of their features; `expected` is its effect on the rate before anything was seen."""

    feature: str
    value: str
    expected: float = 1.0


@dataclass(frozen=True, slots=True)
class GammaRate:
    """The posterior of a page's rate: Gamma with shape and rate, in changes a day."""

    shape: float
    rate: float

    @property
    def mean(self) -> float:
        """The expected rate."""
        return self.shape / self.rate

    def chance(self, days: float) -> float:
        """Return how likely a page has changed within so many days: 1 - (rate / (rate + days)) ^ shape.

        >>> round(GammaRate(1.0, 10.0).chance(10.0), 3)
        0.5
        """
        return -math.expm1(self.shape * -math.log1p(max(days, 0.0) / self.rate))


Visits = Mapping[str, Sequence[Visit]]
Classes = Mapping[str, Sequence[Class]]


class RatePriors:
    """The rates of the pages of a site, each with the prior of its classes."""

    def __init__(
        self,
        visits: Visits,
        classes: Classes,
        sample: Iterable[str] | None = None,
        effects: Mapping[str, float] | None = None,
    ) -> None:
        """Take the visits and classes of the pages; the prior is made from those of `sample`, or of all.

        `effects` are what else is known to have made a page of the sample change more often, or less: its kinds are not
        credited with that.
        """
        self._visits, self._classes = visits, classes
        self._seen = [name for name in (visits if sample is None else sample) if visits.get(name)]
        self.mu = USUAL
        self.effects: dict[Class, float] = {}
        self._effects = effects or {}
        self._days = {name: self._lasted(visits[name]) * self._effects.get(name, 1.0) for name in self._seen}
        self._fit()
        self.shape = max(SHAPES, key=self._likelihood)

    def of(self, name: str) -> GammaRate:
        """Return the posterior of a page's rate."""
        mean, own = self.prior_mean(name), self._visits.get(name, ())
        days = sum(visit.interval for visit in own)
        return GammaRate(self.shape + _changes(own, mean), self.shape / mean + days)

    def before(self, name: str) -> GammaRate:
        """Return the prior of a page's rate, before any of its visits."""
        return GammaRate(self.shape, self.shape / self.prior_mean(name))

    def prior_mean(self, name: str) -> float:
        """Return the rate that is expected of a page of its classes."""
        mean = self.mu
        for one in self._classes.get(name, ()):
            mean *= self.effects.get(one, one.expected)
        return max(mean, 1e-9)

    @staticmethod
    def _lasted(visits: Iterable[Visit]) -> float:
        return sum(visit.interval for visit in visits)

    def _fit(self) -> None:
        """Estimate the mean and the effects in turns, each with all others held: posterior means of Gamma effects."""
        members: dict[Class, list[str]] = defaultdict(list)
        for name in self._seen:
            for one in self._classes.get(name, ()):
                members[one].append(name)
        self.effects = {one: one.expected for one in members}
        shapes: dict[str, float] = {}
        for number in range(ROUNDS if self._seen else 0):
            means = {name: self.prior_mean(name) for name in self._seen}
            counts = {
                name: _changes(self._visits[name], means[name] * self._effects.get(name, 1.0)) for name in self._seen
            }
            self.mu = _overall(sum(counts.values()), sum(means[n] / self.mu * self._days[n] for n in self._seen))
            seen: dict[str, list[tuple[float, float]]] = defaultdict(list)
            for one, names in members.items():
                told, effect = sum(counts[name] for name in names), self.effects[one]
                others = sum(self.prior_mean(name) / effect * self._days[name] for name in names)
                seen[one.feature].append((told, others * one.expected))
                a = shapes.get(one.feature, A)
                fresh = (a + told) / (a / one.expected + others)
                self.effects[one] = min(max(fresh, one.expected / WIDEST), one.expected * WIDEST)
            if number >= SETTLED and sum(counts.values()) >= FEWEST_CHANGES:
                shapes = {one: _likeliest_shape(seen[one]) for one in PARTS if len(seen[one]) >= FEWEST_CLASSES}

    def _likelihood(self, shape: float) -> float:
        """Return the log-likelihood of the visits where rates are Gamma of this shape, summed over a grid of rates."""
        weights = np.exp(shape * (np.log(GRID) - GRID))
        weights /= weights.sum()
        total = 0.0
        for name in self._seen:
            rates = self.prior_mean(name) * self._effects.get(name, 1.0) * GRID
            likely = weights * np.exp(-rates * self._lasted(v for v in self._visits[name] if not v.changed))
            for visit in self._visits[name]:
                if visit.changed:
                    likely = likely * -np.expm1(-rates * visit.interval)
            total += math.log(max(float(likely.sum()), 1e-300))
        return total


def _likeliest_shape(classes: Sequence[tuple[float, float]]) -> float:
    """Return the shape of the effects of a feature under which the changes of its classes are likeliest.

    Each class has so many changes where so many were expected: negative binomial, as the effects are Gamma.

    >>> _likeliest_shape([(12.0, 3.0), (0.0, 3.0), (0.0, 3.0), (0.0, 3.0)]), _likeliest_shape([(3.0, 3.0)] * 4)
    (0.2, 1.0)
    """

    def likelihood(a: float) -> float:
        return sum(
            math.lgamma(a + x) - math.lgamma(a) + a * math.log(a / (a + e)) + x * math.log(e / (a + e))
            for x, e in classes
            if e > 0
        )

    return max(SHAPES_OF_EFFECTS, key=likelihood)


def _overall(changes: float, days: float) -> float:
    """Return the mean rate of a site: what was seen; where no change was, less the longer nothing changed."""
    return changes / days if changes > 0 and days > 0 else 0.5 / (days + 0.5 / USUAL)


def _changes(visits: Sequence[Visit], rate: float) -> float:
    """Return how many changes the visits saw: one that found a change stands for rt / (1 - e^-rt) of them."""
    total = 0.0
    for visit in visits:
        if visit.changed:
            expected = min(rate * visit.interval, 700.0)
            total += expected / -math.expm1(-expected) if expected > 1e-9 else 1.0
    return total
