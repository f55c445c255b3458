"""Candidates in, the odds of each out: what agrees and what differs, weighed by what is usual.

Reference: Fellegi, Sunter, A theory for record linkage, JASA 64, 1969; how often values of true pairs are the same,
close, similar or different (m) is learned from the candidates themselves by expectation maximisation, how often those
of any two instances are (u) from pairs drawn at random and, for the same values, from how often each occurs. So a
telephone number that differs speaks against two restaurants where numbers are usually written alike, and says little
where they are not; a common title says less than a rare one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.align.comparison import LEVELS, SAME, Compared
from siteseer.align.graph import Floats

USUAL = np.array([0.1, 0.1, 0.2, 0.6])
"""Levels of true pairs before anything is learned, worth `WEIGHT` pairs."""
WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class Usual:
    """For each two relations, how often each level occurs among true pairs, and among any pairs."""

    true: Floats
    chance: Floats

    @classmethod
    def learned(cls, compared: Compared, guess: Floats, chance: Floats) -> Usual:
        """Learn from candidates that are true as far as they are guessed to be."""
        true = np.empty_like(chance)
        for k, column in enumerate(compared.level.T):
            both = column >= 0
            seen = np.bincount(column[both], guess[both], LEVELS) + WEIGHT * USUAL
            true[k] = seen / seen.sum()
        return cls(true, chance)

    def weights(self, compared: Compared) -> Floats:
        """Return the logarithm of how much likelier each pair is to be compared so when it is true."""
        total = np.zeros(len(compared.level))
        for k, column in enumerate(compared.level.T):
            by_level = np.maximum.accumulate(np.log(self.true[k] / self.chance[k])[:SAME])
            weight = np.where(column >= 0, by_level[np.clip(column, 0, SAME - 1)], 0.0)
            same = column == SAME
            rare = np.log(self.true[k, SAME] / compared.by_chance[same, k])
            weight[same] = np.maximum(rare, max(float(by_level[-1]), 0.0))
            total += weight
        return total


def prior(matched: float, here: int, there: int) -> float:
    """Return the log odds that an instance has a match at all and that it is a given one of the other side."""
    some = min(matched + 0.5, here)
    return float(np.log(some / (here - some + 1.0)) - np.log(max(there, 1)))
