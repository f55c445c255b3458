"""Estimates the amount of content behind all skipped URLs from a stratified sample, with a confidence interval.

The sample is stratified. Each stratum is given a few URLs first; the rest goes where the amount is still uncertain
(Neyman, 1934). The interval is that of Fay and Feuer (1997) for weighted sums of rare counts: gamma quantiles at the
variance of the estimate, on the safe side above by the largest weight. Where nothing was found at all, the interval has
one end only, by the rule of three: so much may be missing although a sample of this size shows nothing. That hangs on
the stratum of which the smallest share was drawn, so strata that showed nothing are drawn in equal shares.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95
FEWEST = 2
FIRST_SHARE = 0.35
"""The share of the sample that is drawn before anything is known."""
JUDGEMENT = 0.1
"""What is content on a page is judged, not known: the amount is taken to be off by this share, besides chance."""
NOTHING_FOUND = 0.03
"""What further draws are worth where the first ones showed nothing, beside where they showed something."""
MINOR = 0.1
"""Less than this share of what a page usually holds is no sign that a kind of URL holds pages, nor of their size."""


@dataclass(frozen=True, slots=True)
class Stratum:
    """How many URLs there are of a kind, and the worth of those in the sample."""

    size: int
    worths: tuple[float, ...]

    @property
    def weight(self) -> float:
        """How many URLs each one in the sample stands for."""
        return self.size / len(self.worths) if self.worths else 0.0

    @property
    def unseen(self) -> float:
        """The share of the URLs that is not in the sample."""
        return 1 - len(self.worths) / self.size if self.size else 0.0

    @property
    def overlooked(self) -> float:
        """How many URLs with content may be there although the sample shows none, with the confidence of the interval.

        >>> round(Stratum(1000, (0.0,) * 60).overlooked), Stratum(5, (0.0,) * 5).overlooked
        (48, 0.0)
        """
        return math.log(1 - CONFIDENCE) / math.log(self.unseen) if self.worths and self.unseen else 0.0

    def hits(self, usual: float) -> list[float]:
        """Return the worth of those in the sample that hold content worth speaking of."""
        return [one for one in self.worths if one > MINOR * usual]

    def variance(self, usual: float) -> float:
        """Return the variance of one URL's worth; a few equal draws do not mean that all are equal."""
        hits = self.hits(usual)
        share = (len(hits) + 0.5) / (len(self.worths) + 1)
        mean = sum(hits) / len(hits) if hits else usual
        spread = sum((one - mean) ** 2 for one in hits) / max(1, len(hits) - 1)
        return share * (1 - share) * mean**2 + share * spread

    def pull(self, usual: float) -> float:
        """Return the benefit of further draws here: least where the draws so far found nothing."""
        return self.size * math.sqrt(self.variance(usual)) * (1.0 if self.hits(usual) else NOTHING_FOUND)


@dataclass(frozen=True, slots=True)
class Amount:
    """An amount with its interval."""

    value: float
    low: float
    high: float

    def share(self, kept: float) -> Amount:
        """Return the share of this amount in everything, together with what was kept.

        >>> Amount(25, 0, 100).share(100)
        Amount(value=0.2, low=0.0, high=0.5)
        """
        return Amount(*(one / (kept + one) if one else 0.0 for one in (self.value, self.low, self.high)))


def first_draws(sizes: Mapping[str, int], sample: int) -> dict[str, int]:
    """Say how many URLs of each stratum are drawn first: a few of each, the same whatever its size, while it lasts.

    >>> first_draws({"print view": 900, "login": 99, "feed": 1}, 30)
    {'feed': 1, 'login': 4, 'print view': 5}
    """
    found: dict[str, int] = {}
    left = FIRST_SHARE * sample
    for number, (name, size) in enumerate(sorted(sizes.items(), key=lambda one: one[1])):
        fair = max(FEWEST, math.floor(left / (len(sizes) - number)))
        found[name] = min(size, fair)
        left -= found[name]
    return found


def further_draws(strata: Mapping[str, Stratum], room: int, usual: float) -> dict[str, int]:
    """Say how many further URLs of each stratum to draw: most where many URLs differ much in worth."""
    found = _pulled(strata, room, usual)
    empty = {name: strata[name] for name in found if not strata[name].hits(usual)}
    found |= _evened(empty, sum(found[name] for name in empty))
    return {name: count for name, count in found.items() if count}


def _evened(strata: Mapping[str, Stratum], room: int) -> dict[str, int]:
    """Divide draws so that the stratum of which the smallest share is drawn has as large a share as can be."""
    found = dict.fromkeys(strata, 0)
    waiting = [(-_stands_for(one, 0), name) for name, one in strata.items() if one.size > len(one.worths)]
    heapq.heapify(waiting)
    for _ in range(room if waiting else 0):
        name = waiting[0][1]
        found[name] += 1
        heapq.heapreplace(waiting, (-_stands_for(strata[name], found[name]), name))
    return found


def _stands_for(stratum: Stratum, more: int) -> float:
    """Return how many URLs each one stands for when so many more are drawn; 0 when all are."""
    drawn = len(stratum.worths) + more
    return 0.0 if drawn >= stratum.size else stratum.size / drawn if drawn else float(stratum.size)


def _pulled(strata: Mapping[str, Stratum], room: int, usual: float) -> dict[str, int]:
    found = dict.fromkeys(strata, 0)
    open_ones = {name: one for name, one in strata.items() if one.size > len(one.worths)}
    while room > 0 and open_ones:
        pull = {name: one.pull(usual) for name, one in open_ones.items()}
        total = sum(pull.values()) or 1.0
        given = 0
        for name, one in list(open_ones.items()):
            wanted = min(
                one.size - len(one.worths) - found[name], max(1, round(room * pull[name] / total)), room - given
            )
            found[name] += wanted
            given += wanted
            if found[name] == one.size - len(one.worths):
                del open_ones[name]
        if not given:
            break
        room -= given
    return {name: count for name, count in found.items() if count}


def total_worth(strata: Sequence[Stratum], usual: float, further: float = 0.0) -> Amount:
    """Return what all URLs of the strata are worth; `further` is a variance that comes from elsewhere.

    `usual` is what a page with content is worth on this site: where nothing was found, it says what may be there.

    >>> found = total_worth([Stratum(1000, (0.0,) * 60)], 1.0)
    >>> found.value, found.low, round(found.high)
    (0.0, 0.0, 48)
    """
    seen = [one for one in strata if one.worths]
    value = sum(one.weight * sum(one.worths) for one in seen)
    if not any(one.hits(usual) for one in seen):
        overlooked = usual * max((one.overlooked for one in seen), default=0.0)
        return Amount(value, 0.0, value * (1 + 2 * JUDGEMENT) + 2 * math.sqrt(further) + overlooked)
    variance = further + sum(
        one.unseen * one.weight**2 * len(one.worths) * one.variance(usual) for one in seen if one.hits(usual)
    )
    largest = max((one.unseen * one.weight * _typical(one, usual) for one in seen), default=0.0)
    return interval(value, variance, largest)


def _typical(stratum: Stratum, usual: float) -> float:
    hits = stratum.hits(usual)
    return sum(hits) / len(hits) if hits else usual


def interval(value: float, variance: float, largest: float, confidence: float = CONFIDENCE) -> Amount:
    """Return an amount with its interval, given its variance and the most that one more find would add."""
    tail = (1 - confidence) / 2
    variance += (JUDGEMENT * value) ** 2
    low = value
    if value > 0:
        low = variance / value * gamma_quantile(tail, value**2 / variance)
    more, spread = value + largest, variance + largest**2
    high = spread / more * gamma_quantile(1 - tail, more**2 / spread) if spread > 0 else value
    return Amount(value, min(low, value), max(high, value))


def gamma_quantile(probability: float, shape: float) -> float:
    """Return the quantile of the gamma distribution with this shape and scale 1.

    >>> round(gamma_quantile(0.975, 1.0), 3), round(gamma_quantile(0.025, 10.0), 3)
    (3.689, 4.795)
    """
    if shape > 10_000:  # normal by then
        return shape + math.sqrt(shape) * (1.959964 if probability > 0.5 else -1.959964)
    low, high = 0.0, shape + 12 * math.sqrt(shape) + 40
    for _ in range(80):
        middle = (low + high) / 2
        if gamma_share(middle, shape) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def gamma_share(x: float, shape: float) -> float:
    """Return the regularised lower incomplete gamma function: by its series, or by Lentz's continued fraction."""
    if x <= 0:
        return 0.0
    front = math.exp(shape * math.log(x) - x - math.lgamma(shape))
    if x < shape + 1:
        term = total = 1 / shape
        n = shape
        while term > total * 1e-14:
            n += 1
            term *= x / n
            total += term
        return front * total
    b = x + 1 - shape
    c, d = 1e300, 1 / b
    fraction = d
    for i in range(1, 1000):
        a = -i * (i - shape)
        b += 2
        d = 1 / (a * d + b or 1e-300)
        c = b + a / c or 1e-300
        fraction *= d * c
        if abs(d * c - 1) < 1e-14:
            break
    return 1 - front * fraction
