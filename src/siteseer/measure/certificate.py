"""A sample of skipped URLs in, the share of them that would have brought content out, with a confidence interval.

The sample is stratified by rule, in proportion to how many URLs each rule skipped and at least a few of each. The
interval is Clopper and Pearson's (1934), exact for a simple sample, at the effective sample size of the stratified one
(Korn and Graubard, 1998), narrowed for sampling without replacement. It is on the safe side: it holds the true share
at least as often as it says.
"""

from __future__ import annotations

import math
import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CONFIDENCE = 0.95
FEWEST_PER_RULE = 2


@dataclass(frozen=True, slots=True)
class Stratum:
    """The URLs that one rule skipped, and what the sampled ones held."""

    rule: str
    skipped: int
    sampled: int
    missed: int


@dataclass(frozen=True, slots=True)
class Estimate:
    """A share with its interval."""

    share: float
    low: float
    high: float
    confidence: float = CONFIDENCE


def allocate(skipped: Mapping[str, int], sample: int) -> dict[str, int]:
    """Say how many URLs to draw for each rule: in proportion, at least a few, never more than there are.

    >>> allocate({"print view": 900, "login": 99, "feed": 1}, 50)
    {'print view': 45, 'login': 5, 'feed': 1}
    """
    total = sum(skipped.values())
    wanted = {rule: max(min(FEWEST_PER_RULE, count), round(sample * count / total)) for rule, count in skipped.items()}
    return {rule: min(wanted[rule], count) for rule, count in skipped.items()}


def draw(urls: Sequence[str], size: int, seed: int) -> list[str]:
    """Draw URLs without replacement, the same for the same seed."""
    return random.Random(seed).sample(list(urls), min(size, len(urls)))


def estimate(strata: Sequence[Stratum], confidence: float = CONFIDENCE) -> Estimate:
    """Return the share of all skipped URLs that would have brought content.

    >>> found = estimate([Stratum("print view", 1000, 60, 0)])
    >>> found.share, found.low, round(found.high, 2)
    (0.0, 0.0, 0.06)
    """
    looked = [one for one in strata if one.sampled]
    total = sum(one.skipped for one in looked)
    if not total:
        return Estimate(0.0, 0.0, 1.0 if strata else 0.0, confidence)
    share = sum(one.skipped / total * one.missed / one.sampled for one in looked)
    if all(one.sampled == one.skipped for one in looked):
        return Estimate(share, share, share, confidence)
    size = _effective_size(looked, total, share)
    return Estimate(share, *clopper_pearson(share * size, size, confidence), confidence)


def _effective_size(strata: Sequence[Stratum], total: int, share: float) -> float:
    """Return how large a simple sample would be as exact as this one."""
    variance, simple = 0.0, 0.0
    for one in strata:
        weight = one.skipped / total
        unseen = 1 - one.sampled / one.skipped
        inside = (one.missed + 0.5) / (one.sampled + 1)
        variance += weight**2 * unseen * inside * (1 - inside) / one.sampled
        simple += weight**2 * unseen / one.sampled
    sampled = sum(one.sampled for one in strata)
    kish = 1 / simple if simple else float(total)
    if not 0 < share < 1 or not variance:
        return min(kish, sampled / (1 - sampled / total) if sampled < total else kish)
    return min(share * (1 - share) / variance, kish)


def clopper_pearson(hits: float, size: float, confidence: float) -> tuple[float, float]:
    """Return the exact interval of a share; hits and size need not be whole.

    >>> [round(bound, 3) for bound in clopper_pearson(2, 20, 0.95)]
    [0.012, 0.317]
    """
    tail = (1 - confidence) / 2
    low = 0.0 if hits <= 0 else _beta_quantile(tail, hits, size - hits + 1)
    high = 1.0 if hits >= size else _beta_quantile(1 - tail, hits + 1, size - hits)
    return low, high


def _beta_quantile(probability: float, a: float, b: float) -> float:
    low, high = 0.0, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        if _beta_share(middle, a, b) < probability:
            low = middle
        else:
            high = middle
    return (low + high) / 2


def _beta_share(x: float, a: float, b: float) -> float:
    """Return the regularised incomplete beta function, by Lentz's continued fraction."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_share(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x))
    tiny = 1e-30
    c, d = 1.0, 1 / _not_zero(1 - (a + b) * x / (a + 1), tiny)
    total = d
    for m in range(1, 300):
        for term in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 / _not_zero(1 + term * d, tiny)
            c = _not_zero(1 + term / c, tiny)
            total *= c * d
        if abs(c * d - 1) < 1e-12:
            break
    return front * total / a


def _not_zero(value: float, tiny: float) -> float:
    return value if abs(value) > tiny else tiny
