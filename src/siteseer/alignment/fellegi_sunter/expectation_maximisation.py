"""Estimates match odds and false discovery rates of candidates by expectation maximisation (Fellegi–Sunter).

Reference: Fellegi, Sunter, A theory for record linkage, JASA 64, 1969; how often values of true pairs are the same,
close, similar or different (m) is learned from the candidates themselves by expectation maximisation, how often those
of any two instances are (u) from pairs drawn at random and, for the same values, from how often each occurs. So a
telephone number that differs speaks against two restaurants where numbers are usually written alike, and says little
where they are not; a common title says less than a rare one.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from siteseer.alignment.fact_graph import Floats
from siteseer.alignment.fellegi_sunter.candidate_pairs import (
    CandidatePairs,
    Pairs,
    candidates_and_decoys,
    linking_relations,
    logistic,
)
from siteseer.alignment.fellegi_sunter.duplicates_within import Mask, duplicate_candidates
from siteseer.alignment.fellegi_sunter.false_discovery import false_discovery_rates
from siteseer.alignment.fellegi_sunter.field_comparison import (
    LEVELS,
    SAME,
    FieldComparison,
    chance_of_levels,
    counterparts,
)
from siteseer.alignment.paris.assignment import mutual_best
from siteseer.alignment.paris.fixed_point import Round, Sides
from siteseer.alignment.source_statistics import SourceStatistics

STEPS = 10
DRAWN = 20_000
"""Pairs drawn at random, from which chance is learned."""
_SHIFT = 500.0
USUAL = np.array([0.1, 0.1, 0.2, 0.6])
"""Levels of true pairs before anything is learned, worth `WEIGHT` pairs."""
WEIGHT = 2.0


@dataclass(frozen=True, slots=True)
class LevelFrequencies:
    """For each two relations, how often each level of agreement occurs among true pairs (m) and any pairs (u)."""

    true: Floats
    chance: Floats

    @classmethod
    def learned(cls, compared: FieldComparison, guess: Floats, chance: Floats) -> LevelFrequencies:
        """Learn from candidates that are true as far as they are guessed to be."""
        true = np.empty_like(chance)
        for k, column in enumerate(compared.level.T):
            both = column >= 0
            seen = np.bincount(column[both], guess[both], LEVELS) + WEIGHT * USUAL
            true[k] = seen / seen.sum()
        return cls(true, chance)

    def weights(self, compared: FieldComparison) -> Floats:
        """Return the match weight of each pair: the logarithm of m / u, summed over its fields."""
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


@dataclass(frozen=True, slots=True)
class CandidateScores:
    """The estimated scores of each candidate."""

    odds: Floats
    doubt: Floats
    """The share of false ones among what is as good, by the side that doubts less; 1 where it is not the best."""
    cautious: Floats
    """The same by the side that doubts more: by it is learned what is usual."""
    again: Mask
    """Matches besides the best, where a side says the same thing several times."""


def estimate_scores(given: Sides, last: Round, known: SourceStatistics, pairs: Pairs, start: Floats) -> CandidateScores:
    """Score candidates by their literals first, then also by linked instances, as far as those were judged equal."""
    relations = counterparts(last.included.believed, given.left, given.right)
    links = linking_relations(given.left, given.instances[0]), linking_relations(given.right, given.instances[1])
    literal = [(r, s) for r, s in relations if r not in links[0] and s not in links[1]]
    pair_sets = candidates_and_decoys(given, last, known, pairs)
    found, odds = _agreed(literal, pair_sets, known, start, (None, None, None))
    if len(literal) < len(relations):
        found, _ = _agreed(relations, pair_sets, known, logistic(found.odds) * (1 - found.cautious), odds)
    return found


def _agreed(
    relations: list[tuple[int, int]],
    pair_sets: tuple[CandidatePairs, CandidatePairs, CandidatePairs],
    known: SourceStatistics,
    start: Floats,
    before: tuple[Floats | None, Floats | None, Floats | None],
) -> tuple[CandidateScores, tuple[Floats, Floats, Floats]]:
    """Alternate between learning level frequencies from the matches, and finding matches by the frequencies (EM)."""
    cross, one, two = pair_sets
    compared = (
        cross.compare_fields(relations, before[0]),
        one.compare_fields([(r, r) for r, _ in relations], before[1]),
        two.compare_fields([(s, s) for _, s in relations], before[2]),
    )
    chance = chance_of_levels(_drawn(cross, relations, before[0]))
    sizes = len(np.unique(cross.pairs[0])), len(np.unique(cross.pairs[1]))
    guess, sure = start, np.zeros(len(start))
    for _ in range(STEPS):
        usual, matched = LevelFrequencies.learned(compared[0], guess, chance), float(guess.sum())
        first = max(prior(matched, *sizes), prior(matched, *sizes[::-1]))
        odds, left, right = (first + usual.weights(part) for part in compared)
        best = mutual_best(cross.keys, np.maximum(odds + _SHIFT, 0.0), *cross.instances)
        mutual = best.right_of[cross.pairs[0]] == cross.pairs[1]
        found = _doubted(odds, mutual, cross.pairs, (one.best_log_odds(left), two.best_log_odds(right)), known, sure)
        guess = sure = np.where(mutual, logistic(odds) * (1 - found.cautious), 0.0)
    return found, (odds, left, right)


def _drawn(cross: CandidatePairs, relations: list[tuple[int, int]], before: Floats | None) -> FieldComparison:
    """Compare pairs drawn at random that are no candidates."""
    rng = np.random.default_rng(0)
    x, y = (rng.choice(np.unique(side), DRAWN) for side in cross.pairs)
    free = ~np.isin(x * cross.instances[1] + y, cross.keys)
    return cross.compare_fields(relations, before, (x[free], y[free]))


def _doubted(
    odds: Floats, mutual: Mask, pairs: Pairs, siblings: tuple[Floats, Floats], known: SourceStatistics, sure: Floats
) -> CandidateScores:
    """Doubt matches kind by kind, by the siblings of those sides that do not repeat themselves."""
    found = CandidateScores(odds, np.ones(len(odds)), np.ones(len(odds)), np.zeros(len(odds), bool))
    x, y = pairs
    for kind in np.unique(known.kinds[0][x[mutual]]).tolist():
        here = np.flatnonzero(known.kinds[0][x] == kind)
        won = mutual[here]
        other = int(np.argmax(np.bincount(known.kinds[1][y[here[won]]])))
        of_kind = known.kinds[0] == kind, known.kinds[1] == other
        n, m = int(of_kind[0].sum()), int(of_kind[1].sum())
        thin = [count / max(int(of_kind[k][known.sample[k]].sum()), 1) for k, count in enumerate((n, m))]
        matched = float(sure[here].sum())
        alone = max(1 - matched / min(n, m), 0.0)
        good = won & (odds[here] > 0)
        further = (
            duplicate_candidates(odds[here], good, x[here], y[here]),
            duplicate_candidates(odds[here], good, y[here], x[here]),
        )
        each = alone * m / n * thin[0] ** 2, alone * n / m * thin[1] ** 2
        told = [false_discovery_rates(odds[here][won], siblings[k][of_kind[k]], each[k]) for k in (0, 1)]
        honest = [told[k] for k in (0, 1) if not further[k].any()] or [np.minimum(*told)]
        found.doubt[here[won]], found.cautious[here[won]] = np.min(honest, axis=0), np.max(honest, axis=0)
        found.again[here] = further[0] | further[1]
    return found
