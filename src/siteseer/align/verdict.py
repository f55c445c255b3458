"""The last round in, the matches that stand out: candidates are judged by all that both sides know of them.

An instance keeps the best of its candidates when it is also the best for that one. Whether several instances of one
side may be the same thing is read from the data: only where many that lost their place agree as well as winners do,
the losers are matches too.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from siteseer.align.agreement import agreement
from siteseer.align.assignment import Assignment, mutual_best
from siteseer.align.graph import Floats, Ints
from siteseer.align.inclusion import Values
from siteseer.align.iterate import Round, Sides
from siteseer.align.judge import compare, counterparts, verdicts

CANDIDATES = 4
"""The best candidates of each instance are judged."""
AGREEING = 0.5
"""The share of possible evidence that a pair has which is taken for true at first."""
ENOUGH = 20
"""Pairs from which what is usual can be learned; with fewer, `AGREEING_LITTLE` decides."""
AGREEING_LITTLE = 0.25
LOWEST, HIGHEST = -4.0, 0.0
"""Between these log odds lies what a pair needs that is the best of each other."""
SECOND = 0.9
"""The share of second-best candidates of clear winners that must lie below it: so good is a wrong one at most."""
STRONG, REPEATED = 6.0, 0.05
"""Where so large a share of winners has a further candidate of such odds, the side repeats itself."""
_SHIFT = 200.0


@dataclass(frozen=True, slots=True)
class Verdict:
    """Pairs of instances that stand, with their probability; and the part of them that is one to one."""

    x: Ints
    y: Ints
    probability: Floats
    assigned: Assignment


def judged(given: Sides, last: Round) -> Verdict:
    """Return which candidates of the last round stand."""
    kept = _best_candidates(last.pair, last.weight, given.instances[1])
    pair, weight = last.pair[kept], last.weight[kept]
    x, y = np.divmod(pair, max(given.instances[1], 1))
    share = _share(given, last, pair)
    chance = -np.expm1(-weight)
    start = np.where(share >= AGREEING, chance, 0.0)
    if start.sum() < ENOUGH:
        stands = (last.assigned.right_of[x] == y) & (share >= AGREEING_LITTLE)
        return Verdict(x[stands], y[stands], chance[stands], _only(last.assigned, x[stands], y[stands]))
    odds = _odds(given, last, x, y, start)
    best = mutual_best(pair, np.maximum(odds + _SHIFT, 0.0), *given.instances)
    mutual = best.right_of[x] == y
    needed = max(LOWEST, min(_second_best(odds, mutual, x), _second_best(odds, mutual, y), HIGHEST))
    won = mutual & (odds > needed)
    again = _again(odds, won, x, y) | _again(odds, won, y, x)
    stands = won | again
    probability = chance * _logistic(odds - np.where(won, needed, 0.0))
    return Verdict(x[stands], y[stands], probability[stands], _only(last.assigned, x[won], y[won], weight[won]))


def _share(given: Sides, last: Round, pair: Ints) -> Floats:
    there, possible = agreement(
        pair, [given.shared, last.linked], given.left, given.right, last.included.believed, given.instances[1]
    )
    return there / np.maximum(possible, 1e-9)


def _odds(given: Sides, last: Round, x: Ints, y: Ints, start: Floats) -> Floats:
    """Judge by literals first, then by linked instances too, as far as they were judged equal."""
    relations = counterparts(last.included.believed, given.left, given.right)
    literal = [(r, s) for r, s in relations if r not in _linking(given) and s not in _linking(given, right=True)]
    known = given.literals
    texts = Values.of(known.left, known.right, known.similarity, given.nodes[1])
    compared = compare(x, y, given.left, given.right, literal, texts)
    prior = float(np.log(start.sum() / max(compared.comparable, 1.0)))
    odds = verdicts(compared, start, prior)
    if len(literal) == len(relations):
        return odds
    equal = odds > 0
    everything = Values.of(
        np.concatenate((x[equal], known.left)),
        np.concatenate((y[equal], known.right)),
        np.concatenate((_logistic(odds[equal]), known.similarity)),
        given.nodes[1],
    )
    return verdicts(compare(x, y, given.left, given.right, relations, everything), _logistic(odds), prior)


def _linking(given: Sides, right: bool = False) -> set[int]:
    """Return the relations that lead to instances."""
    edges, instances = (given.right, given.instances[1]) if right else (given.left, given.instances[0])
    return set(np.unique(edges.relation[edges.target < instances]).tolist())


def _best_candidates(pair: Ints, weight: Floats, instances: int) -> npt.NDArray[np.bool_]:
    kept = np.zeros(len(pair), bool)
    for number in np.divmod(pair, max(instances, 1)):
        order = np.lexsort((-weight, number))
        sizes = np.bincount(number) if len(number) else np.zeros(0, np.int64)
        place = np.arange(len(pair)) - (np.cumsum(sizes) - sizes)[number[order]]
        kept[order[place < CANDIDATES]] = True
    return kept


def _second_best(odds: Floats, mutual: npt.NDArray[np.bool_], x: Ints) -> float:
    """Return how good the best wrong candidate of an instance that has a clear match usually is, at most."""
    clear = x[mutual & (odds > 0)]
    if not len(clear):
        return LOWEST
    second = np.full(int(x.max()) + 1, -np.inf)
    np.maximum.at(second, x[~mutual], odds[~mutual])
    return float(np.quantile(second[clear], SECOND, method="lower"))


def _again(odds: Floats, won: npt.NDArray[np.bool_], x: Ints, y: Ints) -> npt.NDArray[np.bool_]:
    """Return the candidates of losers x for winners y, where x's side says the same thing several times."""
    if not won.any():
        return np.zeros(len(odds), bool)
    best = np.full(int(x.max()) + 1, -np.inf)
    np.maximum.at(best, x, odds)
    placed = np.zeros(len(best), bool)
    placed[x[won]] = True
    taken = np.zeros(int(y.max()) + 1, bool)
    taken[y[won]] = True
    lost: npt.NDArray[np.bool_] = ~placed[x] & taken[y] & (odds >= best[x]) & (odds > 0)
    return lost if (odds[lost] >= STRONG).sum() >= REPEATED * won.sum() else np.zeros(len(odds), bool)


def _only(assigned: Assignment, x: Ints, y: Ints, weight: Floats | None = None) -> Assignment:
    right_of, left_of = np.full_like(assigned.right_of, -1), np.full_like(assigned.left_of, -1)
    right_of[x], left_of[y] = y, x
    weights = assigned.weight.copy()
    if weight is not None:
        weights[x] = weight
    return Assignment(right_of, left_of, weights)


def _logistic(odds: Floats) -> Floats:
    return np.asarray(1 / (1 + np.exp(-np.clip(odds, -50.0, 50.0))), np.float64)
